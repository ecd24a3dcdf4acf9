//! `twinsift train show`: a model in words, whatever its kind.

use super::super::print;
use crate::exit::bad_input;
use crate::pages::model;
use crate::summary::counted;
use std::path::Path;
use twinsift::classify::Model;
use twinsift::classify::model::KIND;

pub fn run(path: &Path) -> anyhow::Result<()> {
    let text = model::text(path)?;
    let kind = serde_json::from_str::<serde_json::Value>(&text)
        .ok()
        .and_then(|model| Some(model.get("kind")?.as_str()?.to_owned()));
    let shown = match kind.as_deref() {
        Some(KIND) => of_signals(&model::parse(path, &text)?),
        Some(other) => {
            return Err(bad_input(format!(
                "{} is a model of the unknown kind \"{other}\"",
                path.display()
            )));
        }
        None => {
            return Err(bad_input(format!(
                "{} is no model: it does not say its kind",
                path.display()
            )));
        }
    };
    Ok(print(&shown)?)
}

fn of_signals(model: &Model) -> String {
    let training = &model.training;
    let mut out = format!(
        "{}, trained on {} ({}); a pair is a duplicate from a score of {} ({})\n",
        match model.classifier.learner().name() {
            "tree" => "decision tree",
            "rules" => "list of rules",
            _ => "boosted trees",
        },
        counted(training.pairs, "pair"),
        counted(training.duplicates, "duplicate"),
        model.threshold,
        training.threshold_by,
    );
    if let Some(validated) = &training.validation {
        out += &format!(
            "cross-validation, {} folds x {} runs{}: precision {:.3}, recall {:.3}, F {:.3} (quartiles {:.3} to {:.3})\n",
            validated.folds,
            validated.runs,
            match &validated.group {
                Some(group) => format!(", by {group}"),
                None => String::new(),
            },
            validated.precision,
            validated.recall,
            validated.f1,
            validated.quartiles[0],
            validated.quartiles[1],
        );
    }
    out.push('\n');
    out + &model.in_words()
}
