//! One page of a browser.

use std::time::Instant;

use serde_json::{Value, json};

use super::connection::Talk;
use crate::error::WebError;

/// Something that the browser tells: an event with a `method`, or the answer
/// with the `id` that [`Tab::ask`] gave.
pub type Message = Value;

/// A page, and the conversation about it. It is closed with this.
pub struct Tab {
    talk: Talk,
    target: String,
    session: String,
}

impl Tab {
    pub(super) fn new(talk: Talk, target: String, session: String) -> Self {
        talk.listen(&session);
        Self {
            talk,
            target,
            session,
        }
    }

    /// The page's session, as messages name it.
    pub fn session(&self) -> &str {
        &self.session
    }

    /// The page's main frame, as messages name it.
    pub fn main_frame(&self) -> &str {
        &self.target
    }

    /// Has the page do something, and waits for the answer.
    ///
    /// # Errors
    ///
    /// If there is none in time, or the browser refuses or ends.
    pub fn call(
        &mut self,
        method: &'static str,
        parameters: Value,
        deadline: Instant,
    ) -> Result<Value, WebError> {
        self.talk.call(&self.session, method, parameters, deadline)
    }

    /// As [`call`](Self::call), for a session within the page's, or for the
    /// browser where that is empty.
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call).
    pub fn call_in(
        &mut self,
        session: &str,
        method: &'static str,
        parameters: Value,
        deadline: Instant,
    ) -> Result<Value, WebError> {
        self.talk.call(session, method, parameters, deadline)
    }

    /// Has the page do something; the answer comes among the messages, with the
    /// id that this returns.
    ///
    /// # Errors
    ///
    /// If the browser has ended.
    pub fn ask(&self, method: &'static str, parameters: Value) -> Result<u64, WebError> {
        self.talk.ask(&self.session, method, parameters)
    }

    /// As [`ask`](Self::ask), for a session within the page's.
    ///
    /// # Errors
    ///
    /// As [`ask`](Self::ask).
    pub fn ask_in(
        &self,
        session: &str,
        method: &'static str,
        parameters: Value,
    ) -> Result<u64, WebError> {
        self.talk.ask(session, method, parameters)
    }

    /// Has a session do something, whatever it answers.
    pub fn tell(&self, session: &str, method: &str, parameters: Value) {
        self.talk.connection.send(session, method, parameters);
    }

    /// The next message, unless there is none until `deadline`.
    ///
    /// # Errors
    ///
    /// If the browser has ended.
    pub fn next(&mut self, deadline: Instant) -> Result<Option<Message>, WebError> {
        self.talk.next(deadline)
    }

    /// Closes the page, and says whether it was gone by `deadline`.
    pub fn close(mut self, deadline: Instant) -> bool {
        let page = json!({"targetId": self.target});
        self.tell("", "Target.closeTarget", page);
        loop {
            match self.next(deadline) {
                Ok(Some(message)) if self.is_end(&message) => return true,
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => return false,
            }
        }
    }

    fn is_end(&self, message: &Message) -> bool {
        message["method"] == "Target.detachedFromTarget"
            && message["params"]["sessionId"] == self.session
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        let page = json!({"targetId": self.target});
        self.tell("", "Target.closeTarget", page);
    }
}
