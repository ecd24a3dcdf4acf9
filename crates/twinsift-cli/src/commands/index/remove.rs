//! `twinsift index remove`: documents that are known no more.

use super::add::tell_dropped;
use crate::args::IndexRemoveArgs;
use crate::exit::bad_input;
use crate::numbers::counted;
use crate::summary::line;
use std::path::Path;
use twinsift_index::{Batch, Index};

/// So many are removed by one commit.
const TOGETHER: usize = 10_000;

pub fn run(args: IndexRemoveArgs) -> anyhow::Result<()> {
    let mut ids = args.documents;
    if let Some(path) = &args.ids {
        ids.extend(listed(path)?);
    }
    let mut index = Index::open(&args.folder)?;
    tell_dropped(&index);
    let (mut removed, mut unknown) = (0, Vec::new());
    for some in ids.chunks(TOGETHER) {
        let mut batch = Batch::default();
        some.iter().for_each(|id| batch.remove(id.as_str()));
        for (id, was_known) in some.iter().zip(index.commit(batch)?) {
            match was_known {
                true => removed += 1,
                false => unknown.push(id),
            }
        }
    }
    index.close()?;
    if !args.quiet {
        line("removed", &counted(removed, "document"));
    }
    match &unknown[..] {
        [] => Ok(()),
        [first, ..] => Err(bad_input(format!(
            "{} not known, such as \"{first}\": the others were removed",
            match unknown.len() {
                1 => "one id was".to_owned(),
                more => format!("{} were", counted(more as u64, "id")),
            }
        ))),
    }
}

/// The ids of a file, one in each line.
fn listed(path: &Path) -> anyhow::Result<Vec<String>> {
    let read = match path.as_os_str() == "-" {
        true => std::io::read_to_string(std::io::stdin()),
        false => std::fs::read_to_string(path),
    };
    let text =
        read.map_err(|error| bad_input(format!("cannot read {}: {error}", path.display())))?;
    let lines = text.lines().filter(|line| !line.is_empty());
    Ok(lines.map(str::to_owned).collect())
}
