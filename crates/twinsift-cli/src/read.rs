//! From inputs to matches: what `pairs`, `clusters` and `dedup` have in common.

use crate::args::run::Run;
use crate::commands::{id_columns, spare};
use crate::complaints::Complaints;
use crate::exit::{bad_input, could_not_read};
use crate::pages::decide;
use crate::progress;
use crate::stored::Stored;
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use twinsift::collection::documents::{Documents, Entry};
use twinsift::lexicon::Counter;
use twinsift::recipe::FeatureKind;
use twinsift::{Document, Error, Item, Matches, Place, Purpose, Sifter, Skipped};
use twinsift_io::write::{Column, Kind, Table, Value};
use twinsift_io::{Batch, Batches, FieldNames, Inputs, ReadOptions};

/// What a run read and found.
pub struct Found {
    pub matches: Matches,
    /// The inputs; old ones, if any, are a collection of their own.
    pub inputs: Inputs,
    /// Broken records of the inputs, which `dedup` does not copy.
    pub skipped: Vec<Place>,
    /// How many files were skipped as a whole.
    pub files: u64,
    pub reading: Duration,
    pub matching: Duration,
}

/// Reads everything and finds the near duplicates, as many as the purpose asks for.
pub fn find(run: &Run, purpose: Purpose) -> anyhow::Result<Found> {
    find_in(run, Inputs::open(&run.inputs, run.read.clone())?, purpose)
}

/// As [`find`], in inputs that are open already.
pub fn find_in(run: &Run, inputs: Inputs, purpose: Purpose) -> anyhow::Result<Found> {
    if let Some(path) = &run.unsigned {
        spare(
            "--unsigned",
            Some(path),
            run.inputs.iter().chain(&run.against),
        )?;
        Table::check(Some(path))?;
    }
    decide::refuse_streams(run)?;
    let started = Instant::now();
    let against = match run.against.is_empty() {
        true => None,
        false => Some(Inputs::open(&run.against, run.read_against.clone())?),
    };
    let mut sifter = match &run.stored[0] {
        Some(stored) if run.is_stored() => {
            let row_width = stored.width * stored.lanes;
            Sifter::of_signatures(run.recipe.clone(), run.settings.clone(), row_width)?
        }
        _ => Sifter::new(run.recipe.clone(), run.settings.clone())?,
    };
    let mut problems = Problems::new(run.strict);
    let [stored, stored_old] = &run.stored;
    let of = |inputs, offset, stored: &'_ Option<Stored>| Part {
        inputs,
        offset,
        stored: stored.clone(),
    };
    let skipped = collect(
        |batches, expand, skipped| sifter.add_sized_batches(batches, Batch::size, expand, skipped),
        &of(&inputs, 0, stored),
        &mut problems,
        run.quiet,
    )
    .map(|()| problems.places.clone())
    .map_err(|error| problems.explain(error, &inputs, against.as_ref()))?;
    let new = sifter.documents().len();
    problems.refuse_nothing("not one document", new, 0)?;
    if let Some(old) = &against {
        sifter.begin_old()?;
        let offset = inputs.sources().len() as u32;
        let part = of(old, offset, stored_old);
        collect(
            |batches, expand, skipped| {
                sifter.add_sized_batches(batches, Batch::size, expand, skipped)
            },
            &part,
            &mut problems,
            run.quiet,
        )
        .map_err(|error| problems.explain(error, &inputs, against.as_ref()))?;
        let old = sifter.documents().len() - new;
        problems.refuse_nothing("not one document of --against", old, skipped.len())?;
    }
    problems.close();
    for stored in run.stored.iter().flatten() {
        stored.tell_if_useless();
    }
    let reading = started.elapsed();
    let spinner = progress::working("matching", run.quiet);
    let matches = match &run.classifier {
        Some(model) => {
            let candidates = sifter.candidates()?;
            spinner.finish_and_clear();
            decide::decide(run, model, candidates)?
        }
        None => sifter.finish_for(purpose)?,
    };
    spinner.finish_and_clear();
    if let Some(path) = &run.unsigned {
        list_unsigned(run, &matches, path)?;
    }
    Ok(Found {
        matches,
        inputs,
        skipped,
        files: problems.files,
        reading,
        matching: started.elapsed() - reading,
    })
}

/// Lists the documents that have too little to be signed.
fn list_unsigned(run: &Run, matches: &Matches, path: &Path) -> anyhow::Result<()> {
    let documents = matches.documents();
    let counted = match matches.recipe().features() {
        FeatureKind::Lexicon => "terms",
        _ => "spots",
    };
    let [id] = id_columns(["id"], documents);
    let columns = [id, Column::new(counted, Kind::Integer)];
    let mut table = run.table(Some(path), &columns)?;
    for &(doc, number) in matches.unsigned() {
        let id = documents.id(doc);
        table.row(&[Value::Id(&id), Value::Integer(i64::from(number))])?;
    }
    table.finish()?;
    Ok(())
}

/// One of the collections of a run.
struct Part<'a> {
    inputs: &'a Inputs,
    /// Its sources are numbered from here.
    offset: u32,
    /// What its documents were signed with, if it holds signatures.
    stored: Option<Stored>,
}

