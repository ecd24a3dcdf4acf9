//! A collection: an index, a thread that writes to it, and any number of readers.
//!
//! Changes wait in a queue that has an end. The writer takes all that wait, commits them
//! together with one sync of the disk, and then answers each.

mod merging;
mod pending;
mod writer;

use crate::documents::Reader;
use crate::error::{Answered, ApiError};
use axum::http::StatusCode;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::oneshot;
use twinsift::{Id, Recipe, Signature, Statistics};
use twinsift_index::{Index, Match, Record, Searcher};

/// A collection that is served.
#[derive(Debug)]
pub(crate) struct Collection {
    pub(crate) shared: Arc<Shared>,
    queue: SyncSender<Job>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// What the writer and everyone else use.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
    pub(crate) reader: Reader,
    /// Of the index as it is open now; it is opened again after a write has failed.
    searcher: RwLock<Searcher>,
    /// Changes that wait.
    pub(crate) waiting: AtomicUsize,
    /// Commits so far, each with one sync.
    pub(crate) commits: AtomicU64,
    /// Changes in these commits.
    pub(crate) changes: AtomicU64,
}

impl Shared {
    pub(crate) fn searcher(&self) -> Searcher {
        let searcher = self.searcher.read();
        searcher.unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set_searcher(&self, searcher: Searcher) {
        *self
            .searcher
            .write()
            .unwrap_or_else(PoisonError::into_inner) = searcher;
    }
}

/// What is asked of the writer about a document.
#[derive(Debug)]
pub(crate) enum Task {
    /// Add it, in place of another one with its id.
    Add(Record),
    /// Remove the document with an id.
    Remove(String),
    /// Say what it duplicates, and then make changes.
    Query(Query),
}

/// A query that changes the index.
#[derive(Debug)]
pub(crate) struct Query {
    pub(crate) signature: Signature,
    /// The document, if it is to be known from then on.
    pub(crate) learn: Option<Record>,
    pub(crate) top: usize,
    /// Whether what it duplicates is to live on.
    pub(crate) renew: bool,
}

/// What the writer has done.
#[derive(Debug)]
pub(crate) enum Done {
    /// Added, in place of another one or not.
    Added(bool),
    /// Removed, if it was there.
    Removed(bool),
    Answered(Found),
}

/// What a document duplicates.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) is_judged: bool,
    /// The most alike first.
    pub(crate) matches: Vec<Hit>,
}

/// A known document that another one is a near duplicate of.
#[derive(Debug)]
pub(crate) struct Hit {
    pub(crate) id: Id<'static>,
    pub(crate) score: f64,
    pub(crate) label: Option<String>,
}

impl From<Match> for Hit {
    fn from(found: Match) -> Self {
        Self {
            id: found.id,
            score: found.score,
            label: found.label,
        }
    }
}

/// What the writer is sent.
enum Job {
    Change(Change),
    /// End, when all that came before is done.
    Close,
}

/// Tasks that are committed together, and where the answer goes.
struct Change {
    tasks: Vec<Task>,
    answer: oneshot::Sender<Result<Vec<Done>, String>>,
}

/// What is done, once it is on disk.
pub(crate) struct Receipt(oneshot::Receiver<Result<Vec<Done>, String>>);

impl Receipt {
    /// Waits for the commit.
    pub(crate) async fn done(self) -> Answered<Vec<Done>> {
        Self::unpacked(self.0.await)
    }

    /// Waits for the commit on a thread that may.
    pub(crate) fn wait(self) -> Answered<Vec<Done>> {
        Self::unpacked(self.0.blocking_recv())
    }

    fn unpacked(
        received: Result<Result<Vec<Done>, String>, oneshot::error::RecvError>,
    ) -> Answered<Vec<Done>> {
        match received {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(why)) => Err(ApiError::busy(why)),
            Err(_) => Err(closed()),
        }
    }
}

fn closed() -> ApiError {
    ApiError::busy("the collection takes no more changes: it is being closed")
}

impl Collection {
    /// Makes an empty collection in a folder.
    pub(crate) fn create(
        name: &str,
        folder: &Path,
        recipe: &Recipe,
        settings: Settings,
    ) -> Result<Self, twinsift_index::Error> {
        let index = Index::create(folder, recipe, &Statistics::default())?;
        Ok(Self::start(name, folder, index, settings))
    }

    /// Opens the collection in a folder.
    pub(crate) fn open(
        name: &str,
        folder: &Path,
        settings: Settings,
    ) -> Result<Self, twinsift_index::Error> {
        let index = Index::open(folder)?;
        let dropped = index.dropped_bytes();
        if dropped > 0 {
            tracing::warn!(
                collection = name,
                bytes = dropped,
                "a write that was never acknowledged was dropped"
            );
        }
        Ok(Self::start(name, folder, index, settings))
    }

    fn start(name: &str, folder: &Path, index: Index, settings: Settings) -> Self {
        let searcher = index.searcher();
        let shared = Arc::new(Shared {
            name: name.to_owned(),
            folder: folder.to_owned(),
            reader: Reader::new(searcher.recipe()),
            searcher: RwLock::new(searcher),
            waiting: AtomicUsize::new(0),
            commits: AtomicU64::new(0),
            changes: AtomicU64::new(0),
        });
        let (queue, jobs) = mpsc::sync_channel(settings.queue);
        let writer = writer::Writer::new(Arc::clone(&shared), index, settings.purge);
        let thread = std::thread::spawn(move || writer.run(&jobs));
        Self {
            shared,
            queue,
            thread: Mutex::new(Some(thread)),
        }
    }

    pub(crate) fn searcher(&self) -> Searcher {
        self.shared.searcher()
    }

    /// Has the writer do something, if there is room for it in the queue.
    pub(crate) fn submit(&self, tasks: Vec<Task>) -> Answered<Receipt> {
        let (job, receipt) = self.job(tasks);
        self.queue.try_send(job).map_err(|error| {
            self.shared.waiting.fetch_sub(1, Ordering::Relaxed);
            match error {
                TrySendError::Full(_) => ApiError::new(
                    StatusCode::TOO_MANY_REQUESTS,
                    "more changes wait for this collection than it takes on: try again later",
                ),
                TrySendError::Disconnected(_) => closed(),
            }
        })?;
        Ok(receipt)
    }

    /// As [`submit`](Self::submit), and waits for room.
    pub(crate) fn submit_patiently(&self, tasks: Vec<Task>) -> Answered<Receipt> {
        let (job, receipt) = self.job(tasks);
        self.queue.send(job).map_err(|_| {
            self.shared.waiting.fetch_sub(1, Ordering::Relaxed);
            closed()
        })?;
        Ok(receipt)
    }

    fn job(&self, tasks: Vec<Task>) -> (Job, Receipt) {
        let (answer, receiver) = oneshot::channel();
        self.shared.waiting.fetch_add(1, Ordering::Relaxed);
        (Job::Change(Change { tasks, answer }), Receipt(receiver))
    }

    /// Finishes what waits, seals the index and ends the thread.
    pub(crate) fn close(&self) {
        // It has ended already if the queue is closed.
        let _ = self.queue.send(Job::Close);
        let thread = self.thread.lock();
        let thread = thread.unwrap_or_else(PoisonError::into_inner).take();
        if thread.is_some_and(|thread| thread.join().is_err()) {
            tracing::error!(collection = self.shared.name, "the writer has panicked");
        }
    }
}

/// How a collection is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) queue: usize,
    pub(crate) purge: Duration,
}
