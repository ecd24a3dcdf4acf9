//! A folder that mirrors the sources.
//!
//! It is made beside its target under another name and renamed at the end. A
//! file from which nothing is dropped is copied as it lies, compression and
//! all; a single document that is dropped is left out.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use tempfile::TempDir;

use super::writer::Sink;
use super::{RewriteError, SurvivorWriter};
use crate::error::plain_reason;
use crate::format::Format;
use crate::output::{Unfinished, WriteError, folder_of, temporary_folder, unless_ending};
use crate::read::{Inputs, Source};

/// A folder in the making.
pub(super) struct Folder {
    path: PathBuf,
    made: TempDir,
    _held: Option<fs::File>,
    _unfinished: Unfinished,
    /// The file for the source at hand: where in the folder, what, and whether
    /// it was begun.
    inside: PathBuf,
    format: Format,
    sink: Option<Sink>,
}

impl Folder {
    pub(super) fn create(path: &Path) -> Result<Self, WriteError> {
        let failed = |error: io::Error| WriteError::new(&path.display().to_string(), error);
        match fs::read_dir(path).map(|mut entries| entries.next().is_none()) {
            Ok(true) => {}
            Ok(false) => {
                return Err(failed(io::Error::other(
                    "the folder is there and not empty",
                )));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
        }
        let (made, held) = temporary_folder(path).map_err(failed)?;
        Ok(Self {
            path: path.to_owned(),
            _unfinished: Unfinished::new(made.path()),
            made,
            _held: held,
            inside: PathBuf::new(),
            format: Format::Text,
            sink: None,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes ready for a source; its file is not begun before it is needed.
    pub(super) fn begin(&mut self, source: &Source) -> Result<(), RewriteError> {
        // Only plain steps down: the mirror must not be left.
        self.inside = source
            .inside
            .components()
            .filter(|part| matches!(part, Component::Normal(_)))
            .collect();
        self.format = source.format.unwrap_or(Format::Text);
        if self.made.path().join(&self.inside).exists() {
            return Err(RewriteError::Mismatch {
                name: source.name.clone(),
                out: self.path.display().to_string(),
                reason: format!("another input is called {} too", self.inside.display()),
            });
        }
        Ok(())
    }

    /// The file at hand by the name it will have, not the one it has now.
    fn file_name(&self) -> String {
        self.path.join(&self.inside).display().to_string()
    }

    fn new_file(&self) -> Result<PathBuf, WriteError> {
        let file = self.made.path().join(&self.inside);
        unless_ending(|| fs::create_dir_all(folder_of(&file)))
            .map_err(|error| WriteError::new(&self.file_name(), error))?;
        Ok(file)
    }

    /// The file for the source at hand.
    pub(super) fn sink(&mut self) -> Result<&mut Sink, WriteError> {
        let begun = match self.sink.take() {
            Some(sink) => sink,
            None => {
                let file = self.new_file()?;
                Sink::create(&file, self.file_name(), self.format)?
            }
        };
        Ok(self.sink.insert(begun))
    }

    /// Ends the source at hand; a file without records is a file all the same.
    pub(super) fn end(&mut self) -> Result<(), WriteError> {
        self.sink()?;
        match self.sink.take() {
            Some(sink) => sink.finish(),
            None => Ok(()),
        }
    }

    pub(super) fn copy(&self, source: &Source) -> Result<(), RewriteError> {
        let mut from = fs::File::open(source.file())
            .map_err(|error| RewriteError::unreadable(&source.name, plain_reason(&error)))?;
        let file = self.new_file()?;
        // Not `fs::copy`: a read-only input must not make a read-only output.
        unless_ending(|| fs::File::create(&file))
            .and_then(|mut out| io::copy(&mut from, &mut out))
            .map_err(|error| WriteError::new(&self.file_name(), error))?;
        Ok(())
    }

    pub(super) fn finish(self) -> Result<(), WriteError> {
        let made = self.made.keep();
        let renamed = unless_ending(|| fs::rename(&made, &self.path));
        renamed.map_err(|error| {
            // Best effort: the error that matters is the first.
            let _ = fs::remove_dir_all(&made);
            WriteError::new(&self.path.display().to_string(), error)
        })
    }
}

impl Inputs {
    /// Copies a source as it lies if all of it survives, or none of it where
    /// it is one document; `None` if it has to be gone through.
    pub(super) fn copy_whole(
        &self,
        index: usize,
        drop: &[u64],
        out: &mut SurvivorWriter,
    ) -> Result<Option<u64>, RewriteError> {
        let source = &self.sources()[index];
        let Some(folder) = out.as_folder() else {
            return Ok(None);
        };
        if !source.format.is_some_and(Format::is_single) {
            return Ok(None);
        }
        if !drop.is_empty() {
            return Ok(Some(0));
        }
        folder.copy(source)?;
        Ok(Some(1))
    }
}
