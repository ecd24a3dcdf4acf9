//! From inputs to matches: what `pairs`, `clusters` and `dedup` have in common.

use crate::ingest::{Part, Problems, collect};
use crate::outputs::{id_columns, refuse_overwriting};
use crate::pages::decide;
use crate::plan::Run;
use crate::progress;
use crate::stored::Stored;
use std::path::Path;
use std::time::{Duration, Instant};
use twinsift::recipe::FeatureKind;
use twinsift::{Matches, Place, Purpose, Sifter};
use twinsift_io::write::{Column, Kind, Table, Value};
use twinsift_io::{Batch, Inputs};

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
        refuse_overwriting(
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
