//! Writing an index.

use crate::definition::{self, Definition};
use crate::error::{Error, Result};
use crate::log::{self, Change, LogWriter};
use crate::manifest::{MANIFEST, Manifest, VERSION};
use crate::record::{Record, Time};
use crate::searcher::{Searcher, find_manifest, load};
use crate::segment::{Scratch, SegmentWriter};
use crate::state::{State, View, is_unexpired};
use crate::storage::{Folder, Storage, sync_folder, sync_names};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use twinsift::{Recipe, Statistics};

/// A log with more bytes is written to a segment, unless told otherwise.
const LOG_BYTES: u64 = 32 << 20;

/// An index, open to be changed. It has one at a time.
///
/// [`commit`](Self::commit) returns when changes are on disk; a [`Searcher`] sees them from
/// then on. What is returned before a crash is there after it.
///
/// ```
/// use twinsift::{Document, Recipe, Statistics};
/// use twinsift_index::{Batch, Index, Record, Time};
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let path = folder.path().join("archive.idx");
/// let mut index = Index::create(&path, &Recipe::default(), &Statistics::default())?;
/// let searcher = index.searcher();
/// let text = "The council approved the new bridge over the river.";
/// let document = Document::new("monday", text);
/// let signature = searcher.extractor().extract(&document);
/// let mut batch = Batch::default();
/// batch.add(Record::new(document.id, signature, Time::now()));
/// index.commit(batch)?;
///
/// let again = Document::new("again", "The council approved the new bridge over the river!");
/// let answer = searcher.answer(&again, 1)?;
/// assert_eq!((&*answer.matches[0].id.text, answer.matches[0].score), ("monday", 1.0));
/// # Ok::<(), twinsift_index::Error>(())
/// ```
pub struct Index {
    searcher: Searcher,
    pub(crate) manifest: Manifest,
    log: LogWriter,
    log_bytes: u64,
    /// Why it takes no more changes.
    failed: Option<String>,
    merges: bool,
    /// What the last run had begun to write when it was ended, in bytes.
    dropped: u64,
    _lock: Box<dyn Send + Sync>,
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Index").field(&self.searcher).finish()
    }
}

/// Changes that become known together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch(pub(crate) Vec<Change>);

impl Batch {
    /// Adds a document, in place of another one with its id.
    pub fn add(&mut self, record: Record) {
        self.0.push(Change::Add(Box::new(record)));
    }

    /// Removes the document with an id.
    pub fn remove(&mut self, id: impl Into<String>) {
        self.0.push(Change::Remove(id.into()));
    }

    /// Has the document with an id expire at another time.
    pub fn renew(&mut self, id: impl Into<String>, expires: Time) {
        self.0.push(Change::Renew(id.into(), expires));
    }

    /// The number of changes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no change.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Index {
    /// Makes an empty index in a folder, which must not be there yet or be empty. Recipes that
    /// go by how common features are need the statistics of a collection, which stay as they
    /// are.
    pub fn create(
        folder: impl AsRef<Path>,
        recipe: &Recipe,
        statistics: &Statistics,
    ) -> Result<Self> {
        let folder = folder.as_ref();
        Definition::new(recipe, statistics)?;
        let failed = |source| Error::Io {
            what: "make",
            path: folder.to_owned(),
            source,
        };
        std::fs::create_dir_all(folder).map_err(failed)?;
        if let Some(parent) = folder.parent().filter(|parent| parent.is_dir()) {
            sync_folder(parent).map_err(failed)?;
        }
        Self::create_in(Arc::new(Folder::new(folder)), recipe, statistics)
    }

    /// As [`create`](Self::create), in any storage.
    pub fn create_in(
        storage: Arc<dyn Storage>,
        recipe: &Recipe,
        statistics: &Statistics,
    ) -> Result<Self> {
        let definition = Definition::new(recipe, statistics)?;
        // Before the lock too, which is a file: nothing is left in a folder that is refused.
        refuse_occupied(&*storage)?;
        let lock = lock(&*storage)?;
        refuse_occupied(&*storage)?;
        Definition::write(&*storage, recipe, statistics)?;
        let log = LogWriter::create(&*storage, 0)?;
        let manifest = Manifest {
            version: VERSION,
            next_file: 1,
            ..Manifest::default()
        };
        sync_names(&*storage)?;
        manifest.publish(&*storage)?;
        let searcher = Searcher::new(storage, definition, State::default(), None);
        Ok(Self::of(searcher, manifest, log, 0, lock))
    }

