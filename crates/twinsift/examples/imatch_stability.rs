//! How stable are randomised I-Match signatures? Words of the lexicon are added to
//! and removed from documents; the share of documents that keep one of their K
//! randomised signatures is drawn beside Eq. (1) of the paper, 1 - (1 - pⁿ)ᴷ.
//!
//! ```text
//! cargo run --release -p twinsift --example imatch_stability > docs/imatch-stability.svg
//! ```

use std::fmt::Write;
use twinsift::hash::Stream;
use twinsift::lexicon::{Counter, Limits};
use twinsift::sketch::imatch::bags::Bags;
use twinsift::sketch::imatch::{Rules, Scratch, Signer, survival};
use twinsift::{Document, Lexicon, Settings};

const LEXICONS: [u32; 4] = [1, 2, 5, 10];
const MOST_CHANGES: u32 = 10;
/// Lexicons of each kind, and documents for each of them.
const SEEDS: u64 = 50;
const DOCUMENTS: u32 = 200;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let lexicon = lexicon(3_000)?;
    let panels = [
        ("p = 0.33, as in the paper's Fig. 2", Bags::Drop(0.33)),
        ("bootstrap, p = 0.368", Bags::Bootstrap),
        ("p = 0.5", Bags::Drop(0.5)),
    ];
    let mut drawn = String::new();
    for (at, (title, bags)) in panels.into_iter().enumerate() {
        eprintln!("{title}\n  n  K  simulated  Eq. (1)");
        let mut panel = Panel::new(at, title);
        for lexicons in LEXICONS {
            let simulated = simulate(&lexicon, bags, lexicons);
            let expected = |n| survival(n, bags.dropped(), lexicons, 1);
            for (n, share) in (1..).zip(&simulated) {
                eprintln!("{n:>3} {lexicons:>2}  {share:>9.4}  {:>7.4}", expected(n));
            }
            panel.line(lexicons, expected, &simulated)?;
        }
        drawn += &panel.finish();
    }
    println!("{}", page(&drawn));
    Ok(())
}

/// A lexicon of made-up words that are all in its window.
fn lexicon(words: usize) -> Result<Lexicon, twinsift::Error> {
    let letter = |n: usize| char::from(b'a' + (n % 26) as u8);
    let word = |n: usize| format!("w{}{}{}", letter(n / 676), letter(n / 26), letter(n));
    let half = |odd: usize| -> String {
        let words = (0..words).filter(|n| n % 2 == odd).map(word);
        words.collect::<Vec<_>>().join(" ")
    };
    let mut counter = Counter::new(&Settings::default());
    for n in 0..4 {
        counter.add(&Document::new(n.to_string(), half(n % 2)))?;
    }
    counter.finish(Limits::default())
}

/// The share of documents that keep a randomised signature, by changed words.
fn simulate(lexicon: &Lexicon, bags: Bags, lexicons: u32) -> Vec<f64> {
    let rules = Rules {
        window: [0.0, 1.0],
        lexicons,
        bags,
        ..Rules::default()
    };
    let words = lexicon.hashes();
    let mut kept = vec![0; MOST_CHANGES as usize];
    for seed in 0..SEEDS {
        let signer = Signer::new(lexicon, rules, seed, "");
        let mut random = Stream::new(seed);
        let row = |document: &[u64]| {
            let mut row = Vec::new();
            signer.sign(document, &mut Scratch::default(), &mut row);
            row
        };
        for _ in 0..DOCUMENTS {
            // A document is every word of a random order up to some place; a change
            // adds a word from behind that place, or removes one from before it.
            let mut order = words.to_vec();
            for at in 0..150 {
                let other = at + random.next_value() as usize % (order.len() - at);
                order.swap(at, other);
            }
            let before = row(&order[..100]);
            let mut document = order[..100].to_vec();
            let mut unused = order[100..150].to_vec();
            for kept in &mut kept {
                match random.next_value() % 2 {
                    0 => document.truncate(document.len() - 1),
                    _ => document.insert(0, unused.remove(0)),
                }
                let after = row(&document);
                let same = before[1..].iter().zip(&after[1..]).any(|(x, y)| x == y);
                *kept += u32::from(same);
            }
        }
    }
    let trials = f64::from(DOCUMENTS) * SEEDS as f64;
    kept.into_iter()
        .map(|kept| f64::from(kept) / trials)
        .collect()
}

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 200.0;

