//! From a document to what is kept of it: tokenise, features, sketch.
//!
//! This is the work of the reading threads. A batch of documents becomes a
//! [`AnalysedBatch`]: flat arrays that the collecting thread appends in order.

pub(crate) mod feature_signer;
mod imatch;
mod learned;
pub(crate) mod repeats;

use crate::collection::block::{Block, Vector};
use crate::collection::documents::{Entries, Entry};
use crate::collection::pages;
use crate::document::{ContentKey, Document, Item, Skipped};
use crate::features::learned::Weigher;
use crate::features::shingles::Shingles;
use crate::features::spots::{Fallback, Spots};
use crate::features::{Features, Featurise, Weights};
use crate::hash;
use crate::recipe::{FeatureKind, Matching, Recipe};
use crate::sketch::imatch::{self as signing, Rules, Signer};
use crate::sketch::minhash::MinHasher;
use crate::sketch::quantised;
use crate::sketch::simhash::SimHasher;
use crate::sketch::supershingles::{SUPER_SHINGLES, SuperShingler};
use crate::tokenise::Tokens;
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
    sketch: Sketch,
    spots: Option<Spots>,
    weigher: Option<Weigher>,
    /// What knows the words of the lexicon, where one was given.
    signer: Option<Signer>,
    /// Whether signatures or their verification look beyond the lexicon.
    needs_all_words: bool,
    /// Numbers in a stored row, where there are no documents to be signed.
    stored_width: Option<usize>,
}

/// The sketch that can be made while reading.
#[derive(Clone, Debug)]
enum Sketch {
    None,
    MinHash { bands: u32, rows: u32 },
    MinHashes { values: u32 },
    WeightedMinHash { bands: u32, rows: u32, verify: bool },
    SuperShingles(Box<SuperShingler>),
    Hyperplanes { bits: u32, keep_features: bool },
}

impl Sketch {
    /// Puts the sketch of a document into the row of `scratch`. Returns whether its features
    /// are compared too; `None` if there is no sketch.
    fn sign(&self, values: &[u64], weights: &[f32], scratch: &mut Scratch) -> Option<bool> {
        let Scratch {
            elements,
            min_hasher,
            sim_hasher,
            row,
            ..
        } = scratch;
        match self {
            Sketch::None => return None,
            Sketch::MinHash { .. } => min_hasher.bands_of_ascending(values, row),
            Sketch::MinHashes { .. } => min_hasher.all_of_ascending(values, row),
            Sketch::WeightedMinHash { verify, .. } => {
                let weights = weights.iter().map(|&weight| f64::from(weight));
                quantised::elements(values, weights, elements);
                match verify {
                    true => min_hasher.bands(elements, row),
                    false => min_hasher.all(elements, row),
                }
            }
            Sketch::Hyperplanes { .. } => {
                let vector = Vector {
                    total: 0.0,
                    values,
                    weights,
                };
                sim_hasher.sign(vector, row);
            }
            Sketch::SuperShingles(shingler) => {
                row.clear();
                row.extend(shingler.super_shingles(values));
            }
        }
        Some(match self {
            Sketch::None | Sketch::MinHash { .. } => true,
            Sketch::WeightedMinHash { verify: kept, .. }
            | Sketch::Hyperplanes {
                keep_features: kept,
                ..
            } => *kept,
            Sketch::MinHashes { .. } | Sketch::SuperShingles(_) => false,
        })
    }
}

/// A thread's own buffers.
#[derive(Debug)]
pub(crate) struct Scratch {
    tokens: Tokens,
    features: Features,
    min_hasher: MinHasher,
    sim_hasher: SimHasher,
    elements: Vec<u64>,
    learned: learned::Scratch,
    row: Vec<u64>,
    signing: signing::Scratch,
    /// Features of the last batch: the next one will have about as many.
    features_expected: usize,
}

impl Analyser {
    pub(crate) fn new(recipe: &Recipe) -> Self {
        let signer = signer(recipe);
        Self {
            recipe: recipe.clone(),
            spots: (recipe.spots.as_ref()).map(|rules| Spots::folding(rules, recipe.fold)),
            weigher: learned::weigher(recipe),
            needs_all_words: match (recipe.imatch, recipe.matching) {
                (Some(_), Matching::IMatch { verify, .. }) => {
                    verify.is_some() || signer.as_ref().is_some_and(Signer::needs_all_words)
                }
                _ => false,
            },
            signer,
            stored_width: None,
            sketch: match recipe.matching {
                // Features are still going to change.
                _ if recipe.narrows() => Sketch::None,
                Matching::Lsh { bands, rows, .. } => Sketch::MinHash { bands, rows },
                Matching::MinHashes { values, .. } => Sketch::MinHashes { values },
                Matching::WeightedMinHash {
                    bands,
                    rows,
                    verify,
                    ..
                } => Sketch::WeightedMinHash {
                    bands,
                    rows,
                    verify,
                },
                Matching::Hyperplanes { bits, verify, .. } => Sketch::Hyperplanes {
                    bits,
                    keep_features: verify,
                },
                Matching::SuperShingles { .. } => {
                    Sketch::SuperShingles(Box::new(SuperShingler::new(recipe.seed)))
                }
                _ => Sketch::None,
            },
        }
    }

    /// For documents that are all known by stored rows of so many numbers.
    pub(crate) fn of_stored(recipe: &Recipe, row_width: usize) -> Self {
        Self {
            stored_width: Some(row_width),
            ..Self::new(recipe)
        }
    }

