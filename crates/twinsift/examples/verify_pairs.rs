//! Scores two documents by a recipe, to the last bit as a whole run would.
//!
//! `cargo run -p twinsift --example verify_pairs`

use twinsift::{Document, Extractor, Recipe, Statistics, Verifier};

fn main() -> twinsift::Result<()> {
    let recipe = Recipe::shingles().k(2).threshold(0.7).resolve()?;
    let extractor = Extractor::new(&recipe, &Statistics::default())?;
    let verifier = Verifier::new(&recipe)?;
    let signature = |text| extractor.extract(&Document::new("", text));
    let morning = signature("A storm is expected to reach the western coast by tomorrow morning");
    let evening = signature("A storm is expected to reach the western coast by tomorrow evening");
    let museum = signature("The museum will show forty drawings that were thought to be lost");

    let score = verifier.score(&morning, &evening);
    println!("near duplicates: {score:?}");
    assert!(score.is_some_and(|score| score >= 0.7));
    assert_eq!(verifier.score(&morning, &museum), None);
    assert_eq!(verifier.similarity(&morning, &museum), Some(0.0));
    Ok(())
}
