//! The report as a whole: odd evaluations, hostile input, and what a browser
//! makes of it.

#[path = "../../../tests/browser/mod.rs"]
mod browser;
mod sample;

use super::render;
use crate::evaluate::outcome::{
    CurvePoint, DataOutcome, Excerpt, MethodOutcome, MistakeOutcome, Outcome,
};
use std::collections::BTreeMap;
use std::fs;
use tempfile::TempDir;
use twinsift_eval::Scores;

const CHARTS: &[&str] = &[
    "precision-recall",
    "f1-threshold",
    "scores-k",
    "scores-lexicons",
    "group-sizes",
    "features",
    "cohesion",
];

/// What a browser finds wrong with a page.
fn faults(name: &str, html: &str, charts: &[&str]) -> Vec<String> {
    let folder = TempDir::new().expect("a folder");
    let page = folder.path().join(name);
    fs::write(&page, html).expect("written");
    browser::faults(&page, charts)
}

fn outcome(methods: Vec<MethodOutcome>) -> Outcome {
    let mut data: Vec<DataOutcome> = Vec::new();
    for method in &methods {
        if data.iter().all(|known| known.name != method.data) {
            let name = method.data.clone();
            data.push(DataOutcome {
                name,
                ..DataOutcome::default()
            });
        }
    }
    Outcome {
        data,
        methods,
        ..Outcome::default()
    }
}

#[test]
fn a_browser_shows_all_charts() {
    assert_eq!(
        faults("rich.html", &render(&sample::rich()), CHARTS),
        [""; 0]
    );
}

#[test]
fn a_browser_shows_odd_evaluations() {
    let one_point = CurvePoint {
        threshold: 1.0,
        scores: Scores::of(10.0, 9.0, 12.0),
    };
    let one_point = MethodOutcome {
        data: "bare".to_owned(),
        name: "one point".to_owned(),
        curve: vec![one_point],
        scores: one_point.scores,
        found_pairs: 10,
        max_f1: one_point.scores.f1,
        max_f1_threshold: Some(1.0),
        floor: 1.0,
        ..MethodOutcome::default()
    };
    let long = "an-extraordinarily-long-name-without-a-single-gap".repeat(6);
    let mut methods = vec![
        one_point,
        MethodOutcome {
            data: "bare".to_owned(),
            ..Default::default()
        },
    ];
    for at in 0..30 {
        let name = format!("{}{at}", if at == 4 { &long } else { "method " });
        methods.push(sample::method(&long, &name, at));
    }
    let html = render(&outcome(methods));
    let charts = ["precision-recall", "f1-threshold", "group-sizes"];
    assert_eq!(faults("odd.html", &html, &charts), [""; 0]);
}

#[test]
fn a_browser_sees_what_is_wrong() {
    let methods = (0..2).map(|at| sample::method("news", &format!("method {at}"), at));
    let whole = render(&outcome(methods.collect()));
    let charts = ["precision-recall", "f1-threshold", "group-sizes"];
    let drawn = "<g class=\"drawn\">";
    let (head, rest) = whole.split_once(drawn).expect("a chart");
    let end = rest.find("</svg>").expect("its end");
    let empty = format!("{head}{drawn}</g>\n{}", &rest[end..]);
    let found = faults("empty.html", &empty, &charts);
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(
        found
            .iter()
            .all(|fault| fault.contains("precision-recall is empty")),
        "{found:?}"
    );

    let invisible = whole.replace(
        "</style>",
        ".drawn * { fill: var(--panel) !important; stroke: var(--panel) !important }</style>",
    );
    let found = faults("invisible.html", &invisible, &charts);
    assert!(
        found
            .iter()
            .any(|fault| fault.contains("group-sizes is empty")),
        "{found:?}"
    );

    let wrong = "<style>body { min-width: 500px }</style><img src=\"http://127.0.0.1:9/a.png\">";
    let found = faults("wrong.html", &format!("{whole}{wrong}"), &["confusion"]);
    for expected in [
        "360 px, dark: the page scrolls sideways by 140 px",
        "1280 px, light: asks for http://127.0.0.1:9/a.png",
        "1280 px, light: chart confusion is missing",
    ] {
        assert!(
            found.iter().any(|fault| fault == expected),
            "{expected}: {found:?}"
        );
    }
}

#[test]
fn nothing_to_show_is_said() {
    assert!(render(&Outcome::default()).contains("Nothing was evaluated."));
    let data = DataOutcome {
        name: "d".to_owned(),
        ..DataOutcome::default()
    };
    let empty = Outcome {
        data: vec![data],
        ..Outcome::default()
    };
    assert!(render(&empty).contains("No method was tried on <bdi>d</bdi>."));
    let method = MethodOutcome {
        data: "d".to_owned(),
        ..MethodOutcome::default()
    };
    let html = render(&outcome(vec![method]));
    assert!(html.contains("no method found a true pair"));
    assert!(html.contains("there are no curves"));
    assert!(!html.contains("<figure"));
}

