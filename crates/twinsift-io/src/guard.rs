//! Panics in other crates, caught.
//!
//! A decoder of another crate may panic on damaged data, and damaged data must not end a run.
//! What runs in here may panic; any other panic is a bug, and a panic handler can tell the
//! two apart.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// What `work` returns; `None` if it panicked. What it worked on is of no further use then.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    GUARDED.set(true);
    let outcome = catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(false);
    outcome.ok()
}

/// Whether a panic on this thread, now, is caught: for panic hooks, which need not report
/// it then.
pub fn is_guarded() -> bool {
    GUARDED.get()
}
