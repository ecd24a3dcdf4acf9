//! A server from its start to its end.

use crate::error::Error;
use crate::options::Options;
use crate::service::{App, Service};
use crate::{listen, openapi, router};
use std::fmt;
use std::future::Future;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio_rustls::TlsAcceptor;

/// Threads that work on requests beside those that wait for connections.
const BLOCKING_THREADS: usize = 768;

/// A service that has opened its collections and its port.
///
/// ```no_run
/// use twinsift_server::{Options, Server};
///
/// let server = Server::open("collections", Options::default())?;
/// println!("listening on {}", server.address());
/// server.run_until_signal();
/// # Ok::<(), twinsift_server::Error>(())
/// ```
pub struct Server {
    runtime: Runtime,
    app: App,
    listener: TcpListener,
    address: SocketAddr,
    tls: Option<TlsAcceptor>,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Server");
        shown
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

impl Server {
    /// Opens the collections of a folder, and a port to listen on. Requests are answered when it
    /// [runs](Self::run_until).
    pub fn open(folder: impl AsRef<Path>, options: Options) -> Result<Self, Error> {
        // Each connection is an open file; without more of them there are fewer connections.
        let _ = rlimit::increase_nofile_limit(u64::MAX);
        let runtime = Builder::new_multi_thread()
            .enable_all()
            .max_blocking_threads(BLOCKING_THREADS)
            .build()
            .map_err(|source| Error::Listen {
                address: options.listen,
                source,
            })?;
        let tls = listen::tls(&options)?;
        let (listener, address) = runtime.block_on(listen::bind(&options))?;
        let app = Arc::new(Service::open(folder.as_ref(), &options, openapi::text())?);
        Ok(Self {
            runtime,
            app,
            listener,
            address,
            tls,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The names of its collections.
    pub fn collections(&self) -> Vec<String> {
        let all = self.app.collections.all();
        all.iter().map(|one| one.shared.name.clone()).collect()
    }

    /// Answers requests until the process is asked to end (SIGTERM, SIGINT); then finishes those
    /// that were accepted, and seals the indexes. A second signal ends the process at once.
    pub fn run_until_signal(self) {
        self.run_until(asked_to_end());
    }

    /// Answers requests until `end`; then finishes those that were accepted, and seals the
    /// indexes.
    pub fn run_until(self, end: impl Future<Output = ()>) {
        let Self {
            runtime,
            app,
            listener,
            tls,
            ..
        } = self;
        let router = router::router(&app);
        runtime.block_on(async {
            let end = async {
                end.await;
                app.is_closing.store(true, Ordering::Relaxed);
                tracing::info!("finishing the requests that were accepted");
            };
            let counted = Arc::clone(&app);
            let open = move |more| _ = counted.metrics.connections.inc_by(more);
            listen::serve(&app.limits, open, listener, tls, router, end).await;
        });
        app.collections.close();
        // A request that was not finished in time does not keep the process.
        runtime.shutdown_background();
        tracing::info!("closed");
    }
}

/// Ends when the process is asked to (SIGTERM, SIGINT); a second signal ends it at once.
pub async fn asked_to_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let (Ok(mut term), Ok(mut int)) = (
            signal(SignalKind::terminate()),
            signal(SignalKind::interrupt()),
        ) {
            tokio::select! {
                _ = term.recv() => {}
                _ = int.recv() => {}
            }
            tokio::spawn(async move {
                tokio::select! {
                    _ = term.recv() => {}
                    _ = int.recv() => {}
                }
                std::process::exit(1);
            });
            return;
        }
    }
    // Without handlers a signal ends the process all the same.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
