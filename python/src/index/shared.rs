//! An open index that calls on several threads share.

use crate::read::parts::Failure;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, TryLockError};
use std::thread::ThreadId;
use std::time::Duration;
use twinsift::Observer;
use twinsift_index::{Index, Searcher};

/// A change that waits for its turn looks this often whether it has come.
const STEP: Duration = Duration::from_millis(1);

/// An index that was opened.
#[derive(Debug)]
pub(crate) struct Shared {
    path: PathBuf,
    read_only: bool,
    /// The process that has opened it.
    process: u32,
    /// None once it is closed.
    searcher: RwLock<Option<Searcher>>,
    /// None if it is closed, or open to be read.
    writer: Mutex<Option<Index>>,
    /// Threads with a call that changes it, or waits for its turn.
    changing: Mutex<HashSet<ThreadId>>,
}

/// A call that changes the index, from its beginning to its end.
#[derive(Debug)]
pub(super) struct Entered {
    shared: Arc<Shared>,
    thread: ThreadId,
}

impl Drop for Entered {
    fn drop(&mut self) {
        self.shared.changing().remove(&self.thread);
    }
}

impl Shared {
    /// Opens the index in a folder, to be changed unless `read_only`.
    pub(super) fn open(path: PathBuf, read_only: bool) -> twinsift_index::Result<Self> {
        match read_only {
            true => Ok(Self::of(path.clone(), Searcher::open(path)?, None)),
            false => Ok(Self::writing(path.clone(), Index::open(path)?)),
        }
    }

    /// An index that is open to be changed.
    pub(super) fn writing(path: PathBuf, index: Index) -> Self {
        Self::of(path, index.searcher(), Some(index))
    }

    fn of(path: PathBuf, searcher: Searcher, index: Option<Index>) -> Self {
        Self {
            path,
            read_only: index.is_none(),
            process: std::process::id(),
            searcher: RwLock::new(Some(searcher)),
            writer: Mutex::new(index),
            changing: Mutex::new(HashSet::new()),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn is_read_only(&self) -> bool {
        self.read_only
    }

    pub(super) fn is_closed(&self) -> bool {
        self.searcher().is_err()
    }

    /// What the index says; refused once it is closed.
    pub(crate) fn searcher(&self) -> Result<Searcher, Failure> {
        let searcher = self.searcher.read().unwrap_or_else(PoisonError::into_inner);
        searcher.clone().ok_or_else(closed)
    }

    /// Begins a call of this thread that changes the index. Refused within another one, whose
    /// rows it would hold up for ever.
    pub(super) fn enter(self: &Arc<Self>) -> Result<Entered, Failure> {
        let thread = std::thread::current().id();
        match self.changing().insert(thread) {
            true => Ok(Entered {
                shared: Arc::clone(self),
                thread,
            }),
            false => Err(Failure::Usage(
                "this index is being changed by the call that waits for this one: make the rows first, then add them"
                    .to_owned(),
            )),
        }
    }

    /// Makes a change, once it is its turn.
    pub(super) fn change<T>(
        &self,
        observer: &Observer,
        change: impl FnOnce(&mut Index) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        if self.read_only {
            return Err(Failure::Usage(
                "this index is open to be read: open it without read_only=True to change it"
                    .to_owned(),
            ));
        }
        let mut writer = self.turn(observer)?;
        change(writer.as_mut().ok_or_else(closed)?)
    }

    /// Ends all work with the index, once changes that are under way are done.
    pub(super) fn close(&self, observer: &Observer) -> Result<(), Failure> {
        let mut writer = self.turn(observer)?;
        *self
            .searcher
            .write()
            .unwrap_or_else(PoisonError::into_inner) = None;
        match writer.take() {
            Some(index) => Ok(index.close()?),
            None => Ok(()),
        }
    }

    fn turn(&self, observer: &Observer) -> Result<MutexGuard<'_, Option<Index>>, Failure> {
        if self.process != std::process::id() {
            return Err(Failure::Usage(
                "this index was opened before the process forked: open it again in this process"
                    .to_owned(),
            ));
        }
        loop {
            observer.check()?;
            match self.writer.try_lock() {
                Ok(writer) => return Ok(writer),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => {}
            }
            std::thread::sleep(STEP);
        }
    }

    fn changing(&self) -> MutexGuard<'_, HashSet<ThreadId>> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // The log is that of the process which has opened it.
        if self.process != std::process::id() {
            let writer = self.writer.get_mut();
            std::mem::forget(writer.unwrap_or_else(PoisonError::into_inner).take());
        }
    }
}

fn closed() -> Failure {
    Failure::Usage("this index is closed: open it again".to_owned())
}
