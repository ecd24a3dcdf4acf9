//! How good each signal is alone, what sets of them add, and the ladder by rising
//! cost: the tables of the multi-signal paper on a user's own pairs.
//!
//! As in the paper, F is the mean of the tree's and the rules', either the median of
//! all runs.

use crate::pages::labelled::Groups;
use crate::progress;
use std::fmt::Write;
use twinsift::classify::ladder::{self, Rung};
use twinsift::classify::{CrossValidation, Examples, Learner, cross_validate};
use twinsift::eval::Scores;
use twinsift::signals::Signal;

/// What is studied, and how.
pub struct Study<'a> {
    pub examples: &'a Examples,
    pub groups: Option<&'a Groups>,
    pub how: CrossValidation,
    pub quiet: bool,
}

/// Sets that are compared, as in the paper's Table 3, and with ours.
const SETS: [(&str, &[&str]); 9] = [
    ("similarity hash", &["simhash_distance"]),
    ("tf-idf distance", &["tfidf_distance"]),
    ("F", &["F"]),
    ("F + R", &["F", "R"]),
    ("F + R + RS", &["F", "R", "RS"]),
    ("all fetched", &["fetched"]),
    ("all fetched + main content", &["fetched", "main"]),
    (
        "+ rendered",
        &["fetched", "main", "rendered", "rendered_main"],
    ),
    (
        "+ rendered snippets",
        &["fetched", "main", "rendered", "rendered_main", "RS"],
    ),
];

impl Study<'_> {
    /// All tables.
    pub fn markdown(&self) -> String {
        let spinner = progress::working("studying signals", self.quiet);
        let mut out = String::new();
        self.alone(&mut out);
        self.sets(&mut out);
        let views = self.groups.map(Groups::views);
        let climb = |learner| ladder::climb(learner, self.examples, views.as_deref(), &self.how);
        let ladders = [Learner::Tree, Learner::Rules].map(climb);
        curves(&ladders, &mut out);
        rungs(&ladders, &mut out);
        spinner.finish_and_clear();
        out
    }

    fn median(&self, learner: Learner, examples: &Examples) -> Scores {
        let views = self.groups.map(Groups::views);
        let validation = cross_validate(learner, examples, views.as_deref(), &self.how);
        validation.median().scores
    }

    /// The signals that some pair has.
    fn known(&self) -> Vec<Signal> {
        let has =
            |at: usize| (0..self.examples.len()).any(|row| !self.examples.row(row)[at].is_nan());
        let signals = self.examples.signals().iter().enumerate();
        signals
            .filter(|(at, _)| has(*at))
            .map(|(_, signal)| *signal)
            .collect()
    }

    fn row(&self, name: &str, signals: &[Signal]) -> (f64, String) {
        let examples = self.examples.with_signals(signals);
        let rules = self.median(Learner::Rules, &examples);
        let tree = self.median(Learner::Tree, &examples);
        let average = (rules.f1 + tree.f1) / 2.0;
        let three = |scores: Scores| {
            format!(
                "{:.1} | {:.1} | {:.1}",
                100.0 * scores.precision,
                100.0 * scores.recall,
                100.0 * scores.f1
            )
        };
        let row = format!(
            "| {name} | {} | {} | {:.1} |\n",
            three(rules),
            three(tree),
            100.0 * average
        );
        (average, row)
    }

    fn head(&self, title: &str, first: &str, out: &mut String) {
        let _ = writeln!(
            out,
            "## {title}\n\n| {first} | rules P | R | F | tree P | R | F | mean F |\n|---|---:|---:|---:|---:|---:|---:|---:|"
        );
    }

    /// The paper's Table 2.
    fn alone(&self, out: &mut String) {
        self.head("Each signal alone", "signal", out);
        let mut rows: Vec<(f64, String)> = self
            .known()
            .into_iter()
            .map(|signal| self.row(&signal.name(), &[signal]))
            .collect();
        rows.sort_by(|a, b| b.0.total_cmp(&a.0));
        rows.iter().for_each(|(_, row)| out.push_str(row));
        out.push('\n');
    }

    /// The paper's Table 3 and Fig. 1.
    fn sets(&self, out: &mut String) {
        self.head("Sets of signals", "signals", out);
        let known = self.known();
        let mut seen: Vec<Vec<Signal>> = Vec::new();
        for (name, names) in SETS {
            let mut signals = Signal::of_names(names).unwrap_or_default();
            signals.retain(|signal| known.contains(signal));
            if signals.is_empty() || seen.contains(&signals) {
                continue;
            }
            out.push_str(&self.row(name, &signals).1);
            seen.push(signals);
        }
        out.push('\n');
    }
}

/// The paper's Fig. 2: the best precision at each recall, with all signals.
fn curves(ladders: &[Vec<Rung>; 2], out: &mut String) {
    let [Some(tree), Some(rules)] = ladders.each_ref().map(|ladder| ladder.last()) else {
        return;
    };
    let _ = writeln!(
        out,
        "## Precision and recall, all signals\n\n| recall | precision (tree) | precision (rules) |\n|---:|---:|---:|"
    );
    for percent in (10..=100).step_by(10) {
        let cells = [tree, rules].map(|rung| {
            let curve = &rung.validation.median().curve;
            let scores = curve.points().iter().map(|&point| curve.scores(point));
            let reached = scores.filter(|scores| 100.0 * scores.recall >= f64::from(percent));
            let best = reached.map(|scores| scores.precision).reduce(f64::max);
            best.map_or("–".to_owned(), |best| format!("{:.1}", 100.0 * best))
        });
        let _ = writeln!(out, "| {percent} | {} |", cells.join(" | "));
    }
    out.push('\n');
}

/// The paper's Fig. 3.
fn rungs([tree, rules]: &[Vec<Rung>; 2], out: &mut String) {
    let _ = writeln!(
        out,
        "## Signals added by rising cost\n\n| added | F (tree) | quartiles | F (rules) | quartiles |\n|---|---:|---:|---:|---:|"
    );
    for (tree, rules) in tree.iter().zip(rules) {
        let names: Vec<String> = tree.added.iter().map(|signal| signal.name()).collect();
        let f = |rung: &Rung, share: f64| 100.0 * rung.validation.quantile(share).scores.f1;
        let cells = [tree, rules].map(|rung| {
            let (low, high) = (f(rung, 0.25), f(rung, 0.75));
            format!("{:.1} | {low:.1} to {high:.1}", f(rung, 0.5))
        });
        let _ = writeln!(out, "| {} | {} |", names.join(", "), cells.join(" | "));
    }
    out.push('\n');
}
