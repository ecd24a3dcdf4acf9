//! Compares documents by features of your own: here, the products of orders.
//!
//! `cargo run -p twinsift --example own_features`

use twinsift::features::Weights;
use twinsift::{Choices, Settings, Sifter, hash};

fn main() -> twinsift::Result<()> {
    // How often each product was ordered matters, so features have weights.
    let recipe = Choices {
        weights: Some(Weights::Counts),
        threshold: Some(0.6),
        ..Choices::default()
    }
    .resolve()?;
    let orders: [(&str, &[(&str, f32)]); 3] = [
        ("anna", &[("bolt", 100.0), ("nut", 100.0), ("saw", 1.0)]),
        ("bert", &[("paint", 2.0), ("brush", 3.0)]),
        ("cleo", &[("bolt", 80.0), ("nut", 90.0), ("drill", 1.0)]),
    ];

    let mut sifter = Sifter::new(recipe, Settings::default())?;
    for (name, products) in orders {
        let features: Vec<(u64, f32)> = products
            .iter()
            .map(|&(product, count)| (hash::bytes(product.as_bytes()), count))
            .collect();
        sifter.add_features(name, &features)?;
    }
    let matches = sifter.finish()?;
    for pair in matches.pairs() {
        let pair = pair?;
        let name = |doc| matches.documents().id(doc);
        println!("{} ~ {}: {:.3}", name(pair.a), name(pair.b), pair.score);
    }
    Ok(())
}
