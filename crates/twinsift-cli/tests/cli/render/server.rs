//! A web server for tests, on loopback: answers by path, and remembers what it
//! was asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What was asked.
#[derive(Clone, Debug)]
pub struct Asked {
    pub host: String,
    pub path: String,
    /// The headers, in small letters, a line each.
    pub headers: String,
}

/// A server that runs until the test ends.
pub struct Server {
    pub port: u16,
    asked: Arc<Mutex<Vec<Asked>>>,
}

/// What a page is made from: the request and the port of the server.
pub type Answer = fn(&Asked, u16, &mut TcpStream) -> std::io::Result<()>;

impl Server {
    pub fn start(answer: Answer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let record = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let record = Arc::clone(&record);
                // A browser that goes away is no concern of the server.
                std::thread::spawn(move || stream.and_then(|s| serve(s, &record, port, answer)));
            }
        });
        Self { port, asked }
    }

    /// An address on this server, at a host that is this machine.
    pub fn at(&self, host: &str, path: &str) -> String {
        format!("http://{host}.localhost:{}{path}", self.port)
    }

    /// All that was asked so far, by path.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(
    mut stream: TcpStream,
    record: &Mutex<Vec<Asked>>,
    port: u16,
    answer: Answer,
) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut first = String::new();
    if reader.read_line(&mut first)? == 0 {
        // A connection that was opened ahead of its use. It counts: somebody
        // came here.
        let (host, path) = (String::new(), String::new());
        let headers = String::new();
        let asked = Asked {
            host,
            path,
            headers,
        };
        record.lock().unwrap().push(asked);
        return Ok(());
    }
    let mut headers = String::new();
    while reader.read_line(&mut headers)? > 2 {}
    let headers = headers.to_ascii_lowercase();
    let value = |name: &str| {
        let found = headers.lines().find_map(|line| line.strip_prefix(name));
        found.unwrap_or_default().trim().to_owned()
    };
    let length = value("content-length:").parse().unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let asked = Asked {
        host: value("host:")
            .split(".localhost")
            .next()
            .unwrap()
            .to_owned(),
        path: first.split(' ').nth(1).unwrap_or_default().to_owned(),
        headers,
    };
    record.lock().unwrap().push(asked.clone());
    answer(&asked, port, &mut stream)
}

/// Sends a whole answer; `head` has a status and headers, a line each.
pub fn send(stream: &mut TcpStream, head: &str, body: &[u8]) -> std::io::Result<()> {
    let head = head.replace('\n', "\r\n");
    write!(
        stream,
        "HTTP/1.1 {head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    )?;
    stream.write_all(body)
}

/// Sends HTML.
pub fn page(stream: &mut TcpStream, html: &str) -> std::io::Result<()> {
    let head = "200 OK\nContent-Type: text/html; charset=utf-8";
    send(stream, head, html.as_bytes())
}
