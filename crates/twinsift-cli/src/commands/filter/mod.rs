//! `twinsift filter`: an answer to each document of a stream, at once.

mod by_index;

use super::print_data;
use crate::args::{FilterArgs, SourceArgs};
use crate::exit::bad_input;
use crate::ingest;
use crate::numbers::{count, counted};
use crate::pages::decide;
use crate::plan::{Run, Usual, lexicon};
use crate::read;
use crate::say;
use crate::stored::Stored;
use crate::summary::{self, line};
use serde::Serialize;
use serde_json::value::RawValue;
use twinsift::filter::{Answer, Filter};
use twinsift::recipe::{Matching, Method};
use twinsift::{Document, Item, Statistics};
use twinsift_io::write::json_id;
use twinsift_io::{Format, Inputs, ReadOptions};

/// What knows documents.
trait Answers {
    /// What is said of a document, which is known from now on if it is to be learnt.
    fn answer(&mut self, document: &Document<'_>) -> anyhow::Result<Known>;
}

/// What is said of a document.
struct Known {
    answer: Answer,
    label: Option<String>,
}

/// One line of the answer.
#[derive(Serialize)]
struct Line<'a> {
    id: Option<Box<RawValue>>,
    duplicate_of: Option<Box<RawValue>>,
    score: Option<f64>,
    /// What the known document belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    /// Documents that are new, and those that nothing can be said of, are told apart.
    verdict: &'a str,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

pub fn run(args: FilterArgs) -> anyhow::Result<()> {
    if Stored::probe(&args.inputs, &ReadOptions::default())?.is_some() {
        return Err(bad_input("a filter answers documents, not signatures"));
    }
    if args.run.method.files.unsigned.is_some() {
        return Err(bad_input(
            "--unsigned has no meaning here: it belongs to pairs, clusters and dedup",
        ));
    }
    if let Some(folder) = args.index.clone() {
        return by_index::run(&folder, args);
    }
    let sources = SourceArgs {
        inputs: args.inputs,
        against: args.against,
    };
    // The format is the stream's; what is known tells by itself what it is.
    let mut known = args.run;
    let format = known.read.format.take();
    let mut run = Run::with_usual(sources, &known, Usual::CampaignsOr(Method::IMatch))?;
    if let Some(name) = format {
        run.read.format = Format::of_extension(&name);
    }
    // Known documents tell what kind these are; a stream is not waited for.
    if !run.against.is_empty() && run.against.iter().all(|path| path.as_os_str() != "-") {
        let known = Inputs::open(&run.against, run.read_against.clone())?;
        run.tell_kind(&known)?;
    }
    decide::refuse_classifier(
        &run,
        "twinsift filter",
        "use twinsift pairs NEW --against OLD",
    )?;
    let is_own =
        matches!(run.recipe.matching(), Matching::IMatch(_)) && run.recipe.lexicon().is_none();
    if is_own && !run.against.is_empty() {
        let counted = lexicon::counted(
            &run.against,
            run.read_against.clone(),
            run.recipe.folds(),
            &run.settings,
        )?;
        run.recipe = run.recipe.with_lexicon(counted)?;
    }
    if is_own && run.recipe.lexicon().is_none() {
        return Err(no_lexicon("there are no known documents"));
    }
    let counts = !is_own && Statistics::are_needed_by(&run.recipe) && !run.against.is_empty();
    let mut filter = match counts {
        true => Filter::with_statistics(&run.recipe, &statistics(&run)?)?,
        false => Filter::new(&run.recipe)?,
    };
    filter.remember(args.remember);
    let unmatched = know(&run, &mut filter)?;
    if filter.is_empty() && !run.against.is_empty() {
        tell_useless(unmatched, is_own, args.learn)?;
    }
    if !run.quiet {
        line("method", &run.recipe.to_string());
        if run.recipe.method() == Method::Detector
            && let Some(kind) = run.kind
        {
            line("", &summary::why(kind));
        }
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
        if counts {
            line(
                "",
                "how common features are is counted from the known documents",
            );
        }
    }
    let learn = args.learn;
    answer_all(&run, &mut InMemory { filter, learn })
}

/// A filter in memory.
struct InMemory {
    filter: Filter,
    learn: bool,
}

impl Answers for InMemory {
    fn answer(&mut self, document: &Document<'_>) -> anyhow::Result<Known> {
        let answer = match self.learn {
            true => self.filter.answer_and_learn(document)?,
            false => self.filter.answer(document),
        };
        Ok(Known {
            answer,
            label: None,
        })
    }
}

fn no_lexicon(why: &str) -> anyhow::Error {
    bad_input(format!(
        "{why} to count a lexicon from: name one with --lexicon (twinsift lexicon makes it), or use another --method"
    ))
}

/// Refuses known documents of which none can be matched: no answer would ever be
/// a duplicate. A filter that learns may begin with none.
fn tell_useless(unmatched: u64, is_own: bool, learn: bool) -> anyhow::Result<()> {
    let documents = counted(unmatched, "document");
    if is_own {
        return Err(no_lexicon(&match unmatched {
            0 => "there are no known documents".to_owned(),
            1 => "one known document is too little".to_owned(),
            _ => format!("the {documents} of --against are too few or too short"),
        }));
    }
    let told = match unmatched {
        0 => "nothing is known: there is no document in --against".to_owned(),
        _ => format!(
            "nothing is known: of {documents} in --against, none has enough to be matched by"
        ),
    };
    match unmatched > 0 && !learn {
        true => Err(bad_input(told)),
        false => {
            say::say!("note: {told}");
            Ok(())
        }
    }
}

/// How many documents were answered, and how.
#[derive(Default)]
struct Totals {
    duplicates: u64,
    new: u64,
    not_judged: u64,
    broken: u64,
}

impl Totals {
    fn print(&self) {
        let documents = self.duplicates + self.new + self.not_judged;
        let mut text = format!(
            "{}: {}, {} new, {} not judged",
            counted(documents, "document"),
            counted(self.duplicates, "duplicate"),
            count(self.new),
            count(self.not_judged)
        );
        if self.broken > 0 {
            text += &format!("; {}", counted(self.broken, "broken record"));
        }
        line("answered", &text);
    }
}

/// How common features are in the known documents.
fn statistics(run: &Run) -> anyhow::Result<Statistics> {
    let mut counter = Statistics::counter(&run.recipe);
    read::visit_old(run, |document| counter.add(document))?;
    Ok(counter.finish())
}

/// Reads the known documents. Returns how many can never be matched.
fn know(run: &Run, filter: &mut Filter) -> anyhow::Result<u64> {
    let mut unmatched = 0;
    let mut failed = None;
    if run.against.is_empty() {
        return Ok(0);
    }
    read::visit_old(run, |document| match filter.insert(document) {
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
fn answer_all(run: &Run, known: &mut dyn Answers) -> anyhow::Result<()> {
    let inputs = Inputs::open(&run.inputs, run.read.clone())?;
    let mut outcome = Ok(());
    let mut totals = Totals::default();
    for batch in inputs.batches() {
        inputs.expand(&batch, &mut |item| {
            if outcome.is_err() {
                return;
            }
            outcome = match item {
                Item::Document(document) => one(known, &document, &mut totals),
                Item::Skipped(skipped) => {
                    ingest::note_unreadable(&inputs, &skipped);
                    totals.broken += 1;
                    let place = inputs.place_name(skipped.place);
                    let error = format!("{place}: {}", skipped.reason);
                    match run.strict {
                        true => Err(bad_input(error + " (--strict stops here)")),
                        false => say(&Line {
                            id: None,
                            duplicate_of: None,
                            score: None,
                            label: None,
                            verdict: "not judged",
                            error: Some(error),
                        }),
                    }
                }
            };
        });
        std::mem::replace(&mut outcome, Ok(()))?;
    }
    if !run.quiet {
        totals.print();
    }
    Ok(())
}

fn one(
    known: &mut dyn Answers,
    document: &Document<'_>,
    totals: &mut Totals,
) -> anyhow::Result<()> {
    let Known { answer, label } = known.answer(document)?;
    let (verdict, total) = match answer {
        Answer::DuplicateOf { .. } => ("duplicate", &mut totals.duplicates),
        Answer::Unknown => ("new", &mut totals.new),
        Answer::NotJudged => ("not judged", &mut totals.not_judged),
    };
    *total += 1;
    let (duplicate_of, score) = match &answer {
        Answer::DuplicateOf { id: known, score } => (Some(json_id(known)), Some(*score)),
        Answer::Unknown | Answer::NotJudged => (None, None),
    };
    say(&Line {
        id: Some(json_id(&document.id)),
        duplicate_of,
        score,
        label,
        verdict,
        error: None,
    })
}

/// Prints a line, at once.
fn say(line: &Line<'_>) -> anyhow::Result<()> {
    Ok(print_data(&(serde_json::to_string(line)? + "\n"))?)
}
