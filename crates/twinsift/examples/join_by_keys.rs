//! Finds near duplicates without a `Sifter`, as a store or a cluster of machines would: a
//! signature for each document, its keys as an index, and a score for each candidate.
//!
//! `cargo run -p twinsift --example join_by_keys`

use std::collections::{BTreeSet, HashMap};
use twinsift::{Document, Extractor, Keys, Recipe, Signature, Statistics, Verifier};

/// The pairs of near duplicates among texts, with their scores.
fn pairs(recipe: &Recipe, texts: &[&str]) -> twinsift::Result<Vec<(usize, usize, f64)>> {
    let extractor = Extractor::new(recipe, &Statistics::default())?;
    let (keys, verifier) = (Keys::new(recipe)?, Verifier::new(recipe)?);
    // Signatures can be stored, and keys and signatures can come from different machines.
    let mut stored: Vec<Vec<u8>> = Vec::new();
    let mut index: HashMap<u64, Vec<usize>> = HashMap::new();
    for (number, text) in texts.iter().enumerate() {
        let signature = extractor.extract(&Document::new(number.to_string(), *text));
        for key in keys.of(&signature) {
            index.entry(key).or_default().push(number);
        }
        stored.push(signature.to_bytes());
    }
    let mut candidates = BTreeSet::new();
    for numbers in index.values() {
        for (at, &a) in numbers.iter().enumerate() {
            candidates.extend(numbers[at + 1..].iter().map(|&b| (a, b)));
        }
    }
    let signature = |number: usize| Signature::from_bytes(&stored[number]).unwrap_or_default();
    let score = |(a, b)| {
        let score = verifier.score(&signature(a), &signature(b))?;
        Some((a, b, score))
    };
    Ok(candidates.into_iter().filter_map(score).collect())
}

fn main() -> twinsift::Result<()> {
    let recipe = Recipe::shingles().k(2).threshold(0.7).resolve()?;
    let texts = [
        "A storm is expected to reach the western coast by tomorrow morning",
        "The museum will show forty drawings that were thought to be lost",
        "A storm is expected to reach the western coast by tomorrow evening",
    ];
    let found = pairs(&recipe, &texts)?;
    for (a, b, score) in &found {
        println!("{a} ~ {b}: {score:.3}");
    }
    assert_eq!(found.len(), 1);
    Ok(())
}
