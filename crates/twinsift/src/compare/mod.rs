//! Why are two documents near duplicates, or not?
//!
//! Every similarity that two documents have without a collection around them,
//! the features they share and do not share, and the verdict of a recipe: extract, keys,
//! verify. Where a collection says how much features count, its statistics are handed in
//! ([`compare_in`]).

mod imatch;
mod learned;
mod spots;

use crate::document::Document;
use crate::error::Result;
use crate::extract::Extractor;
use crate::features::shingles::{Shingles, spelled};
use crate::features::spots::Spots;
use crate::features::{Features, Featurise};
use crate::keys::Keys;
use crate::matching::hamming::differing;
use crate::recipe::{FeatureKind, Recipe};
use crate::similarity::Similarity;
use crate::sketch::minhash::MinHasher;
use crate::sketch::simhash::SimHasher;
use crate::sketch::supershingles::{SUPER_SHINGLES, SuperShingler};
use crate::statistics::Statistics;
use crate::tokenise::Tokens;
use crate::vector::Vector;
use crate::verifier::Verifier;
pub use learned::Term;
use serde::Serialize;
pub use spots::{Sentence, SpotShown};
use std::collections::HashSet;

/// What two documents have in common.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Name of the first document.
    pub a: String,
    /// Name of the second.
    pub b: String,
    /// Words in each.
    pub words: [usize; 2],
    /// Whether the recipe takes them for near duplicates.
    pub near_duplicates: bool,
    /// The recipe's own score, whether or not it is enough; missing if a document has nothing
    /// to be compared by.
    pub score: Option<f64>,
    /// The threshold, where the recipe has one.
    pub threshold: Option<f64>,
    /// The recipe in words.
    pub method: String,
    /// Its id.
    pub recipe: String,
    /// Every similarity that applies.
    pub similarities: Vec<Measured>,
    /// The recipe's features: in both, in the order of the first document.
    pub shared: Vec<String>,
    /// Only in the first.
    pub only_a: Vec<String>,
    /// Only in the second.
    pub only_b: Vec<String>,
    /// Where the recipe compares spots: the sentences of both in which they stand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sentences: Option<[Vec<Sentence>; 2]>,
    /// Where the recipe has a model: the k-grams that carry the similarity, most first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terms: Option<Vec<Term>>,
}

/// A named similarity.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// Its name.
    pub name: String,
    /// Its value, from 0 to 1.
    pub value: f64,
    /// What it says, for people.
    pub note: String,
}

/// Compares two documents under a recipe.
///
/// ```
/// use twinsift::{Document, Recipe};
///
/// let a = Document::new("a", "one two three four five six seven");
/// let b = Document::new("b", "one two three four five six eight");
/// let comparison = twinsift::compare(&a, &b, &Recipe::default())?;
/// assert!(!comparison.near_duplicates);
/// assert_eq!(comparison.score, Some(0.5));
/// assert_eq!(comparison.only_a, ["three four five six seven"]);
/// # Ok::<(), twinsift::Error>(())
/// ```
pub fn compare(a: &Document<'_>, b: &Document<'_>, recipe: &Recipe) -> Result<Comparison> {
    let mut counter = Statistics::counter(recipe);
    if Statistics::are_needed_by(recipe) {
        counter.add(a);
        counter.add(b);
    }
    compare_in(a, b, recipe, &counter.finish())
}

/// As [`compare()`], for two documents of a collection that says how much their features
/// count: see [`Recipe::needs_collection`]. Score and verdict are those that the pair has
/// in a run over all documents.
pub fn compare_in(
    a: &Document<'_>,
    b: &Document<'_>,
    recipe: &Recipe,
    statistics: &Statistics,
) -> Result<Comparison> {
    let comparison = explain(a, b, recipe)?;
    let extractor = Extractor::new(recipe, statistics)?;
    let [x, y] = [a, b].map(|document| extractor.extract(document));
    let (keys, verifier) = (Keys::new(recipe)?, Verifier::new(recipe)?);
    let [shared, others] = [&x, &y].map(|signature| keys.of(signature));
    let meet = shared.iter().any(|key| others.binary_search(key).is_ok());
    let score = verifier.score(&x, &y).filter(|_| meet);
    Ok(Comparison {
        near_duplicates: score.is_some(),
        score: score.or_else(|| verifier.similarity(&x, &y)),
        ..comparison
    })
}