/// Adds one collection; `add` is `add_batches` of what takes the documents.
fn collect(
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

/// Everything of the run's inputs, read and not yet matched. Each document is also shown
/// to `look`, from any thread in any order.
pub fn sifter(run: &Run, look: impl Fn(&Document<'_>) + Sync) -> anyhow::Result<Sifter> {
    let inputs = Inputs::open(&run.inputs, run.read.clone())?;
    let mut sifter = Sifter::new(run.recipe.clone(), run.settings.clone())?;
    let mut problems = Problems::new(run.strict);
    let part = Part {
        inputs: &inputs,
        offset: 0,
        stored: None,
    };
    collect(
        |batches, expand, skipped| {
            let shown = |batch: &Batch, sink: &mut dyn FnMut(Item<'_>)| {
                expand(batch, &mut |item| {
                    if let Item::Document(document) = &item {
                        look(document);
                    }
                    sink(item);
                });
            };
            sifter.add_sized_batches(batches, Batch::size, shown, skipped)
        },
        &part,
        &mut problems,
        run.quiet,
    )
    .map_err(|error| problems.explain(error, &inputs, None))?;
    problems.refuse_nothing("not one document", sifter.documents().len(), 0)?;
    problems.close();
    Ok(sifter)
}

/// Moves the progress bar along with the batches.
struct Counted<'a, I> {
    batches: I,
    inputs: &'a Inputs,
    bar: ProgressBar,
}

impl<I: Iterator> Iterator for Counted<'_, I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        let batch = self.batches.next();
        self.bar.set_position(self.inputs.bytes_read());
        batch
    }
}

/// Reports broken records as they come, and remembers where they were.
struct Problems {
    complaints: Complaints,
    places: Vec<Place>,
    /// Files that were skipped as a whole.
    files: u64,
    stopped: Option<anyhow::Error>,
}

impl Problems {
    fn new(strict: bool) -> Self {
        Self {
            complaints: Complaints::new(strict, "broken records"),
            places: Vec::new(),
            files: 0,
            stopped: None,
        }
    }

    fn take(&mut self, skipped: Skipped, inputs: &Inputs, bar: &ProgressBar) -> Result<(), Error> {
        let place = inputs.place_name(skipped.place);
        let described = format!("{place}: {}", skipped.reason);
        if let Err(stopped) = bar.suspend(|| self.complaints.take(&described)) {
            self.stopped = Some(stopped);
            return Err(Error::Cancelled);
        }
        note_unreadable(inputs, &skipped);
        let Place { source, record } = skipped.place;
        self.files += u64::from(record == 0);
        let records = record..record + skipped.records;
        let places = records.map(|record| Place { source, record });
        self.places.extend(places);
        Ok(())
    }

    /// If nothing of a collection could be read, there is no use in going on. `before` are
    /// the broken records of those that were read before it.
    fn refuse_nothing(&self, what: &str, documents: usize, before: usize) -> anyhow::Result<()> {
        if documents > 0 || self.places.len() == before {
            return Ok(());
        }
        self.close();
        Err(nothing_read(what))
    }

    fn close(&self) {
        self.complaints.close();
    }

    /// Names the places in an error by file and line.
    fn explain(
        &mut self,
        error: Error,
        inputs: &Inputs,
        against: Option<&Inputs>,
    ) -> anyhow::Error {
        if let Some(stopped) = self.stopped.take() {
            return stopped;
        }
        let Error::DuplicateId { id, first, second } = error else {
            return error.into();
        };
        let count = inputs.sources().len() as u32;
        let name = |place: Place| match against {
            Some(old) if place.source >= count => old.place_name(Place {
                source: place.source - count,
                ..place
            }),
            _ => inputs.place_name(place),
        };
        let per_file = match first.source == second.source {
            true => "",
            false => ", or the file before each id with --id-per-file",
        };
        bad_input(format!(
            "the id \"{id}\" occurs twice, at {} and at {}: name another field with --id-field, or documents by their place with --id-field none{per_file}",
            name(first),
            name(second)
        ))
    }
}

/// Takes note of an input that the system does not let us read: the run goes on without it,
/// and its exit code tells.
pub fn note_unreadable(inputs: &Inputs, skipped: &Skipped) {
    let Place { source, record } = skipped.place;
    if record == 0 && inputs.is_unreadable(source) {
        could_not_read(inputs.place_name(skipped.place));
    }
}

fn nothing_read(what: &str) -> anyhow::Error {
    bad_input(format!(
        "{what} could be read: see above why, and name other fields with --text-field or --html-field, or the format with --format"
    ))
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

/// A row of a small table: where it stands, and the values of some columns.
pub struct TableRow {
    pub place: String,
    pub values: Vec<Option<String>>,
}

/// The values of `columns` in every row of a JSONL, CSV, TSV or Parquet file, and
/// descriptions of broken rows.
pub fn table(path: &Path, columns: &[&str]) -> anyhow::Result<(Vec<TableRow>, Vec<String>)> {
    let options = ReadOptions {
        fields: FieldNames {
            extra: columns.iter().map(|&name| name.to_owned()).collect(),
            no_text: true,
            ..FieldNames::default()
        },
        ..ReadOptions::default()
    };
    let inputs = Inputs::open(&[path.to_owned()], options)?;
    let (mut rows, mut broken) = (Vec::new(), Vec::new());
    for batch in inputs.batches() {
        inputs.expand(&batch, &mut |item| match item {
            Item::Document(document) => rows.push(TableRow {
                place: inputs.place_name(document.place),
                values: (document.extra.into_iter())
                    .map(|value| value.map(|value| value.into_owned()))
                    .collect(),
            }),
            Item::Skipped(skipped) => {
                let place = inputs.place_name(skipped.place);
                broken.push(format!("{place}: {}", skipped.reason));
            }
        });
    }
    Ok((rows, broken))
}
