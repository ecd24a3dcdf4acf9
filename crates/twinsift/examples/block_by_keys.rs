//! Puts documents that may match into one bucket, as a shuffle between machines would.
//!
//! `cargo run -p twinsift --example block_by_keys`

use std::collections::BTreeMap;
use twinsift::{Document, Extractor, Keys, Recipe, Statistics};

fn main() -> twinsift::Result<()> {
    let recipe = Recipe::shingles().k(2).threshold(0.7).resolve()?;
    let extractor = Extractor::new(&recipe, &Statistics::default())?;
    let keys = Keys::new(&recipe)?;
    // Every pair at or above the threshold shares a key.
    assert_eq!(keys.recall(), Some(1.0));

    let texts = [
        (
            "a",
            "A storm is expected to reach the western coast by tomorrow morning",
        ),
        (
            "b",
            "The museum will show forty drawings that were thought to be lost",
        ),
        (
            "c",
            "A storm is expected to reach the western coast by tomorrow evening",
        ),
    ];
    let mut buckets: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    for (id, text) in texts {
        for key in keys.of(&extractor.extract(&Document::new(id, text))) {
            buckets.entry(key).or_default().push(id);
        }
    }
    buckets.retain(|_, ids| ids.len() > 1);
    assert!(buckets.values().all(|ids| ids == &["a", "c"]) && !buckets.is_empty());
    println!("{} buckets have more than one document", buckets.len());
    Ok(())
}
