//! One page of a browser, with a context to itself: no cookie, cached answer or
//! stored datum is shared with another tab, so that what a page shows does not
//! depend on what was shown before.

use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};

use super::connection::{Connection, Talk};
use crate::error::WebError;

/// Something that the browser tells: an event with a `method`, or the answer
/// with the `id` that [`Tab::ask`] gave.
pub type Message = Value;

/// A page, and the conversation about it.
pub struct Tab {
    talk: Talk,
    context: String,
    target: String,
    session: String,
}

impl Tab {
    pub(super) fn open(connection: &Arc<Connection>, deadline: Instant) -> Result<Self, WebError> {
        let mut talk = connection.talk();
        let mut made = |method, parameters, field: &str| -> Result<String, WebError> {
            let answer = talk.call("", method, parameters, deadline)?;
            let name = answer[field].as_str().ok_or(WebError::Refused {
                method,
                reason: format!("there is no {field} in the answer"),
            })?;
            Ok(name.to_owned())
        };
        let alone = json!({"disposeOnDetach": true});
        let context = made("Target.createBrowserContext", alone, "browserContextId")?;
        let page = json!({"url": "about:blank", "browserContextId": context});
        let target = made("Target.createTarget", page, "targetId")?;
        let flat = json!({"targetId": target, "flatten": true});
        let session = made("Target.attachToTarget", flat, "sessionId")?;
        talk.listen(&session);
        Ok(Self {
            talk,
            context,
            target,
            session,
        })
    }

    /// The page's session, as messages name it.
    pub fn session(&self) -> &str {
        &self.session
    }

    /// The page's main frame, as messages name it.
    pub fn main_frame(&self) -> &str {
        &self.target
    }

    /// The context that the page has to itself, as messages name it.
    pub fn context(&self) -> &str {
        &self.context
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
}

impl Drop for Tab {
    fn drop(&mut self) {
        let context = json!({"browserContextId": self.context});
        self.tell("", "Target.disposeBrowserContext", context);
    }
}
