//! `twinsift dedup`: what is left when near duplicates are removed.

use super::shown;
use crate::args::{BrokenChoice, DedupArgs};
use crate::exit::{bad_input, is_closed_pipe};
use crate::find::{self, Found};
use crate::outputs::{id_columns, refuse_overwriting, refuse_same_output, target};
use crate::plan::Run;
use crate::say::say;
use crate::survivors::{copy_survivors, is_folder, refuse_inside, survivor_writer};
use crate::{numbers, progress, summary};
use std::path::Path;
use twinsift::{Keep, Place, Purpose, Verdict};
use twinsift_io::write::{Column, Kind, Table, Value};
use twinsift_io::{Inputs, Source, WriteError};

pub fn run(args: DedupArgs) -> anyhow::Result<()> {
    let (keep, field) = keep_rule(&args.keep)?;
    let mut run = Run::new(args.sources, &args.run)?;
    run.read.fields.rank = field;
    run.read.to_copy = true;
    let output = target(args.output.as_deref());
    let removed = args.removed.as_deref().map(|path| target(Some(path)));
    refuse_same_output(&[
        ("-o", Some(output)),
        ("--removed", removed),
        ("--unsigned", run.unsigned.as_deref().map(Some)),
    ])?;
    check_outputs(&run, output, removed.flatten())?;
    Table::check(removed.flatten())?;
    let inputs = Inputs::open(&run.inputs, run.read.clone())?;
    let mut survivors = survivor_writer(&inputs, output)?;
    let found = find::find_in(&run, inputs, Purpose::Dedup(keep), None)?;
    check_ranks(&run, &found)?;
    let broken = check_broken(&found, output, args.broken)?;
    let verdicts = found.matches.dedup(keep)?;
    let spinner = progress::working("writing", run.quiet);
    let documents = found.matches.documents();
    let (inputs, skipped) = (&found.inputs, &found.skipped);
    let copied = copy_survivors(
        documents,
        &verdicts,
        inputs,
        skipped,
        broken,
        &mut survivors,
    );
    // The reader of the survivors may have closed the pipe; the list of what was removed
    // is still wanted.
    let all_is_well = copied.as_ref().map_or_else(is_closed_pipe, |_| true);
    let listed = match removed.filter(|_| all_is_well) {
        Some(path) => list_removed(&run, &found, &verdicts, path),
        None => Ok(()),
    };
    let kept = copied?;
    if listed.as_ref().is_err_and(|error| !is_closed_pipe(error)) {
        return listed;
    }
    // Last of all: if anything failed before, there are no survivors to be seen.
    survivors.finish()?;
    listed?;
    spinner.finish_and_clear();
    let removed = verdicts
        .iter()
        .filter(|&&verdict| verdict != Verdict::Kept)
        .count();
    let mut result = format!(
        "{} removed, {} kept",
        numbers::counted(removed as u64, "near duplicate"),
        numbers::counted(kept, "document"),
    );
    if broken == BrokenChoice::Copy && !found.skipped.is_empty() {
        let count = numbers::counted(found.skipped.len() as u64, "broken record");
        result += &format!(", {count} copied as they stand");
    }
    summary::print(&run, &found, &result, shown(output));
    Ok(())
}

/// What becomes of broken records. A file is not replaced without some of its records
/// unless that is asked for.
fn check_broken(
    found: &Found,
    output: Option<&Path>,
    asked: Option<BrokenChoice>,
) -> anyhow::Result<BrokenChoice> {
    if found.skipped.is_empty() {
        return Ok(asked.unwrap_or(BrokenChoice::Drop));
    }
    let is_output = |source: &Source| output.is_some_and(|out| is_same_file(&source.path, out));
    let replaced: Vec<bool> = found.inputs.sources().iter().map(is_output).collect();
    let is_replaced = |place: &&Place| replaced[place.source as usize];
    let lost = match asked {
        Some(BrokenChoice::Drop | BrokenChoice::Copy) => None,
        Some(BrokenChoice::Refuse) => found.skipped.first(),
        None => found.skipped.iter().find(is_replaced),
    };
    let Some(&place) = lost else {
        return Ok(asked.unwrap_or(BrokenChoice::Drop));
    };
    let place = found.inputs.place_name(place);
    Err(bad_input(match asked {
        None => format!(
            "{place} could not be read, and would be lost as the survivors replace its file: name another output, or say --broken copy to keep such records or --broken drop to lose them"
        ),
        Some(_) => format!("{place} could not be read (--broken refuse stops here)"),
    }))
}

