//! The page: what stands where.
//!
//! A reader in a hurry reads the top: what was tried on what, and what came of
//! it. Below there is a part for each collection, from figures to documents.

use super::escape::{inline, text};
use super::numbers::{amount, count};
use super::series::Looks;
use super::{cohesion, curves, histogram, mistakes, parameters, tables, verdict};
use crate::evaluate::outcome::{DataOutcome, MethodComparison, MethodOutcome, Outcome};
use std::fmt::Write as _;

const STYLE: &str = include_str!("style.css");

/// How to read the figures.
const GLOSSARY: &str = include_str!("glossary.html");

/// The whole file.
pub fn whole(outcome: &Outcome) -> String {
    let looks = Looks::of(outcome);
    let title = match outcome.title.trim() {
        "" => "Evaluation",
        title => title,
    };
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
        text(title)
    );
    out += &top(title, outcome, &looks);
    for (at, data) in outcome.data.iter().enumerate() {
        out += &collection(at, data, outcome, &looks);
    }
    out += &bottom(outcome);
    out
}

fn top(title: &str, outcome: &Outcome, looks: &Looks) -> String {
    let version = match outcome.version.is_empty() {
        true => String::new(),
        false => format!(" {}", text(&outcome.version)),
    };
    let mut out = format!(
        "<header class=\"top\">\n<p class=\"kicker\">twinsift{version} · evaluation</p>\n<h1>{}</h1>\n",
        inline(title)
    );
    if outcome.data.is_empty() {
        out += "<p class=\"verdict\">Nothing was evaluated.</p>\n";
    }
    for data in &outcome.data {
        let _ = writeln!(
            out,
            "<p class=\"verdict\">{}</p>",
            verdict::on(data, outcome)
        );
    }
    if outcome.data.len() > 1 {
        out += "<nav aria-label=\"Collections\"><ul>";
        for (at, data) in outcome.data.iter().enumerate() {
            let _ = write!(
                out,
                "<li><a href=\"#data-{}\">{}</a></li>",
                at + 1,
                inline(&data.name)
            );
        }
        out += "</ul></nav>\n";
        type F1 = fn(&MethodOutcome) -> f64;
        let tables: [(&str, F1); 2] = [
            ("F1 by collection, as they ran", |method| method.scores.f1),
            (
                "Max F1 by collection, with the best threshold in hindsight",
                |method| method.max_f1,
            ),
        ];
        for (head, f1) in tables {
            let table = tables::overview(head, f1, outcome, looks);
            let _ = write!(out, "<h2>{head}</h2>\n{table}");
        }
    }
    out + "</header>\n<main>\n"
}

fn collection(at: usize, data: &DataOutcome, outcome: &Outcome, looks: &Looks) -> String {
    let methods: Vec<&MethodOutcome> = outcome.methods_on(data).collect();
    let comparisons: Vec<&MethodComparison> = outcome
        .comparisons
        .iter()
        .filter(|c| c.data == data.name)
        .collect();
    let mut out = format!(
        "<section id=\"data-{}\">\n<h2>{}</h2>\n{}",
        at + 1,
        inline(&data.name),
        facts(data)
    );
    let best = "The best value of a column is bold.";
    out += &part("Quality", best, &tables::quality(&methods, looks));
    let curves: Vec<String> = [
        curves::precision_recall(&methods, looks),
        curves::f1(&methods, looks),
    ]
    .into_iter()
    .flatten()
    .collect();
    out += &match curves.is_empty() {
        false => figures("Thresholds", &curves),
        true => part(
            "Thresholds",
            "No judged pair was scored, so there are no curves.",
            " ",
        ),
    };
    out += &figures("Settings", &parameters::charts(&methods));
    out += &part("Pairs and groups", best, &tables::groups(&methods, looks));
    let sizes = [
        histogram::group_sizes(&methods, looks),
        histogram::features(&methods, looks),
        data.cohesion.as_ref().and_then(cohesion::chart),
    ];
    out += &figures("", &Vec::from_iter(sizes.into_iter().flatten()));
    let reading = format!(
        "{best} Reading the documents took {} s, which is in none of the figures.",
        amount(data.reading_seconds)
    );
    out += &part("Cost", &reading, &tables::cost(&methods, looks));
    out += &part(
        "Splits",
        "The threshold was chosen on some of the clusters; these are scores on the others. \
         A paired t-test compares each method with the best.",
        &tables::splits(&methods, &comparisons, looks),
    );
    out += &part(
        "Worst mistakes",
        "Runs of words that both documents have are marked.",
        &mistakes::section(&methods, looks).unwrap_or_default(),
    );
    out + "</section>\n"
}

/// The collection in numbers, where its labels come from, and what is odd about them.
fn facts(data: &DataOutcome) -> String {
    let numbers = [
        ("documents", Some(data.documents)),
        ("labelled", Some(data.labelled)),
        ("true clusters", data.clusters),
        ("true pairs", Some(data.true_pairs)),
        ("judged pairs", Some(data.judged_pairs)),
    ];
    let mut out = String::from("<dl class=\"facts\">\n");
    for (name, number) in numbers {
        if let Some(number) = number {
            let _ = writeln!(
                out,
                "<div><dt>{name}</dt><dd>{}</dd></div>",
                count(number as f64)
            );
        }
    }
    out += "</dl>\n";
    if !data.gold.is_empty() {
        let _ = writeln!(out, "<p class=\"note\">Labels: {}</p>", inline(&data.gold));
    }
    if !data.notes.is_empty() {
        let notes = data
            .notes
            .iter()
            .map(|note| format!("<li>{}</li>", inline(note)));
        let _ = writeln!(
            out,
            "<ul class=\"notes\">{}</ul>",
            notes.collect::<String>()
        );
    }
    out
}

/// A part with a heading and a sentence; nothing without content.
fn part(head: &str, note: &str, content: &str) -> String {
    match content.is_empty() {
        true => String::new(),
        false => format!("<h3>{head}</h3>\n<p class=\"note\">{note}</p>\n{content}"),
    }
}

fn figures(head: &str, figures: &[String]) -> String {
    let head = match head {
        "" => String::new(),
        head => format!("<h3>{head}</h3>\n"),
    };
    match figures.is_empty() {
        true => String::new(),
        false => format!(
            "{head}<div class=\"figures\">\n{}</div>\n",
            figures.concat()
        ),
    }
}

/// What each method is, once for all collections.
fn recipes(outcome: &Outcome) -> String {
    let mut known: Vec<&str> = Vec::new();
    let mut out = String::new();
    for method in outcome.methods.iter().filter(|m| !m.description.is_empty()) {
        if !known.contains(&method.name.as_str()) {
            known.push(&method.name);
            let (name, words) = (inline(&method.name), inline(&method.description));
            let _ = writeln!(out, "<dt>{name}</dt><dd>{words}</dd>");
        }
    }
    match out.is_empty() {
        true => out,
        false => format!("<h2>The methods</h2>\n<dl class=\"words\">\n{out}</dl>\n"),
    }
}

fn bottom(outcome: &Outcome) -> String {
    format!(
        "</main>\n<footer>\n{}<h2>How to read this</h2>\n<dl class=\"words\">\n{GLOSSARY}</dl>\n</footer>\n\
         </body>\n</html>\n",
        recipes(outcome)
    )
}
