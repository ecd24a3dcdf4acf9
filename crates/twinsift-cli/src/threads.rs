//! Work on as many threads as the user allows.

use anyhow::Context;
use twinsift::Settings;

/// Runs `work` with all of its parallel parts on the threads of `settings`.
pub fn within<T: Send>(
    settings: &Settings,
    work: impl FnOnce() -> anyhow::Result<T> + Send,
) -> anyhow::Result<T> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(settings.threads.max(1))
        .build()
        .context("cannot start the worker threads")?
        .install(work)
}
