//! `twinsift lexicon`: how common each word of a collection is.

mod merge;
mod show;

use crate::args::{LexiconAction, LexiconArgs, LimitArgs};
use crate::ingest;
use crate::numbers::{count, counted, seconds, show_size};
use crate::outputs::refuse_overwriting;
use crate::plan::Run;
use crate::say::say;
use crate::summary::{self, line};
use std::path::Path;
use std::time::Instant;
use twinsift::Lexicon;
use twinsift::lexicon::{Counter, Limits};
use twinsift_io::{AtomicFile, Inputs};

pub fn run(args: LexiconArgs) -> anyhow::Result<()> {
    match args.action {
        Some(LexiconAction::Show(args)) => return show::run(args),
        Some(LexiconAction::Merge(args)) => return merge::run(args),
        None => {}
    }
    let run = Run::of_reading(args.inputs, &args.read, &args.common)?;
    let output = args.output.unwrap_or_default();
    refuse_overwriting("-o", Some(&output), run.inputs.iter())?;
    let file = AtomicFile::create(&output)?;
    let started = Instant::now();
    let inputs = Inputs::open(&run.inputs, run.read.clone())?;
    let counter = Counter::new(&run.settings).folding(args.fold || run.recipe.folds());
    let (counter, files) = ingest::count(&inputs, counter, run.strict, run.quiet)?;
    let (documents, words, skipped) = (counter.documents(), counter.words(), counter.skipped());
    let lexicon = counter.finish(limits(&args.limits))?;
    write(&lexicon, file)?;
    if run.quiet {
        return Ok(());
    }
    let read = format!(
        "{}, {} in {}",
        counted(documents, "document"),
        counted(words, "word"),
        seconds(started.elapsed())
    );
    line("read", &read);
    let notes = summary::skipped(skipped, files);
    if !notes.is_empty() {
        line("", &notes.join("; "));
    }
    summarise(&lexicon, &output);
    Ok(())
}

fn limits(args: &LimitArgs) -> Limits {
    Limits {
        min_documents: args.min_df,
        max_terms: args.max_terms,
    }
}

/// Writes the lexicon and makes the file appear.
fn write(lexicon: &Lexicon, mut file: AtomicFile) -> anyhow::Result<()> {
    lexicon.write(&mut file)?;
    Ok(file.finish()?)
}

fn summarise(lexicon: &Lexicon, output: &Path) {
    line("lexicon", &contents(lexicon));
    let size = std::fs::metadata(output).map_or(0, |found| found.len());
    let written = format!("{} ({})", output.display(), show_size(size));
    line("written", &written);
    say!("{:>9}  id {}", "", lexicon.id());
}

/// What a lexicon holds, in a line.
fn contents(lexicon: &Lexicon) -> String {
    let mut told = counted(lexicon.len() as u64, "distinct word");
    if let (rarer @ 1.., least) = (lexicon.left_out(), lexicon.least()) {
        told += &format!(
            " of at least {}; {} rarer ones left out",
            counted(u64::from(least), "document"),
            count(rarer)
        );
    }
    if lexicon.is_folded() {
        told += "; disguises undone";
    }
    told
}
