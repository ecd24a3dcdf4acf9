//! A classifier's word on the pairs that another method found.
//!
//! The candidates have been found on the texts alone. The pages they are made of are
//! now read once more, with both bodies; only these are kept in memory.

use super::CandidatePages;
use crate::exit::bad_input;
use crate::plan::Run;
use crate::{progress, threads};
use std::path::PathBuf;
use twinsift::{Candidates, Item, Matches};
use twinsift_io::{Body, Content, Inputs};
use twinsift_learn::classify::Model;
use twinsift_learn::signals::Signals;

/// The candidates that the run's classifier takes for near duplicates.
pub fn decide(run: &Run, model: &Model, candidates: Candidates) -> anyhow::Result<Matches> {
    threads::within(&run.settings, || {
        let spinner = progress::working("reading candidates again", run.quiet);
        let signals = Signals::new(&model.signals, model.background.clone());
        let pages = pages(run, &candidates, &signals)?;
        spinner.finish_and_clear();
        let spinner = progress::working("classifying", run.quiet);
        let decided = pages.decide(candidates, model)?;
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

/// The pages of all candidates, read once more with both bodies.
fn pages<'a>(
    run: &Run,
    candidates: &Candidates,
    signals: &'a Signals,
) -> anyhow::Result<CandidatePages<'a>> {
    let mut pages = CandidatePages::new(candidates, signals)?;
    let mut offset = 0;
    for paths in [&run.inputs, &run.against] {
        let mut options = run.read.clone();
        options.content = Content::Html;
        options.body = Body::Both;
        let inputs = Inputs::open(paths, options)?;
        for batch in inputs.batches() {
            inputs.expand(&batch, &mut |item| {
                if let Item::Document(mut document) = item {
                    document.place.source += offset;
                    pages.offer(document);
                }
            });
            pages.prepare();
        }
        offset = inputs.sources().len() as u32;
    }
    Ok(pages)
}
