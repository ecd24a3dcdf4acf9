//! Learned weights in words.

use crate::numbers::counted;
use std::fmt::Write as _;
use twinsift::features::learned::model::{Held, Model, Reading, Validation};

pub fn explain(model: &Model) -> String {
    let mut out = String::new();
    let mut say = |text: String| {
        let _ = writeln!(out, "{text}");
    };
    let grams = match model.k {
        1 => "words".to_owned(),
        k => format!("runs of {k} words"),
    };
    say(format!(
        "Compares {grams} by {}; near duplicates from {} on.",
        model.similarity.name(),
        model.threshold
    ));
    if model.fold {
        say("Disguises of words are undone first.".to_owned());
    }
    say(match &model.reading {
        Some(Reading { content, body }) => {
            let body = body.as_ref().map(|body| format!(" --body {body}"));
            let body = body.unwrap_or_default();
            format!(
                "Its documents were read with --content {content}{body}; others are read so, too."
            )
        }
        None => "How its documents were read is not noted: read others as those were.".to_owned(),
    });
    say(match &model.lexicon {
        Some(id) => format!("How common words are comes from the lexicon {id}."),
        None => "How common words are is left out.".to_owned(),
    });
    let training = &model.training;
    say(format!(
        "Learnt from {} in {}: {} of near duplicates, {} of unrelated documents.",
        counted(training.documents, "document"),
        counted(training.clusters, "cluster"),
        counted(training.positive_pairs, "pair"),
        counted(training.negative_pairs, "pair")
    ));
    if training.held == Held::Unlearned {
        let why = match training.validation {
            Some(_) => "In trials on these few documents that did better",
            None => "There are too few documents for trials",
        };
        say(format!(
            "{why}: the weights are held to the unlearned ones, with alpha {}.",
            training.alpha
        ));
    }
    if let Some(apart) = &training.validation {
        say(format!(
            "On {}: precision {:.3}, recall {:.3}, F1 {:.3}.",
            set_apart(apart),
            apart.precision,
            apart.recall,
            apart.f1
        ));
    }
    say(String::new());
    say("What makes a term count more (+) or less (-), the strongest first:".to_owned());
    let mut weights: Vec<(&str, f64)> = (model.weights.iter())
        .map(|(name, &weight)| (name.as_str(), weight))
        .collect();
    weights.sort_by(|x, y| y.1.abs().total_cmp(&x.1.abs()).then(x.0.cmp(y.0)));
    for (name, weight) in weights {
        say(format!("  {weight:+8.4}  {name:10} {}", meaning(name)));
    }
    say("A term whose sum is not above zero is left out.".to_owned());
    out
}

/// The documents that tell how good a model is.
pub fn set_apart(apart: &Validation) -> String {
    let documents = counted(apart.documents, "document");
    match apart.rounds {
        1 => format!("{documents} set apart"),
        rounds => format!("{documents} set apart in {rounds} rounds"),
    }
}

/// What a feature says, in words.
fn meaning(name: &str) -> String {
    let knot = |kind: &str| {
        let share = name.strip_prefix(kind)?.strip_prefix('-')?;
        share.parse::<f64>().ok()
    };
    if let Some(idf) = knot("df") {
        let edge = match idf {
            0.0 => " (in every document)",
            1.0 => " (in one document, or none)",
            _ => "",
        };
        return format!("its rarity is near {idf}{edge}");
    }
    if let Some(share) = knot("loc") {
        let percent = (share * 100.0).round();
        return format!("it stands first near {percent} % of the document");
    }
    match name {
        "bias" => "always",
        "tf" => "it occurs often in the document",
        "df-avg" => "its words are rare on average",
        "df-med" => "its middle word is rare",
        "qf" => "people search for it",
        "len" => "the document is long",
        "cap" => "it is capitalised",
        "in-title" => "it is in the title or subject",
        "in-url" => "it is in the document's address",
        "in-link" => "it stands in a web address",
        _ => "",
    }
    .to_owned()
}
