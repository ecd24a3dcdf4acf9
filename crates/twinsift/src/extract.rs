//! From a document to its signature, one document at a time.

use crate::analyse::feature_signer::{FeatureSigner, late_sketcher};
use crate::analyse::{AnalysedBatch, Analyser, Scratch};
use crate::collection::block::Block;
use crate::collection::documents::{Entries, Entry};
use crate::document::{Document, Item, Skipped};
use crate::error::Result;
use crate::features::{Weights, heaviest, idf, window};
use crate::hash;
use crate::observer::Stage;
use crate::parallel::{self, Load};
use crate::recipe::Recipe;
use crate::settings::{Budget, Settings};
use crate::signature::Signature;
use crate::sketch::Sketcher;
use crate::sketch::imatch::{self, Signer};
use crate::statistics::Statistics;
use std::sync::{Mutex, PoisonError};

/// Makes the [`Signature`] of a document, by the very steps of a [`Sifter`](crate::Sifter).
///
/// It can be shared by threads: each call takes buffers of its own.
///
/// ```
/// use twinsift::{Document, Extractor, Keys, Recipe, Statistics, Verifier};
///
/// let recipe = Recipe::default();
/// let extractor = Extractor::new(&recipe, &Statistics::default())?;
/// let a = extractor.extract(&Document::new("a", "The council approved the new bridge over the river."));
/// let b = extractor.extract(&Document::new("b", "the council approved the new bridge over the river"));
///
/// let keys = Keys::new(&recipe)?;
/// assert!(keys.of(&a).iter().any(|key| keys.of(&b).contains(key)));
/// assert_eq!(Verifier::new(&recipe)?.score(&a, &b), Some(1.0));
/// # Ok::<(), twinsift::Error>(())
/// ```
#[derive(Debug)]
pub struct Extractor {
    recipe: Recipe,
    analyser: Analyser,
    statistics: Statistics,
    /// Signs by the words of the statistics, where the recipe has no lexicon.
    signer: Option<Signer>,
    idle: Mutex<Vec<Buffers>>,
}

/// What a call needs besides.
#[derive(Debug)]
struct Buffers {
    scratch: Scratch,
    signing: imatch::Scratch,
    feature_signer: FeatureSigner,
    late_sketcher: Option<Box<dyn Sketcher>>,
}

impl Extractor {
    /// An extractor for a recipe. Recipes that go by how common features are
    /// [need](Statistics::are_needed_by) the statistics of a collection.
    pub fn new(recipe: &Recipe, statistics: &Statistics) -> Result<Self> {
        recipe.refuse_classifier()?;
        statistics.check(recipe)?;
        let own = recipe.imatch_rules().filter(|_| recipe.lexicon().is_none());
        Ok(Self {
            analyser: Analyser::new(recipe),
            signer: own.map(|rules| {
                let lexicon = statistics.lexicon();
                Signer::new(&lexicon, rules, recipe.seed, &recipe.signature_id())
            }),
            statistics: statistics.clone(),
            recipe: recipe.clone(),
            idle: Mutex::new(Vec::new()),
        })
    }

    /// How documents are compared.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The signature of a document. Takes a time that grows with its length.
    pub fn extract(&self, document: &Document<'_>) -> Signature {
        if let Some(signature) = &document.signature {
            return match self.recipe.has_enough_values(signature) {
                true => (**signature).clone(),
                false => Signature::default(),
            };
        }
        let idle = self
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let mut buffers = idle.unwrap_or_else(|| self.buffers());
        let mut analysed = AnalysedBatch::default();
        self.analyser
            .document(document, &mut buffers.scratch, &mut analysed);
        let signature = self.signature(analysed, &mut buffers).unwrap_or_default();
        self.idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(buffers);
        signature
    }

