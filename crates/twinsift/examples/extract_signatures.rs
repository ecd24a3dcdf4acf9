//! Makes the signature of each document once and stores it: later comparisons need no text.
//!
//! `cargo run -p twinsift --example extract_signatures`

use twinsift::{Document, Extractor, Recipe, Signature, Statistics};

fn main() -> twinsift::Result<()> {
    let recipe = Recipe::minhash().no_verify(true).resolve()?;
    let extractor = Extractor::new(&recipe, &Statistics::default())?;
    let document = Document::new(
        "storm",
        "A storm is expected to reach the western coast by tomorrow",
    );
    let stored: Vec<u8> = extractor.extract(&document).to_bytes();
    println!(
        "{}: {} bytes, recipe {}",
        document.id,
        stored.len(),
        recipe.id()
    );

    let again = Signature::from_bytes(&stored);
    assert_eq!(again, Some(extractor.extract(&document)));
    Ok(())
}
