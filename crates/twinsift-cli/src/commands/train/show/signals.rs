//! A classifier of pairs in words.

use crate::numbers::counted;
use twinsift_learn::classify::Model;

pub fn explain(model: &Model) -> String {
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
