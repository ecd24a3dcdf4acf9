//! A client that sends what it is told, also what no sound client would.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A connection.
pub struct Client {
    stream: BufReader<TcpStream>,
    key: Option<String>,
}

/// The answer to a request.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    headers: Vec<(String, String)>,
    pub body: String,
}

impl Reply {
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    pub fn lines(&self) -> Vec<Value> {
        let lines = self.body.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// The sentence of a refusal.
    pub fn refusal(&self) -> String {
        assert_eq!(
            self.header("content-type"),
            Some("application/json"),
            "{self:?}"
        );
        self.json()["error"].as_str().unwrap().to_owned()
    }
}

impl Client {
    pub fn new(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        Self {
            stream: BufReader::new(stream),
            key: None,
        }
    }

    pub fn with_key(mut self, key: &str) -> Self {
        self.key = Some(key.to_owned());
        self
    }

    /// Sends bytes as they are.
    pub fn send_raw(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.stream.get_mut().write_all(bytes)
    }

    /// The head of a request.
    pub fn head(&self, line: &str, headers: &str, length: usize) -> String {
        let key = self.key.as_ref();
        let key = key.map_or_else(String::new, |key| {
            format!("authorization: Bearer {key}\r\n")
        });
        format!(
            "{line} HTTP/1.1\r\nhost: localhost\r\n{key}{headers}content-length: {length}\r\n\r\n"
        )
    }

    pub fn send(&mut self, line: &str, headers: &str, body: &str) -> Reply {
        let head = self.head(line, headers, body.len());
        self.send_raw(&[head.as_bytes(), body.as_bytes()].concat())
            .unwrap();
        self.reply()
    }

    pub fn get(&mut self, path: &str) -> Reply {
        self.send(&format!("GET {path}"), "", "")
    }

    pub fn delete(&mut self, path: &str) -> Reply {
        self.send(&format!("DELETE {path}"), "", "")
    }

    pub fn put(&mut self, path: &str, body: &str) -> Reply {
        self.send(&format!("PUT {path}"), "", body)
    }

    pub fn post(&mut self, path: &str, body: &str) -> Reply {
        let kind = "content-type: application/json\r\n";
        self.send(&format!("POST {path}"), kind, body)
    }

    pub fn post_lines(&mut self, path: &str, body: &str) -> Reply {
        let kind = "content-type: application/x-ndjson\r\n";
        self.send(&format!("POST {path}"), kind, body)
    }

    /// Reads an answer.
    pub fn reply(&mut self) -> Reply {
        self.try_reply().expect("an answer")
    }

    /// Reads an answer; `None` if the connection was closed.
    pub fn try_reply(&mut self) -> Option<Reply> {
        let status = self.line()?;
        let status = status.split(' ').nth(1)?.parse().ok()?;
        let mut headers = Vec::new();
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(':') else {
                break;
            };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let mut reply = Reply {
            status,
            headers,
            body: String::new(),
        };
        let bytes = match reply.header("content-length") {
            Some(length) => self.bytes(length.parse().unwrap())?,
            None => self.chunks()?,
        };
        reply.body = String::from_utf8(bytes).unwrap();
        Some(reply)
    }

    fn chunks(&mut self) -> Option<Vec<u8>> {
        let mut whole = Vec::new();
        loop {
            let length = usize::from_str_radix(&self.line()?, 16).unwrap();
            whole.extend(self.bytes(length)?);
            self.line()?;
            if length == 0 {
                return Some(whole);
            }
        }
    }

    fn bytes(&mut self, length: usize) -> Option<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }

    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        match self.stream.read_line(&mut line) {
            Ok(1..) => Some(line.trim_end().to_owned()),
            _ => None,
        }
    }
}
