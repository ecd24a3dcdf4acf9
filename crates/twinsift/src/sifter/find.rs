//! From everything that was read to its near duplicates.

use super::Sifter;
use super::collected::Collected;
use crate::cluster::stars::Order;
use crate::collection::classes::{Classes, resolve_twins};
use crate::collection::documents::Documents;
use crate::collection::feature_counts::FeatureCounts;
use crate::collection::store::Store;
use crate::document::Twin;
use crate::error::Result;
use crate::features::{Weights, heaviest, idf, window};
use crate::hash;
use crate::matches::{Matches, Purpose, Report};
use crate::matching::edges::EdgeSink;
use crate::matching::forest::Forest;
use crate::matching::join::Rule;
use crate::matching::judged::{Judge, Judged};
use crate::matching::lsh::Check;
use crate::matching::similarity::Similarity;
use crate::matching::wanted::{Preference, Wanted};
use crate::matching::{Job, Sides, agree, hamming, hyperplanes, join, lsh, spotsigs};
use crate::parallel;
use crate::recipe::{Matching, Recipe, THRESHOLD, Verify};
use crate::settings::{Budget, Join, Settings};
use crate::sketch::Rows;
use crate::sketch::minhash;
use crate::sketch::simhash::SimHasher;
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// What is known when the matchers are done.
struct Found {
    recipe: Recipe,
    documents: Documents,
    classes: Classes,
    sink: EdgeSink,
    report: Report,
    unsigned: Vec<(u32, u32)>,
}

impl Sifter {
    /// Finds the near duplicates, on the pool of threads that was entered.
    pub(super) fn find(self, purpose: Purpose) -> Result<Matches> {
        let found = self.find_into(purpose, EdgeSink::of)?;
        let adjacency = found.sink.finish(found.classes.len())?;
        let matches = Matches::new(
            found.recipe,
            found.documents,
            found.classes,
            adjacency,
            found.report,
        );
        Ok(matches.with_unsigned(found.unsigned).found_for(purpose))
    }

    /// Judges every pair; they come in no order.
    pub(super) fn judge(self, judge: Arc<Judge>) -> Result<Judged> {
        let sink = |job: &Job<'_>| EdgeSink::judging(job, judge);
        Ok(self.find_into(Purpose::Pairs, sink)?.sink.judged())
    }

