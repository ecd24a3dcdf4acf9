//! What all requests share.

use crate::body::Bodies;
use crate::collection::Settings;
use crate::collections::Collections;
use crate::error::{Answered, ApiError, Error};
use crate::keys::Keys;
use crate::metrics::Metrics;
use crate::options::{Limits, Options};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A running service.
pub(crate) struct Service {
    pub(crate) collections: Collections,
    pub(crate) keys: Option<Keys>,
    pub(crate) limits: Limits,
    pub(crate) metrics: Metrics,
    pub(crate) bodies: Bodies,
    /// Requests that may be worked on.
    working: Arc<Semaphore>,
    pub(crate) is_closing: AtomicBool,
    /// The description of the interface.
    pub(crate) description: String,
}

/// The service as handlers have it.
pub(crate) type App = Arc<Service>;

impl Service {
    pub(crate) fn open(
        folder: &Path,
        options: &Options,
        description: String,
    ) -> Result<Self, Error> {
        let limits = options.limits.clone();
        let settings = Settings {
            queue: limits.queue,
            purge: limits.purge,
        };
        Ok(Self {
            collections: Collections::open(folder, settings)?,
            keys: options.keys.clone(),
            metrics: Metrics::new(),
            bodies: Bodies::new(&limits),
            working: Arc::new(Semaphore::new(limits.concurrency)),
            limits,
            is_closing: AtomicBool::new(false),
            description,
        })
    }

    /// Counts a request as being worked on, until what is returned is dropped.
    pub(crate) fn begin_work(&self) -> Answered<OwnedSemaphorePermit> {
        let permit = Arc::clone(&self.working).try_acquire_owned();
        permit.map_err(|_| {
            ApiError::busy("the service works on as many requests as it may: try again later")
        })
    }
}

/// Does work that takes long or waits for the disk, on a thread that may.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Answered<T> + Send + 'static,
) -> Answered<T> {
    tokio::task::spawn_blocking(work).await?
}