/// Whether two names are of one file, by whatever links.
fn is_same_file(input: &Path, output: &Path) -> bool {
    let input = match input.as_os_str() == "-" {
        true => Path::new("/dev/stdin"),
        false => input,
    };
    same_file::is_same_file(input, output).unwrap_or(false)
}

/// Refuses what would be lost or could not be written, before anything is read.
/// Survivors may take the place of their own input, but of nothing else.
fn check_outputs(run: &Run, output: Option<&Path>, removed: Option<&Path>) -> anyhow::Result<()> {
    let whole = |path: &Path| std::path::absolute(path).ok();
    let folder = output.filter(|path| is_folder(path)).and_then(whole);
    for (flag, path) in [
        ("--removed", removed),
        ("--unsigned", run.unsigned.as_deref()),
    ] {
        let inside = path.and_then(whole).zip(folder.as_deref());
        if inside.is_some_and(|(path, folder)| path.starts_with(folder)) {
            return Err(bad_input(format!(
                "{flag} stands in the folder that -o names, which is for survivors alone: name another place"
            )));
        }
    }
    refuse_overwriting("-o", output, run.against.iter())?;
    refuse_inside(output, &run.inputs)?;
    let read = run.inputs.iter().chain(&run.against);
    refuse_overwriting("--removed", removed, read)?;
    let folder = output.and_then(Path::parent);
    match folder.filter(|folder| !folder.as_os_str().is_empty()) {
        None => Ok(()),
        Some(folder) => match std::fs::metadata(folder) {
            Ok(_) => Ok(()),
            Err(source) => Err(WriteError::Io {
                target: shown(output).unwrap_or_default(),
                source,
            }
            .into()),
        },
    }
}

/// A keep rule by a field that no document has is a mistake in its name. Where some values
/// are numbers, those that are not come behind them, which is worth a word.
fn check_ranks(run: &Run, found: &Found) -> anyhow::Result<()> {
    let documents = found.matches.documents();
    let Some(field) = &run.read.fields.rank else {
        return Ok(());
    };
    let ranks = (0..documents.len() as u32).filter_map(|doc| documents.rank(doc));
    let (mut numbers, mut texts) = (0, 0);
    for rank in ranks {
        *(if rank.is_number() {
            &mut numbers
        } else {
            &mut texts
        }) += 1;
    }
    if numbers + texts == 0 && !documents.is_empty() {
        return Err(bad_input(format!(
            "no document has the field \"{field}\" that --keep asks for"
        )));
    }
    if numbers > 0 && texts > 0 && !run.quiet {
        say!(
            "note: the field \"{field}\" of --keep is text in {}, and numbers go first",
            numbers::counted(texts, "document")
        );
    }
    Ok(())
}

fn list_removed(
    run: &Run,
    found: &Found,
    verdicts: &[Verdict],
    path: Option<&Path>,
) -> anyhow::Result<()> {
    let documents = found.matches.documents();
    let [id, duplicate_of] = id_columns(["id", "duplicate_of"], documents);
    let columns = [id, duplicate_of, Column::new("score", Kind::Number)];
    let mut table = run.table(path, &columns)?;
    for (doc, verdict) in (0u32..).zip(verdicts) {
        if let Verdict::DuplicateOf { doc: other, score } = *verdict {
            let (id, kept) = (documents.id(doc), documents.id(other));
            table.row(&[Value::Id(&id), Value::Id(&kept), Value::Number(score)])?;
        }
    }
    Ok(table.finish()?)
}

/// A keep rule, and the field that it looks at.
fn keep_rule(rule: &str) -> anyhow::Result<(Keep, Option<String>)> {
    let field = |name: &str| match name {
        "" => Err(bad_input(format!(
            "--keep {rule} names no field: write {rule}FIELD"
        ))),
        name => Ok(Some(name.to_owned())),
    };
    Ok(match rule.split_once(':') {
        None if rule == "first" => (Keep::First, None),
        None if rule == "longest" => (Keep::Longest, None),
        Some(("max", name)) => (Keep::MaxRank, field(name)?),
        Some(("min", name)) => (Keep::MinRank, field(name)?),
        _ => {
            return Err(bad_input(format!(
                "--keep {rule} is unknown: use first, longest, max:FIELD or min:FIELD"
            )));
        }
    })
}
