//! Keeps one of each group of near duplicates, out of any iterator of texts.
//!
//! `cargo run -p twinsift --example deduplicate_iterator`

use twinsift::{Document, Keep, Recipe, Settings, Sifter, Verdict};

/// The texts that stay, in their order. Each text that goes is a near duplicate
/// of one that stays.
fn deduplicate(texts: impl IntoIterator<Item = String>) -> twinsift::Result<Vec<String>> {
    let mut sifter = Sifter::new(Recipe::default(), Settings::default())?;
    let mut kept = Vec::new();
    for (number, text) in texts.into_iter().enumerate() {
        sifter.add(&Document::new(number.to_string(), text.as_str()))?;
        kept.push(text);
    }
    let verdicts = sifter.finish()?.dedup(Keep::Longest)?;
    let mut verdicts = verdicts.iter();
    kept.retain(|_| verdicts.next() == Some(&Verdict::Kept));
    Ok(kept)
}

fn main() -> twinsift::Result<()> {
    let story = "A storm is expected to reach the western coast by tomorrow morning";
    let texts = [
        story.to_owned(),
        "The museum will show forty drawings that were thought to be lost".to_owned(),
        format!("{story}!"),
        format!("{story} again"),
    ];
    for text in deduplicate(texts)? {
        println!("{text}");
    }
    Ok(())
}
