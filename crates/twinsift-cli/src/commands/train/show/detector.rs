//! A detector in words.

use crate::numbers::counted;
use twinsift::detector::{COUNT, NAMES};
use twinsift_learn::detect::Model;

pub fn explain(model: &Model) -> String {
    let detector = &model.detector;
    let name = serde_json::to_value(model.find).unwrap_or_default();
    let mut out = format!(
        "detector of {}, trained on {}, of which {} the same; a pair is the same from a score of {}\n\
         candidates share folded word 3-grams with a cosine of {} or more\n\n\
         the score is 1 / (1 + exp(-sum)), and the sum has {:+.3} and, for each signal, two weights:\n\n\
         {:26}{:>10}{:>14}\n",
        name.as_str().unwrap_or_default(),
        counted(model.training.pairs, "pair"),
        model.training.same,
        detector.threshold,
        detector.candidates,
        detector.intercept,
        "signal",
        "of itself",
        "of log-odds",
    );
    for (at, name) in NAMES.iter().enumerate() {
        let (value, log_odds) = (detector.weights.0[at], detector.weights.0[COUNT + at]);
        out += &format!("{name:26}{value:>+10.3}{log_odds:>+14.3}\n");
    }
    out
}
