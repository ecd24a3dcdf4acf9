//! How long does it take to match a million stored signatures? One document in twenty is
//! a changed copy of another; the others are strangers.
//!
//! `cargo run --release -p twinsift --example match_signatures -- imatch 1000000`
//!
//! `cargo run --release -p twinsift --example match_signatures -- andd 1000000 0.5`

use std::collections::HashSet;
use std::env::args;
use std::f64::consts::PI;
use std::sync::Arc;
use std::time::Instant;
use twinsift::features::learned::model::Model;
use twinsift::features::learned::phi;
use twinsift::hash::Stream;
use twinsift::recipe::{Matcher, Method};
use twinsift::similarity::Similarity;
use twinsift::{Choices, Document, Settings, Sifter, Signature};

/// Every so many documents there is a copy.
const COPIES: usize = 20;

/// Values of an I-Match signature with ten randomised lexicons.
const VALUES: usize = 11;

/// 64-bit words of an ANDD signature of 384 bits.
const WORDS: usize = 6;

fn main() -> twinsift::Result<()> {
    let method = args().nth(1).unwrap_or_else(|| "imatch".to_owned());
    let number = |at: usize| args().nth(at).and_then(|number| number.parse::<f64>().ok());
    let documents = number(2).unwrap_or(1e6) as usize;
    let threshold = number(3).unwrap_or(0.5);
    let is_andd = method == "andd";
    let (choices, width) = match is_andd {
        true => (by_bits(threshold), WORDS),
        false => (by_values(), VALUES),
    };
    let mut sifter = Sifter::of_signatures(choices.resolve()?, Settings::default())?;
    let mut stream = Stream::new(1);
    let mut rows: Vec<Vec<u64>> = Vec::with_capacity(documents);
    let mut planted = HashSet::new();
    for doc in 0..documents {
        let row = match doc % COPIES == COPIES - 1 {
            false => (0..width).map(|_| stream.next_value().max(1)).collect(),
            true => {
                let original = stream.below(doc);
                let mut copy = rows[original].clone();
                let share = stream.below(1000) as f64 / 1000.0;
                let is_near = match is_andd {
                    true => change_bits(&mut copy, share, threshold, &mut stream),
                    false => change_values(&mut copy, share, &mut stream),
                };
                if is_near {
                    planted.insert((original as u32, doc as u32));
                }
                copy
            }
        };
        rows.push(row);
    }
    for (doc, row) in rows.iter_mut().enumerate() {
        let mut document = Document::new(doc.to_string(), "");
        document.signature = Some(Signature::of_sketch(std::mem::take(row)).into());
        sifter.add(&document)?;
    }
    drop(rows);
    let started = Instant::now();
    let matches = sifter.finish()?;
    let seconds = started.elapsed().as_secs_f64();
    let (mut pairs, mut found) = (0, 0);
    for pair in matches.pairs() {
        let pair = pair?;
        pairs += 1;
        found += usize::from(planted.contains(&(pair.a, pair.b)));
    }
    println!(
        "{documents} signatures matched in {seconds:.2} s: {pairs} pairs, {found} of {} planted ones; {} compared",
        planted.len(),
        matches.report().compared
    );
    Ok(())
}

/// I-Match: one of eleven values must agree.
fn by_values() -> Choices {
    Choices {
        method: Some(Method::IMatch),
        ..Choices::default()
    }
}

/// ANDD: bits that stand for at least the cosine `threshold`.
fn by_bits(threshold: f64) -> Choices {
    let lambda: Vec<f64> = phi::names(1, false).iter().map(|_| 1.0).collect();
    Choices {
        method: Some(Method::Andd),
        model: Some(Arc::new(Model::new(
            1,
            Similarity::Cosine,
            false,
            None,
            &lambda,
        ))),
        matcher: Some(Matcher::Lsh),
        no_verify: Some(true),
        threshold: Some(threshold),
        ..Choices::default()
    }
}

/// Changes values with a chance of `share`; tells whether one is left.
fn change_values(row: &mut [u64], share: f64, stream: &mut Stream) -> bool {
    let mut is_near = false;
    for value in row {
        match (stream.below(1000) as f64) < share * 1000.0 {
            true => *value = stream.next_value().max(1),
            false => is_near = true,
        }
    }
    is_near
}

/// Changes up to `share` of the bits that may differ, and a tenth more; tells whether these
/// are few enough.
fn change_bits(row: &mut [u64], share: f64, threshold: f64, stream: &mut Stream) -> bool {
    let bits = row.len() * 64;
    let most = threshold.acos() / PI * bits as f64;
    let original = row.to_vec();
    for _ in 0..(share * 1.1 * most) as usize {
        let bit = stream.below(bits);
        row[bit / 64] ^= 1 << (bit % 64);
    }
    let apart: u32 = row
        .iter()
        .zip(&original)
        .map(|(x, y)| (x ^ y).count_ones())
        .sum();
    f64::from(apart) <= most
}
