//! Reading an index.

use crate::changes::Changes;
use crate::definition::{DEFINITION, Definition};
use crate::error::{Error, Result};
use crate::log::{Change, Log};
use crate::manifest::{MANIFEST, Manifest};
use crate::record::{Record, Time};
use crate::segment::{Scratch, Segment};
use crate::state::{Match, State, View};
use crate::storage::{Folder, Storage};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use twinsift::{Document, Extractor, Recipe, Signature};

/// Says what a document duplicates, and what an index holds.
///
/// It is cheap to clone, and any number of threads may use it. One that comes from an
/// [`Index`](crate::Index) sees each change once it is on disk. One that was [opened](Self::open) by
/// itself, while another process may be writing, sees what was on disk then, or when it was
/// [refreshed](Self::refresh) last.
#[derive(Clone, Debug)]
pub struct Searcher(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    storage: Arc<dyn Storage>,
    definition: Definition,
    state: RwLock<State>,
    /// How far the log was read, where nothing else tells of changes.
    log: Mutex<Option<Log>>,
}

/// What a document duplicates.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Answer {
    /// Known documents that it is a near duplicate of: the most alike first, and of equally
    /// alike ones the one that was added first.
    pub matches: Vec<Match>,
    /// Whether the document has enough to be compared.
    pub is_judged: bool,
}

/// Figures of an index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Documents that are known.
    pub documents: u64,
    /// Documents that were removed or have expired, and still take space.
    pub removed: u64,
    /// Immutable files of documents.
    pub segments: u64,
    /// Documents that are in the log alone.
    pub in_log: u64,
    /// Keys of all documents, the removed ones included.
    pub keys: u64,
    /// Bytes on disk.
    pub bytes: u64,
    /// Bytes of memory, about.
    pub memory: u64,
}

/// The generation of a state that must be read again.
const UNKNOWN: u64 = u64::MAX;

/// How often a reader tries to catch up with a writer that replaces files meanwhile.
const TRIES: usize = 20;

impl Searcher {
    /// Whether a folder holds an index, by its looks.
    pub fn is_one(folder: impl AsRef<Path>) -> bool {
        let folder = folder.as_ref();
        folder.join(MANIFEST).is_file() && folder.join(DEFINITION).is_file()
    }