    /// Has the matchers put what they find into a sink.
    fn find_into(self, purpose: Purpose, sink: impl FnOnce(&Job<'_>) -> EdgeSink) -> Result<Found> {
        let Self {
            recipe,
            settings,
            analyser,
            mut collected,
            only,
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
        let total = |features: usize, weights: &[f32]| recipe.similarity().total(features, weights);
        if recipe.narrows() {
            let signed: Vec<bool> = digests.iter().map(Option::is_some).collect();
            store = narrow(store, &recipe, documents.len(), &settings)?;
            rows = window::sign(&store, &recipe, &mut digests)?;
            let emptied = (0..).zip(digests.iter().zip(signed));
            let emptied = emptied.filter(|(_, (digest, signed))| *signed && digest.is_none());
            let emptied: Vec<(u32, u32)> = emptied.map(|(doc, _)| (doc, 0)).collect();
            report.emptied = emptied.len() as u64;
            unsigned.extend(emptied);
            unsigned.sort_unstable();
        }
        if recipe.weights == Weights::TfIdf {
            let total = |weights: &[f32]| total(weights.len(), weights);
            store = idf::weigh(store, documents.len(), total, &settings)?;
        }
        // Learned k-grams have been chosen as they were weighed.
        if let Some(top) = recipe.top_terms.filter(|_| recipe.learned.is_none()) {
            store = heaviest::cut(store, top as usize, total, &settings)?;
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
        if let Some(only) = only {
            // What has no digest is not looked at by any matcher. Documents equal to one of
            // the two may be what stands for it.
            let kept = only.map(|doc| digests[doc as usize]);
            let others = digests.iter_mut().filter(|digest| !kept.contains(digest));
            others.for_each(|digest| *digest = None);
        }
        let mut repeats_another = vec![false; digests.len()];
        for &(doc, twin) in &twins {
            repeats_another[doc as usize] = matches!(twin, Twin::Repeats(_));
        }
        let classes = Classes::new(&digests, |doc| !repeats_another[doc as usize]);
        drop(digests);
        let unjudged = (0..classes.len() as u32).filter(|&doc| !classes.is_judged(doc));
        let explained = |doc: &u32| unsigned.binary_search_by_key(doc, |&(doc, _)| doc).is_ok();
        report.unjudged = unjudged.filter(|doc| !explained(doc)).count() as u64;
        let wanted = match purpose {
            Purpose::Components => Wanted::Connecting(Arc::new(Forest::new(classes.len()))),
            // Old documents all stay, so every pair with them counts.
            Purpose::Dedup(keep) if documents.old_from().is_none() => {
                let order = Order::of(&documents, keep);
                Wanted::Stars(Preference::new(&classes, |doc| order.position(doc)))
            }
            _ => Wanted::All,
        };
        let job = Job {
            classes: &classes,
            sides: Sides::new(&classes, documents.old_from()),
            wanted,
            settings: &settings,
            budget,
        };
        let sink = sink(&job);
        meet(&job, &recipe, store, &rows, &sink, &mut report)?;
        if !fallback.is_empty() {
            let rule = Rule::new(Similarity::Jaccard, THRESHOLD, false);
            report.compared += join::join(&job, &rule, fallback, &sink)?.compared;
        }
        Ok(Found {
            recipe,
            documents,
            classes,
            sink,
            report,
            unsigned,
        })
    }

    /// How many features each document has that is compared by features.
    pub(super) fn count(self) -> Result<Option<FeatureCounts>> {
        let Self {
            recipe,
            settings,
            collected,
            ..
        } = self;
        if collected.store.is_empty() {
            return Ok(None);
        }
        let documents = collected.documents.len();
        let mut counts: Vec<u64> = vec![0; documents];
        if recipe.spots.is_some() {
            for &(doc, spots) in &collected.unsigned {
                counts[doc as usize] = u64::from(spots);
            }
        }
        // What repeats another's text is not in the store, but has its digest.
        let mut first: HashMap<u128, u32> = HashMap::new();
        let mut stands_for: Vec<u32> = (0..documents as u32).collect();
        let store = narrow(collected.store, &recipe, documents, &settings)?;
        let mut distinct: HashSet<u64, hash::OfHashes> = HashSet::default();
        for at in 0..store.len() {
            let block = store.load(at)?;
            for (at, &doc) in block.docs.iter().enumerate() {
                let values = block.vector(at).values;
                counts[doc as usize] = values.len() as u64;
                distinct.extend(values);
                if let Some(digest) = collected.digests[doc as usize] {
                    first.entry(digest).or_insert(doc);
                }
            }
        }
        for (doc, digest) in collected.digests.iter().enumerate() {
            if let Some(digest) = digest {
                stands_for[doc] = first.get(digest).copied().unwrap_or(doc as u32);
            }
        }
        let counted = stands_for.iter().map(|&doc| counts[doc as usize]);
        Ok(Some(FeatureCounts::of(distinct.len() as u64, counted)))
    }
}

/// The features of a store that are in the recipe's range of idf.
fn narrow(store: Store, recipe: &Recipe, documents: usize, settings: &Settings) -> Result<Store> {
    let total = |features: usize, weights: &[f32]| recipe.similarity().total(features, weights);
    match recipe.idf.filter(|_| recipe.narrows()) {
        Some(range) => window::narrow(store, documents, range, total, settings),
        None => Ok(store),
    }
}

/// Has the recipe's matcher look for pairs.
fn meet(
    job: &Job<'_>,
    recipe: &Recipe,
    store: Store,
    rows: &Rows,
    sink: &EdgeSink,
    report: &mut Report,
) -> Result<()> {
    match recipe.matching {
        Matching::Exact { threshold, .. } if job.settings.join.is_some_and(Join::is_spotsigs) => {
            report.compared = spotsigs::join(job, threshold, &store, sink)?;
        }
        Matching::Exact {
            similarity,
            threshold,
        } => {
            let weighted = recipe.weights != Weights::Binary;
            let rule = Rule::new(similarity, threshold, weighted);
            let joined = join::join(job, &rule, store, sink)?;
            report.compared = joined.compared;
            report.bands = joined.bands;
            report.indexed = joined.indexed;
        }
        Matching::MinHashes { threshold, .. }
        | Matching::WeightedMinHash {
            threshold,
            verify: false,
            ..
        } => {
            let equal = minhash::share(threshold, rows.width() as u32);
            report.compared = agree::agree(job, rows, 1, equal as usize, sink)?;
        }
        Matching::Lsh { threshold, .. } | Matching::WeightedMinHash { threshold, .. } => {
            let check = Check {
                require: 1,
                lanes: 1,
                similarity: recipe.similarity(),
                threshold,
            };
            report.compared = lsh::lsh(job, check, &store, rows, sink)?;
            parallel::drop_aside(store);
        }
        Matching::SuperShingles { require } => {
            report.compared = agree::agree(job, rows, 1, require as usize, sink)?;
        }
        Matching::Hyperplanes {
            threshold, verify, ..
        } => {
            let vectors = verify.then_some(&store);
            report.compared = hyperplanes::within(job, threshold, vectors, rows, sink)?;
        }
        Matching::IMatch { require, verify } => {
            let lanes = recipe.imatch.unwrap_or_default().digest.lanes();
            let require = require as usize;
            report.compared = match verify {
                None => agree::agree(job, rows, lanes, require, sink)?,
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
                    lsh::lsh(job, check, &store, rows, sink)?
                }
            };
        }
        Matching::Hamming { distance, .. } => {
            report.compared = hamming::within(job, rows, distance, sink)?;
        }
        Matching::Hash => {}
    }
    Ok(())
}

/// The similarity hash of every document that has features.
fn sign(store: &Store, bits: u32, seed: u64) -> Result<Rows> {
    let mut rows = Rows::new(bits.div_ceil(64) as usize);
    let together = rayon::current_num_threads() * 4;
    for start in (0..store.len()).step_by(together) {
        let signed: Vec<Vec<(u32, Vec<u64>)>> = (start..store.len().min(start + together))
            .into_par_iter()
            .map(|at| {
                let block = store.lend(at)?;
                let mut hasher = SimHasher::new(bits, seed);
                Ok((0..block.len())
                    .filter(|&at| !block.range(at).is_empty())
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
