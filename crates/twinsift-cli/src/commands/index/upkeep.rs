//! `twinsift index expire`, `compact`, `check` and `snapshot`.

use super::add::tell_dropped;
use crate::args::{IndexFolderArgs, IndexSnapshotArgs};
use crate::numbers::{counted, show_size};
use crate::say::say;
use crate::summary::line;
use anyhow::anyhow;
use twinsift_index::{Index, Searcher, Time};

pub fn expire(args: &IndexFolderArgs) -> anyhow::Result<()> {
    let mut index = Index::open(&args.folder)?;
    tell_dropped(&index);
    let expired = index.expire(Time::now())?;
    index.close()?;
    if !args.quiet {
        line(
            "removed",
            &format!("{} that had expired", counted(expired, "document")),
        );
    }
    Ok(())
}

pub fn compact(args: &IndexFolderArgs) -> anyhow::Result<()> {
    let mut index = Index::open(&args.folder)?;
    tell_dropped(&index);
    let searcher = index.searcher();
    let before = searcher.stats(Time::now())?;
    index.compact()?;
    let after = searcher.stats(Time::now())?;
    index.close()?;
    if !args.quiet {
        let sizes = [before, after].map(|stats| show_size(stats.bytes));
        line("on disk", &format!("{} before, {} now", sizes[0], sizes[1]));
    }
    Ok(())
}

pub fn check(args: &IndexFolderArgs) -> anyhow::Result<()> {
    let checked = twinsift_index::check(&args.folder)?;
    match &checked.problems[..] {
        [] => {
            if !args.quiet {
                let documents = counted(checked.documents, "document");
                line("checked", &format!("{documents}: all is as it was written"));
            }
            Ok(())
        }
        problems => {
            for problem in &problems[1..] {
                say!("{problem}");
            }
            Err(anyhow!("{}", problems[0]))
        }
    }
}

pub fn snapshot(args: &IndexSnapshotArgs) -> anyhow::Result<()> {
    let searcher = Searcher::open(&args.folder)?;
    searcher.snapshot(&args.output)?;
    if !args.quiet {
        let documents = counted(searcher.stats(Time::now())?.documents, "document");
        line(
            "copied",
            &format!("{documents} to {}", args.output.display()),
        );
    }
    Ok(())
}
