//! The documents of a run: kept, shown one by one, or handed to the engine.

use crate::complaints::Complaints;
use crate::ingest::{Counted, Part, Problems, collect, note_unreadable, nothing_read};
use crate::plan::Run;
use crate::progress;
use crate::stored::{Signatures, Stored};
use rayon::prelude::*;
use std::path::PathBuf;
use twinsift::collection::documents::{Documents, Entry};
use twinsift::{Document, Error, Extractor, Item, Statistics};
use twinsift_io::{Batch, Inputs, ReadOptions};

/// The signatures of the run's inputs.
pub fn signatures(run: &Run) -> anyhow::Result<Signatures> {
    let inputs = Inputs::open(&run.inputs, run.read.clone())?;
    let extractor = Extractor::new(&run.recipe, &Statistics::default())?;
    let mut signatures = Signatures::new(&run.recipe);
    let mut problems = Problems::new(run.strict);
    let part = Part {
        inputs: &inputs,
        offset: 0,
        stored: None,
        look: None,
    };
    collect(
        |batches, expand, skipped| {
            let (settings, bytes) = (&run.settings, Batch::size);
            extractor.extract_batches(settings, batches, bytes, expand, skipped, |entry, one| {
                signatures.push(entry, &one)
            })
        },
        &part,
        &mut problems,
        run.quiet,
    )
    .map_err(|error| problems.explain(error, &inputs, None))?;
    problems.refuse_nothing("not one document", signatures.documents.len(), 0)?;
    problems.close();
    Ok(signatures)
}

/// Reads every document of the inputs and keeps it, texts and all, in order.
pub fn documents(run: &Run, options: ReadOptions) -> anyhow::Result<Vec<Document<'static>>> {
    let inputs = Inputs::open(&run.inputs, options)?;
    let bar = progress::reading(inputs.total_bytes(), run.quiet);
    let mut problems = Problems::new(run.strict);
    let mut documents = Vec::new();
    let mut batches = Counted {
        batches: inputs.batches(),
        inputs: &inputs,
        bar: bar.clone(),
    };
    loop {
        let mut bytes = 0;
        let is_next = |batch: &Batch| {
            bytes += batch.size();
            bytes < TOGETHER_BYTES
        };
        let together: Vec<_> = some(batches.by_ref(), 4 * run.settings.threads, is_next);
        if together.is_empty() {
            break;
        }
        let expand = |batch: &Batch| {
            let mut items = Vec::new();
            inputs.expand(batch, &mut |item| {
                items.push(match item {
                    Item::Document(document) => Ok(document.into_owned()),
                    Item::Skipped(skipped) => Err(skipped),
                });
            });
            items
        };
        let expanded: Vec<_> = together.par_iter().map(expand).collect();
        for item in expanded.into_iter().flatten() {
            match item {
                Ok(document) => documents.push(document),
                Err(skipped) => problems
                    .take(skipped, &inputs, &bar)
                    .map_err(|error| problems.explain(error, &inputs, None))?,
            }
        }
    }
    bar.finish_and_clear();
    problems.refuse_nothing("not one document", documents.len(), 0)?;
    problems.close();
    settle_ids(&mut documents).map_err(|error| problems.explain(error, &inputs, None))?;
    Ok(documents)
}

/// Batches with so many bytes are expanded at once.
const TOGETHER_BYTES: usize = 64 << 20;

/// The next few items, up to the first after which no more are wanted.
fn some<T>(
    items: impl Iterator<Item = T>,
    most: usize,
    mut go_on: impl FnMut(&T) -> bool,
) -> Vec<T> {
    let mut taken = Vec::new();
    for item in items.take(most) {
        let is_last = !go_on(&item);
        taken.push(item);
        if is_last {
            break;
        }
    }
    taken
}

/// Gives every document the id that it has in results: where one is taken, the
/// second, and where there is none, that is an error.
fn settle_ids(documents: &mut [Document<'_>]) -> Result<(), Error> {
    let mut known = Documents::default();
    for document in documents {
        let index = known.push(Entry::of(document))?;
        document.id.text = known.id(index).text.into_owned().into();
        document.second_id = None;
    }
    Ok(())
}

/// Shows every document of `paths` to `look`, in order.
pub fn visit(run: &Run, paths: &[PathBuf], look: impl FnMut(&Document<'_>)) -> anyhow::Result<()> {
    visit_part(run, &Inputs::open(paths, run.read.clone())?, None, look).map(|_| ())
}

/// As [`visit`], the documents that the run compares with.
pub fn visit_old(run: &Run, mut look: impl FnMut(&Document<'_>)) -> anyhow::Result<()> {
    let inputs = Inputs::open(&run.against, run.read_against.clone())?;
    let mut documents = 0;
    let broken = visit_part(run, &inputs, run.stored[1].as_ref(), |document| {
        documents += 1;
        look(document);
    })?;
    match documents == 0 && broken > 0 {
        true => Err(nothing_read("not one document of --against")),
        false => Ok(()),
    }
}

/// Returns how many records were broken.
fn visit_part(
    run: &Run,
    inputs: &Inputs,
    stored: Option<&Stored>,
    mut look: impl FnMut(&Document<'_>),
) -> anyhow::Result<u64> {
    let mut complaints = Complaints::new(run.strict, "broken records");
    for batch in inputs.batches() {
        let mut outcome = Ok(());
        inputs.expand(&batch, &mut |item| {
            let item = match (item, stored) {
                (Item::Document(document), Some(stored)) => stored.item(document),
                (item, _) => item,
            };
            match item {
                Item::Document(document) => look(&document),
                Item::Skipped(skipped) => {
                    note_unreadable(inputs, &skipped);
                    let place = inputs.place_name(skipped.place);
                    if outcome.is_ok() {
                        outcome = complaints.take(&format!("{place}: {}", skipped.reason));
                    }
                }
            }
        });
        outcome?;
    }
    complaints.close();
    Ok(complaints.count())
}
