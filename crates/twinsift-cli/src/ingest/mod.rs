//! From files to documents, without a plan: batches are expanded on all threads, progress
//! is shown, and broken records are reported.

mod problems;
mod table;

use crate::progress;
use crate::stored::Stored;
use indicatif::ProgressBar;
pub use problems::{Problems, note_unreadable, nothing_read};
pub use table::{TableRow, parse_label, table};
use twinsift::lexicon::Counter;
use twinsift::{Document, Error, Item, Skipped};
use twinsift_io::{Batch, Batches, Inputs};

/// Sees every document as it is compared, from any thread.
pub type Look<'a> = &'a (dyn Fn(&Document<'_>) + Sync);

/// One of the collections of a run.
pub struct Part<'a> {
    pub inputs: &'a Inputs,
    /// Its sources are numbered from here.
    pub offset: u32,
    /// What its documents were signed with, if it holds signatures.
    pub stored: Option<Stored>,
    /// Who sees its documents besides.
    pub look: Option<Look<'a>>,
}

/// Adds one collection; `add` is `add_batches` of what takes the documents.
pub fn collect(
    add: impl FnOnce(
        Counted<'_, Batches<'_>>,
        &(dyn Fn(&Batch, &mut dyn FnMut(Item<'_>)) + Sync),
        &mut (dyn FnMut(Skipped) -> Result<(), Error> + Send),
    ) -> Result<(), Error>,
    part: &Part<'_>,
    problems: &mut Problems,
    quiet: bool,
) -> Result<(), Error> {
    let inputs = part.inputs;
    let bar = progress::reading(inputs.total_bytes(), quiet);
    let counted = Counted {
        batches: inputs.batches(),
        inputs,
        bar: bar.clone(),
    };
    let outcome = add(
        counted,
        &|batch, sink| {
            inputs.expand(batch, &mut |item| {
                let mut item = match (item, &part.stored) {
                    (Item::Document(document), Some(stored)) => stored.item(document),
                    (item, _) => item,
                };
                if let Item::Document(document) = &mut item {
                    document.place.source += part.offset;
                    if let Some(look) = part.look {
                        look(document);
                    }
                }
                sink(item);
            });
        },
        &mut |skipped| problems.take(skipped, inputs, &bar),
    );
    bar.finish_and_clear();
    outcome
}

/// Has `counter` count the words of all documents. Also says how many files were skipped as a
/// whole.
pub fn count(
    inputs: &Inputs,
    mut counter: Counter,
    strict: bool,
    quiet: bool,
) -> anyhow::Result<(Counter, u64)> {
    let mut problems = Problems::new(strict);
    let part = Part {
        inputs,
        offset: 0,
        stored: None,
        look: None,
    };
    collect(
        |batches, expand, skipped| counter.add_batches(batches, Batch::size, expand, skipped),
        &part,
        &mut problems,
        quiet,
    )
    .map_err(|error| problems.explain(error, inputs, None))?;
    problems.refuse_nothing("not one document", counter.documents() as usize, 0)?;
    problems.close();
    Ok((counter, problems.files))
}

/// Moves the progress bar along with the batches.
pub struct Counted<'a, I> {
    pub batches: I,
    pub inputs: &'a Inputs,
    pub bar: ProgressBar,
}

impl<I: Iterator> Iterator for Counted<'_, I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        let batch = self.batches.next();
        self.bar.set_position(self.inputs.bytes_read());
        batch
    }
}
