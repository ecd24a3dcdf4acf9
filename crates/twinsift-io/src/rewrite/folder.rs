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
use crate::output::{WriteError, temporary};
use crate::read::{Format, Inputs, Source};

/// A folder in the making.
pub(super) struct Folder {
    path: PathBuf,
    made: TempDir,
    /// The file for the source at hand: where in the folder, what, and whether
    /// it was begun.
    inside: PathBuf,
    format: Format,
    sink: Option<Sink>,
}

impl Folder {
    pub(super) fn create(path: &Path) -> Result<Self, WriteError> {
        let failed = |error: io::Error| WriteError::new(path, &error);
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
        let beside = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let made = temporary(0o777).tempdir_in(beside).map_err(failed)?;
        Ok(Self {
            path: path.to_owned(),
            made,
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

    /// Names the file by where it will be, not by where it is made.
    pub(super) fn named(&self, error: WriteError) -> WriteError {
        WriteError {
            name: self.path.join(&self.inside).display().to_string(),
            ..error
        }
    }

    fn new_file(&self) -> Result<PathBuf, WriteError> {
        let file = self.made.path().join(&self.inside);
        let folder = file.parent().unwrap_or(self.made.path());
        let made = fs::create_dir_all(folder);
        made.map_err(|error| self.named(WriteError::new(&file, &error)))?;
        Ok(file)
    }

    /// The file for the source at hand.
    pub(super) fn sink(&mut self) -> Result<&mut Sink, WriteError> {
        let begun = match self.sink.take() {
            Some(sink) => sink,
            None => {
                let file = self.new_file()?;
                Sink::create(&file, self.format).map_err(|error| self.named(error))?
            }
        };
        Ok(self.sink.insert(begun))
    }

    /// Ends the source at hand; a file without records is a file all the same.
    pub(super) fn end(&mut self) -> Result<(), WriteError> {
        self.sink()?;
        match self.sink.take() {
            Some(sink) => sink.finish().map_err(|error| self.named(error)),
            None => Ok(()),
        }
    }

    fn copy(&self, from: &Path) -> Result<(), WriteError> {
        let file = self.new_file()?;
        // Not `fs::copy`: a read-only input must not make a read-only output.
        fs::File::create(&file)
            .and_then(|mut out| io::copy(&mut fs::File::open(from)?, &mut out))
            .map(|_| ())
            .map_err(|error| self.named(WriteError::new(&file, &error)))
    }

    pub(super) fn finish(self) -> Result<(), WriteError> {
        let made = self.made.keep();
        let renamed = fs::rename(&made, &self.path);
        renamed.map_err(|error| {
            // Best effort: the error that matters is the first.
            let _ = fs::remove_dir_all(&made);
            WriteError::new(&self.path, &error)
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
        folder.copy(source.file())?;
        Ok(Some(1))
    }
}
