//! Merging of segments in a thread of its own, so that changes do not wait for it.

use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use twinsift_index::{Index, Merged, Time};

/// After a merge has failed, none is tried for so long.
const PAUSE: Duration = Duration::from_secs(60);

/// The merge that is under way, if one is.
#[derive(Default)]
pub(super) struct Merging {
    thread: Option<JoinHandle<twinsift_index::Result<Merged>>>,
    failed: Option<Instant>,
}

impl Merging {
    pub(super) fn is_running(&self) -> bool {
        self.thread.is_some()
    }

    /// Puts a finished merge into the index, and begins another one if segments should be one.
    pub(super) fn advance(&mut self, index: &mut Index) -> twinsift_index::Result<()> {
        if let Some(thread) = self.thread.take_if(|thread| thread.is_finished())
            && let Some(merged) = self.outcome(thread)
        {
            index.install(merged)?;
        }
        let pauses = self.failed.is_some_and(|failed| failed.elapsed() < PAUSE);
        if self.thread.is_none()
            && !pauses
            && let Some(plan) = index.plan_merge()
        {
            self.thread = Some(std::thread::spawn(|| plan.run(Time::now())));
        }
        Ok(())
    }

    /// Waits for the merge, which is then of no use.
    pub(super) fn abandon(&mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }

    /// Waits for the merge and puts it into the index.
    pub(super) fn finish(&mut self, index: &mut Index) -> twinsift_index::Result<()> {
        let thread = self.thread.take();
        match thread.and_then(|thread| self.outcome(thread)) {
            Some(merged) => index.install(merged),
            None => Ok(()),
        }
    }

    fn outcome(&mut self, thread: JoinHandle<twinsift_index::Result<Merged>>) -> Option<Merged> {
        let why = match thread.join() {
            Ok(Ok(merged)) => return Some(merged),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "it has panicked".to_owned(),
        };
        tracing::warn!(why, "segments could not be merged");
        self.failed = Some(Instant::now());
        None
    }
}