    /// Opens the index in a folder to change it. Refused while another process does.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self> {
        Self::open_in(Arc::new(Folder::new(folder.as_ref())))
    }

    /// As [`open`](Self::open), in any storage.
    pub fn open_in(storage: Arc<dyn Storage>) -> Result<Self> {
        find_manifest(&*storage)?;
        let lock = lock(&*storage)?;
        let manifest = find_manifest(&*storage)?;
        let definition = Definition::read(&*storage)?;
        let (state, log) = load(&*storage, &definition, &manifest, &[])?;
        let writer = LogWriter::resume(&*storage, &log)?;
        let searcher = Searcher::new(storage, definition, state, None);
        let index = Self::of(searcher, manifest, writer, log.incomplete, lock);
        index.remove_unused(is_numbered);
        Ok(index)
    }

    fn of(
        searcher: Searcher,
        manifest: Manifest,
        log: LogWriter,
        dropped: u64,
        lock: Box<dyn Send + Sync>,
    ) -> Self {
        Self {
            searcher,
            manifest,
            log,
            log_bytes: LOG_BYTES,
            failed: None,
            merges: true,
            dropped,
            _lock: lock,
        }
    }

    /// Has the log written to a segment whenever it has more bytes than this.
    pub fn set_log_bytes(&mut self, bytes: u64) {
        self.log_bytes = bytes;
    }

    /// Whether segments are merged when there are many of them (they are, unless this says
    /// otherwise): who does so beside the writing, by [`plan_merge`](Self::plan_merge), saves
    /// changes from waiting for it.
    pub fn set_merging(&mut self, merges: bool) {
        self.merges = merges;
    }

    pub(crate) fn merges(&self) -> bool {
        self.merges
    }

    /// Bytes of a write that was under way when the index was last closed without warning: it
    /// was not acknowledged, and was dropped when the index was opened.
    pub fn dropped_bytes(&self) -> u64 {
        self.dropped
    }

    /// Says what documents duplicate.
    pub fn searcher(&self) -> Searcher {
        self.searcher.clone()
    }

    pub(crate) fn storage(&self) -> Arc<dyn Storage> {
        Arc::clone(self.searcher.storage())
    }

    /// Makes changes, in order. When this returns they are on disk, all of them. Returns for
    /// each whether the document with its id was known before.
    ///
    /// After an error none of them may be on disk, or all of them.
    pub fn commit(&mut self, batch: Batch) -> Result<Vec<bool>> {
        self.check_usable()?;
        if batch.is_empty() {
            return Ok(Vec::new());
        }
        for change in &batch.0 {
            if let Change::Add(record) = change {
                record.check()?;
            }
        }
        if self.log.bytes() > self.log_bytes {
            self.flush()?;
        }
        let mut scratch = Scratch::default();
        let located = {
            let state = self.searcher.state();
            let locate = |change: &Change| state.locate(change.id(), &mut scratch);
            batch.0.iter().map(locate).collect::<Result<Vec<_>>>()?
        };
        let written = self.log.commit(&batch.0);
        self.settle(written)?;
        let now = Time::now();
        let mut state = self.searcher.state_mut();
        let changes = batch.0.into_iter().zip(located);
        let definition = self.searcher.definition();
        Ok(changes
            .map(|(change, location)| state.apply(change, location, definition, now))
            .collect())
    }

    /// Refuses changes after a failed write: what is on disk is not known.
    pub(crate) fn check_usable(&self) -> Result<()> {
        match &self.failed {
            None => Ok(()),
            Some(why) => Err(Error::Failed {
                path: self.storage().path(""),
                why: why.clone(),
            }),
        }
    }

    /// Takes note of a write that has failed.
    pub(crate) fn settle<T>(&mut self, written: Result<T>) -> Result<T> {
        written.inspect_err(|error| self.failed = Some(error.to_string()))
    }

    /// A number that no file has.
    pub(crate) fn new_file(&mut self) -> u64 {
        self.manifest.next_file += 1;
        self.manifest.next_file - 1
    }

    /// Writes the documents of the log to a segment.
    pub fn flush(&mut self) -> Result<()> {
        self.check_usable()?;
        let segment = self.write_memtable()?;
        let views = self.searcher.state().segments.clone();
        self.publish(views.into_iter().chain(segment).collect())?;
        self.merge_as_needed()
    }

    /// A segment of the documents of the log; `None` if there are none.
    fn write_memtable(&mut self) -> Result<Option<View>> {
        if self.searcher.state().memtable.live() == 0 {
            return Ok(None);
        }
        let (storage, number, now) = (self.storage(), self.new_file(), Time::now());
        let mut writer = SegmentWriter::create(&*storage, number)?;
        for (record, expires, keys) in self.searcher.state().memtable.iter() {
            if is_unexpired(expires, now) {
                writer.push(record, expires, keys)?;
            }
        }
        View::finish(&*storage, writer)
    }

    /// Makes these views and an empty log the index. The documents of the log must be in them.
    pub(crate) fn publish(&mut self, mut views: Vec<View>) -> Result<()> {
        views
            .iter_mut()
            .try_for_each(|view| self.write_changes(view))?;
        let number = self.new_file();
        let log = LogWriter::create(&*self.storage(), number)?;
        self.replace_manifest(&views, number)?;
        self.log = log;
        *self.searcher.state_mut() = State {
            generation: self.manifest.generation,
            segments: views,
            ..State::default()
        };
        Ok(())
    }

    /// Makes these views the segments of the index, and keeps its log. What has changed about
    /// their documents is in files, or in the log.
    pub(crate) fn publish_segments(&mut self, views: Vec<View>) -> Result<()> {
        self.replace_manifest(&views, self.manifest.log)?;
        let mut state = self.searcher.state_mut();
        (state.generation, state.segments) = (self.manifest.generation, views);
        Ok(())
    }

    /// Writes what has changed about the documents of a segment.
    pub(crate) fn write_changes(&mut self, view: &mut View) -> Result<()> {
        if view.is_dirty {
            let number = self.new_file();
            view.changes.write(&*self.storage(), number)?;
            (view.stored, view.is_dirty) = (Some(number), false);
        }
        Ok(())
    }

    fn replace_manifest(&mut self, views: &[View], log: u64) -> Result<()> {
        let storage = self.storage();
        let manifest = Manifest {
            generation: self.manifest.generation + 1,
            segments: views.iter().map(View::entry).collect(),
            log,
            ..self.manifest
        };
        let published = manifest.publish(&*storage);
        self.settle(published)?;
        let before = std::mem::replace(&mut self.manifest, manifest);
        self.remove_unused(|name| before.names(name));
        Ok(())
    }

    /// Removes files that are not the index's, of those that may go. Those that cannot be
    /// removed now are when the index is opened next.
    fn remove_unused(&self, may_go: impl Fn(&str) -> bool) {
        let storage = self.searcher.storage();
        for name in storage.names().unwrap_or_default() {
            if may_go(&name) && !self.manifest.names(&name) {
                let _ = storage.remove(&name);
            }
        }
    }

    /// Removes documents that have expired. Returns how many.
    pub fn expire(&mut self, now: Time) -> Result<u64> {
        let mut batch = Batch::default();
        {
            let state = self.searcher.state();
            let mut scratch = Scratch::default();
            for view in &state.segments {
                for document in view.expired(now) {
                    batch.remove(view.segment.record(document, &mut scratch)?.id.text);
                }
            }
            let in_memory = state.memtable.iter();
            for (record, expires, _) in in_memory {
                if !is_unexpired(expires, now) {
                    batch.remove(&*record.id.text);
                }
            }
        }
        let expired = batch.len() as u64;
        self.commit(batch)?;
        Ok(expired)
    }

    /// Ends the writing, so that damage to anything that was written is noticed when the index
    /// is opened again.
    pub fn close(mut self) -> Result<()> {
        self.check_usable()?;
        self.log.seal()
    }
}

