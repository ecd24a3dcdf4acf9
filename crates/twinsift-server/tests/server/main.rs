//! Whole requests to a server on a port of this machine.

#![allow(unreachable_pub, reason = "tests have no public interface")]
#![allow(clippy::unwrap_used)]

mod client;
mod durable;
mod keys;
mod learn;
mod limits;
mod openapi;
mod pages;
mod routes;

use client::Client;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use tempfile::TempDir;
use tokio::sync::oneshot;
use twinsift_server::{Options, Server};

/// A text.
pub const BRIDGE: &str = "The council approved the new bridge over the river after a long debate on Monday evening in the old town hall";
/// A text about something else.
pub const STORM: &str = "An early storm took the roofs of several houses along the coast and left the harbour without power for two days";

/// A server that ends with its test.
struct Running {
    address: SocketAddr,
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    fn new(folder: &Path, change: impl FnOnce(&mut Options)) -> Self {
        let mut options = Options::default();
        options.listen.set_port(0);
        change(&mut options);
        let server = Server::open(folder, options).unwrap();
        let address = server.address();
        let (end, ended) = oneshot::channel();
        let thread = std::thread::spawn(|| {
            server.run_until(async {
                let _ = ended.await;
            });
        });
        Self {
            address,
            end: Some(end),
            thread: Some(thread),
        }
    }

    fn client(&self) -> Client {
        Client::new(self.address)
    }

    /// Asks it to end, and does not wait.
    fn begin_end(&mut self) {
        drop(self.end.take());
    }

    fn end(mut self) {
        self.begin_end();
        self.thread.take().unwrap().join().unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.begin_end();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A folder for collections.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("collections")
    }

    /// Serves the folder, with a collection "news".
    fn serve(&self) -> Running {
        self.serve_with(|_| {})
    }

    fn serve_with(&self, change: impl FnOnce(&mut Options)) -> Running {
        Running::new(&self.path(), change)
    }
}

/// A server with an empty collection "news".
fn with_news(change: impl FnOnce(&mut Options)) -> (Running, Folder) {
    let folder = Folder::new();
    let running = folder.serve_with(change);
    let made = running.client().put("/collections/news", "");
    assert_eq!(made.status, 201, "{made:?}");
    (running, folder)
}

/// A document as JSON.
fn document(id: &str, text: &str) -> String {
    serde_json::json!({"id": id, "text": text}).to_string()
}
