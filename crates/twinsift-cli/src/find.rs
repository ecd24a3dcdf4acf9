//! From inputs to matches: what `pairs`, `clusters` and `dedup` have in common.

use crate::ingest::{Look, Part, Problems, collect};
use crate::known::Known;
use crate::outputs::{id_columns, refuse_overwriting};
use crate::pages::decide;
use crate::plan::Run;
use crate::progress;
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
pub fn find(run: &mut Run, purpose: Purpose) -> anyhow::Result<Found> {
    find_seen(run, purpose, None)
}

/// As [`find`]; `look` sees every document.
pub fn find_seen(run: &mut Run, purpose: Purpose, look: Option<Look<'_>>) -> anyhow::Result<Found> {
    let inputs = Inputs::open(&run.inputs, run.read.clone())?;
    run.tell_kind(&inputs)?;
    find_in(run, inputs, purpose, look)
}

/// As [`find_seen`], in inputs that are open already.
pub fn find_in(
    run: &Run,
    inputs: Inputs,
    purpose: Purpose,
    look: Option<Look<'_>>,
) -> anyhow::Result<Found> {
    if let Some(path) = &run.unsigned {
        let read = run.inputs.iter().chain(&run.against);
        refuse_overwriting("--unsigned", Some(path), read)?;
        Table::check(Some(path))?;
    }
    decide::refuse_streams(run)?;
    let started = Instant::now();
    let against = match run.against.is_empty() || run.index.is_some() {
        true => None,
        false => Some(Inputs::open(&run.against, run.read_against.clone())?),
    };
    let mut problems = Problems::new(run.strict);
    let (sifter, skipped) = read_all(run, &inputs, against.as_ref(), look, &mut problems)?;
    let reading = started.elapsed();
    let matches = match_all(run, sifter, purpose)?;
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

/// Reads the inputs, and then those to compare with. Also returns the broken records of
/// the inputs.
fn read_all(
    run: &Run,
    inputs: &Inputs,
    against: Option<&Inputs>,
    look: Option<Look<'_>>,
    problems: &mut Problems,
) -> anyhow::Result<(Sifter, Vec<Place>)> {
    let (recipe, settings) = (run.recipe.clone(), run.settings.clone());
    let known = run.index.as_ref().map(Known::new);
    let mut sifter = match run.is_stored() || known.is_some() {
        true => Sifter::of_signatures(recipe, settings)?,
        false => Sifter::new(recipe, settings)?,
    };
    let [stored, stored_old] = &run.stored;
    let add = |sifter: &mut Sifter, part: Part<'_>, problems: &mut Problems| {
        collect(
            |batches, expand, skipped| match &known {
                None => sifter.add_sized_batches(batches, Batch::size, expand, skipped),
                Some(known) => {
                    let expand = known.sign(expand);
                    sifter.add_sized_batches(batches, Batch::size, expand, skipped)
                }
            },
            &part,
            problems,
            run.quiet,
        )
        .map_err(|error| problems.explain(error, inputs, against))
    };
    let part = Part {
        inputs,
        offset: 0,
        stored: stored.clone(),
        look,
    };
    add(&mut sifter, part, problems)?;
    let new = sifter.documents().len();
    problems.refuse_nothing("not one document", new, 0)?;
    let skipped = problems.places.clone();
    if let Some(known) = &known {
        known.add_old(&mut sifter, run.lists_all)?;
    }
    if let Some(old) = against {
        sifter.begin_old()?;
        let part = Part {
            inputs: old,
            offset: inputs.sources().len() as u32,
            stored: stored_old.clone(),
            look,
        };
        add(&mut sifter, part, problems)?;
        let old = sifter.documents().len() - new;
        problems.refuse_nothing("not one document of --against", old, skipped.len())?;
    }
    problems.close();
    for stored in run.stored.iter().flatten() {
        stored.tell_if_useless();
    }
    Ok((sifter, skipped))
}

fn match_all(run: &Run, sifter: Sifter, purpose: Purpose) -> anyhow::Result<Matches> {
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
    Ok(matches)
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
