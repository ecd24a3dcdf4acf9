//! `twinsift index query`: what documents duplicate.

use super::add::tell_dropped;
use crate::args::{IndexQueryArgs, SourceArgs};
use crate::complaints::Complaints;
use crate::ingest;
use crate::numbers::{count, counted, seconds};
use crate::outputs::{refuse_overwriting, target};
use crate::plan::Run;
use crate::summary::line;
use crate::threads;
use rayon::prelude::*;
use std::time::Instant;
use twinsift::{Document, Id, Item};
use twinsift_index::{Answer, Batch, Index, Searcher, Time};
use twinsift_io::Inputs;
use twinsift_io::write::{Column, IdKind, Kind, Table, Value};

/// How many documents were asked about, and how many had an answer.
#[derive(Default)]
struct Totals {
    documents: u64,
    duplicates: u64,
    unjudged: u64,
    matches: u64,
}

pub fn run(args: IndexQueryArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    let mut index = match args.renew {
        true => Some(Index::open(&args.folder)?),
        false => None,
    };
    index.iter().for_each(tell_dropped);
    let searcher = match &index {
        Some(index) => index.searcher(),
        None => Searcher::open(&args.folder)?,
    };
    let sources = SourceArgs::only(args.inputs.clone());
    let run = Run::of_index(sources, &args.read, &args.common, searcher.clone())?;
    let output = target(args.output.output.as_deref());
    refuse_overwriting("-o", output, run.inputs.iter())?;
    Table::check(output)?;
    let inputs = Inputs::open(&run.inputs, run.read.clone())?;
    let mut totals = Totals::default();
    let mut table = run.table(output, &COLUMNS)?;
    let mut complaints = Complaints::new(run.strict, "broken records");
    let top = args.top.map_or(usize::MAX, |top| top as usize);
    threads::within(&run.settings, || {
        for batch in inputs.batches() {
            let mut documents = Vec::new();
            let mut outcome = Ok(());
            inputs.expand(&batch, &mut |item| match item {
                Item::Document(document) => documents.push(document.into_owned()),
                Item::Skipped(skipped) => {
                    ingest::note_unreadable(&inputs, &skipped);
                    let place = inputs.place_name(skipped.place);
                    if outcome.is_ok() {
                        outcome = complaints.take(&format!("{place}: {}", skipped.reason));
                    }
                }
            });
            outcome?;
            let answer = |document: &Document<'_>| searcher.answer(document, top);
            let answers: Vec<_> = documents.par_iter().map(answer).collect();
            for (document, answer) in documents.iter().zip(answers) {
                let answer = answer?;
                write(&mut table, &document.id, &answer, args.all)?;
                totals.count(&answer);
                if let Some(index) = &mut index {
                    index.commit(matched_now(&searcher, &answer, Time::now())?)?;
                }
            }
        }
        anyhow::Ok(())
    })?;
    complaints.close();
    table.finish()?;
    if let Some(index) = index {
        index.close()?;
    }
    if !run.quiet {
        line("method", &run.recipe.to_string());
        totals.print(started);
    }
    Ok(())
}

const COLUMNS: [Column<'static>; 4] = [
    Column::new("id", Kind::Id(IdKind::Mixed)),
    Column::new("duplicate_of", Kind::Id(IdKind::Mixed)),
    Column::new("score", Kind::Number),
    Column::new("label", Kind::Text),
];

fn write(table: &mut Table, id: &Id<'_>, answer: &Answer, all: bool) -> anyhow::Result<()> {
    for found in &answer.matches {
        let label = found.label.as_deref().map_or(Value::Missing, Value::Text);
        let score = Value::Number(found.score);
        table.row(&[Value::Id(id), Value::Id(&found.id), score, label])?;
    }
    if all && answer.matches.is_empty() {
        let missing = || Value::Missing;
        table.row(&[Value::Id(id), missing(), missing(), missing()])?;
    }
    Ok(())
}

/// Changes by which the time to live of matched documents begins anew.
pub fn matched_now(searcher: &Searcher, answer: &Answer, now: Time) -> anyhow::Result<Batch> {
    let mut batch = Batch::default();
    for found in &answer.matches {
        let known = searcher.get(&found.id.text, now)?;
        if let Some(ttl) = known.and_then(|(record, _)| record.time_to_live) {
            batch.renew(&*found.id.text, now.after(ttl));
        }
    }
    Ok(batch)
}

impl Totals {
    fn count(&mut self, answer: &Answer) {
        self.documents += 1;
        self.duplicates += u64::from(!answer.matches.is_empty());
        self.unjudged += u64::from(!answer.is_judged);
        self.matches += answer.matches.len() as u64;
    }

    fn print(&self, started: Instant) {
        let asked = format!(
            "{} in {}",
            counted(self.documents, "document"),
            seconds(started.elapsed())
        );
        line("asked", &asked);
        let mut found = format!(
            "{}, {} new, {} not judged",
            counted(self.duplicates, "duplicate"),
            count(self.documents - self.duplicates - self.unjudged),
            count(self.unjudged)
        );
        if self.matches > self.duplicates {
            found += &format!("; {} matches", count(self.matches));
        }
        line("found", &found);
    }
}
