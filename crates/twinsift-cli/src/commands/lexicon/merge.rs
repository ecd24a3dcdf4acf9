//! `twinsift lexicon merge`: the counts of several lexicons added up.

use super::{limits, summarise, write};
use crate::args::LexiconMergeArgs;
use crate::numbers::counted;
use crate::outputs::refuse_overwriting;
use crate::summary::line;
use twinsift::Lexicon;
use twinsift_io::AtomicFile;

pub fn run(args: LexiconMergeArgs) -> anyhow::Result<()> {
    refuse_overwriting("-o", Some(&args.output), args.files.iter())?;
    let lexicons = args.files.iter().map(|path| Lexicon::open(path));
    let lexicons = lexicons.collect::<Result<Vec<_>, _>>()?;
    let merged = Lexicon::merge(&lexicons, limits(&args.limits))?;
    write(&merged, AtomicFile::create(&args.output)?)?;
    if !args.quiet {
        let read = format!(
            "{} of {}",
            counted(lexicons.len() as u64, "lexicon"),
            counted(merged.documents(), "document")
        );
        line("read", &read);
        summarise(&merged, &args.output);
    }
    Ok(())
}
