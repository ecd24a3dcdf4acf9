//! Messages to and from the browser.
//!
//! A message ends in a zero byte. Those that answer a call go to the
//! caller; those that belong to a session go to the [`Talk`] that opened it. A
//! frame of another site is a session of its own within a page's: the reader
//! puts it on the same route when the browser announces it, before anything
//! of it can arrive.

use std::collections::{HashMap, VecDeque};
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde_json::{Value, json};

use crate::error::WebError;

/// The two ends of the pipe.
pub(super) struct Connection {
    commands: Mutex<ChildStdin>,
    last_id: AtomicU64,
    routes: Mutex<Routes>,
}

#[derive(Default)]
struct Routes {
    calls: HashMap<u64, Sender<Value>>,
    sessions: HashMap<String, Sender<Value>>,
    closed: bool,
}

/// A mutex is poisoned only by a panic in this file, where none is.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Connection {
    pub(super) fn open(commands: ChildStdin, answers: ChildStdout) -> Arc<Self> {
        let connection = Arc::new(Self {
            commands: Mutex::new(commands),
            last_id: AtomicU64::new(0),
            routes: Mutex::default(),
        });
        let dealer = Arc::clone(&connection);
        std::thread::spawn(move || {
            let mut output = BufReader::with_capacity(1 << 16, answers);
            let mut bytes = Vec::new();
            while output.read_until(0, &mut bytes).is_ok_and(|n| n > 0) {
                bytes.pop();
                match serde_json::from_slice(&bytes) {
                    Ok(message) => dealer.deal(message),
                    Err(_) => break,
                }
                bytes.clear();
            }
            dealer.close();
        });
        connection
    }

    /// Ends all waiting calls and sessions: no more messages will come.
    fn close(&self) {
        let mut routes = lock(&self.routes);
        routes.closed = true;
        let calls = std::mem::take(&mut routes.calls);
        let sessions = std::mem::take(&mut routes.sessions);
        for waiting in calls.into_values().chain(sessions.into_values()) {
            let _ = waiting.send(Value::Null);
        }
    }

    fn deal(&self, message: Value) {
        let mut routes = lock(&self.routes);
        if let Some(id) = message["id"].as_u64() {
            if let Some(caller) = routes.calls.remove(&id) {
                let _ = caller.send(message);
            }
            return;
        }
        let other = message["params"]["sessionId"].as_str().unwrap_or_default();
        if message["method"] == "Target.detachedFromTarget"
            && let Some(listener) = routes.sessions.remove(other)
        {
            let _ = listener.send(message);
            return;
        }
        let session = message["sessionId"].as_str().unwrap_or_default();
        let Some(listener) = routes.sessions.get(session).cloned() else {
            return;
        };
        if message["method"] == "Target.attachedToTarget" {
            routes.sessions.insert(other.to_owned(), listener.clone());
        }
        let _ = listener.send(message);
    }

    /// A client that can call the browser and receives the messages of its sessions.
    pub(super) fn talk(self: &Arc<Self>) -> Talk {
        let (sender, inbox) = channel();
        Talk {
            connection: Arc::clone(self),
            sender,
            inbox,
            put_off: VecDeque::new(),
        }
    }

    fn new_id(&self) -> u64 {
        self.last_id.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Says something to a session, or to the browser where that is empty. That
    /// the browser has gone shows when something is read.
    pub(super) fn send(&self, session: &str, method: &str, parameters: Value) {
        self.put(self.new_id(), session, method, parameters);
    }

    fn put(&self, id: u64, session: &str, method: &str, parameters: Value) {
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if !session.is_empty() {
            message["sessionId"] = session.into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        let _ = lock(&self.commands).write_all(&bytes);
    }
}

/// One party's side of the conversation.
pub(super) struct Talk {
    pub connection: Arc<Connection>,
    sender: Sender<Value>,
    inbox: Receiver<Value>,
    /// What was told while an answer was awaited.
    put_off: VecDeque<Value>,
}

impl Talk {
    /// From now on, what is told of a session comes here.
    pub(super) fn listen(&self, session: &str) {
        let mut routes = lock(&self.connection.routes);
        let sender = self.sender.clone();
        routes.sessions.insert(session.to_owned(), sender);
    }

    /// Asks without waiting: the answer comes among the messages, with this id.
    pub(super) fn ask(
        &self,
        session: &str,
        method: &str,
        parameters: Value,
    ) -> Result<u64, WebError> {
        let id = self.connection.new_id();
        let mut routes = lock(&self.connection.routes);
        if routes.closed {
            return Err(WebError::Gone);
        }
        routes.calls.insert(id, self.sender.clone());
        drop(routes);
        self.connection.put(id, session, method, parameters);
        Ok(id)
    }

    /// Asks, and waits for the answer.
    pub(super) fn call(
        &mut self,
        session: &str,
        method: &'static str,
        parameters: Value,
        deadline: Instant,
    ) -> Result<Value, WebError> {
        let id = self.ask(session, method, parameters)?;
        loop {
            let Some(mut message) = self.receive(deadline)? else {
                lock(&self.connection.routes).calls.remove(&id);
                return Err(WebError::Late(method));
            };
            if message["id"] != id {
                self.put_off.push_back(message);
            } else if let Some(reason) = message["error"]["message"].as_str() {
                let reason = reason.to_owned();
                return Err(WebError::Refused { method, reason });
            } else {
                return Ok(message["result"].take());
            }
        }
    }

    /// The next message, unless there is none until `deadline`.
    pub(super) fn next(&mut self, deadline: Instant) -> Result<Option<Value>, WebError> {
        match self.put_off.pop_front() {
            Some(message) => Ok(Some(message)),
            None => self.receive(deadline),
        }
    }

    fn receive(&mut self, deadline: Instant) -> Result<Option<Value>, WebError> {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.inbox.recv_timeout(left) {
            Ok(Value::Null) | Err(RecvTimeoutError::Disconnected) => Err(WebError::Gone),
            Ok(message) => Ok(Some(message)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
        }
    }
}