    /// Extracts the documents of many batches side by side, as
    /// [`Sifter::add_sized_batches`](crate::Sifter::add_sized_batches) reads them, and hands each
    /// signature on in their order.
    pub fn extract_batches<B>(
        &self,
        settings: &Settings,
        batches: impl Iterator<Item = B> + Send,
        bytes_of: impl Fn(&B) -> usize + Sync,
        expand: impl Fn(&B, &mut dyn FnMut(Item<'_>)) + Sync,
        mut on_skipped: impl FnMut(Skipped) -> Result<()> + Send,
        mut on_signature: impl FnMut(Entry<'_>, Signature) -> Result<()> + Send,
    ) -> Result<()> {
        settings.observer.begin(Stage::Reading, 0)?;
        let extract_all = |batch: B| {
            let (mut entries, mut signatures) = (Entries::default(), Vec::new());
            let mut skipped = Vec::new();
            expand(&batch, &mut |item| match item {
                Item::Document(document) => {
                    signatures.push(self.extract(&document));
                    entries.push(Entry::of(&document));
                }
                Item::Skipped(record) => skipped.push(record),
            });
            (entries, signatures, skipped)
        };
        parallel::in_order(
            settings,
            batches,
            Load {
                most: Budget::new(settings.memory).reading(),
                bytes_of,
            },
            || (),
            |(), batch| extract_all(batch),
            |(entries, signatures, skipped)| {
                settings.observer.advance(entries.len() as u64);
                skipped.into_iter().try_for_each(&mut on_skipped)?;
                let mut extracted = entries.iter().zip(signatures);
                extracted.try_for_each(|(entry, signature)| on_signature(entry, signature))
            },
        )
    }

    fn buffers(&self) -> Buffers {
        Buffers {
            scratch: self.analyser.scratch(),
            signing: imatch::Scratch::default(),
            feature_signer: FeatureSigner::new(&self.recipe),
            late_sketcher: late_sketcher(&self.recipe),
        }
    }

    /// The signature of the only document in a batch; `None` if it is not judged.
    fn signature(&self, analysed: AnalysedBatch, buffers: &mut Buffers) -> Option<Signature> {
        let digest = analysed.digests.first().copied().flatten();
        let is_fallback = !analysed.fallback.is_empty();
        let block = match is_fallback {
            true => analysed.fallback,
            false => analysed.block,
        };
        let signature = Signature {
            digest: Some(digest?),
            is_fallback,
            row: analysed.rows,
            total: block.totals.first().copied().unwrap_or(0.0),
            values: block.values,
            weights: block.weights,
        };
        match is_fallback {
            true => Some(signature),
            false => self.by_statistics(signature, buffers),
        }
    }

    /// A signature with what depends on the statistics of its collection.
    fn by_statistics(&self, signature: Signature, buffers: &mut Buffers) -> Option<Signature> {
        let signature = self.signed_by_own_lexicon(signature, buffers)?;
        let signature = self.narrowed(signature, &mut buffers.feature_signer)?;
        let signature = self.cut(self.weighed(signature));
        Some(self.sketched(signature, buffers))
    }

    /// I-Match values by the words of the statistics.
    fn signed_by_own_lexicon(
        &self,
        mut signature: Signature,
        buffers: &mut Buffers,
    ) -> Option<Signature> {
        let (Some(signer), Some(imatch)) = (&self.signer, self.recipe.imatch_matcher()) else {
            return Some(signature);
        };
        let signed = signer.sign(&signature.values, &mut buffers.signing, &mut signature.row);
        if signed.valid.count_ones() < imatch.require {
            return None;
        }
        if imatch.verify.is_none() {
            signature.digest = Some(hash::digest(signature.row.iter().copied()));
            (signature.values, signature.weights) = Default::default();
            signature.total = 0.0;
        }
        Some(signature)
    }

    /// Only features in the recipe's range of idf, and what is made of them.
    fn narrowed(
        &self,
        signature: Signature,
        feature_signer: &mut FeatureSigner,
    ) -> Option<Signature> {
        let Some(range) = self.recipe.idf.filter(|_| self.recipe.narrows()) else {
            return Some(signature);
        };
        let documents = self.statistics.documents();
        let keeps = |value| window::is_within(range, documents, self.frequency(value));
        let block = window::narrowed_block(&block_of(&signature), keeps, |features, weights| {
            self.recipe.similarity().total(features, weights)
        });
        let digest = feature_signer.sign(block.vector(0))?;
        let matcher = self.recipe.matcher();
        let keeps_features = matcher.keeps_features() || !matcher.sketches_while_reading();
        Some(Signature {
            digest: Some(digest),
            row: feature_signer.row().to_vec(),
            ..match keeps_features {
                true => of_block(block, signature),
                false => Signature::default(),
            }
        })
    }

    /// Weights by tf-idf in place of counts.
    fn weighed(&self, mut signature: Signature) -> Signature {
        if self.recipe.weights != Weights::TfIdf || signature.values.is_empty() {
            return signature;
        }
        let documents = self.statistics.documents() as usize;
        for (weight, &value) in signature.weights.iter_mut().zip(&signature.values) {
            *weight = idf::weight(f64::from(*weight), self.frequency(value), documents) as f32;
        }
        let similarity = self.recipe.similarity();
        signature.total = similarity.total(signature.values.len(), &signature.weights);
        signature
    }

    /// How many documents have a feature; one that was not counted is only here.
    fn frequency(&self, value: u64) -> u32 {
        self.statistics.frequency(value).max(1)
    }

    /// The heaviest features, where only these count.
    fn cut(&self, signature: Signature) -> Signature {
        // Learned k-grams have been chosen as they were weighed.
        let top = self.recipe.top_terms;
        let Some(top) = top.filter(|_| self.recipe.model().is_none()) else {
            return signature;
        };
        let block =
            heaviest::cut_block(&block_of(&signature), top as usize, |features, weights| {
                self.recipe.similarity().total(features, weights)
            });
        of_block(block, signature)
    }

    /// A sketch in place of weighted features, where one is made of these.
    fn sketched(&self, signature: Signature, buffers: &mut Buffers) -> Signature {
        let Some(sketcher) = &mut buffers.late_sketcher else {
            return signature;
        };
        let mut row = Vec::new();
        sketcher.sketch(signature.vector(), &mut row);
        Signature {
            digest: Some(hash::digest(row.iter().copied())),
            row,
            ..Signature::default()
        }
    }
}

/// A block of one document.
fn block_of(signature: &Signature) -> Block {
    let mut block = Block::default();
    block.push(0, signature.vector());
    block
}

/// A signature with the features of a block of one document.
fn of_block(block: Block, signature: Signature) -> Signature {
    Signature {
        total: block.totals.first().copied().unwrap_or(0.0),
        values: block.values,
        weights: block.weights,
        ..signature
    }
}