#[test]
fn the_same_outcome_gives_the_same_bytes() {
    assert_eq!(render(&sample::rich()), render(&sample::rich()));
}

#[test]
fn the_verdict_is_in_plain_words() {
    let html = render(&sample::rich()).replace('\u{a0}', " ");
    let verdict = "On <bdi>town-news</bdi>, with the thresholds they ran with, <strong><bdi>words \
        similarity=cosine</bdi></strong> does best: F1 0.679 at 0.617 (95 % of resampled collections: 0.658 \
        to 0.697). Next is <bdi>shingles k=1</bdi> with 0.653 at 0.617. With the best threshold in \
        hindsight, <bdi>words similarity=cosine</bdi> would reach F1 0.900 at 0.251. Over splits, \
        <bdi>words similarity=cosine</bdi> cannot be told from <bdi>shingles k=1</bdi> (p = 0.300). \
        <bdi>words similarity=cosine</bdi> took 2.20 s; the quickest, <bdi>imatch lexicons=10</bdi>, took \
        1.04 s for F1 0.529.";
    assert!(
        html.contains(verdict),
        "{}",
        html.split("</p>").nth(1).unwrap_or_default()
    );
}

#[test]
fn the_verdict_knows_ties_and_thresholds() {
    let scored = |name: &str, max_f1: f64, f1: f64| MethodOutcome {
        data: "d".to_owned(),
        name: name.to_owned(),
        threshold: Some(0.8),
        scores: Scores {
            f1,
            ..Scores::default()
        },
        max_f1,
        max_f1_threshold: Some(0.25),
        ..MethodOutcome::default()
    };
    let methods = vec![
        scored("a", 0.9, 0.5),
        scored("b", 0.9001, 0.4),
        scored("c", 0.7, 0.7),
    ];
    let html = render(&outcome(methods)).replace('\u{a0}', " ");
    let verdict = "On <bdi>d</bdi>, with the thresholds they ran with, <strong><bdi>c</bdi></strong> \
        does best: F1 0.700 at 0.8. Next is <bdi>a</bdi> with 0.500 at 0.8. With the best threshold in \
        hindsight, <bdi>b</bdi> would reach F1 0.900 at 0.25.</p>";
    assert!(
        html.contains(verdict),
        "{}",
        html.split("</p>").nth(1).unwrap_or_default()
    );
}

/// Every word of the input is hostile; none of it may come out as it is.
#[test]
fn the_input_stays_text() {
    let evil = |place: &str| format!("</title></style><script>{place}\u{202e}\u{0}\"'>&");
    let excerpt = || Excerpt {
        id: evil("id"),
        title: Some(evil("heading")),
        url: Some(format!("javascript:{}", evil("url"))),
        cluster: Some(evil("cluster")),
        text: evil("text"),
    };
    let mistake = || MistakeOutcome {
        a: excerpt(),
        b: excerpt(),
        score: None,
    };
    let mut outcome = sample::rich();
    outcome.title = evil("title");
    outcome.version = evil("version");
    for data in &mut outcome.data {
        data.gold = evil("gold");
        data.notes = vec![evil("note")];
    }
    let names = outcome.data.iter_mut().map(|data| &mut data.name);
    let of_methods = outcome.methods.iter_mut().map(|method| &mut method.data);
    let of_comparisons = outcome
        .comparisons
        .iter_mut()
        .map(|comparison| &mut comparison.data);
    for name in names.chain(of_methods).chain(of_comparisons) {
        *name += &evil("data");
    }
    for comparison in &mut outcome.comparisons {
        comparison.best += &evil("best");
        comparison.other += &evil("other");
    }
    for (at, method) in outcome.methods.iter_mut().enumerate() {
        let setting = evil("setting").replace(' ', "");
        method.name = format!("{} {setting}={at}", evil("name"));
        method.parameters = BTreeMap::from([(setting, at as f64)]);
        method.method = evil("method");
        method.description = evil("description");
        method.recipe = evil("recipe");
        method.false_positives = vec![mistake()];
        method.false_negatives = vec![mistake()];
    }
    let html = render(&outcome);
    let own_styles = html.matches("</style>").count();
    assert_eq!(own_styles, 1);
    for forbidden in ["<script", "\u{202e}", "\u{0}", "href=\"java", "\"'>&"] {
        assert!(!html.contains(forbidden), "{forbidden:?}");
    }
    for place in [
        "title",
        "version",
        "gold",
        "note",
        "data",
        "name",
        "description",
        "id",
        "heading",
        "url",
        "cluster",
        "text",
        "setting",
        "best",
        "other",
    ] {
        assert!(
            html.contains(&format!("&lt;script&gt;{place}⟨U+202E⟩⟨U+0000⟩")),
            "{place}"
        );
    }
}
