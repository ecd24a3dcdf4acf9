//! The front door: documents in, matches out.

mod by_statistics;
mod collected;
mod find;

use crate::analyse::repeats::Repeats;
use crate::analyse::{AnalysedBatch, Analyser, Scratch};
use crate::candidates::Candidates;
use crate::collection::documents::{Documents, Entry};
use crate::collection::feature_counts::FeatureCounts;
use crate::document::{Document, Item, Skipped};
use crate::error::{Error, Result, refuse};
use crate::features::Weights;
use crate::matches::{Matches, Purpose};
use crate::matching::judged::{Judge, JudgedPairs};
use crate::observer::Stage;
use crate::parallel::{self, Load};
use crate::recipe::{ExactJoin, Matching, Recipe};
use crate::settings::{Budget, Settings};
use crate::similarity::Similarity;
use collected::Collected;
use std::sync::Arc;

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
    pending: AnalysedBatch,
    scratch: Scratch,
    collected: Collected,
}

/// So many features, or more, that are all below a number are not hashes: the odds are
/// one in 2⁶⁴.
const FEW: usize = 4;
const NO_HASHES: u64 = 1 << 48;

/// A pending batch of this many bytes is appended.
const PARCEL_BYTES: usize = 1 << 20;

impl Sifter {
    /// A collector for one run.
    pub fn new(recipe: Recipe, settings: Settings) -> Result<Self> {
        refuse_misplaced_join(&recipe, &settings)?;
        let analyser = Analyser::new(&recipe);
        Ok(Self::with(recipe, settings, analyser))
    }

    /// A collector for documents that are all known by their [signatures](Document::signature):
    /// whatever these were made with is not needed any more, neither statistics nor a lexicon.
    pub fn of_signatures(recipe: Recipe, settings: Settings) -> Result<Self> {
        recipe.refuse_classifier()?;
        refuse_misplaced_join(&recipe, &settings)?;
        let analyser = Analyser::of_signatures(&recipe);
        Ok(Self::with(recipe, settings, analyser))
    }

    fn with(recipe: Recipe, settings: Settings, analyser: Analyser) -> Self {
        let budget = Budget::new(settings.memory);
        Self {
            collected: Collected::new(&settings, analyser.row_width()),
            repeats: analyser
                .takes_repeats_together()
                .then(|| Repeats::new(budget.repeats())),
            batches: 0,
            pending: AnalysedBatch::default(),
            scratch: analyser.scratch(),
            recipe,
            settings,
            analyser,
        }
    }

    /// How documents are compared.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Adds a document, by its signature if it has one.
    pub fn add(&mut self, document: &Document<'_>) -> Result<()> {
        if let Some(signature) = &document.signature {
            self.recipe.check_signature(signature)?;
        }
        self.batches += 1;
        let (repeats, scratch) = (self.repeats.as_ref(), &mut self.scratch);
        let (analyser, pending) = (&self.analyser, &mut self.pending);
        analyser.document_once(document, self.batches, repeats, scratch, pending);
        self.flush_if_full()
    }

