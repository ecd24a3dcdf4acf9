//! The front door: documents in, matches out.

use crate::analyse::repeats::Repeats;
use crate::analyse::{Analyser, Parcel, Scratch};
use crate::collection::classes::{Classes, resolve_twins};
use crate::collection::documents::{Documents, Entry};
use crate::collection::store::Store;
use crate::document::{Document, Item, Skipped, Twin};
use crate::error::{Error, Result};
use crate::features::{Weights, idf, window};
use crate::hash;
use crate::matches::{Matches, Report};
use crate::matching::edges::EdgeSink;
use crate::matching::join::Rule;
use crate::matching::lsh::Check;
use crate::matching::similarity::Similarity;
use crate::matching::{Job, Sides, agree, hamming, hyperplanes, join, lsh, spotsigs};
use crate::parallel;
use crate::recipe::{FeatureKind, Matching, Recipe, THRESHOLD, Verify};
use crate::settings::{Budget, Join, Settings};
use crate::signatures::Signatures;
use crate::sketch::Rows;
use crate::sketch::imatch::{Signer, own};
use crate::sketch::simhash::SimHasher;
use crate::sketch::supershingles::REQUIRED;

/// Collects documents and finds the near duplicates among them.
///
/// ```
/// use twinsift::{Document, Recipe, Sifter};
///
/// let mut sifter = Sifter::new(Recipe::default(), Default::default())?;
/// sifter.add(&Document::new("a", "The quick brown fox jumps over the lazy dog."))?;
/// sifter.add(&Document::new("b", "the quick brown fox jumps over the lazy dog"))?;
/// let matches = sifter.finish()?;
/// let pair = matches.pairs().next().expect("one pair")?;
/// assert_eq!((pair.a, pair.b, pair.score), (0, 1, 1.0));
/// # Ok::<(), twinsift::Error>(())
/// ```
#[derive(Debug)]
pub struct Sifter {
    recipe: Recipe,
    settings: Settings,
    analyser: Analyser,
    /// Texts that were read, where that is of use.
    repeats: Option<Repeats>,
    /// Batches that were drawn; a document that is added by itself is one.
    batches: u64,
    /// Documents that were added one by one and not yet appended.
    pending: Parcel,
    scratch: Scratch,
    collected: Collected,
}

/// Everything that has been read so far.
#[derive(Debug)]
struct Collected {
    documents: Documents,
    store: Store,
    /// Documents with too few spots: what they are compared by instead.
    fallback: Store,
    unsigned: Vec<(u32, u32)>,
    rows: Rows,
    digests: Vec<Option<u128>>,
    twins: Vec<(u32, Twin)>,
    /// Documents whose text is another one's: neither store nor rows have them.
    repeated: u64,
    report: Report,
}

/// Why other methods cannot do with signatures.
const SIGNATURES_ONLY: &str = "stored signatures are offered for --method imatch (without --verify), andd --match lsh --no-verify, supershingles and exact: other methods compare the documents themselves";

/// A pending parcel of this many bytes is appended.
const PARCEL_BYTES: usize = 1 << 20;

impl Sifter {
    /// A collector for one run.
    pub fn new(recipe: Recipe, settings: Settings) -> Result<Self> {
        refuse_misplaced_join(&recipe, &settings)?;
        let analyser = Analyser::new(&recipe);
        Ok(Self::with(recipe, settings, analyser))
    }

    /// A collector for documents that are all known by stored signatures of
    /// `row_width` numbers: whatever they were made with is not needed any more.
    pub fn of_signatures(recipe: Recipe, settings: Settings, row_width: usize) -> Result<Self> {
        let comparable = matches!(
            recipe.matching,
            Matching::IMatch { verify: None, .. }
                | Matching::SuperShingles
                | Matching::Hyperplanes { verify: false, .. }
                | Matching::WeightedMinHash { verify: false, .. }
        );
        if !comparable && recipe.features != FeatureKind::Text {
            return Err(Error::Recipe(SIGNATURES_ONLY.into()));
        }
        let analyser = Analyser::of_stored(&recipe, row_width);
        Ok(Self::with(recipe, settings, analyser))
    }

