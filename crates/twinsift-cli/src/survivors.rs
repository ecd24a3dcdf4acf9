//! What is left of the inputs when near duplicates are removed, written in their own format.

use crate::args::BrokenChoice;
use crate::exit::{bad_input, sentence};
use std::path::{Path, PathBuf};
use twinsift::collection::documents::Documents;
use twinsift::{Place, Verdict};
use twinsift_io::{Format, Inputs, SurvivorWriter};

/// Writes the survivors as `twinsift dedup -o` does, without broken records, and says how many
/// documents were kept. An error is a sentence.
pub fn write_survivors(
    documents: &Documents,
    verdicts: &[Verdict],
    inputs: &Inputs,
    skipped: &[Place],
    output: &Path,
) -> Result<u64, String> {
    let written = || {
        let sources = inputs.sources().iter();
        let sources: Vec<PathBuf> = sources.map(|source| source.path.clone()).collect();
        refuse_inside(Some(output), &sources)?;
        let mut survivors = survivor_writer(inputs, Some(output))?;
        let broken = BrokenChoice::Drop;
        let kept = copy_survivors(documents, verdicts, inputs, skipped, broken, &mut survivors)?;
        survivors.finish()?;
        anyhow::Ok(kept)
    };
    written().map_err(|error| sentence(&error))
}

/// Survivors in a folder that is read would be read by the next run too.
pub fn refuse_inside(output: Option<&Path>, inputs: &[PathBuf]) -> anyhow::Result<()> {
    let Some(output) = output.filter(|path| !path.is_file()) else {
        return Ok(());
    };
    // It need not be there yet; the folder that it is to stand in must.
    let whole = output.canonicalize().or_else(|_| {
        let folder = output.parent().filter(|path| !path.as_os_str().is_empty());
        folder.unwrap_or(Path::new(".")).canonicalize()
    });
    let is_above = |input: &&PathBuf| {
        let input = input.canonicalize().ok().filter(|path| path.is_dir());
        let whole = whole.as_ref().ok();
        input.is_some_and(|input| whole.is_some_and(|whole| whole.starts_with(input)))
    };
    match inputs.iter().find(is_above) {
        Some(input) => Err(bad_input(format!(
            "-o {} stands in {}, which is read, so that the next run would read it too: name a place outside",
            output.display(),
            input.display()
        ))),
        None => Ok(()),
    }
}

/// One file if all inputs fit into one, else a folder that mirrors them.
pub fn survivor_writer(inputs: &Inputs, output: Option<&Path>) -> anyhow::Result<SurvivorWriter> {
    let mut formats: Vec<Format> = Vec::new();
    for format in inputs.sources().iter().filter_map(|source| source.format) {
        if !formats.contains(&format) {
            formats.push(format);
        }
    }
    let single_documents = formats.iter().any(|format| format.is_single());
    let one_file = match formats[..] {
        [format] if !single_documents || inputs.sources().len() == 1 => Some(format),
        _ => None,
    };
    match (output, one_file) {
        (Some(path), _) if is_folder(path) => Ok(SurvivorWriter::folder(path)?),
        (Some(path), Some(format)) => Ok(SurvivorWriter::file(path, format)?),
        (Some(path), None) if path.extension().is_none() => Ok(SurvivorWriter::folder(path)?),
        (Some(path), None) => Err(bad_input(format!(
            "the inputs do not fit into one file {}: they are of several formats, or one document to a file; name a folder, such as -o clean/",
            path.display()
        ))),
        (None, Some(format)) => Ok(SurvivorWriter::stdout(format)?),
        (None, None) => Err(bad_input(
            "the inputs do not fit into one stream: name a folder for the survivors, such as -o clean/",
        )),
    }
}

/// Whether a path stands for a folder, there already or by its spelling.
pub fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.to_string_lossy().ends_with(std::path::MAIN_SEPARATOR)
}

/// Copies the inputs without removed records, and without broken ones unless they are to be
/// copied. Says how many documents were kept.
pub fn copy_survivors(
    documents: &Documents,
    verdicts: &[Verdict],
    inputs: &Inputs,
    skipped: &[Place],
    broken: BrokenChoice,
    survivors: &mut SurvivorWriter,
) -> anyhow::Result<u64> {
    let mut dropped = vec![Vec::new(); inputs.sources().len()];
    for place in skipped {
        match (broken, place.record) {
            (BrokenChoice::Copy, 0) => {
                // It has no other records, and is done with.
                inputs.copy_unread(place.source as usize, survivors)?;
                dropped[place.source as usize].push(0);
            }
            (BrokenChoice::Copy, _) => {}
            (_, record) => dropped[place.source as usize].push(record),
        }
    }
    let new = documents.old_from().unwrap_or(documents.len() as u32);
    let mut kept = 0;
    for doc in 0..new {
        match verdicts[doc as usize] {
            Verdict::Kept => kept += 1,
            Verdict::DuplicateOf { .. } => {
                let place = documents.place(doc);
                dropped[place.source as usize].push(place.record);
            }
        }
    }
    for (source, mut records) in dropped.into_iter().enumerate() {
        records.sort_unstable();
        inputs.copy_without(source, &records, survivors)?;
    }
    Ok(kept)
}
