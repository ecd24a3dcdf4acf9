//! From a document to what is kept of it: tokenise, features, sketch.
//!
//! This is the work of the reading threads. A batch of documents becomes a
//! [`AnalysedBatch`]: flat arrays that the collecting thread appends in order.

pub(crate) mod feature_signer;
mod imatch;
mod learned;
pub(crate) mod repeats;

use crate::collection::block::Block;
use crate::collection::documents::{Entries, Entry};
use crate::collection::pages;
use crate::document::{ContentKey, Document, Item, Skipped};
use crate::features::learned::Weigher;
use crate::features::profile;
use crate::features::shingles::Shingles;
use crate::features::spots::{Fallback, Spots};
use crate::features::{Features, Featurise, Weights};
use crate::hash;
use crate::recipe::{FeatureKind, FeatureRules, Recipe};
use crate::signature::Signature;
use crate::sketch::Sketcher;
use crate::sketch::imatch::{self as signing, Rules, Signer};
use crate::tokenise::Tokens;
use crate::vector::Vector;
use repeats::Repeats;

/// Words to a shingle of documents that have too few spots, as in the method
/// `shingles`.
const FALLBACK_K: usize = 5;

/// Features that a batch may be expected to have. One with a giant record has more, and
/// the next one hardly has another.
const MOST_EXPECTED: usize = 1 << 19;

/// What is kept of the documents of one batch, in order.
#[derive(Debug, Default)]
pub(crate) struct AnalysedBatch {
    pub(crate) entries: Entries,
    /// Features; documents are numbered from 0 within the batch.
    pub(crate) block: Block,
    pub(crate) digests: Vec<Option<u128>>,
    /// Documents that have a sketch row …
    pub(crate) row_docs: Vec<u32>,
    /// … and these rows, one after another.
    pub(crate) rows: Vec<u64>,
    /// Documents with too few spots or words of the lexicon, and how many they have.
    pub(crate) unsigned: Vec<(u32, u32)>,
    /// What these are compared by instead.
    pub(crate) fallback: Block,
    pub(crate) content_keys: Vec<(u32, ContentKey)>,
    pub(crate) skipped: Vec<Skipped>,
    /// Documents with fewer words than a feature takes.
    pub(crate) short: u64,
    pub(crate) words: u64,
    /// Documents whose text was read before, and their features; they are not in the
    /// block.
    pub(crate) repeated: u64,
    pub(crate) repeated_features: usize,
}

impl AnalysedBatch {
    /// Adds what is known of a document besides its text.
    fn enter(&mut self, document: &Document<'_>) {
        let doc = self.entries.len() as u32;
        self.content_keys.extend(
            document
                .content_keys
                .iter()
                .map(|&content_key| (doc, content_key)),
        );
        self.entries.push(Entry::of(document));
    }
}

/// Turns documents into analysed batches; shared by all threads.
#[derive(Debug)]
pub(crate) struct Analyser {
    recipe: Recipe,
    /// Whether documents are sketched as they are read.
    sketches: bool,
    /// Whether features are kept, to be compared or because sketches are still to be made.
    keeps_features: bool,
    spots: Option<Spots>,
    weigher: Option<Weigher>,
    /// What knows the words of the lexicon, where one was given.
    signer: Option<Signer>,
    /// Whether signatures or their verification look beyond the lexicon.
    needs_all_words: bool,
    /// Whether there are no documents to be signed, only signatures.
    takes_signatures: bool,
}

/// A thread's own buffers.
#[derive(Debug)]
pub(crate) struct Scratch {
    tokens: Tokens,
    features: Features,
    sketcher: Option<Box<dyn Sketcher>>,
    learned: learned::Scratch,
    row: Vec<u64>,
    signing: signing::Scratch,
    /// Features of the last batch: the next one will have about as many.
    features_expected: usize,
}

impl Analyser {
    pub(crate) fn new(recipe: &Recipe) -> Self {
        let signer = signer(recipe);
        let (matcher, narrows) = (recipe.matcher(), recipe.narrows());
        Self {
            spots: (recipe.spot_rules()).map(|rules| Spots::folding(rules, recipe.fold)),
            weigher: learned::weigher(recipe),
            needs_all_words: recipe.imatch_matcher().is_some_and(|imatch| {
                imatch.verify.is_some() || signer.as_ref().is_some_and(Signer::needs_all_words)
            }),
            signer,
            takes_signatures: false,
            // Features that are narrowed are still going to change.
            sketches: !narrows && matcher.sketches_while_reading(),
            keeps_features: narrows
                || matcher.keeps_features()
                || !matcher.sketches_while_reading()
                || recipe.imatch_matcher().is_some(),
            recipe: recipe.clone(),
        }
    }

