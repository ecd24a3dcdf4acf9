//! How good each signal is alone, what sets of them add, which are enough, and the
//! ladder by rising cost: the tables of the multi-signal paper on a user's own pairs.
//!
//! As in the paper, F is the mean of the tree's and the rules', either the median of
//! all runs. As there, a single signal is judged on the pairs that have the bodies it
//! looks at, and sets of signals on all pairs.

use crate::pages::labelled::Groups;
use crate::progress;
use std::fmt::Write;
use twinsift_eval::Scores;
use twinsift_learn::classify::ladder::{self, Rung};
use twinsift_learn::classify::{CrossValidation, Examples, Learner, cross_validate, select};
use twinsift_learn::signals::{Signal, Source, sets};

/// What is studied, and how.
pub struct Study<'a> {
    pub examples: &'a Examples,
    pub groups: Option<&'a Groups>,
    /// Whether both pages of each pair have a fetched body, and a rendered one.
    pub bodies: &'a [[bool; 2]],
    pub how: CrossValidation,
    pub quiet: bool,
}

/// Runs of cross-validation for each signal that may be chosen: there are many to try.
const RUNS_TO_CHOOSE: usize = 3;

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
        self.fetched_snippets(&mut out);
        self.enough(&mut out);
        let views = self.groups.map(Groups::views);
        let examples = self.examples.with_signals(&self.without_fetched_snippets());
        let climb = |learner| ladder::climb(learner, &examples, views.as_deref(), &self.how);
        let ladders = [Learner::Tree, Learner::Rules].map(climb);
        curves(&ladders, &mut out);
        rungs(&ladders, &mut out);
        spinner.finish_and_clear();
        out
    }

    /// The signals that some pair has, without the snippets of fetched bodies where there
    /// are those of rendered ones: the paper has no use for them.
    fn without_fetched_snippets(&self) -> Vec<Signal> {
        let mut known = self.known();
        let [fetched, rendered] = ["FS", "RS"].map(|set| sets::of(set).unwrap_or_default());
        if rendered.iter().any(|signal| known.contains(signal)) {
            known.retain(|signal| !fetched.contains(signal));
        }
        known
    }

    fn median(&self, learner: Learner, examples: &Examples, groups: Option<&Groups>) -> Scores {
        let views = groups.map(Groups::views);
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

    /// A row over some of the pairs.
    fn row(&self, name: &str, signals: &[Signal], picked: &[usize]) -> (f64, String) {
        let examples = self.examples.with_signals(signals).subset(picked);
        let groups = self.groups.map(|groups| groups.subset(picked));
        let rules = self.median(Learner::Rules, &examples, groups.as_ref());
        let tree = self.median(Learner::Tree, &examples, groups.as_ref());
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
            "| {name} | {} | {} | {} | {:.1} |\n",
            picked.len(),
            three(rules),
            three(tree),
            100.0 * average
        );
        (average, row)
    }

    fn head(&self, title: &str, first: &str, out: &mut String) {
        let _ = writeln!(
            out,
            "## {title}\n\n| {first} | pairs | rules P | R | F | tree P | R | F | mean F |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|"
        );
    }

    fn all(&self) -> Vec<usize> {
        (0..self.examples.len()).collect()
    }

    /// The paper's Table 2: over the pairs whose pages both have the body in question.
    fn alone(&self, out: &mut String) {
        self.head("Each signal alone", "signal", out);
        let with_bodies = [0, 1].map(|source| -> Vec<usize> {
            let have = |at: &usize| self.bodies[*at][source];
            self.all().into_iter().filter(have).collect()
        });
        let is_mixed = |picked: &[usize]| {
            let duplicates = picked.iter().filter(|&&at| self.examples.label(at));
            (1..picked.len()).contains(&duplicates.count())
        };
        let mut rows: Vec<(f64, String)> = (self.known().into_iter())
            .filter_map(|signal| {
                let picked = &with_bodies[usize::from(signal.source == Source::Rendered)];
                is_mixed(picked).then(|| self.row(&signal.name(), &[signal], picked))
            })
            .collect();
        rows.sort_by(|a, b| b.0.total_cmp(&a.0));
        rows.iter().for_each(|(_, row)| out.push_str(row));
        out.push('\n');
    }

    /// The sets whose name fits, with those of their signals that some pair has; of two that
    /// come to the same, the first.
    fn distinct(&self, fits: fn(&str) -> bool) -> Vec<(&'static str, Vec<Signal>)> {
        let known = self.known();
        let mut distinct: Vec<(&str, Vec<Signal>)> = Vec::new();
        for (name, names) in SETS.into_iter().filter(|(name, _)| fits(name)) {
            let mut signals = Signal::of_names(names).unwrap_or_default();
            signals.retain(|signal| known.contains(signal));
            if !signals.is_empty() && distinct.iter().all(|(_, seen)| *seen != signals) {
                distinct.push((name, signals));
            }
        }
        distinct
    }

    /// The paper's Table 3 and Fig. 1.
    fn sets(&self, out: &mut String) {
        self.head("Sets of signals", "signals", out);
        for (name, signals) in self.distinct(|_| true) {
            out.push_str(&self.row(name, &signals, &self.all()).1);
        }
        out.push('\n');
    }

    /// The paper's Table 4: mean F without and with the snippets of fetched bodies.
    fn fetched_snippets(&self, out: &mut String) {
        let known = self.known();
        let snippets = sets::of("FS").unwrap_or_default();
        if !snippets.iter().any(|signal| known.contains(signal)) {
            return;
        }
        out.push_str(
            "## Snippets of fetched bodies\n\n| signals | mean F | with FS |\n|---|---:|---:|\n",
        );
        for (name, signals) in self.distinct(|name| name.starts_with('F')) {
            let with = [&signals[..], &snippets[..]].concat();
            let [without, with] = [&signals, &with].map(|set| self.row("", set, &self.all()).0);
            let (without, with) = (100.0 * without, 100.0 * with);
            let _ = writeln!(out, "| {name} | {without:.1} | {with:.1} |");
        }
        out.push('\n');
    }

    /// The signals that are kept when they are chosen one by one.
    fn enough(&self, out: &mut String) {
        let views = self.groups.map(Groups::views);
        let examples = self.examples.with_signals(&self.known());
        let learners = [Learner::Tree, Learner::Rules];
        let how = CrossValidation {
            runs: self.how.runs.min(RUNS_TO_CHOOSE),
            ..self.how
        };
        out.push_str("## Signals chosen one by one\n\n| kept | mean F |\n|---|---:|\n");
        for kept in select::forward(&learners, &examples, views.as_deref(), &how) {
            let _ = writeln!(out, "| {} | {:.1} |", kept.signal, 100.0 * kept.f1);
        }
        out.push('\n');
    }
}

/// The paper's Fig. 2: the best precision at each recall, with all signals of the ladder.
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
            let scores = curve.points().map(|point| curve.scores(point));
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
