//! A run: the engine works on a thread of its own, the calling thread feeds it and waits.
//!
//! Rows are pulled on the calling thread, which may be the only one that can (a cursor of
//! sqlite3, say); it holds the interpreter only while it does so. In between, and while it
//! waits, it looks for signals and shows progress. Whatever goes wrong on it cancels the engine,
//! and is raised once that has ended.

mod feed;
mod job;

use crate::errors::{Kind, engine, exception, input, reading, usage};
use crate::matches::Matches;
use crate::recipe::Recipe;
use crate::settings::Machine;
use crate::source::Source;
use crossbeam_channel::{Receiver, RecvTimeoutError, SendTimeoutError, Sender, bounded};
use feed::{Batch, Feed};
pub(crate) use job::Outcome;
use job::{Failure, Job, Part};
use pyo3::prelude::*;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use twinsift::{Keep, Observer, Purpose, Stage};

/// Signals are looked for as often as this.
const STEP: Duration = Duration::from_millis(25);

/// Progress is shown as often as this.
const SHOWN: Duration = Duration::from_millis(100);

/// Batches that wait to be read.
const WAITING: usize = 4;

/// Finds the near duplicates of `new`, among themselves or in `old`.
///
/// `tick` is called with the name of a stage, the steps that are done and their number.
#[pyfunction]
#[pyo3(signature = (new, old, recipe, machine, purpose, keep, strict, tick))]
#[allow(
    clippy::too_many_arguments,
    reason = "all are named by the only caller"
)]
pub(crate) fn run(
    py: Python<'_>,
    new: &Bound<'_, Source>,
    old: Option<&Bound<'_, Source>>,
    recipe: &Bound<'_, Recipe>,
    machine: Machine,
    purpose: &str,
    keep: &str,
    strict: bool,
    tick: Option<Bound<'_, PyAny>>,
) -> PyResult<Matches> {
    let settings = machine.settings(py)?;
    let keep = keep_rule(py, keep)?;
    let purpose = match purpose {
        "dedup" => Purpose::Dedup(keep),
        "components" => Purpose::Components,
        _ => Purpose::Pairs,
    };
    let recipe = recipe.get();
    let (mut parts, mut feeds) = (Vec::new(), Vec::new());
    for source in [Some(new), old].into_iter().flatten() {
        let source = source.get();
        match Feed::new(py, source, &recipe.recipe)? {
            Some(feed) => {
                let (sender, receiver) = bounded(WAITING);
                parts.push(Part::Memory(feed.reader(), receiver));
                feeds.push((feed, sender));
            }
            None => parts.push(Part::files(py, source, &recipe.recipe, &settings.tmp)?),
        }
    }
    let observer = settings.observer.clone();
    let job = Job {
        recipe: recipe.recipe.clone(),
        settings: settings.clone(),
        purpose,
        strict,
        parts,
    };
    let mut worker = Worker::start(py, job, observer, tick)?;
    for (feed, sender) in feeds {
        if let Err(error) = worker.feed(py, feed, sender) {
            worker.cancel(py);
            return Err(error);
        }
    }
    let outcome = worker.wait(py)?;
    Ok(Matches::new(outcome, recipe.clone(), settings))
}

/// Which of several near duplicates stays.
pub(crate) fn keep_rule(py: Python<'_>, name: &str) -> PyResult<Keep> {
    match name {
        "first" => Ok(Keep::First),
        "longest" => Ok(Keep::Longest),
        "max" => Ok(Keep::MaxRank),
        "min" => Ok(Keep::MinRank),
        other => Err(usage(
            py,
            format!(
                "keep= \"{other}\" is unknown: use \"first\", \"longest\", \"max:FIELD\" or \"min:FIELD\""
            ),
        )),
    }
}

/// The engine at work.
struct Worker<'py> {
    thread: JoinHandle<()>,
    done: Receiver<Result<Outcome, Failure>>,
    observer: Observer,
    tick: Option<Bound<'py, PyAny>>,
    shown: Instant,
}

impl<'py> Worker<'py> {
    fn start(
        py: Python<'py>,
        job: Job,
        observer: Observer,
        tick: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let (sender, done) = bounded(1);
        let thread = std::thread::Builder::new().name("twinsift".to_owned());
        let started = thread.spawn(move || {
            // Nobody waits any more if the calling thread has given up.
            let _ = sender.send(job.run());
        });
        let thread = started.map_err(|error| {
            exception(py, Kind::Failed, format!("cannot start a thread: {error}"))
        })?;
        Ok(Self {
            thread,
            done,
            observer,
            tick,
            shown: Instant::now(),
        })
    }

    /// Sends all batches of a feed. If the engine takes no more, its outcome says why.
    fn feed(&mut self, py: Python<'py>, mut feed: Feed<'py>, to: Sender<Batch>) -> PyResult<()> {
        while let Some(mut batch) = feed.next(py)? {
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

    fn wait(mut self, py: Python<'py>) -> PyResult<Outcome> {
        loop {
            match py.detach(|| self.done.recv_timeout(STEP)) {
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

    /// Has the engine end, and waits for it: what it had on disk goes with it.
    fn cancel(self, py: Python<'_>) {
        self.observer.cancel();
        py.detach(|| {
            // It has nothing to say that is worth more than why it was cancelled.
            let _ = self.done.recv();
            drop(self.done);
            let _ = self.thread.join();
        });
    }

    fn panicked(self, py: Python<'_>) -> PyErr {
        let why = py.detach(|| self.thread.join()).err();
        let why = why.and_then(|why| why.downcast_ref::<&str>().map(|why| (*why).to_owned()));
        let why = why.unwrap_or_else(|| "see above".to_owned());
        let sentence = format!("this is a mistake in twinsift, not yours; please report it: {why}");
        exception(py, Kind::Failed, sentence)
    }
}

fn raised(py: Python<'_>, failure: Failure) -> PyErr {
    match failure {
        Failure::Engine(error) => engine(py, &error),
        Failure::Read(error) => reading(py, &error),
        Failure::Input(sentence) => input(py, sentence),
        Failure::Usage(sentence) => usage(py, sentence),
    }
}
