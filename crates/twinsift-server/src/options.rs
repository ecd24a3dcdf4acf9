//! How the service listens, and its limits.

use crate::keys::Keys;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// Where and how to listen, and who may do what.
#[derive(Debug)]
#[non_exhaustive]
pub struct Options {
    /// The address.
    pub listen: SocketAddr,
    /// Who may do what; without keys everyone on this machine may do everything.
    pub keys: Option<Keys>,
    /// The files of a certificate and of its private key, in PEM.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// How much is taken on.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8017)),
            keys: None,
            tls: None,
            limits: Limits::default(),
        }
    }
}

/// How much the service takes on before it refuses.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of a request's body.
    pub body: usize,
    /// Bytes of all bodies that are held at a time.
    pub bodies: usize,
    /// How long a request may take to arrive, how long to be worked on, and how long a client
    /// may take to read the next part of an answer.
    pub time: Duration,
    /// How long a connection may be idle, or take to send the head of a request.
    pub idle: Duration,
    /// Requests that are worked on at a time.
    pub concurrency: usize,
    /// Connections that are open at a time; more wait to be accepted.
    pub connections: usize,
    /// Changes of a collection that wait to be written.
    pub queue: usize,
    /// How often expired documents are removed from disk. From answers they are gone at once.
    pub purge: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 64 << 20,
            bodies: 512 << 20,
            time: Duration::from_secs(30),
            idle: Duration::from_secs(60),
            concurrency: 512,
            connections: 16_384,
            queue: 1024,
            purge: Duration::from_secs(60),
        }
    }
}
