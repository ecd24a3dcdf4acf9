//! Work on as many threads as the user allows.

use crate::args::run::Run;
use anyhow::Context;

/// Runs `work` with all of its parallel parts on the run's threads.
pub fn within<T: Send>(
    run: &Run,
    work: impl FnOnce() -> anyhow::Result<T> + Send,
) -> anyhow::Result<T> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(run.settings.threads.max(1))
        .build()
        .context("cannot start the worker threads")?
        .install(work)
}
