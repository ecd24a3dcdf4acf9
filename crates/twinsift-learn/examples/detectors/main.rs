//! Trains the built-in detectors, and says how good they are on what they have not seen.
//!
//! ```text
//! cargo run --release -p twinsift-learn --example detectors -- DATA [--write|--rater [FILE]]
//! ```
//!
//! `DATA` is a folder with labelled collections; `--write` replaces the files in
//! `crates/twinsift/src/detector`, and `--rater` simulates a person who labels,
//! and keeps the runs in `FILE` (`cargo xtask bench labels` calls it so).

mod collection;
mod rater;
mod report;

use collection::{Labelled, Titles};
use std::path::{Path, PathBuf};
use twinsift::detector::{COUNT, Weights};
use twinsift::{Detector, Find};
use twinsift_learn::detect::{Example, Fit};

/// How strongly weights are drawn to 0 when a built-in detector is trained.
const PULL: f64 = 1.0;

/// What each collection counts in all, whatever its size.
const SHARE: f64 = 20_000.0;

/// What a built-in detector is trained on.
struct Training {
    find: Find,
    candidates: f64,
    sets: &'static [(&'static str, Titles)],
}

impl Training {
    /// The detector that knows nothing yet.
    fn blank(&self) -> Detector {
        Detector {
            candidates: self.candidates,
            threshold: 0.5,
            intercept: 0.0,
            weights: Weights([0.0; 2 * COUNT]),
        }
    }
}

/// Titles of the news sets give their labels away. The others are there with and without, so that
/// a detector does not take pages with titles for pages of one kind.
const TRAININGS: [Training; 2] = [
    Training {
        find: Find::Stories,
        candidates: 0.15,
        sets: &[
            ("news-gold", Titles::Hidden),
            ("news-gold-hard", Titles::Hidden),
            ("doc-versions", Titles::Shown),
            ("doc-versions", Titles::Hidden),
            ("terms-pages", Titles::Shown),
            ("terms-pages", Titles::Hidden),
        ],
    },
    Training {
        find: Find::Campaigns,
        candidates: 0.1,
        sets: &[("mail-campaigns", Titles::Shown)],
    },
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let data = PathBuf::from(args.next().ok_or("name the folder with the data")?);
    let flag = args.next();
    let mut groups = Vec::new();
    for training in &TRAININGS {
        let first = training.blank();
        let sets = (training.sets.iter())
            .map(|&(name, titles)| Labelled::read(&data, name, titles, &first));
        groups.push((first, sets.collect::<Result<Vec<_>, _>>()?));
    }
    if flag.as_deref() == Some("--rater") {
        let file = args.next().map(PathBuf::from);
        return rater::simulate(&groups, file.as_deref());
    }
    for (training, (first, sets)) in TRAININGS.iter().zip(&groups) {
        report::print(sets, |examples| learn(*first, examples));
        let detector = learn(*first, &weighed(sets, |_, _| true));
        if flag.as_deref() == Some("--write") {
            write(training.find, &detector)?;
        }
    }
    Ok(())
}

fn learn(first: Detector, examples: &[Example]) -> Detector {
    Fit::new(first, PULL, examples.iter().map(|example| &example.row)).learn(examples)
}

/// The pairs of some sets that `is_used` chooses, by set and pair, so that every set counts the
/// same.
fn weighed(sets: &[Labelled], is_used: impl Fn(&Labelled, usize) -> bool) -> Vec<Example> {
    let mut examples = Vec::new();
    for set in sets {
        let used: Vec<usize> = (0..set.examples.len())
            .filter(|&pair| is_used(set, pair))
            .collect();
        let weight = SHARE / used.len().max(1) as f64;
        examples.extend(used.iter().map(|&pair| Example {
            weight,
            ..set.examples[pair]
        }));
    }
    examples
}

fn write(find: Find, detector: &Detector) -> Result<(), Box<dyn std::error::Error>> {
    let name = serde_json::to_value(find)?;
    let file = format!("{}.json", name.as_str().unwrap_or_default());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../twinsift/src/detector");
    std::fs::write(
        folder.join(file),
        serde_json::to_string_pretty(detector)? + "\n",
    )?;
    Ok(())
}