    fn with(recipe: Recipe, settings: Settings, analyser: Analyser) -> Self {
        let budget = Budget::new(settings.memory);
        Self {
            collected: Collected {
                documents: Documents::default(),
                store: Store::new(budget.features(), &settings.tmp),
                fallback: Store::new(budget.banded(), &settings.tmp),
                unsigned: Vec::new(),
                rows: Rows::new(analyser.row_width()),
                digests: Vec::new(),
                twins: Vec::new(),
                repeated: 0,
                report: Report::default(),
            },
            repeats: analyser
                .takes_repeats_together()
                .then(|| Repeats::new(budget.repeats())),
            batches: 0,
            pending: Parcel::default(),
            scratch: analyser.scratch(),
            recipe,
            settings,
            analyser,
        }
    }

    /// Adds a document.
    pub fn add(&mut self, document: &Document<'_>) -> Result<()> {
        self.batches += 1;
        let (repeats, scratch) = (self.repeats.as_ref(), &mut self.scratch);
        let (analyser, pending) = (&self.analyser, &mut self.pending);
        analyser.document_once(document, self.batches, repeats, scratch, pending);
        self.flush_if_full()
    }

    /// Adds a document by features of your own making: distinct values in any
    /// order with weights above zero. Any numbers will do: they are
    /// [spread](hash::spread) first.
    pub fn add_features(&mut self, id: &str, features: &[(u64, f32)]) -> Result<()> {
        let mut features = features.to_vec();
        features.retain(|&(_, weight)| weight > 0.0 && weight.is_finite());
        // Tables and sketches count on values that are spread evenly.
        for (value, _) in &mut features {
            *value = hash::spread(*value);
        }
        features.sort_unstable_by_key(|&(value, _)| value);
        features.dedup_by_key(|&mut (value, _)| value);
        let values: Vec<u64> = features.iter().map(|&(value, _)| value).collect();
        let weighted = self.recipe.weights != Weights::Binary;
        let weights = features
            .iter()
            .take(if weighted { features.len() } else { 0 })
            .map(|&(_, weight)| weight);
        self.pending.entries.push(Entry::of(&Document::new(id, "")));
        self.analyser
            .vector(&values, weights, &mut self.scratch, &mut self.pending);
        self.flush_if_full()
    }

    fn flush_if_full(&mut self) -> Result<()> {
        match self.pending.block.bytes() >= PARCEL_BYTES || self.pending.entries.len() >= 4096 {
            true => self.flush(),
            false => Ok(()),
        }
    }

    fn flush(&mut self) -> Result<()> {
        let mut parcel = std::mem::take(&mut self.pending);
        parcel.block.shrink_to_fit();
        self.collected.append(parcel, &mut |_| Ok(()))
    }

    /// Everything added from now on is the old collection: it is compared with
    /// what came before, never with itself.
    pub fn begin_old(&mut self) -> Result<()> {
        self.flush()?;
        self.collected.documents.begin_old();
        Ok(())
    }