struct Panel {
    left: f64,
    svg: String,
}

impl Panel {
    fn new(at: usize, title: &str) -> Self {
        let left = 50.0 + at as f64 * (WIDTH + 50.0);
        let mut svg = format!("<text x=\"{left}\" y=\"20\" class=\"title\">{title}</text>\n");
        for tenth in [0, 5, 10] {
            let y = y(f64::from(tenth) / 10.0);
            let share = f64::from(tenth) / 10.0;
            svg += &format!(
                "<line x1=\"{left}\" x2=\"{}\" y1=\"{y}\" y2=\"{y}\" class=\"grid\"/><text x=\"{}\" y=\"{}\" class=\"right\">{share}</text>\n",
                left + WIDTH,
                left - 6.0,
                y + 4.0
            );
        }
        for n in [1, 5, 10] {
            let x = left + x(n);
            svg += &format!(
                "<text x=\"{x}\" y=\"{}\" class=\"middle\">{n}</text>\n",
                HEIGHT + 58.0
            );
        }
        let middle = left + WIDTH / 2.0;
        svg += &format!(
            "<text x=\"{middle}\" y=\"{}\" class=\"middle\">changed words n</text>\n",
            HEIGHT + 76.0
        );
        Self { left, svg }
    }

    fn line(
        &mut self,
        lexicons: u32,
        expected: impl Fn(u32) -> f64,
        simulated: &[f64],
    ) -> std::fmt::Result {
        let points: Vec<String> = (1..=MOST_CHANGES)
            .map(|n| format!("{:.1},{:.1}", self.left + x(n), y(expected(n))))
            .collect();
        writeln!(
            self.svg,
            "<polyline class=\"k{lexicons}\" points=\"{}\"/>",
            points.join(" ")
        )?;
        for (n, &share) in (1..).zip(simulated) {
            let (x, y) = (self.left + x(n), y(share));
            writeln!(
                self.svg,
                "<circle class=\"k{lexicons}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>"
            )?;
        }
        let (x, y) = (self.left + x(2) + 6.0, y(expected(2)) - 4.0);
        writeln!(
            self.svg,
            "<text class=\"k{lexicons}\" x=\"{x:.1}\" y=\"{y:.1}\">K = {lexicons}</text>"
        )
    }

    fn finish(self) -> String {
        self.svg
    }
}

fn x(n: u32) -> f64 {
    f64::from(n - 1) / f64::from(MOST_CHANGES - 1) * WIDTH
}

fn y(share: f64) -> f64 {
    40.0 + (1.0 - share) * HEIGHT
}

fn page(drawn: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1060 310\" role=\"img\" aria-label=\"Share of documents that keep a signature over the number of changed words, simulated and by Eq. (1)\">\n\
<style>\n\
svg {{ background: #fff; font: 13px sans-serif; fill: #333 }}\n\
.title {{ font-weight: bold }} .right {{ text-anchor: end }} .middle {{ text-anchor: middle }}\n\
.grid {{ stroke: #ddd }} polyline {{ fill: none; stroke-width: 1.5 }}\n\
.k1 {{ stroke: #999 }} .k2 {{ stroke: #1f77b4 }} .k5 {{ stroke: #2ca02c }} .k10 {{ stroke: #d62728 }}\n\
circle {{ fill: #fff; stroke-width: 1.5 }}\n\
text.k1 {{ fill: #777; stroke: none }} text.k2 {{ fill: #1f77b4; stroke: none }}\n\
text.k5 {{ fill: #2ca02c; stroke: none }} text.k10 {{ fill: #d62728; stroke: none }}\n\
</style>\n{drawn}\
<text x=\"50\" y=\"302\">Lines: 1 - (1 - pⁿ)ᴷ. Circles: simulated, {} documents each.</text>\n</svg>",
        u64::from(DOCUMENTS) * SEEDS
    )
}
