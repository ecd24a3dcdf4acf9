//! How many queries and durable single additions a second does the service answer?
//!
//! ```text
//! cargo run --release -p twinsift-server --example load -- [FOLDER] [SECONDS] [DOCUMENTS]
//! ```
//!
//! 64 clients on this machine, each with one connection, send one document at a time and wait for
//! the answer. Texts are of about 150 words. The folder decides what a sync of the disk costs.

#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use twinsift_server::{Options, Server};

const CLIENTS: u64 = 64;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder: PathBuf = arguments
        .next()
        .unwrap_or_else(|| "load-test".into())
        .into();
    let seconds = arguments.next().map_or(10, |text| text.parse().unwrap());
    let documents = arguments
        .next()
        .map_or(20_000, |text| text.parse().unwrap());
    let mut options = Options::default();
    options.listen.set_port(0);
    let server = Server::open(&folder, options).unwrap();
    let address = server.address();
    std::thread::spawn(|| server.run_until(std::future::pending()));
    Client::new(address).send("PUT /collections/load", "");
    fill(address, documents);

    let time = Duration::from_secs(seconds);
    let next = AtomicU64::new(documents);
    let adds = measure(address, time, |client| {
        let number = next.fetch_add(1, Ordering::Relaxed);
        client.send("POST /collections/load/documents", &document(number));
    });
    println!("durable adds: {adds}");
    let queries = measure(address, time, |client| {
        let number = next.fetch_add(7919, Ordering::Relaxed) % (2 * documents);
        client.send("POST /collections/load/query?top=1", &document(number));
    });
    println!("queries: {queries}");
    let learnt = measure(address, time, |client| {
        let number = next.fetch_add(1, Ordering::Relaxed);
        client.send("POST /collections/load/query?learn=true", &document(number));
    });
    println!("queries that learn: {learnt}");
    for line in Client::new(address).send("GET /metrics", "").lines() {
        if line.starts_with("twinsift_commit") || line.starts_with("twinsift_documents") {
            println!("{line}");
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// Adds documents in large requests.
fn fill(address: SocketAddr, documents: u64) {
    let mut client = Client::new(address);
    for first in (0..documents).step_by(1000) {
        let all = (first..documents.min(first + 1000)).map(document);
        let list = format!("[{}]", all.collect::<Vec<_>>().join(","));
        client.send("POST /collections/load/documents", &list);
    }
}

/// A text of words that are drawn by its number.
fn document(number: u64) -> String {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut text = String::new();
    for _ in 0..150 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        text += &format!("w{} ", state % 20_000);
    }
    format!("{{\"id\":{number},\"text\":\"{text}\"}}")
}

/// Has all clients do the same for some time, and says how often and how fast they did.
fn measure(address: SocketAddr, time: Duration, work: impl Fn(&mut Client) + Sync) -> String {
    let begin = Instant::now();
    let mut took: Vec<Duration> = std::thread::scope(|scope| {
        let run = |_| {
            scope.spawn(|| {
                let (mut client, mut took) = (Client::new(address), Vec::new());
                while begin.elapsed() < time {
                    let started = Instant::now();
                    work(&mut client);
                    took.push(started.elapsed());
                }
                took
            })
        };
        let all: Vec<_> = (0..CLIENTS).map(run).collect();
        all.into_iter()
            .flat_map(|one| one.join().unwrap())
            .collect()
    });
    let rate = took.len() as f64 / begin.elapsed().as_secs_f64();
    took.sort_unstable();
    let at = |share: f64| took[((took.len() - 1) as f64 * share) as usize];
    let (half, most) = (at(0.5), at(0.99));
    format!("{rate:.0} a second, p50 {half:.1?}, p99 {most:.1?}")
}

struct Client(BufReader<TcpStream>);

impl Client {
    fn new(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        Self(BufReader::new(stream))
    }

    /// Sends a request and reads the answer, which must not be a refusal.
    fn send(&mut self, line: &str, body: &str) -> String {
        let length = body.len();
        let request = format!(
            "{line} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        self.0.get_mut().write_all(request.as_bytes()).unwrap();
        let status = self.line();
        assert!(status.contains(" 20"), "{status}");
        let mut length = None;
        loop {
            let line = self.line();
            match line.split_once(": ") {
                Some(("content-length", value)) => length = value.parse().ok(),
                Some(_) => {}
                None => break,
            }
        }
        let mut body = Vec::new();
        match length {
            Some(length) => self.read_to(&mut body, length),
            None => loop {
                let length = usize::from_str_radix(&self.line(), 16).unwrap();
                self.read_to(&mut body, length);
                self.line();
                if length == 0 {
                    break;
                }
            },
        }
        String::from_utf8(body).unwrap()
    }

    fn read_to(&mut self, body: &mut Vec<u8>, length: usize) {
        let start = body.len();
        body.resize(start + length, 0);
        self.0.read_exact(&mut body[start..]).unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.0.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }
}
