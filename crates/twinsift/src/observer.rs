//! Progress of a long call, and a way to cancel it.

use crate::error::{Error, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// A handle on a long call: another thread reads its [`progress`](Self::progress), or
/// [cancels](Self::cancel) it. Hand a clone to the call in
/// [`Settings::observer`](crate::Settings::observer).
///
/// A call that is cancelled returns [`Error::Cancelled`] soon, within a tenth of a second
/// unless it waits for input or sorts many millions of documents, and leaves no file behind.
///
/// ```
/// use twinsift::{Document, Error, Observer, Recipe, Settings, Sifter};
///
/// let observer = Observer::default();
/// let settings = Settings { observer: observer.clone(), ..Settings::default() };
/// let mut sifter = Sifter::new(Recipe::default(), settings)?;
/// sifter.add(&Document::new("a", "The quick brown fox jumps over the lazy dog."))?;
/// observer.cancel();
/// assert!(matches!(sifter.finish(), Err(Error::Cancelled)));
/// # Ok::<(), twinsift::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Observer(Arc<State>);

#[derive(Debug, Default)]
struct State {
    is_cancelled: AtomicBool,
    /// Place of the stage in [`Stage::ALL`].
    stage: AtomicU64,
    done: AtomicU64,
    total: AtomicU64,
}

/// What a call is at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// Documents are read and their features extracted.
    #[default]
    Reading,
    /// Features are counted and weighed by the whole collection.
    Weighing,
    /// Candidates are found and verified.
    Matching,
    /// Verified pairs are put in order.
    Sorting,
    /// A model is learnt.
    Learning,
}

impl Stage {
    const ALL: [Stage; 5] = [
        Stage::Reading,
        Stage::Weighing,
        Stage::Matching,
        Stage::Sorting,
        Stage::Learning,
    ];
}

/// How far a call is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// What it is at.
    pub stage: Stage,
    /// Steps of this stage that are done: documents, or rounds of learning.
    pub done: u64,
    /// All steps of this stage, where they are known.
    pub total: Option<u64>,
}

impl Observer {
    /// Asks the call to end.
    pub fn cancel(&self) {
        self.0.is_cancelled.store(true, Relaxed);
    }

    /// Whether the call was asked to end.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Relaxed)
    }

    /// How far the call is.
    pub fn progress(&self) -> Progress {
        let total = self.0.total.load(Relaxed);
        Progress {
            stage: Stage::ALL[self.0.stage.load(Relaxed) as usize],
            done: self.0.done.load(Relaxed),
            total: (total > 0).then_some(total),
        }
    }

    /// Fails if the call was asked to end. For those who write such calls: often enough is a
    /// few times in a hundredth of a second.
    #[inline]
    pub fn check(&self) -> Result<()> {
        match self.is_cancelled() {
            true => Err(Error::Cancelled),
            false => Ok(()),
        }
    }

    /// Begins a stage of so many steps, 0 if that is not known; fails if the call was asked
    /// to end.
    pub fn begin(&self, stage: Stage, total: u64) -> Result<()> {
        let place = Stage::ALL.iter().position(|&other| other == stage);
        self.0.stage.store(place.unwrap_or(0) as u64, Relaxed);
        self.0.done.store(0, Relaxed);
        self.0.total.store(total, Relaxed);
        self.check()
    }

    /// Counts steps of the stage as done.
    #[inline]
    pub fn advance(&self, steps: u64) {
        self.0.done.fetch_add(steps, Relaxed);
    }
}