/// Everything but the verdict and its score.
fn explain(a: &Document<'_>, b: &Document<'_>, recipe: &Recipe) -> Result<Comparison> {
    let spots = recipe
        .spot_rules()
        .map(|rules| Spots::folding(rules, recipe.fold));
    let signer = imatch::signer(recipe)?;
    let sides = [a, b].map(|document| {
        let mut side = Side::new(document, recipe, spots.as_ref());
        side.read_lexicon(signer.as_ref(), recipe.weights);
        side
    });
    let weighed = learned::weighed([a, b], recipe);
    let [shared, only_a, only_b] = match &weighed {
        Some(weighed) => learned::lists(weighed),
        None => features(&sides, recipe, spots.as_ref()),
    };
    let mut similarities = similarities(&sides, recipe);
    similarities.splice(0..0, imatch::agreement(&sides, recipe));
    Ok(Comparison {
        a: a.id.to_string(),
        b: b.id.to_string(),
        words: [sides[0].tokens.len(), sides[1].tokens.len()],
        near_duplicates: false,
        score: None,
        threshold: recipe.threshold(),
        method: recipe.to_string(),
        recipe: recipe.id(),
        similarities,
        shared,
        only_a,
        only_b,
        sentences: spots.map(|spots| spots::sentences([a, b], &spots, recipe.fold)),
        terms: weighed.as_ref().map(learned::shared),
    })
}

struct Side {
    tokens: Tokens,
    /// The words as they are shown: without disguises they would be hard to read.
    shown: Vec<String>,
    words: Features,
    grams: Features,
    spots: Features,
    lexicon: imatch::LexiconWords,
}

impl Side {
    fn new(document: &Document<'_>, recipe: &Recipe, spots: Option<&Spots>) -> Self {
        let mut tokens = Tokens::new();
        let shown = as_shown(&mut tokens, &document.text, recipe.fold);
        let make = |k: usize| {
            let mut features = Features::new();
            Shingles::new(k, true).features(&tokens, &mut features);
            features
        };
        let mut spotted = Features::new();
        if let Some(spots) = spots {
            spots.features(&tokens, &mut spotted);
        }
        Self {
            words: make(1),
            grams: make(gram_size(recipe)),
            spots: spotted,
            lexicon: imatch::LexiconWords::default(),
            tokens,
            shown,
        }
    }
}

/// Reads a text, and gives its words as a reader is to see them: as they are compared, or
/// as they stand in the text if disguises are undone.
fn as_shown(tokens: &mut Tokens, text: &str, fold: bool) -> Vec<String> {
    let places = tokens.read_as_with_places(text, fold);
    match fold {
        false => tokens.words().map(str::to_owned).collect(),
        true => (places.into_iter())
            .map(|place| text[place].to_lowercase())
            .collect(),
    }
}

/// The k-grams to show: the recipe's own, or 5 words where it compares words.
fn gram_size(recipe: &Recipe) -> usize {
    match recipe.k() {
        0 | 1 => 5,
        k => k as usize,
    }
}

fn of_sets(similarity: Similarity, x: &Features, y: &Features) -> f64 {
    similarity.of(vector(similarity, x, &[]), vector(similarity, y, &[]))
}

fn of_counts(similarity: Similarity, x: &Features, y: &Features) -> f64 {
    let weights = |features: &Features| -> Vec<f32> {
        features
            .counts()
            .iter()
            .map(|&count| count as f32)
            .collect()
    };
    let (left, right) = (weights(x), weights(y));
    similarity.of(vector(similarity, x, &left), vector(similarity, y, &right))
}

fn vector<'a>(similarity: Similarity, features: &'a Features, weights: &'a [f32]) -> Vector<'a> {
    Vector {
        total: similarity.total(features.values().len(), weights),
        values: features.values(),
        weights,
    }
}

