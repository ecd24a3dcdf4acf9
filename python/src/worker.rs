//! Long work: it is done on a thread of its own, while the calling thread feeds it and waits.
//!
//! Rows are pulled on the calling thread, which may be the only one that can (a cursor of
//! sqlite3, say); it holds the interpreter only while it does so. In between, and while it
//! waits, it looks for signals and shows progress. Whatever goes wrong on it cancels the work,
//! and is raised once that has ended.

use crate::errors::{self, Kind, engine, exception, input, reading, usage};
use crate::read::Fed;
use crate::read::feed::{Batch, Feed};
use crate::read::parts::Failure;
use crossbeam_channel::{Receiver, RecvTimeoutError, SendTimeoutError, Sender, bounded};
use pyo3::prelude::*;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use twinsift::{Observer, Stage};

/// Signals are looked for as often as this.
const STEP: Duration = Duration::from_millis(25);

/// Progress is shown as often as this.
const SHOWN: Duration = Duration::from_millis(100);

/// Does `work` on a thread of its own, which takes what the feeds give, and returns what comes
/// of it. `tick` is called with the name of a stage, the steps that are done and their number.
pub(crate) fn work<'py, T: Send + 'static>(
    py: Python<'py>,
    observer: Observer,
    tick: Option<Bound<'py, PyAny>>,
    feeds: Vec<Fed<'py>>,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let (sender, done) = bounded(1);
    let thread = std::thread::Builder::new().name("twinsift".to_owned());
    let started = thread.spawn(move || {
        // Nobody listens any more if the calling thread has given up.
        let _ = sender.send(work());
    });
    let cannot = |error| exception(py, Kind::Failed, format!("cannot start a thread: {error}"));
    let mut worker = Worker {
        thread: started.map_err(cannot)?,
        done,
        observer,
        tick,
        shown: Instant::now(),
    };
    for feed in feeds {
        if let Err(error) = worker.feed(py, feed) {
            worker.cancel(py);
            return Err(error);
        }
    }
    worker.wait(py)
}

/// Work that is under way.
struct Worker<'py, T> {
    thread: JoinHandle<()>,
    done: Receiver<Result<T, Failure>>,
    observer: Observer,
    tick: Option<Bound<'py, PyAny>>,
    shown: Instant,
}

impl<'py, T: Send> Worker<'py, T> {
    /// Sends all batches of a feed. If no more are taken, the outcome says why.
    fn feed(&mut self, py: Python<'py>, (mut feed, to): Fed<'py>) -> PyResult<()> {
        let sent = self.send(py, &mut feed, &to);
        if sent.is_err() {
            // Before `to` is gone: what was sent so far is not to be taken for all there is.
            self.observer.cancel();
        }
        sent
    }

    fn send(
        &mut self,
        py: Python<'py>,
        feed: &mut Feed<'py>,
        to: &Sender<Arc<Batch>>,
    ) -> PyResult<()> {
        while let Some(batch) = feed.next(py)? {
            let mut batch = batch.into();
            loop {
                self.look_around(py)?;
                match py.detach(|| to.send_timeout(batch, STEP)) {
                    Ok(()) => break,
                    Err(SendTimeoutError::Timeout(back)) => batch = back,
                    Err(SendTimeoutError::Disconnected(_)) => return Ok(()),
                }
            }
        }
        Ok(())
    }

    /// Looks for signals, and shows progress if it is time to.
    fn look_around(&mut self, py: Python<'py>) -> PyResult<()> {
        py.check_signals()?;
        if self.shown.elapsed() < SHOWN {
            return Ok(());
        }
        self.shown = Instant::now();
        let Some(tick) = &self.tick else {
            return Ok(());
        };
        let progress = self.observer.progress();
        let stage = match progress.stage {
            Stage::Reading => "reading",
            Stage::Weighing => "weighing",
            Stage::Matching => "matching",
            Stage::Sorting => "sorting",
            Stage::Learning => "learning",
            _ => "working",
        };
        tick.call1((stage, progress.done, progress.total))?;
        Ok(())
    }

    fn wait(mut self, py: Python<'py>) -> PyResult<T> {
        loop {
            let done = &self.done;
            match py.detach(|| done.recv_timeout(STEP)) {
                Ok(outcome) => return outcome.map_err(|failure| raised(py, failure)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.panicked(py)),
            }
            if let Err(error) = self.look_around(py) {
                self.cancel(py);
                return Err(error);
            }
        }
    }

    /// Has the work end, and waits for it: what it had on disk goes with it.
    fn cancel(self, py: Python<'_>) {
        self.observer.cancel();
        let (thread, done) = (self.thread, self.done);
        py.detach(|| {
            // It has nothing to say that is worth more than why it was cancelled.
            drop(done);
            let _ = thread.join();
        });
    }

    fn panicked(self, py: Python<'_>) -> PyErr {
        let thread = self.thread;
        let why = py.detach(|| thread.join()).err();
        let why = why.and_then(|why| why.downcast_ref::<&str>().map(|why| (*why).to_owned()));
        let why = why.unwrap_or_else(|| "see above".to_owned());
        let sentence = format!("this is a mistake in twinsift, not yours; please report it: {why}");
        exception(py, Kind::Failed, sentence)
    }
}

/// Why there is no outcome, as an exception.
pub(crate) fn raised(py: Python<'_>, failure: Failure) -> PyErr {
    match failure {
        Failure::Engine(error) => engine(py, &error),
        Failure::Index(error) => errors::index(py, &error),
        Failure::Read(error) => reading(py, &error),
        Failure::Input(sentence) => input(py, sentence),
        Failure::Usage(sentence) => usage(py, sentence),
    }
}
