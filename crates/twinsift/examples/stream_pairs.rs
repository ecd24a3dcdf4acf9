//! Reads pairs one at a time: ten thousand equal texts make fifty million pairs,
//! and none of them is held in memory.
//!
//! `cargo run --release -p twinsift --example stream_pairs`

use twinsift::{Document, Recipe, Settings, Sifter};

fn main() -> twinsift::Result<()> {
    let settings = Settings {
        memory: Some(200 << 20),
        ..Settings::default()
    };
    let mut sifter = Sifter::new(Recipe::default(), settings)?;
    for number in 0..10_000 {
        let text = "Please confirm your address within seven days of this notice";
        sifter.add(&Document::new(number.to_string(), text))?;
    }
    let matches = sifter.finish()?;

    let (mut count, mut least) = (0_u64, 1.0_f64);
    for pair in matches.pairs() {
        let pair = pair?;
        count += 1;
        least = least.min(pair.score);
    }
    println!("{count} pairs, the least similar at {least}");
    Ok(())
}
