//! An outcome as Markdown, for the terminal and for pages.

use super::numbers::{NONE, chance};
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
        let mut tables = vec![
            quality(&methods),
            queries(&methods),
            groups(&methods),
            cost(&methods),
        ];
        if methods.iter().any(|method| !method.splits.is_empty()) {
            tables.push(splits(&methods, outcome));
        }
        out += &tables.join("\n");
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

/// A column of a table: its heading, and the cell of a method.
type Column<'a> = (&'a str, &'a dyn Fn(&MethodOutcome) -> String);

fn quality(methods: &[&MethodOutcome]) -> String {
    let columns: &[Column<'_>] = &[
        ("threshold", &|m| or_missing(m.threshold, |t| t.to_string())),
        ("precision", &|m| score(m.scores.precision)),
        ("recall", &|m| score(m.scores.recall)),
        ("F1", &|m| score(m.scores.f1)),
        ("95 % of F1", &|m| {
            let f1 = m.intervals.map(|intervals| intervals.f1);
            or_missing(f1, |f1| format!("{:.3}–{:.3}", f1.low, f1.high))
        }),
        ("avg. precision", &|m| score(m.average_precision)),
        ("max F1 in hindsight", &|m| score(m.max_f1)),
        ("at", &|m| or_missing(m.max_f1_threshold, rounded_down)),
        ("precision there", &|m| score(m.max_f1_precision)),
        ("recall there", &|m| score(m.max_f1_recall)),
    ];
    table(methods, columns)
}

fn queries(methods: &[&MethodOutcome]) -> String {
    let mut columns: Vec<Column<'_>> = vec![
        ("precision per query", &|m| score(m.per_query.precision)),
        ("recall per query", &|m| score(m.per_query.recall)),
        ("F1 per query", &|m| score(m.per_query.f1)),
    ];
    let price = methods
        .iter()
        .find_map(|method| Some(method.utility?.price));
    let head = price.map(|price| format!("utility (cost {price})"));
    let utility = |m: &MethodOutcome| m.utility.unwrap_or_default();
    let of_utility: [Column<'_>; 3] = [
        (head.as_deref().unwrap_or_default(), &|m| {
            format!("{:.2}", utility(m).mean)
        }),
        ("queries of the class", &|m| count(utility(m).queries)),
        ("others hit", &|m| count(utility(m).others_hit)),
    ];
    if price.is_some() {
        columns.extend(of_utility);
    }
    table(methods, &columns)
}

fn groups(methods: &[&MethodOutcome]) -> String {
    let columns: &[Column<'_>] = &[
        ("groups", &|m| count(m.groups.groups)),
        ("largest", &|m| count(m.groups.largest)),
        ("pure", &|m| or_missing(m.groups.pure, score)),
        ("adjusted Rand", &|m| {
            or_missing(m.groups.adjusted_rand, score)
        }),
        ("B-cubed F1", &|m| {
            or_missing(m.groups.b_cubed, |b| score(b.f1))
        }),
        ("pairs by chains only", &|m| count(m.groups.chained_pairs)),
    ];
    table(methods, columns)
}

fn cost(methods: &[&MethodOutcome]) -> String {
    let columns: &[Column<'_>] = &[
        ("seconds", &|m| format!("{:.2}", m.seconds)),
        ("CPU seconds", &|m| {
            or_missing(m.cpu_seconds, |s| format!("{s:.2}"))
        }),
        ("peak MB", &|m| {
            or_missing(m.peak_mb, |mb| format!("{mb:.1}"))
        }),
        ("bytes a document", &|m| {
            count(m.signature_bytes.round() as u64)
        }),
        ("pairs compared", &|m| count(m.candidates)),
        ("features a document", &|m| {
            or_missing(m.features.as_ref(), |f| format!("{:.1}", f.mean))
        }),
        ("median", &|m| {
            or_missing(m.features.as_ref(), |f| count(f.median))
        }),
        ("distinct features", &|m| {
            or_missing(m.features.as_ref(), |f| count(f.distinct))
        }),
    ];
    table(methods, columns)
}

fn splits(methods: &[&MethodOutcome], outcome: &Outcome) -> String {
    let f1 = |m: &MethodOutcome| m.split_f1().unwrap_or_default();
    let best = |m: &MethodOutcome| m.split_max_f1().unwrap_or_default();
    let test = |m: &MethodOutcome| {
        let mut tests = outcome.comparisons.iter();
        let of_it = tests.find(|test| test.data == m.data && test.other == m.name);
        of_it.map(|comparison| &comparison.test)
    };
    let columns: &[Column<'_>] = &[
        ("splits", &|m| m.splits.len().to_string()),
        ("train / test documents", &sizes),
        ("F1 on test", &|m| score(f1(m).0)),
        ("±", &|m| score(f1(m).1)),
        ("threshold from train", &|m| {
            let chosen = || m.splits.iter().filter_map(|split| split.threshold);
            let ends = chosen().reduce(f64::min).zip(chosen().reduce(f64::max));
            or_missing(ends, |(low, high)| format!("{low:.3}–{high:.3}"))
        }),
        ("max F1 on test in hindsight", &|m| score(best(m).f1)),
        ("precision there", &|m| score(best(m).precision)),
        ("recall there", &|m| score(best(m).recall)),
        ("behind the best", &|m| {
            or_missing(test(m), |test| score(0.0 - test.difference))
        }),
        ("p", &|m| {
            or_missing(test(m).and_then(|test| test.p), chance)
        }),
    ];
    table(methods, columns)
}

/// How many documents the first split has to choose and to report on.
fn sizes(method: &MethodOutcome) -> String {
    let first = method.splits.first();
    or_missing(first, |split| {
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

fn or_missing<T>(value: Option<T>, show: impl Fn(T) -> String) -> String {
    value.map_or_else(|| NONE.to_owned(), show)
}

/// Names may hold anything; a line break would end the table.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A table with a first column of names and numbers in the others.
fn table(methods: &[&MethodOutcome], columns: &[Column<'_>]) -> String {
    let heads = columns.iter().map(|(head, _)| (*head).to_owned());
    let mut rows: Vec<Vec<String>> = vec![["method".to_owned()].into_iter().chain(heads).collect()];
    for method in methods {
        let cells = columns.iter().map(|(_, cell)| cell(method));
        let cells = [method.name.clone()].into_iter().chain(cells);
        rows.push(
            cells
                .map(|cell| one_line(&cell).replace('|', "\\|"))
                .collect(),
        );
    }
    let width = |at: usize| {
        let widths = rows.iter().map(|row| row[at].chars().count());
        widths.max().unwrap_or(0).max(3)
    };
    let widths: Vec<usize> = (0..=columns.len()).map(width).collect();
    let mut out = String::new();
    for (number, row) in rows.iter().enumerate() {
        for (at, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            out += &match at {
                0 => format!("| {cell:width$} "),
                _ => format!("| {cell:>width$} "),
            };
        }
        out += "|\n";
        if number == 0 {
            for (at, &width) in widths.iter().enumerate() {
                let end = if at == 0 { '-' } else { ':' };
                out += &format!("|-{:-<width$}{end}", "");
            }
            out += "|\n";
        }
    }
    out
}