    /// Adds a document by its features: distinct values in any order with weights above
    /// zero. They are compared as they are, so that those of [`features`](crate::features)
    /// are the ones that [`add`](Self::add) takes from the same text.
    ///
    /// Values must be hashes, for tables and sketches count on values that are spread
    /// evenly: take [`hash::bytes`](crate::hash::bytes) of names, and
    /// [`hash::spread`](crate::hash::spread) of numbers.
    pub fn add_features(&mut self, id: &str, features: &[(u64, f32)]) -> Result<()> {
        let mut features = features.to_vec();
        features.retain(|&(_, weight)| weight > 0.0 && weight.is_finite());
        if features.len() >= FEW && features.iter().all(|&(value, _)| value < NO_HASHES) {
            return Err(Error::PlainNumbers { id: id.to_owned() });
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
        let mut analysed = std::mem::take(&mut self.pending);
        analysed.block.shrink_to_fit();
        self.collected.append(analysed, &mut |_| Ok(()))
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
        on_skipped: impl FnMut(Skipped) -> Result<()> + Send,
    ) -> Result<()> {
        self.add_sized_batches(batches, |_| 0, expand, on_skipped)
    }

    /// As [`add_batches`](Self::add_batches), with the bytes that a batch takes: no more of
    /// them are under way at once than [`Settings::memory`] has room for, or only one batch.
    pub fn add_sized_batches<B>(
        &mut self,
        batches: impl Iterator<Item = B> + Send,
        bytes_of: impl Fn(&B) -> usize + Sync,
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
        settings.observer.begin(Stage::Reading, 0)?;
        parallel::in_order(
            settings,
            numbered,
            Load {
                most: Budget::new(settings.memory).reading(),
                bytes_of: |(_, batch): &(u64, B)| bytes_of(batch),
            },
            || analyser.scratch(),
            |scratch, (number, batch)| {
                analyser.analyse_batch(scratch, number, repeats.as_ref(), |sink| {
                    expand(&batch, sink)
                })
            },
            |analysed| {
                settings.observer.advance(analysed.entries.len() as u64);
                collected.append(analysed, &mut on_skipped)
            },
        )
    }

    /// The documents that have been added.
    pub fn documents(&self) -> &Documents {
        &self.collected.documents
    }

    /// Finds the near duplicates.
    pub fn finish(self) -> Result<Matches> {
        self.finish_for(Purpose::Pairs)
    }

    /// Finds as many of the near duplicates as it takes for one purpose: a large
    /// collection of documents that are all alike has too many pairs to look at each.
    ///
    /// A recipe with a classifier is refused, for that looks at pages: find its
    /// [`candidates`](Self::candidates), and have them decided.
    pub fn finish_for(self, purpose: Purpose) -> Result<Matches> {
        self.recipe.refuse_classifier()?;
        self.found_for(purpose)
    }

    /// Finds the pairs that the recipe's classifier is to decide about.
    pub fn candidates(self) -> Result<Candidates> {
        let Some(by) = self.recipe.classifier.clone() else {
            return refuse("this recipe has no classifier: its pairs are no candidates");
        };
        let settings = self.settings.clone();
        let found = self.found_for(Purpose::Pairs)?;
        Ok(Candidates::new(found, by.threshold, settings))
    }

    fn found_for(mut self, purpose: Purpose) -> Result<Matches> {
        self.flush()?;
        self.repeats = None;
        let pool = self.settings.pool()?;
        pool.install(|| self.find(purpose))
    }

    /// How many features the documents have that are compared by them, or `None` if the
    /// method keeps none: it compares signatures only.
    pub fn feature_counts(mut self) -> Result<Option<FeatureCounts>> {
        self.flush()?;
        self.repeats = None;
        let pool = self.settings.pool()?;
        pool.install(|| self.count())
    }

    /// Finds every pair and judges it, without keeping more than the scores.
    pub fn finish_judged(mut self, judge: Arc<Judge>) -> Result<JudgedPairs> {
        self.flush()?;
        self.repeats = None;
        let pool = self.settings.pool()?;
        pool.install(|| self.judge(judge))
    }
}

fn refuse_misplaced_join(recipe: &Recipe, settings: &Settings) -> Result<()> {
    let why = match (settings.join, recipe.matching) {
        (
            Some(join),
            Matching::Exact(ExactJoin {
                similarity: Similarity::Cosine | Similarity::ExtendedJaccard,
                ..
            }),
        ) if join.is_spotsigs() => {
            "‹join› spotsigs finds pairs by Jaccard similarity: leave it out for cosine"
        }
        (None, _) | (_, Matching::Exact(_)) => return Ok(()),
        _ => "‹join› has no meaning here: it belongs to ‹match› join",
    };
    refuse(why)
}
