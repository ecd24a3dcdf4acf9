//! A classifier's word on the pairs that another method found.
//!
//! The candidates have been found on the texts alone. The pages they are made of are
//! now read once more, with both bodies; only these are kept in memory.

use crate::exit::bad_input;
use crate::plan::Run;
use crate::{progress, threads};
use rayon::prelude::*;
use std::collections::HashMap;
use std::path::PathBuf;
use twinsift::collection::revisits::originals;
use twinsift::{Candidates, ContentKey, Item, Matches, Place};
use twinsift_io::{Body, Content, Inputs, signal_page};
use twinsift_learn::classify::{Model, candidates};
use twinsift_learn::signals::{Prepared, Signals};

/// The candidates that the run's classifier takes for near duplicates.
pub fn decide(run: &Run, model: &Model, candidates: Candidates) -> anyhow::Result<Matches> {
    threads::within(&run.settings, || {
        let spinner = progress::working("reading candidates again", run.quiet);
        let signals = Signals::new(&model.signals, model.background.clone());
        let (pages, numbers) = pages(run, &candidates, &signals)?;
        spinner.finish_and_clear();
        let spinner = progress::working("classifying", run.quiet);
        let place = |doc: u32| found_number(&numbers, doc);
        let decided = candidates::decide(candidates, model, &signals, &pages, place)?;
        spinner.finish_and_clear();
        Ok(decided)
    })
}

/// Refuses what cannot be read twice.
pub fn refuse_streams(run: &Run) -> anyhow::Result<()> {
    let is_stream = |path: &PathBuf| path.as_os_str() == "-";
    match run.recipe.classifier().is_some() && run.inputs.iter().chain(&run.against).any(is_stream)
    {
        true => Err(bad_input(
            "--method signals reads candidates a second time, which standard input cannot be: name a file",
        )),
        false => Ok(()),
    }
}

/// Refuses a classifier where nothing is decided by one.
pub fn refuse_classifier(run: &Run, command: &str, instead: &str) -> anyhow::Result<()> {
    match run.recipe.classifier() {
        Some(_) => Err(bad_input(format!(
            "{command} cannot use --method signals, which looks at both pages of a pair: {instead}"
        ))),
        None => Ok(()),
    }
}

fn found_number(numbers: &HashMap<u32, u32>, doc: u32) -> u32 {
    numbers.get(&doc).copied().unwrap_or_default()
}

/// The pages of all candidates, and the number of each by document. Number 0 is a page
/// without bodies, for documents that are not found again.
fn pages(
    run: &Run,
    candidates: &Candidates,
    signals: &Signals,
) -> anyhow::Result<(Vec<Prepared>, HashMap<u32, u32>)> {
    let documents = candidates.documents();
    let mut wanted: HashMap<Place, u32> = HashMap::new();
    for pair in candidates.pairs() {
        let pair = pair?;
        for doc in [pair.a, pair.b] {
            wanted.insert(documents.place(doc), doc);
        }
    }
    let mut pages = vec![Prepared::default()];
    let mut numbers = HashMap::new();
    // Documents that repeat others have no body of their own: theirs is the other's.
    let mut twins: Vec<(u32, ContentKey)> = Vec::new();
    let mut offset = 0;
    for paths in [&run.inputs, &run.against] {
        let mut options = run.read.clone();
        options.content = Content::Html;
        options.body = Body::Both;
        let inputs = Inputs::open(paths, options)?;
        for batch in inputs.batches() {
            let mut some = Vec::new();
            inputs.expand(&batch, &mut |item| {
                if let Item::Document(document) = item {
                    let mut place = document.place;
                    place.source += offset;
                    let Some(&doc) = wanted.get(&place) else {
                        return;
                    };
                    twins.extend(document.content_keys.iter().map(|&twin| (doc, twin)));
                    if let [ContentKey::Repeats(_), ..] = document.content_keys[..] {
                        return;
                    }
                    some.push((doc, document.into_owned()));
                }
            });
            let prepared: Vec<(u32, Prepared)> = some
                .into_par_iter()
                .map(|(doc, document)| {
                    let page = signal_page(document, signals.want_main());
                    (doc, signals.prepare(page))
                })
                .collect();
            for (doc, page) in prepared {
                numbers.insert(doc, pages.len() as u32);
                pages.push(page);
            }
        }
        offset = inputs.sources().len() as u32;
    }
    for (doc, original) in originals(&twins) {
        if let Some(&number) = original.and_then(|original| numbers.get(&original)) {
            numbers.insert(doc, number);
        }
    }
    Ok((pages, numbers))
}
