//! Are two texts near duplicates, and why?
//!
//! `cargo run -p twinsift --example compare_two_texts`

use twinsift::{Choices, Document, compare};

fn main() -> twinsift::Result<()> {
    let monday = Document::new(
        "monday",
        "The council approved the new bridge over the river on Monday after a long debate",
    );
    let tuesday = Document::new(
        "tuesday",
        "The council approved the new bridge over the river on Tuesday after a long debate",
    );
    // Word pairs instead of the default 5-grams: these are very short texts.
    let recipe = Choices {
        k: Some(2),
        threshold: Some(0.7),
        ..Choices::default()
    }
    .resolve()?;

    let comparison = compare(&monday, &tuesday, &recipe)?;
    println!("{}", comparison.method);
    println!("near duplicates: {}", comparison.near_duplicates);
    for measured in &comparison.similarities {
        println!(
            "{:<32} {:.3}  {}",
            measured.name, measured.value, measured.note
        );
    }
    println!("only in the first: {:?}", comparison.only_a);
    println!("only in the second: {:?}", comparison.only_b);
    Ok(())
}
