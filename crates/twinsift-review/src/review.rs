//! A review from its start to its end.

use crate::error::Error;
use crate::label_file::LabelFile;
use crate::options::Options;
use crate::pages;
use crate::session::Session;
use crate::spool::Spool;
use crate::state::State;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use tokio::sync::oneshot;
use twinsift::Matches;
use twinsift_server::{Local, asked_to_end};

/// A review whose labels are locked and whose port is open.
pub struct Review {
    local: Local,
    state: Arc<State>,
    imported: usize,
}

impl fmt::Debug for Review {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Review");
        shown.field("local", &self.local).finish_non_exhaustive()
    }
}

impl Review {
    /// Opens the file of labels and a port.
    pub fn open(options: Options) -> Result<Self, Error> {
        let mut labels = LabelFile::open(&options.labels)?;
        let mut imported = 0;
        for path in &options.import {
            imported += labels.import(path)?;
        }
        let spool = Spool::create(&options.settings.tmp)?;
        let local = Local::open(options.port)?;
        let session = Session::new(local.address()).map_err(|error| Error::Spool {
            folder: options.settings.tmp.clone(),
            source: std::io::Error::other(error.to_string()),
        })?;
        let state = Arc::new(State::new(options, session, spool, labels));
        Ok(Self {
            local,
            state,
            imported,
        })
    }

    /// The address to begin at, which works once.
    pub fn url(&self) -> String {
        self.state.session.url()
    }

    /// How many labels were added from other files.
    pub fn imported(&self) -> usize {
        self.imported
    }

    /// What was mended in the file of labels, as a sentence.
    pub fn mended(&self) -> Option<String> {
        self.state.core().labels.mended().map(str::to_owned)
    }

    /// Where documents are to be put while they are read.
    pub fn spool(&self) -> Arc<Spool> {
        Arc::clone(&self.state.spool)
    }

    /// Answers requests until the process is asked to end (SIGTERM, SIGINT). Meanwhile `find`
    /// reads the collection into the [`spool`](Self::spool) and finds matches for
    /// [`groups::PURPOSE`](crate::groups::PURPOSE); if it fails, all ends.
    pub fn run<E: From<Error>>(self, find: impl FnOnce() -> Result<Matches, E>) -> Result<(), E> {
        let Self { local, state, .. } = self;
        let (fail, failed) = oneshot::channel::<()>();
        let router = pages::router(&state);
        let observer = state.options.settings.observer.clone();
        std::thread::scope(|scope| {
            let server = scope.spawn(move || {
                local.run_until(router, async {
                    tokio::select! {
                        () = asked_to_end() => {}
                        _ = failed => {}
                    }
                });
                observer.cancel();
            });
            let shown = find().and_then(|matches| Ok(state.show(matches)?));
            let is_ended = state.options.settings.observer.is_cancelled();
            let outcome = match shown {
                Ok(collection) => {
                    state.teach(collection);
                    Ok(())
                }
                // It was asked to end while it was still reading.
                Err(_) if is_ended => Ok(()),
                Err(error) => {
                    drop(fail);
                    return Err(error);
                }
            };
            // A server that panicked has ended, too.
            let _ = server.join();
            drop(fail);
            outcome
        })
    }

    /// The file of labels.
    pub fn labels(&self) -> &Path {
        &self.state.options.labels
    }
}