    /// For documents that are all known by their signatures.
    pub(crate) fn of_signatures(recipe: &Recipe) -> Self {
        Self {
            takes_signatures: true,
            ..Self::new(recipe)
        }
    }

    /// Whether documents are known by their signatures, and nothing is left to be made of them.
    pub(crate) fn takes_signatures(&self) -> bool {
        self.takes_signatures
    }

    /// Values in a row of the sketch.
    pub(crate) fn row_width(&self) -> usize {
        match self.recipe.imatch_matcher() {
            _ if self.takes_signatures => self.recipe.matcher().row_width(),
            Some(_) => self.signer.as_ref().map_or(0, Signer::row_width),
            None if self.sketches => self.recipe.matcher().row_width(),
            None => 0,
        }
    }

    pub(crate) fn scratch(&self) -> Scratch {
        let sketcher = self.recipe.matcher().sketcher(self.recipe.seed);
        Scratch {
            sketcher: sketcher.filter(|_| self.sketches),
            learned: learned::Scratch::default(),
            tokens: Tokens::new(),
            features: Features::new(),
            row: Vec::new(),
            signing: signing::Scratch::default(),
            features_expected: 0,
        }
    }

    /// Analyses the items of one batch. Texts that `repeats` knows are not read again.
    pub(crate) fn analyse_batch(
        &self,
        scratch: &mut Scratch,
        batch: u64,
        repeats: Option<&Repeats>,
        expand: impl FnOnce(&mut dyn FnMut(Item<'_>)),
    ) -> AnalysedBatch {
        let mut analysed = AnalysedBatch::default();
        let expected = scratch.features_expected;
        analysed.block.values.reserve(expected + expected / 8);
        pages::about_to_fill(&mut analysed.block.values, expected);
        expand(&mut |item| match item {
            Item::Document(document) => {
                self.document_once(&document, batch, repeats, scratch, &mut analysed);
            }
            Item::Skipped(skipped) => analysed.skipped.push(skipped),
        });
        scratch.features_expected = analysed.block.values.len().min(MOST_EXPECTED);
        analysed.block.shrink_to_fit();
        analysed
    }

    /// Adds a document that is known by its signature.
    fn signed_before(
        &self,
        document: &Document<'_>,
        signature: &Signature,
        analysed: &mut AnalysedBatch,
    ) {
        if let Err(refused) = self.recipe.check_signature(signature) {
            let skipped = Skipped::one(document.place, refused.to_string());
            return analysed.skipped.push(skipped);
        }
        let doc = analysed.entries.len() as u32;
        analysed.entries.push(Entry::of(document));
        let is_enough = self.recipe.has_enough_values(signature);
        let digest = signature.digest.filter(|_| is_enough);
        analysed.digests.push(digest);
        if digest.is_none() {
            if self.recipe.imatch_matcher().is_some() {
                analysed.unsigned.push((doc, 0));
            }
            return;
        }
        if !signature.row.is_empty() {
            analysed.row_docs.push(doc);
            analysed.rows.extend_from_slice(&signature.row);
        }
        if !signature.values.is_empty() {
            let block = match signature.is_fallback {
                true => &mut analysed.fallback,
                false => &mut analysed.block,
            };
            block.push(doc, signature.vector());
        }
    }

    pub(crate) fn document(
        &self,
        document: &Document<'_>,
        scratch: &mut Scratch,
        analysed: &mut AnalysedBatch,
    ) {
        if let Some(signature) = &document.signature {
            return self.signed_before(document, signature, analysed);
        }
        analysed.enter(document);
        if let Some(weigher) = &self.weigher {
            return self.learned(weigher, document, scratch, analysed);
        }
        if self.recipe.features() == FeatureKind::Profile {
            return self.profile(document, scratch, analysed);
        }
        scratch.tokens.read_as(&document.text, self.recipe.fold);
        analysed.words += scratch.tokens.len() as u64;
        if self.recipe.features() == FeatureKind::Text {
            let words = scratch.tokens.bytes().map(hash::bytes);
            let digest = (words.len() > 0).then(|| hash::digest(words));
            analysed.digests.push(digest);
            return;
        }
        if self.recipe.features() == FeatureKind::Lexicon {
            return self.lexicon_words(scratch, analysed);
        }
        if let Some(spots) = &self.spots {
            spots.features(&scratch.tokens, &mut scratch.features);
            return self.spots(scratch, analysed);
        }
        analysed.short += u64::from(self.is_short(scratch.tokens.len()));
        let count = self.recipe.weights != Weights::Binary;
        Shingles::new(self.recipe.k() as usize, count)
            .features(&scratch.tokens, &mut scratch.features);
        let values = std::mem::take(&mut scratch.features);
        let weights = values.counts().iter().map(|&count| count as f32);
        self.vector(values.values(), weights, scratch, analysed);
        scratch.features = values;
    }

    /// Adds a document by all that a detector compares.
    fn profile(
        &self,
        document: &Document<'_>,
        scratch: &mut Scratch,
        analysed: &mut AnalysedBatch,
    ) {
        let mut features = std::mem::take(&mut scratch.features);
        let title = document.title.as_deref();
        profile::read(&document.text, title, &mut scratch.tokens, &mut features);
        analysed.words += scratch.tokens.len() as u64;
        self.vector(features.values(), std::iter::empty(), scratch, analysed);
        scratch.features = features;
    }

    /// Whether a document of so many words has fewer than a feature takes.
    fn is_short(&self, words: usize) -> bool {
        (1..self.recipe.k() as usize).contains(&words)
    }

    /// Adds the document whose spots are in `scratch`, or what it is compared by if
    /// they are too few.
    fn spots(&self, scratch: &mut Scratch, analysed: &mut AnalysedBatch) {
        let Some(rules) = self.recipe.spot_rules() else {
            return;
        };
        let spots: u32 = scratch.features.counts().iter().sum();
        if spots < rules.min_spots.max(1) && !scratch.tokens.is_empty() {
            let doc = analysed.digests.len() as u32;
            analysed.unsigned.push((doc, spots));
            if rules.fallback == Some(Fallback::Shingles) {
                Shingles::new(FALLBACK_K, false).features(&scratch.tokens, &mut scratch.features);
                let values = scratch.features.values();
                analysed.fallback.values.extend_from_slice(values);
                analysed.fallback.end_document(doc, values.len() as f64);
                // Shingles and spots never make one class.
                let salted = [u64::MAX].into_iter().chain(values.iter().copied());
                analysed.digests.push(Some(hash::digest(salted)));
                return;
            }
            scratch.features.collect(false, |_| {});
        }
        let values = std::mem::take(&mut scratch.features);
        let counted = self.recipe.weights != Weights::Binary;
        let counts = values.counts().iter().filter(|_| counted);
        let weights = counts.map(|&count| count as f32);
        self.vector(values.values(), weights, scratch, analysed);
        scratch.features = values;
    }

    /// Adds a document's features; `weights` is empty if all are 1.
    pub(crate) fn vector(
        &self,
        values: &[u64],
        weights: impl Iterator<Item = f32>,
        scratch: &mut Scratch,
        analysed: &mut AnalysedBatch,
    ) {
        if values.is_empty() {
            analysed.digests.push(None);
            return;
        }
        let doc = analysed.digests.len() as u32;
        let AnalysedBatch {
            block,
            rows,
            row_docs,
            ..
        } = analysed;
        let weights_from = block.weights.len();
        block.weights.extend(weights);
        let weights = &block.weights[weights_from..];
        let mut digest = hash::digest_of_set(values);
        if !weights.is_empty() {
            let bits = weights.iter().map(|weight| u64::from(weight.to_bits()));
            digest ^= hash::digest(bits);
        }
        let total = self.recipe.similarity().total(values.len(), weights);
        if let Some(sketcher) = &mut scratch.sketcher {
            let vector = Vector {
                total,
                values,
                weights,
            };
            sketcher.sketch(vector, &mut scratch.row);
            row_docs.push(doc);
            rows.extend_from_slice(&scratch.row);
            if !self.keeps_features {
                digest = hash::digest(scratch.row.iter().copied());
            }
        }
        if self.keeps_features {
            block.values.extend_from_slice(values);
            block.end_document(doc, total);
        } else {
            block.weights.truncate(weights_from);
        }
        analysed.digests.push(Some(digest));
    }
}

/// What makes signatures of, or chooses among, the words of a given lexicon.
pub(crate) fn signer(recipe: &Recipe) -> Option<Signer> {
    let FeatureRules::Lexicon(Some(lexicon)) = &recipe.features else {
        return None;
    };
    // Without signatures, it is only asked which words the lexicon has.
    let rules = recipe.imatch_rules().unwrap_or(Rules {
        window: recipe.idf.unwrap_or(Rules::default().window),
        lexicons: 0,
        ..Rules::default()
    });
    let identity = recipe.signature_id();
    Some(Signer::new(lexicon, rules, recipe.seed, &identity))
}