    /// Values in a row of the sketch.
    pub(crate) fn row_width(&self) -> usize {
        if let Some(width) = self.stored_width {
            return width;
        }
        match self.sketch {
            Sketch::None if self.recipe.imatch.is_some() => {
                self.signer.as_ref().map_or(0, Signer::row_width)
            }
            Sketch::None => 0,
            Sketch::WeightedMinHash {
                bands,
                rows,
                verify: false,
            } => bands as usize * rows as usize,
            Sketch::MinHash { bands, .. } | Sketch::WeightedMinHash { bands, .. } => bands as usize,
            Sketch::MinHashes { values } => values as usize,
            Sketch::SuperShingles(_) => SUPER_SHINGLES,
            Sketch::Hyperplanes { bits, .. } => bits as usize / 64,
        }
    }

    pub(crate) fn scratch(&self) -> Scratch {
        let (bands, rows) = match self.sketch {
            Sketch::MinHash { bands, rows } | Sketch::WeightedMinHash { bands, rows, .. } => {
                (bands, rows)
            }
            Sketch::MinHashes { values } => (values, 1),
            _ => (1, 1),
        };
        let bits = match self.sketch {
            Sketch::Hyperplanes { bits, .. } => bits,
            _ => 64,
        };
        Scratch {
            sim_hasher: SimHasher::new(bits, self.recipe.seed),
            learned: learned::Scratch::default(),
            tokens: Tokens::new(),
            features: Features::new(),
            min_hasher: MinHasher::new(bands, rows, self.recipe.seed),
            elements: Vec::new(),
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

    /// Numbers in the stored signature of a document.
    pub(crate) fn stored_length(&self) -> usize {
        match self.recipe.features {
            FeatureKind::Text => self.recipe.signature_lanes(),
            _ => self.row_width(),
        }
    }

    /// Adds a document that is known by its signatures.
    fn stored(&self, document: &Document<'_>, row: &[u64], analysed: &mut AnalysedBatch) {
        if row.len() != self.stored_length() {
            analysed.skipped.push(Skipped::one(
                document.place,
                "its signature has another length than those of this run",
            ));
            return;
        }
        let doc = analysed.entries.len() as u32;
        analysed.entries.push(Entry::of(document));
        let (lanes, require) = match self.recipe.matching {
            Matching::IMatch { require, .. } => (self.recipe.signature_lanes(), require),
            _ => (1, 1),
        };
        let present = row.chunks_exact(lanes).filter(|value| value[0] != 0);
        if present.count() < require as usize {
            if self.recipe.imatch.is_some() {
                analysed.unsigned.push((doc, 0));
            }
            analysed.digests.push(None);
            return;
        }
        if self.recipe.features == FeatureKind::Text {
            let digest = row
                .iter()
                .take(2)
                .fold(0, |digest, &lane| digest << 64 | u128::from(lane));
            analysed.digests.push(Some(digest));
            return;
        }
        analysed.row_docs.push(doc);
        analysed.rows.extend_from_slice(row);
        analysed
            .digests
            .push(Some(hash::digest(row.iter().copied())));
    }

    pub(crate) fn document(
        &self,
        document: &Document<'_>,
        scratch: &mut Scratch,
        analysed: &mut AnalysedBatch,
    ) {
        if let Some(row) = &document.signatures {
            return self.stored(document, row, analysed);
        }
        analysed.enter(document);
        if let Some(weigher) = &self.weigher {
            return self.learned(weigher, document, scratch, analysed);
        }
        scratch.tokens.read_as(&document.text, self.recipe.fold);
        analysed.words += scratch.tokens.len() as u64;
        if self.recipe.features == FeatureKind::Text {
            let words = scratch.tokens.bytes().map(hash::bytes);
            let digest = (words.len() > 0).then(|| hash::digest(words));
            analysed.digests.push(digest);
            return;
        }
        if self.recipe.features == FeatureKind::Lexicon {
            return self.lexicon_words(scratch, analysed);
        }
        if let Some(spots) = &self.spots {
            spots.features(&scratch.tokens, &mut scratch.features);
            return self.spots(scratch, analysed);
        }
        analysed.short += u64::from(self.is_short(scratch.tokens.len()));
        let count = self.recipe.weights != Weights::Binary;
        Shingles::new(self.recipe.k as usize, count)
            .features(&scratch.tokens, &mut scratch.features);
        let values = std::mem::take(&mut scratch.features);
        let weights = values.counts().iter().map(|&count| count as f32);
        self.vector(values.values(), weights, scratch, analysed);
        scratch.features = values;
    }

    /// Whether a document of so many words has fewer than a feature takes.
    fn is_short(&self, words: usize) -> bool {
        (1..self.recipe.k as usize).contains(&words)
    }

    /// Adds the document whose spots are in `scratch`, or what it is compared by if
    /// they are too few.
    fn spots(&self, scratch: &mut Scratch, analysed: &mut AnalysedBatch) {
        let Some(rules) = &self.recipe.spots else {
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
        let mut keep_features = true;
        if let Some(kept) = self.sketch.sign(values, weights, scratch) {
            row_docs.push(doc);
            rows.extend_from_slice(&scratch.row);
            if !kept {
                digest = hash::digest(scratch.row.iter().copied());
            }
            keep_features = kept;
        }
        if self.recipe.matching == Matching::Hash && !self.recipe.narrows() {
            keep_features = false;
        }
        if keep_features {
            let total = self.recipe.similarity().total(values.len(), weights);
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
    let lexicon = recipe
        .lexicon
        .as_deref()
        .filter(|_| recipe.learned.is_none())?;
    // Without signatures, it is only asked which words the lexicon has.
    let rules = recipe.imatch.unwrap_or(Rules {
        window: recipe.idf.unwrap_or(Rules::default().window),
        lexicons: 0,
        ..Rules::default()
    });
    let identity = recipe.signature_id();
    Some(Signer::new(lexicon, rules, recipe.seed, &identity))
}