    /// Adds the documents of many batches. The worker threads take turns at
    /// drawing them and expand them by `expand` side by side; documents keep the
    /// order of the batches. Each record that could not be read goes to
    /// `on_skipped`, which may stop the run.
    pub fn add_batches<B>(
        &mut self,
        batches: impl Iterator<Item = B> + Send,
        expand: impl Fn(&B, &mut dyn FnMut(Item<'_>)) + Sync,
        mut on_skipped: impl FnMut(Skipped) -> Result<()> + Send,
    ) -> Result<()> {
        self.flush()?;
        let Self {
            settings,
            analyser,
            collected,
            repeats,
            batches: drawn,
            ..
        } = self;
        let numbered = batches.map(|batch| {
            *drawn += 1;
            (*drawn, batch)
        });
        parallel::in_order(
            settings.threads,
            numbered,
            || analyser.scratch(),
            |scratch, (number, batch)| {
                analyser.parcel(scratch, number, repeats.as_ref(), |sink| {
                    expand(&batch, sink)
                })
            },
            |parcel| collected.append(parcel, &mut on_skipped),
        )
    }

    /// The documents that have been added.
    pub fn documents(&self) -> &Documents {
        &self.collected.documents
    }

    /// Finds the near duplicates.
    pub fn finish(mut self) -> Result<Matches> {
        self.flush()?;
        self.repeats = None;
        let pool = self.pool()?;
        pool.install(|| self.find())
    }

    /// The signatures of all documents, for methods that match by them.
    pub fn sign(mut self) -> Result<Signatures> {
        self.flush()?;
        let pool = self.pool()?;
        pool.install(|| self.signatures())
    }

    fn signatures(self) -> Result<Signatures> {
        let Self {
            recipe,
            settings,
            analyser,
            mut collected,
            ..
        } = self;
        let mut lexicon = recipe
            .lexicon
            .as_ref()
            .map(|lexicon| lexicon.id().to_owned());
        match recipe.matching {
            Matching::IMatch { .. } if analyser.row_width() == 0 => {
                lexicon = Some(collected.sign_by_own_lexicon(&recipe, &settings)?);
            }
            Matching::IMatch { .. }
            | Matching::SuperShingles
            | Matching::Hyperplanes { .. }
            | Matching::WeightedMinHash { verify: false, .. } => {}
            Matching::Hash if recipe.features == FeatureKind::Text => {
                collected.rows = Rows::new(recipe.signature_lanes());
                for (doc, digest) in (0..).zip(&collected.digests) {
                    if let Some(digest) = *digest {
                        let row = [(digest >> 64) as u64, digest as u64];
                        collected.rows.set(doc, &row);
                    }
                }
            }
            _ => return Err(Error::Recipe(SIGNATURES_ONLY.into())),
        }
        Ok(Signatures {
            documents: collected.documents,
            rows: collected.rows,
            lanes: recipe.signature_lanes(),
            lexicon,
            recipe: recipe.signature_id(),
        })
    }

    fn pool(&self) -> Result<rayon::ThreadPool> {
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.settings.threads.max(1))
            .build()
            .map_err(|error| Error::Threads(error.to_string()))
    }

    fn find(self) -> Result<Matches> {
        let Self {
            recipe,
            settings,
            analyser,
            mut collected,
            ..
        } = self;
        collected.report.unsigned = collected.unsigned.len() as u64;
        if recipe.imatch.is_some() && analyser.row_width() == 0 {
            collected.sign_by_own_lexicon(&recipe, &settings)?;
        }
        let Collected {
            documents,
            mut store,
            fallback,
            mut unsigned,
            mut rows,
            mut digests,
            twins,
            repeated,
            mut report,
        } = collected;
        let budget = Budget::new(settings.memory);
        report.spilled_bytes = store.spilled_bytes() + fallback.spilled_bytes();
        if let Some(range) = recipe.idf.filter(|_| recipe.narrows()) {
            let total =
                |features: usize, weights: &[f32]| recipe.similarity().total(features, weights);
            let signed: Vec<bool> = digests.iter().map(Option::is_some).collect();
            store = window::narrow(store, documents.len(), range, total, &settings)?;
            rows = window::sign(&store, &recipe, &mut digests)?;
            let emptied = (0..).zip(digests.iter().zip(signed));
            let emptied = emptied.filter(|(_, (digest, signed))| *signed && digest.is_none());
            let emptied: Vec<(u32, u32)> = emptied.map(|(doc, _)| (doc, 0)).collect();
            report.emptied = emptied.len() as u64;
            unsigned.extend(emptied);
            unsigned.sort_unstable();
        }
        if recipe.weights == Weights::TfIdf {
            let similarity = match recipe.matching {
                Matching::Exact { similarity, .. } => similarity,
                _ => Similarity::Cosine,
            };
            let total = |weights: &[f32]| similarity.total(weights.len(), weights);
            store = idf::weigh(store, documents.len(), total, &settings)?;
        }
        if let Matching::Hamming { bits, .. } = recipe.matching {
            rows = sign(&store, bits, recipe.seed)?;
            for doc in rows.docs() {
                digests[doc as usize] = Some(hash::digest(rows.row(doc).iter().copied()));
            }
        }
        report.signature_bytes = match (rows.width(), store.features()) {
            (0, 0) => digests.iter().flatten().count() * size_of::<u128>(),
            (0, features) if recipe.weights == Weights::Binary => features * size_of::<u64>(),
            (0, features) => features * (size_of::<u64>() + size_of::<f32>()),
            (width, _) => (rows.docs().count() + repeated as usize) * width * size_of::<u64>(),
        } as u64;
        report.orphan_revisits = resolve_twins(&twins, &mut digests) as u64;
        let mut repeats_another = vec![false; digests.len()];
        for &(doc, twin) in &twins {
            repeats_another[doc as usize] = matches!(twin, Twin::Repeats(_));
        }
        let classes = Classes::new(&digests, |doc| !repeats_another[doc as usize]);
        drop(digests);
        let unjudged = (0..classes.len() as u32).filter(|&doc| !classes.is_judged(doc));
        let explained = |doc: &u32| unsigned.binary_search_by_key(doc, |&(doc, _)| doc).is_ok();
        report.unjudged = unjudged.filter(|doc| !explained(doc)).count() as u64;
        let job = Job {
            classes: &classes,
            sides: Sides::new(&classes, documents.old_from()),
            settings: &settings,
            budget,
        };
        let sink = EdgeSink::new(budget.edges(), &settings.tmp);
        match recipe.matching {
            Matching::Exact { threshold, .. } if settings.join.is_some_and(Join::is_spotsigs) => {
                report.compared = spotsigs::join(&job, threshold, &store, &sink)?;
            }
            Matching::Exact {
                similarity,
                threshold,
            } => {
                let weighted = recipe.weights != Weights::Binary;
                let rule = Rule::new(similarity, threshold, weighted);
                let joined = join::join(&job, &rule, store, &sink)?;
                report.compared = joined.compared;
                report.bands = joined.bands;
                report.indexed = joined.indexed;
            }
            Matching::WeightedMinHash {
                threshold,
                verify: false,
                ..
            } => {
                // As many as make the share; rounding must not ask for one more.
                let equal = (threshold * rows.width() as f64 - 1e-9).ceil();
                report.compared = agree::agree(&job, &rows, 1, equal as usize, &sink)?;
            }
            Matching::Lsh { threshold, .. } | Matching::WeightedMinHash { threshold, .. } => {
                let check = Check {
                    require: 1,
                    lanes: 1,
                    similarity: recipe.similarity(),
                    threshold,
                };
                report.compared = lsh::lsh(&job, check, &store, &rows, &sink)?;
                parallel::drop_aside(store);
            }
            Matching::SuperShingles => {
                report.compared = agree::agree(&job, &rows, 1, REQUIRED, &sink)?;
            }
            Matching::Hyperplanes {
                threshold, verify, ..
            } => {
                let vectors = verify.then_some(&store);
                report.compared = hyperplanes::within(&job, threshold, vectors, &rows, &sink)?;
            }
            Matching::IMatch { require, verify } => {
                let lanes = recipe.imatch.unwrap_or_default().digest.lanes();
                let require = require as usize;
                report.compared = match verify {
                    None => agree::agree(&job, &rows, lanes, require, &sink)?,
                    Some(Verify {
                        similarity,
                        threshold,
                    }) => {
                        let check = Check {
                            require,
                            lanes,
                            similarity,
                            threshold,
                        };
                        lsh::lsh(&job, check, &store, &rows, &sink)?
                    }
                };
            }
            Matching::Hamming { distance, .. } => {
                report.compared = hamming::within(&job, &rows, distance, &sink)?;
            }
            Matching::Hash => {}
        }
        if !fallback.is_empty() {
            let rule = Rule::new(Similarity::Jaccard, THRESHOLD, false);
            report.compared += join::join(&job, &rule, fallback, &sink)?.compared;
        }
        let adjacency = sink.finish(classes.len())?;
        Ok(Matches::new(recipe, documents, classes, adjacency, report).with_unsigned(unsigned))
    }
}

fn refuse_misplaced_join(recipe: &Recipe, settings: &Settings) -> Result<()> {
    let why = match (settings.join, recipe.matching) {
        (
            Some(join),
            Matching::Exact {
                similarity: Similarity::Cosine | Similarity::ExtendedJaccard,
                ..
            },
        ) if join.is_spotsigs() => {
            "--join spotsigs finds pairs by Jaccard similarity: leave it out for cosine"
        }
        (None, _) | (_, Matching::Exact { .. }) => return Ok(()),
        _ => "--join has no meaning here: it belongs to --match exact",
    };
    Err(Error::Recipe(why.into()))
}

/// The similarity hash of every document.
fn sign(store: &Store, bits: u32, seed: u64) -> Result<Rows> {
    let mut rows = Rows::new(bits.div_ceil(64) as usize);
    let together = rayon::current_num_threads() * 4;
    for start in (0..store.len()).step_by(together) {
        use rayon::prelude::*;
        let signed: Vec<Vec<(u32, Vec<u64>)>> = (start..store.len().min(start + together))
            .into_par_iter()
            .map(|at| {
                let block = store.load(at)?;
                let mut hasher = SimHasher::new(bits, seed);
                Ok((0..block.len())
                    .map(|at| {
                        let mut row = Vec::new();
                        hasher.sign(block.vector(at), &mut row);
                        (block.docs[at], row)
                    })
                    .collect())
            })
            .collect::<Result<_>>()?;
        for (doc, row) in signed.into_iter().flatten() {
            rows.set(doc, &row);
        }
    }
    Ok(rows)
}

impl Collected {
    /// Signs all documents by the statistics of the collection, whose id it gives.
    fn sign_by_own_lexicon(&mut self, recipe: &Recipe, settings: &Settings) -> Result<String> {
        let (Some(rules), Matching::IMatch { require, verify }) = (recipe.imatch, recipe.matching)
        else {
            return Ok(String::new());
        };
        let Self {
            store,
            rows,
            digests,
            unsigned,
            ..
        } = self;
        let lexicon = own::lexicon(store, self.documents.len(), settings)?;
        let signer = Signer::new(&lexicon, rules, recipe.seed, &recipe.signature_id());
        *rows = Rows::new(signer.row_width());
        own::sign(store, &signer, |doc, signed, row| {
            let digest = &mut digests[doc as usize];
            if signed.valid.count_ones() < require {
                *digest = None;
                unsigned.push((doc, signed.terms));
                return;
            }
            rows.set(doc, row);
            if verify.is_none() {
                *digest = Some(hash::digest(row.iter().copied()));
            }
        })?;
        unsigned.sort_unstable();
        self.report.unsigned = unsigned.len() as u64;
        Ok(lexicon.id().to_owned())
    }

