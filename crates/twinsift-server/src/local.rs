//! Pages for the people at this machine: a port on loopback, and whatever router answers there.

use crate::error::Error;
use crate::listen;
use crate::options::Options;
use axum::Router;
use std::fmt;
use std::future::Future;
use std::net::{Ipv4Addr, SocketAddr};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

/// Threads that make pages beside those that wait for connections.
const BLOCKING_THREADS: usize = 16;

/// A port on loopback.
pub struct Local {
    runtime: Runtime,
    listener: TcpListener,
    options: Options,
    address: SocketAddr,
}

impl fmt::Debug for Local {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Local");
        shown
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

impl Local {
    /// Opens a port; 0 is any that is free.
    pub fn open(port: u16) -> Result<Self, Error> {
        let mut options = Options {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
            ..Options::default()
        };
        options.limits.connections = 64;
        let runtime = Builder::new_multi_thread()
            .enable_all()
            .worker_threads(2)
            .max_blocking_threads(BLOCKING_THREADS)
            .build()
            .map_err(|source| Error::Listen {
                address: options.listen,
                source,
            })?;
        let (listener, address) = runtime.block_on(listen::bind(&options))?;
        Ok(Self {
            runtime,
            listener,
            options,
            address,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until `end`.
    pub fn run_until(self, router: Router, end: impl Future<Output = ()>) {
        let limits = &self.options.limits;
        let serving = listen::serve(limits, |_| {}, self.listener, None, router, end);
        self.runtime.block_on(serving);
        self.runtime.shutdown_background();
    }
}