impl Drop for Index {
    fn drop(&mut self) {
        if self.failed.is_none() {
            // The index is whole without it.
            let _ = self.log.seal();
        }
    }
}

/// Refuses a folder with an index or anything else in it. What a creation that was ended half-way
/// has left is not an index yet.
fn refuse_occupied(storage: &dyn Storage) -> Result<()> {
    let names = storage.names().map_err(|source| Error::Io {
        what: "read",
        path: storage.path(""),
        source,
    })?;
    let is_left_over = |name: &String| is_own_file(name) && name != MANIFEST;
    match names.iter().all(is_left_over) {
        true => Ok(()),
        false => Err(Error::Exists(storage.path(""))),
    }
}

fn lock(storage: &dyn Storage) -> Result<Box<dyn Send + Sync>> {
    let locked = storage.lock().map_err(|source| Error::Io {
        what: "lock",
        path: storage.path(""),
        source,
    })?;
    locked.ok_or_else(|| Error::Locked(storage.path("")))
}

/// Whether a file is one of those that are replaced by others, by its name.
fn is_numbered(name: &str) -> bool {
    ["segment-", "changes-", "log-"]
        .iter()
        .any(|kind| name.starts_with(kind))
}

/// Whether a file is part of an index, by its name.
fn is_own_file(name: &str) -> bool {
    is_numbered(name)
        || name.starts_with(MANIFEST)
        || name == "lock"
        || definition::FILES.contains(&name)
        || name == log::file_name(0)
}