    /// Opens the index in a folder to read it, whether or not another process writes to it.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self> {
        Self::open_in(Arc::new(Folder::new(folder.as_ref())))
    }

    /// As [`open`](Self::open), in any storage.
    pub fn open_in(storage: Arc<dyn Storage>) -> Result<Self> {
        let manifest = find_manifest(&*storage)?;
        let definition = Definition::read(&*storage)?;
        let (state, log) = Self::load_again(&*storage, &definition, manifest, &[])?;
        Ok(Self::new(storage, definition, state, Some(log)))
    }

    pub(crate) fn new(
        storage: Arc<dyn Storage>,
        definition: Definition,
        state: State,
        log: Option<Log>,
    ) -> Self {
        Self(Arc::new(Shared {
            storage,
            definition,
            state: RwLock::new(state),
            log: Mutex::new(log),
        }))
    }

    /// Loads what a manifest names; where a writer has removed it meanwhile, what the manifest
    /// names by then.
    fn load_again(
        storage: &dyn Storage,
        definition: &Definition,
        mut manifest: Manifest,
        known: &[View],
    ) -> Result<(State, Log)> {
        for _ in 0..TRIES {
            let failed = match load(storage, definition, &manifest, known) {
                Ok(loaded) => return Ok(loaded),
                Err(error) => error,
            };
            let newer = find_manifest(storage)?;
            if newer.generation == manifest.generation {
                return Err(failed);
            }
            manifest = newer;
        }
        load(storage, definition, &manifest, known)
    }

    /// Reads what another process has written since the index was opened. Does nothing for an
    /// index that this process writes to. Returns whether there was a change.
    pub fn refresh(&self) -> Result<bool> {
        let mut reading = self.reading();
        let Some(log) = &mut *reading else {
            return Ok(false);
        };
        let (storage, definition) = (&*self.0.storage, &self.0.definition);
        let manifest = find_manifest(storage)?;
        // Where the rest of the log cannot be read, a writer may have replaced it: all is read
        // again, which tells if something is wrong.
        if manifest.generation == self.state().generation
            && let Ok(is_changed) = self.read_on(log)
        {
            return Ok(is_changed);
        }
        let known = self.state().segments.clone();
        let loaded = Self::load_again(storage, definition, manifest, &known);
        let mut state = self.state_mut();
        // Some of the log may have been passed: the next call must not go on there.
        state.generation = UNKNOWN;
        (*state, *log) = loaded?;
        Ok(true)
    }

    /// Makes the changes that were added to the log. Returns whether there are some.
    fn read_on(&self, log: &mut Log) -> Result<bool> {
        let mut changes = Vec::new();
        log.read_on(&*self.0.storage, |change| {
            changes.push(change);
            Ok(())
        })?;
        let (mut scratch, now) = (Scratch::default(), Time::now());
        let mut state = self.state_mut();
        let locate = |change: &Change| state.locate(change.id(), &mut scratch);
        let located: Vec<_> = changes.iter().map(locate).collect::<Result<_>>()?;
        let is_changed = !changes.is_empty();
        for (change, location) in changes.into_iter().zip(located) {
            state.apply(change, location, &self.0.definition, now);
        }
        Ok(is_changed)
    }

    fn reading(&self) -> MutexGuard<'_, Option<Log>> {
        self.0.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn state(&self) -> RwLockReadGuard<'_, State> {
        self.0.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn state_mut(&self) -> RwLockWriteGuard<'_, State> {
        self.0.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn storage(&self) -> &Arc<dyn Storage> {
        &self.0.storage
    }

    pub(crate) fn definition(&self) -> &Definition {
        &self.0.definition
    }

    /// How documents are compared.
    pub fn recipe(&self) -> &Recipe {
        &self.0.definition.recipe
    }

    /// Makes the signatures of documents.
    pub fn extractor(&self) -> &Extractor {
        &self.0.definition.extractor
    }

    /// Refuses a recipe that is not the index's.
    pub fn check_recipe(&self, asked: &Recipe) -> Result<()> {
        let (have, asked) = (self.recipe().id(), asked.id());
        match have == asked {
            true => Ok(()),
            false => Err(Error::OtherRecipe {
                path: self.0.storage.path(""),
                have,
                asked,
            }),
        }
    }

    /// What a document duplicates at the present moment, with at most `top` matches.
    pub fn answer(&self, document: &Document<'_>, top: usize) -> Result<Answer> {
        let signature = self.extractor().extract(document);
        self.search(&signature, top, Time::now())
    }

    /// What the document of a signature duplicates.
    pub fn search(&self, signature: &Signature, top: usize, now: Time) -> Result<Answer> {
        let is_judged = signature.is_judged();
        let matches = match is_judged {
            true => self
                .state()
                .search(signature, &self.0.definition, now, top)?,
            false => Vec::new(),
        };
        Ok(Answer { matches, is_judged })
    }

    /// The document with an id, and when it expires if it is not seen again.
    pub fn get(&self, id: &str, now: Time) -> Result<Option<(Record, Option<Time>)>> {
        self.state().get(id, now)
    }

    /// The document of a match, if it was not removed since.
    pub fn record_at(&self, position: u64) -> Result<Option<Record>> {
        self.state().record_at(position)
    }

    /// Shows every document that is known at a moment to `look`, and when it expires, in the
    /// order in which they were added. Changes wait until it is done.
    pub fn visit(
        &self,
        now: Time,
        look: impl FnMut(Record, Option<Time>) -> Result<()>,
    ) -> Result<()> {
        self.state().visit(now, look)
    }

    /// Figures of the index.
    pub fn stats(&self, now: Time) -> Result<Stats> {
        let state = self.state();
        let documents = state.documents(now);
        let segments = state.segments.iter().map(|view| &view.segment);
        let in_segments: u64 = segments.clone().map(|one| u64::from(one.documents())).sum();
        let in_log = state.memtable.live() as u64;
        let storage = &*self.0.storage;
        let names = storage.names().unwrap_or_default();
        let size = |name: &String| storage.open(name).and_then(|file| file.size());
        Ok(Stats {
            documents,
            removed: in_segments + in_log - documents,
            segments: state.segments.len() as u64,
            in_log,
            keys: segments.clone().map(|segment| segment.postings()).sum(),
            bytes: names.iter().filter_map(|name| size(name).ok()).sum(),
            memory: segments.map(|segment| segment.memory()).sum::<u64>() + state.memtable.memory(),
        })
    }
}

/// The manifest of an index that must be there.
pub(crate) fn find_manifest(storage: &dyn Storage) -> Result<Manifest> {
    Manifest::read(storage)?.ok_or_else(|| Error::NotAnIndex(storage.path("")))
}

/// Loads what a manifest names. Segments that are `known` are not opened again.
pub(crate) fn load(
    storage: &dyn Storage,
    definition: &Definition,
    manifest: &Manifest,
    known: &[View],
) -> Result<(State, Log)> {
    let mut state = State {
        generation: manifest.generation,
        ..State::default()
    };
    for entry in &manifest.segments {
        let open = known
            .iter()
            .find(|view| view.segment.number() == entry.number);
        let segment = match open {
            Some(view) => Arc::clone(&view.segment),
            None => Arc::new(Segment::open(storage, entry.number, entry.bytes)?),
        };
        let changes = entry.changes.map(|number| Changes::read(storage, number));
        state.segments.push(View {
            segment,
            changes: changes.transpose()?.unwrap_or_default(),
            stored: entry.changes,
            is_dirty: false,
        });
    }
    let (mut scratch, now) = (Scratch::default(), Time::now());
    let log = Log::read(storage, manifest.log, |change| {
        let location = state.locate(change.id(), &mut scratch)?;
        state.apply(change, location, definition, now);
        Ok(())
    })?;
    Ok((state, log))
}
