//! An outcome as Markdown, for the terminal and for pages.

use crate::evaluate::outcome::{DataOutcome, MethodOutcome, Outcome};
use crate::evaluate::verdict::Verdict;
use crate::numbers::{count, counted};

/// All tables of an outcome.
pub fn markdown(outcome: &Outcome) -> String {
    let mut out = String::new();
    for (number, data) in outcome.data.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        out += &format!("## {}\n\n{}\n\n", one_line(&data.name), describe(data));
        for note in &data.notes {
            out += &format!("Note: {note}.\n\n");
        }
        let methods: Vec<&MethodOutcome> = outcome.methods_on(data).collect();
        if let Some(verdict) = Verdict::on(data, outcome) {
            out += &format!("{}\n\n", headline(&verdict));
        }
        out += &quality(&methods).render();
        out.push('\n');
        out += &queries(&methods).render();
        out.push('\n');
        out += &groups(&methods).render();
        out.push('\n');
        out += &cost(&methods).render();
        if methods.iter().any(|method| !method.splits.is_empty()) {
            out.push('\n');
            out += &splits(&methods, outcome).render();
        }
    }
    out
}

fn describe(data: &DataOutcome) -> String {
    let mut text = counted(data.documents, "document");
    if let Some(clusters) = data.clusters {
        text += &format!(" in {}", counted(clusters, "cluster"));
    }
    let judged = counted(data.judged_pairs, "pair");
    text += &format!(
        "; {judged} judged, {} of them true, by {}",
        count(data.true_pairs),
        data.gold
    );
    if let Some(cohesion) = &data.cohesion {
        text += &format!(
            "; mean cosine within clusters (words by tf-idf) {}",
            score(cohesion.mean)
        );
    }
    text
}

/// What a user gets first, and what could be had in hindsight.
fn headline(verdict: &Verdict<'_>) -> String {
    let named = |method: &MethodOutcome, f1: f64, threshold: Option<String>| {
        let at = threshold.map_or_else(String::new, |threshold| format!(" at {threshold}"));
        format!("{}, F1 {}{at}", one_line(&method.name), score(f1))
    };
    let (best, late) = (verdict.best, verdict.in_hindsight);
    if late.max_f1 <= 0.0 {
        return "No method found a true pair.".to_owned();
    }
    format!(
        "Best at its own threshold: {}. Best threshold in hindsight: {}.",
        named(best, best.scores.f1, best.threshold.map(|t| t.to_string())),
        named(late, late.max_f1, late.max_f1_threshold.map(rounded_down))
    )
}

fn quality(methods: &[&MethodOutcome]) -> MarkdownTable {
    let mut table = MarkdownTable::new(&[
        "method",
        "threshold",
        "precision",
        "recall",
        "F1",
        "95 % of F1",
        "avg. precision",
        "max F1 in hindsight",
        "at",
        "precision there",
        "recall there",
    ]);
    for method in methods {
        let interval = method.intervals.map(|intervals| {
            let f1 = intervals.f1;
            format!("{:.3}–{:.3}", f1.low, f1.high)
        });
        table.row(vec![
            method.name.clone(),
            number(method.threshold),
            score(method.scores.precision),
            score(method.scores.recall),
            score(method.scores.f1),
            interval.unwrap_or_else(missing),
            score(method.average_precision),
            score(method.max_f1),
            method.max_f1_threshold.map_or_else(missing, rounded_down),
            score(method.max_f1_precision),
            score(method.max_f1_recall),
        ]);
    }
    table
}

fn queries(methods: &[&MethodOutcome]) -> MarkdownTable {
    let price = methods
        .iter()
        .find_map(|method| Some(method.utility?.price));
    let utility = price.map(|price| format!("utility (cost {price})"));
    let mut head = vec![
        "method",
        "precision per query",
        "recall per query",
        "F1 per query",
    ];
    if let Some(utility) = &utility {
        head.extend([utility.as_str(), "queries of the class", "others hit"]);
    }
    let mut table = MarkdownTable::new(&head);
    for method in methods {
        let mut row = vec![
            method.name.clone(),
            score(method.per_query.precision),
            score(method.per_query.recall),
            score(method.per_query.f1),
        ];
        if utility.is_some() {
            let utility = method.utility.unwrap_or_default();
            row.push(format!("{:.2}", utility.mean));
            row.push(count(utility.queries));
            row.push(count(utility.others_hit));
        }
        table.row(row);
    }
    table
}

fn groups(methods: &[&MethodOutcome]) -> MarkdownTable {
    let mut table = MarkdownTable::new(&[
        "method",
        "groups",
        "largest",
        "pure",
        "adjusted Rand",
        "B-cubed F1",
        "pairs by chains only",
    ]);
    for method in methods {
        let found = &method.groups;
        table.row(vec![
            method.name.clone(),
            count(found.groups),
            count(found.largest),
            found.pure.map_or_else(missing, score),
            found.adjusted_rand.map_or_else(missing, score),
            found.b_cubed.map_or_else(missing, |b| score(b.f1)),
            count(found.chained_pairs),
        ]);
    }
    table
}