fn similarities(sides: &[Side; 2], recipe: &Recipe) -> Vec<Measured> {
    use Similarity::{Cosine, Jaccard};
    let [a, b] = sides;
    let grams = format!("word {}-grams", gram_size(recipe));
    let mut list = Vec::new();
    let mut add =
        |name: String, value: f64, note: String| list.push(Measured { name, value, note });
    let kinds = [
        ("spots", &a.spots, &b.spots),
        (grams.as_str(), &a.grams, &b.grams),
        ("words", &a.words, &b.words),
    ];
    for (kind, x, y) in kinds
        .into_iter()
        .skip(usize::from(recipe.spot_rules().is_none()))
    {
        let shared = Jaccard.shared(vector(Jaccard, x, &[]), vector(Jaccard, y, &[]));
        let (left, right) = (x.values().len(), y.values().len());
        let note = format!("{shared} shared of {left} and {right}");
        add(format!("Jaccard, {kind}"), of_sets(Jaccard, x, y), note);
        let counts = "counts how often each occurs".to_owned();
        add(
            format!("multiset Jaccard, {kind}"),
            of_counts(Jaccard, x, y),
            counts,
        );
        add(
            format!("cosine, {kind}"),
            of_counts(Cosine, x, y),
            "of counts".into(),
        );
        let smaller = left.min(right).max(1) as f64;
        let note = "share of the shorter document's features".to_owned();
        add(format!("containment, {kind}"), shared / smaller, note);
    }
    if !a.grams.values().is_empty() && !b.grams.values().is_empty() {
        sketches(a, b, recipe, &mut add);
    }
    let equal = !a.tokens.is_empty() && a.tokens.words().eq(b.tokens.words());
    let note = if equal {
        "the same words in the same order"
    } else {
        "the words differ"
    };
    add("equal text".into(), f64::from(u8::from(equal)), note.into());
    list
}

fn sketches(a: &Side, b: &Side, recipe: &Recipe, add: &mut impl FnMut(String, f64, String)) {
    let mut hasher = MinHasher::new(16, 8, recipe.seed);
    let left = hasher.values(a.grams.values()).to_vec();
    let right = hasher.values(b.grams.values());
    let equal = left.iter().zip(right).filter(|(x, y)| x == y).count();
    add(
        "min-hash estimate".into(),
        equal as f64 / 128.0,
        format!("{equal} of 128 equal"),
    );
    let shingler = SuperShingler::new(recipe.seed);
    let left = shingler.super_shingles(a.grams.values());
    let right = shingler.super_shingles(b.grams.values());
    let equal = left.iter().zip(&right).filter(|(x, y)| x == y).count();
    let share = equal as f64 / SUPER_SHINGLES as f64;
    add(
        "super-shingles".into(),
        share,
        format!("{equal} of {SUPER_SHINGLES} equal"),
    );
    let mut hasher = SimHasher::new(64, recipe.seed);
    let mut sign = |side: &Side| {
        let weights: Vec<f32> = side
            .words
            .counts()
            .iter()
            .map(|&count| count as f32)
            .collect();
        let mut row = Vec::new();
        hasher.sign(vector(Similarity::Cosine, &side.words, &weights), &mut row);
        row
    };
    let apart = differing(&sign(a), &sign(b));
    let value = 1.0 - f64::from(apart) / 64.0;
    add(
        "similarity hash".into(),
        value,
        format!("{apart} of 64 bits differ (word counts)"),
    );
}

/// The recipe's features as text: in both, only in the first, only in the second.
fn features(sides: &[Side; 2], recipe: &Recipe, spots: Option<&Spots>) -> [Vec<String>; 3] {
    let size = match recipe.features() {
        FeatureKind::Shingles => recipe.k() as usize,
        _ => 1,
    };
    let [a, b] = [&sides[0], &sides[1]].map(|side| {
        let mut seen = HashSet::new();
        let mut list = match spots {
            None if recipe.features() == FeatureKind::Lexicon => side.lexicon.spelled.clone(),
            None => spelled(&side.tokens, &side.shown, size),
            Some(spots) => {
                let spots = spots.spots(&side.tokens, &side.shown).into_iter();
                spots.map(|spot| (spot.value, spot.signature)).collect()
            }
        };
        list.retain(|&(value, _)| seen.insert(value));
        (list, seen)
    });
    let part = |list: &[(u64, String)], others: &HashSet<u64>, both: bool| -> Vec<String> {
        list.iter()
            .filter(|(value, _)| others.contains(value) == both)
            .map(|(_, gram)| gram.clone())
            .collect()
    };
    [
        part(&a.0, &b.1, true),
        part(&a.0, &b.1, false),
        part(&b.0, &a.1, false),
    ]
}
