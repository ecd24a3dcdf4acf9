//! `twinsift filter`: an answer to each document of a stream, at once.

use super::print;
use crate::args::run::Run;
use crate::args::{FilterArgs, SourceArgs};
use crate::exit::bad_input;
use crate::lexicon;
use crate::pages::decide;
use crate::read;
use crate::stored::Stored;
use crate::summary::{count, counted, line};
use serde::Serialize;
use twinsift::filter::{Answer, Filter};
use twinsift::recipe::{Matching, Method};
use twinsift::{Document, Id, Item};
use twinsift_io::{Format, Inputs, ReadOptions};

/// One line of the answer.
#[derive(Serialize)]
struct Line<'a> {
    id: Option<serde_json::Value>,
    duplicate_of: Option<&'a str>,
    score: Option<f64>,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

pub fn run(args: FilterArgs) -> anyhow::Result<()> {
    if Stored::probe(&args.inputs, &ReadOptions::default())?.is_some() {
        return Err(bad_input("a filter answers documents, not signatures"));
    }
    if args.run.method.unsigned.is_some() {
        return Err(bad_input(
            "--unsigned has no meaning here: it belongs to pairs, clusters and dedup",
        ));
    }
    let sources = SourceArgs {
        inputs: args.inputs,
        against: args.against,
    };
    // The format is the stream's; what is known tells by itself what it is.
    let mut known = args.run;
    let format = known.read.format.take();
    let mut run = Run::with_method(sources, known, Method::IMatch)?;
    if let Some(name) = format {
        run.read.format = Format::of_extension(&name);
    }
    decide::refuse_classifier(
        &run,
        "twinsift filter",
        "use twinsift pairs NEW --against OLD",
    )?;
    let is_own =
        matches!(run.recipe.matching, Matching::IMatch { .. }) && run.recipe.lexicon.is_none();
    if is_own {
        let counted = lexicon::counted(
            &run.against,
            run.read_against.clone(),
            run.recipe.fold,
            &run.settings,
        )?;
        run.recipe.lexicon = Some(counted);
    }
    let mut filter = Filter::new(&run.recipe)?;
    filter.remember(args.remember);
    let unmatched = know(&run, &mut filter)?;
    if !run.quiet {
        line("method", &run.recipe.to_string());
        let mut known = counted(filter.len() as u64, "document");
        if unmatched > 0 {
            known += &format!("; {} more have too little to be matched", count(unmatched));
        }
        line("known", &known);
        if is_own {
            line(
                "",
                "the lexicon is counted from the known documents; --lexicon names another",
            );
        }
    }
    answer(&run, &mut filter, args.learn)
}

/// Reads the known documents. Returns how many can never be matched.
fn know(run: &Run, filter: &mut Filter) -> anyhow::Result<u64> {
    let mut unmatched = 0;
    let mut failed = None;
    read::visit_old(run, |document| match filter.know(document) {
        Ok(true) => {}
        Ok(false) => unmatched += 1,
        Err(error) => failed = failed.take().or(Some(error)),
    })?;
    match failed {
        Some(error) => Err(error.into()),
        None => Ok(unmatched),
    }
}

/// Answers documents as they come.
fn answer(run: &Run, filter: &mut Filter, learn: bool) -> anyhow::Result<()> {
    let inputs = Inputs::open(&run.inputs, run.read.clone())?;
    let mut outcome = Ok(());
    for batch in inputs.batches() {
        inputs.expand(&batch, &mut |item| {
            if outcome.is_err() {
                return;
            }
            outcome = match item {
                Item::Document(document) => one(filter, &document, learn),
                Item::Skipped(skipped) => {
                    let place = inputs.place_name(skipped.place);
                    let error = format!("{place}: {}", skipped.reason);
                    match run.strict {
                        true => Err(bad_input(error + " (--strict stops here)")),
                        false => say(&Line {
                            id: None,
                            duplicate_of: None,
                            score: None,
                            error: Some(error),
                        }),
                    }
                }
            };
        });
        std::mem::replace(&mut outcome, Ok(()))?;
    }
    Ok(())
}

fn one(filter: &mut Filter, document: &Document<'_>, learn: bool) -> anyhow::Result<()> {
    let answer = match learn {
        true => filter.answer_and_learn(document)?,
        false => filter.answer(document),
    };
    let (duplicate_of, score) = match &answer {
        Answer::DuplicateOf { id, score } => (Some(id.as_str()), Some(*score)),
        Answer::Unknown | Answer::NotJudged => (None, None),
    };
    say(&Line {
        id: Some(id(&document.id)),
        duplicate_of,
        score,
        error: None,
    })
}

/// A name as JSON: a number where the input had one.
fn id(id: &Id<'_>) -> serde_json::Value {
    match id.is_number {
        true => id
            .text
            .parse::<serde_json::Number>()
            .map_or_else(|_| id.text.as_ref().into(), Into::into),
        false => id.text.as_ref().into(),
    }
}

/// Prints a line, at once.
fn say(line: &Line<'_>) -> anyhow::Result<()> {
    Ok(print(&(serde_json::to_string(line)? + "\n"))?)
}