    fn append(
        &mut self,
        mut parcel: Parcel,
        on_skipped: &mut dyn FnMut(Skipped) -> Result<()>,
    ) -> Result<()> {
        for skipped in parcel.skipped {
            self.report.skipped += 1;
            on_skipped(skipped)?;
        }
        let first = self.documents.len() as u32;
        for entry in parcel.entries.iter() {
            self.documents.push(entry)?;
        }
        let rows = parcel.rows.chunks_exact(self.rows.width().max(1));
        for (doc, row) in parcel.row_docs.iter().zip(rows) {
            self.rows.set(first + doc, row);
        }
        let unsigned = parcel.unsigned.iter();
        self.unsigned
            .extend(unsigned.map(|&(doc, spots)| (first + doc, spots)));
        if !parcel.fallback.is_empty() {
            let docs = parcel.fallback.docs.iter_mut();
            docs.for_each(|doc| *doc += first);
            self.fallback.push(parcel.fallback)?;
        }
        self.digests.append(&mut parcel.digests);
        let twins = parcel
            .twins
            .into_iter()
            .map(|(doc, twin)| (first + doc, twin));
        self.twins.extend(twins);
        self.report.short += parcel.short;
        self.report.words += parcel.words;
        self.repeated += parcel.repeated;
        self.store.count_absent(parcel.repeated_features);
        if !parcel.block.is_empty() {
            parcel.block.docs.iter_mut().for_each(|doc| *doc += first);
            self.store.push(parcel.block)?;
        }
        Ok(())
    }
}
