//! `twinsift signals`: how alike are these pairs, in many ways at once?

use super::{print, shown};
use crate::args::SignalsArgs;
use crate::args::{SourceArgs, run_args};
use crate::numbers::{count, counted};
use crate::outputs::{refuse_overwriting, target};
use crate::pages::{Collection, Compared, PagePairs, PairFile, chosen};
use crate::plan::{Run, model};
use crate::say::say;
use crate::threads;
use std::collections::HashSet;
use std::path::Path;
use twinsift_io::write::{Column, IdKind, Kind, Table, Value};
use twinsift_learn::classify::Model;
use twinsift_learn::signals::{Measure, Row, Signal, Signals, Source, sets};

pub fn run(args: SignalsArgs) -> anyhow::Result<()> {
    if args.list {
        return Ok(print(&listed())?);
    }
    args.read.refuse_content()?;
    let pairs = args.pairs.unwrap_or_default();
    let signals = chosen(&args.of.signals)?;
    let sources = SourceArgs::only(args.inputs);
    let run = Run::new(sources, &run_args(args.read, args.common))?;
    let output = target(args.output.output.as_deref());
    let files = [Some(&pairs), args.of.queries.as_ref(), args.model.as_ref()];
    refuse_overwriting(
        "-o",
        output,
        run.inputs.iter().chain(files.into_iter().flatten()),
    )?;
    Table::check(output)?;
    let model = args.model.as_deref().map(model::read).transpose()?;
    let signals = with_needed(signals, model.as_ref());
    threads::within(&run.settings, || {
        let queries = args.of.queries.as_deref();
        let mut read = PagePairs::read(&run, &signals, &[], &pairs, queries)?;
        let bodies = read.collection.bodies();
        let background = match &model {
            Some(model) => model.background.clone(),
            None => read.collection.background(),
        };
        let signals = Signals::new(&signals, background);
        let (compared, rows) = read.compare(signals, run.quiet);
        let PagePairs {
            collection,
            file,
            complaints,
            ..
        } = read;
        let scores = model.as_ref().map(|model| scores(model, &compared, &rows));
        write(
            &run,
            output,
            &collection,
            &file,
            &compared,
            &rows,
            scores.as_deref(),
        )?;
        if !run.quiet {
            let known = rows.iter().flatten().flatten().count();
            let all = rows.len() * compared.signals.signals().len();
            say!(
                "     read  {}, {} with a fetched body, {} with a rendered one",
                counted(collection.ids.len() as u64, "page"),
                count(bodies[0] as u64),
                count(bodies[1] as u64)
            );
            say!(
                "    pairs  {} ({}), {} of {} signals known",
                count(rows.len() as u64),
                counted(complaints, "complaint"),
                count(known as u64),
                count(all as u64)
            );
            if let Some(path) = shown(output) {
                say!("  written  {path}");
            }
        }
        Ok(())
    })
}

/// The signals that are asked for and those that the model needs.
fn with_needed(mut wanted: Vec<Signal>, model: Option<&Model>) -> Vec<Signal> {
    let needed = model.map_or(&[][..], |model| &model.signals);
    wanted.extend(needed);
    let mut all = Signal::all();
    all.retain(|signal| wanted.contains(signal));
    all
}

/// What the model says of each row.
fn scores(model: &Model, compared: &Compared, rows: &[Row]) -> Vec<f64> {
    let place = |signal: &Signal| {
        let mut computed = compared.signals.signals().iter();
        computed.position(|known| known == signal)
    };
    let places: Vec<Option<usize>> = model.signals.iter().map(place).collect();
    let score = |row: &Row| {
        let needed: Row = places
            .iter()
            .map(|place| place.and_then(|at| row[at]))
            .collect();
        model.score(&needed)
    };
    rows.iter().map(score).collect()
}

/// Signals whose compressor depends on the pair.
fn compressed(signals: &[Signal]) -> Vec<Signal> {
    let is_compressed =
        |signal: &&Signal| matches!(signal.measure, Measure::Mcd | Measure::MainMcd);
    signals.iter().filter(is_compressed).copied().collect()
}

fn write(
    run: &Run,
    output: Option<&Path>,
    collection: &Collection,
    file: &PairFile,
    compared: &Compared,
    rows: &[Row],
    scores: Option<&[f64]>,
) -> anyhow::Result<()> {
    let signals = compared.signals.signals();
    let compressed = compressed(signals);
    let names: Vec<String> = signals.iter().map(|signal| signal.name()).collect();
    let by_names: Vec<String> = (compressed.iter())
        .map(|signal| format!("{signal}_by"))
        .collect();
    let has_queries = file.queries.iter().any(Option::is_some);
    let is_integer = |id: &twinsift::Id<'_>| id.is_number && id.text.parse::<i64>().is_ok();
    let ids = match collection.ids.iter().all(is_integer) {
        true => IdKind::AllIntegers,
        false => IdKind::Mixed,
    };
    let mut columns = vec![
        Column::new("a", Kind::Id(ids)),
        Column::new("b", Kind::Id(ids)),
    ];
    if has_queries {
        columns.push(Column::new("query", Kind::Text));
    }
    columns.extend(names.iter().map(|name| Column::new(name, Kind::Number)));
    columns.extend(by_names.iter().map(|name| Column::new(name, Kind::Text)));
    if scores.is_some() {
        columns.push(Column::new("score", Kind::Number));
    }
    let mut table = run.table(output, &columns)?;
    for (at, row) in rows.iter().enumerate() {
        let (pair, query) = (file.pairs[at], &file.queries[at]);
        let (a, b) = (pair.a as usize, pair.b as usize);
        let mut values = vec![Value::Id(&collection.ids[a]), Value::Id(&collection.ids[b])];
        if has_queries {
            values.push(query.as_deref().map_or(Value::Missing, Value::Text));
        }
        values.extend(
            row.iter()
                .map(|value| value.map_or(Value::Missing, Value::Number)),
        );
        values.extend(compressed.iter().map(|&signal| {
            let (a, b) = (&compared.pages[a], &compared.pages[b]);
            let by = compared.signals.compressor(signal, a, b);
            by.map_or(Value::Missing, |by| Value::Text(by.name()))
        }));
        values.extend(scores.map(|scores| Value::Number(scores[at])));
        table.row(&values)?;
    }
    Ok(table.finish()?)
}

/// Every signal with its definition, and the sets.
fn listed() -> String {
    let mut out = String::from(
        "Signals, each from 0 to 1 and by rising cost; rendered_NAME is the same of the rendered body:\n",
    );
    let mut seen = HashSet::new();
    for signal in Signal::all() {
        let about = signal.measure.about();
        if signal.source == Source::Fetched && seen.insert(about.name) {
            out += &format!("  {:24}{}\n", about.name, about.definition);
        }
    }
    out += "\nSets of signals:\n";
    for (name, what) in sets::NAMES {
        out += &format!("  {name:24}{what}\n");
    }
    out
}