fn cost(methods: &[&MethodOutcome]) -> MarkdownTable {
    let mut table = MarkdownTable::new(&[
        "method",
        "seconds",
        "CPU seconds",
        "peak MB",
        "bytes a document",
        "pairs compared",
        "features a document",
        "median",
        "distinct features",
    ]);
    for method in methods {
        let features = method.features.as_ref();
        table.row(vec![
            method.name.clone(),
            format!("{:.2}", method.seconds),
            method
                .cpu_seconds
                .map_or_else(missing, |s| format!("{s:.2}")),
            method.peak_mb.map_or_else(missing, |mb| format!("{mb:.1}")),
            count(method.signature_bytes.round() as u64),
            count(method.candidates),
            features.map_or_else(missing, |f| format!("{:.1}", f.mean)),
            features.map_or_else(missing, |f| count(f.median)),
            features.map_or_else(missing, |f| count(f.distinct)),
        ]);
    }
    table
}

fn splits(methods: &[&MethodOutcome], outcome: &Outcome) -> MarkdownTable {
    let mut table = MarkdownTable::new(&[
        "method",
        "splits",
        "train / test documents",
        "F1 on test",
        "±",
        "threshold from train",
        "max F1 on test in hindsight",
        "precision there",
        "recall there",
        "behind the best",
        "p",
    ]);
    for method in methods {
        let (mean, spread) = method.split_f1().unwrap_or_default();
        let best = method.split_max_f1().unwrap_or_default();
        let chosen: Vec<f64> = method.splits.iter().filter_map(|s| s.threshold).collect();
        let range = match (
            chosen.iter().copied().reduce(f64::min),
            chosen.iter().copied().reduce(f64::max),
        ) {
            (Some(low), Some(high)) => format!("{low:.3}–{high:.3}"),
            _ => missing(),
        };
        let test = outcome
            .comparisons
            .iter()
            .find(|test| test.data == method.data && test.other == method.name);
        table.row(vec![
            method.name.clone(),
            method.splits.len().to_string(),
            sizes(method),
            score(mean),
            score(spread),
            range,
            score(best.f1),
            score(best.precision),
            score(best.recall),
            test.map_or_else(missing, |test| score(0.0 - test.test.difference)),
            test.and_then(|test| test.test.p)
                .map_or_else(missing, |p| match p < 0.001 {
                    true => "< 0.001".to_owned(),
                    false => score(p),
                }),
        ]);
    }
    table
}

/// How many documents the first split has to choose and to report on.
fn sizes(method: &MethodOutcome) -> String {
    let first = method.splits.first();
    first.map_or_else(missing, |split| {
        let parts = [split.train_documents, split.test_documents];
        parts.map(count).join(" / ")
    })
}

fn score(value: f64) -> String {
    format!("{value:.3}")
}

/// A threshold with three digits, so that a user who sets it finds no fewer pairs.
fn rounded_down(threshold: f64) -> String {
    score((threshold * 1000.0 + 1e-9).floor() / 1000.0)
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(missing, |value| value.to_string())
}

fn missing() -> String {
    "–".to_owned()
}

/// Names may hold anything; a line break would end the table.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A table with a first column of names and numbers in the others.
struct MarkdownTable {
    rows: Vec<Vec<String>>,
}

impl MarkdownTable {
    fn new(head: &[&str]) -> Self {
        let head = head.iter().map(|&cell| cell.to_owned()).collect();
        Self { rows: vec![head] }
    }

    fn row(&mut self, cells: Vec<String>) {
        self.rows.push(
            cells
                .into_iter()
                .map(|cell| one_line(&cell).replace('|', "\\|"))
                .collect(),
        );
    }

    fn render(&self) -> String {
        let columns = self.rows[0].len();
        let width = |at: usize| {
            let widths = self.rows.iter().map(|row| row[at].chars().count());
            widths.max().unwrap_or(0).max(3)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut out = String::new();
        for (number, row) in self.rows.iter().enumerate() {
            for (at, cell) in row.iter().enumerate() {
                let width = widths[at];
                out += &match at {
                    0 => format!("| {cell:width$} "),
                    _ => format!("| {cell:>width$} "),
                };
            }
            out += "|\n";
            if number == 0 {
                for (at, width) in widths.iter().enumerate() {
                    out += &match at {
                        0 => format!("|-{}-", "-".repeat(*width)),
                        _ => format!("|-{}:", "-".repeat(*width)),
                    };
                }
                out += "|\n";
            }
        }
        out
    }
}
