//! `twinsift index add`: documents that are known from now on.

use super::super::print_data;
use crate::args::{IndexAddArgs, SourceArgs};
use crate::exit::bad_input;
use crate::ingest::{self, Part, Problems};
use crate::numbers::{count, counted, seconds};
use crate::plan::Run;
use crate::progress;
use crate::summary::line;
use crate::threads;
use serde::Serialize;
use serde_json::value::RawValue;
use std::time::Instant;
use twinsift::{Error, Id, Item, Signature};
use twinsift_index::{Batch, Index, Record, Time};
use twinsift_io::Inputs;
use twinsift_io::write::json_id;

/// A line for a document that is on disk.
#[derive(Serialize)]
struct Acknowledged {
    id: Option<Box<RawValue>>,
    added: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// How many documents were added.
#[derive(Default)]
struct Added {
    documents: u64,
    replaced: u64,
    unjudged: u64,
    broken: u64,
}

pub fn run(args: IndexAddArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    let mut index = Index::open(&args.folder)?;
    tell_dropped(&index);
    let sources = SourceArgs::only(args.inputs.clone());
    let run = Run::of_index(sources, &args.read, &args.common, index.searcher())?;
    let inputs = Inputs::open(&run.inputs, run.read.clone())?;
    let added = match args.ack {
        true => one_by_one(&run, &args, &inputs, &mut index)?,
        false => threads::within(&run.settings, || at_once(&run, &args, &inputs, &mut index))?,
    };
    index.close()?;
    if run.quiet {
        return Ok(());
    }
    let mut text = format!(
        "{} in {}",
        counted(added.documents, "document"),
        seconds(started.elapsed())
    );
    let notes = [
        (added.replaced, "in place of others"),
        (added.unjudged, "with too little to be matched"),
        (added.broken, "broken and skipped"),
    ];
    for (number, what) in notes.into_iter().filter(|(number, _)| *number > 0) {
        text += &format!("; {} {what}", count(number));
    }
    line("added", &text);
    let documents = run
        .index
        .as_ref()
        .map(|searcher| searcher.stats(Time::now()));
    if let Some(stats) = documents.transpose()? {
        line("known", &counted(stats.documents, "document"));
    }
    Ok(())
}

/// Says so if a write was under way when the index was last left.
pub fn tell_dropped(index: &Index) {
    if index.dropped_bytes() > 0 {
        crate::say::say!(
            "note: a change that was under way when the index was last left was not acknowledged, and is not in it"
        );
    }
}

fn record(id: &Id<'_>, signature: Signature, args: &IndexAddArgs) -> Record {
    let id = Id {
        text: id.text.as_ref().into(),
        is_number: id.is_number,
    };
    let mut record = Record::new(id, signature, Time::now());
    record.label = args.label.clone();
    record.time_to_live = args.ttl;
    record
}

/// Adds all documents, or none.
fn at_once(
    run: &Run,
    args: &IndexAddArgs,
    inputs: &Inputs,
    index: &mut Index,
) -> anyhow::Result<Added> {
    let searcher = index.searcher();
    let mut import = index.import()?;
    if let Some(memory) = run.settings.memory {
        import.set_memory(usize::try_from(memory / 4).unwrap_or(usize::MAX));
    }
    let mut problems = Problems::new(run.strict);
    let part = Part {
        inputs,
        offset: 0,
        stored: None,
        look: None,
    };
    let (mut added, mut failed) = (Added::default(), None);
    let read = ingest::collect(
        |batches, expand, skipped| {
            searcher.extractor().extract_batches(
                &run.settings,
                batches,
                twinsift_io::Batch::size,
                expand,
                skipped,
                |entry, signature| {
                    added.unjudged += u64::from(!signature.is_judged());
                    let pushed = import.push(&record(&entry.id, signature, args));
                    pushed.map_err(|error| {
                        failed = Some(error);
                        Error::Cancelled
                    })
                },
            )
        },
        &part,
        &mut problems,
        run.quiet,
    );
    if let Some(error) = failed {
        return Err(error.into());
    }
    read.map_err(|error| problems.explain(error, inputs, None))?;
    let spinner = progress::working("writing", run.quiet);
    (added.documents, added.replaced) = import.finish()?;
    spinner.finish_and_clear();
    added.broken = problems.places.len() as u64;
    problems.refuse_nothing("not one document", added.documents as usize, 0)?;
    problems.close();
    Ok(added)
}

/// Adds documents as they come, and says of each when it is on disk.
fn one_by_one(
    run: &Run,
    args: &IndexAddArgs,
    inputs: &Inputs,
    index: &mut Index,
) -> anyhow::Result<Added> {
    let searcher = index.searcher();
    let mut added = Added::default();
    for batch in inputs.batches() {
        let (mut changes, mut lines, mut strict) = (Batch::default(), Vec::new(), None);
        inputs.expand(&batch, &mut |item| match item {
            Item::Document(document) => {
                let signature = searcher.extractor().extract(&document);
                added.unjudged += u64::from(!signature.is_judged());
                changes.add(record(&document.id, signature, args));
                lines.push(Acknowledged {
                    id: Some(json_id(&document.id)),
                    added: true,
                    error: None,
                });
            }
            Item::Skipped(skipped) => {
                ingest::note_unreadable(inputs, &skipped);
                let place = inputs.place_name(skipped.place);
                let error = format!("{place}: {}", skipped.reason);
                added.broken += 1;
                strict = strict.take().or(run.strict.then(|| error.clone()));
                lines.push(Acknowledged {
                    id: None,
                    added: false,
                    error: Some(error),
                });
            }
        });
        if let Some(error) = strict {
            return Err(bad_input(error + " (--strict stops here)"));
        }
        added.documents += changes.len() as u64;
        let known = index.commit(changes)?;
        added.replaced += known.into_iter().filter(|&known| known).count() as u64;
        let mut text = String::new();
        for line in lines {
            text += &serde_json::to_string(&line)?;
            text.push('\n');
        }
        print_data(&text)?;
    }
    Ok(added)
}
