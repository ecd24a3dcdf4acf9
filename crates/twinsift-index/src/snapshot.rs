//! A copy of an index as it is at a moment, while it is in use.

use crate::definition;
use crate::error::{Error, Result};
use crate::log::{Change, LogWriter};
use crate::manifest::{Manifest, VERSION};
use crate::searcher::Searcher;
use crate::segment;
use crate::storage::{Folder, Source, Storage, Target, sync_folder, sync_names};
use std::path::Path;

/// So many bytes are copied at a time.
const PIECE: u64 = 4 << 20;

impl Searcher {
    /// Copies the index as it is now to a folder, which must not be there yet. Changes may go on
    /// meanwhile, and are not in the copy.
    pub fn snapshot(&self, folder: impl AsRef<Path>) -> Result<()> {
        let folder = folder.as_ref();
        if folder.exists() {
            return Err(Error::Exists(folder.to_owned()));
        }
        let mut name = folder.file_name().unwrap_or_default().to_owned();
        name.push(".unfinished");
        let unfinished = folder.with_file_name(name);
        let failed = |source| Error::Io {
            what: "write",
            path: folder.to_owned(),
            source,
        };
        std::fs::create_dir_all(&unfinished).map_err(failed)?;
        let copied = self.copy_to(&Folder::new(&unfinished));
        if copied.is_err() {
            let _ = std::fs::remove_dir_all(&unfinished);
        }
        copied?;
        std::fs::rename(&unfinished, folder).map_err(failed)?;
        match folder.parent().filter(|parent| parent.is_dir()) {
            Some(parent) => sync_folder(parent).map_err(failed),
            None => Ok(()),
        }
    }

    fn copy_to(&self, to: &dyn Storage) -> Result<()> {
        let (views, changes) = {
            let state = self.state();
            let mut changes = Vec::new();
            for (record, expires, _) in state.memtable.iter() {
                changes.push(Change::Add(Box::new(record.clone())));
                if let Some(expires) = expires.filter(|_| expires != record.expires()) {
                    changes.push(Change::Renew(record.id.text.to_string(), expires));
                }
            }
            (state.segments.clone(), changes)
        };
        for name in definition::FILES {
            if let Some(source) = Source::find(&**self.storage(), name)? {
                copy(&source, to, name)?;
            }
        }
        let mut manifest = Manifest {
            version: VERSION,
            ..Manifest::default()
        };
        for mut view in views {
            copy(
                view.segment.source(),
                to,
                &segment::file_name(view.segment.number()),
            )?;
            view.stored = None;
            if !view.changes.is_empty() {
                view.changes.write(to, view.segment.number())?;
                view.stored = Some(view.segment.number());
            }
            manifest.next_file = manifest.next_file.max(view.segment.number() + 1);
            manifest.segments.push(view.entry());
        }
        manifest.log = manifest.next_file;
        manifest.next_file += 1;
        let mut log = LogWriter::create(to, manifest.log)?;
        log.commit(&changes)?;
        log.seal()?;
        sync_names(to)?;
        manifest.publish(to)
    }
}

fn copy(source: &Source, to: &dyn Storage, name: &str) -> Result<()> {
    let mut target = Target::create(to, name)?;
    let mut at = 0;
    while at < source.size() {
        let length = PIECE.min(source.size() - at);
        target.write(&source.read(at, length as usize)?)?;
        at += length;
    }
    target.sync()
}
