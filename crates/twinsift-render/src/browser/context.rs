//! A place for pages that shares nothing with other places: no cookie, cached
//! answer or stored datum.
//!
//! To make one takes the browser as long as to show a page, window and all. So
//! it can be used for one page after the other, if what each has left is
//! [forgotten](Context::forget) before the next. An empty page keeps its window
//! open in between.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};

use super::PATIENCE;
use super::connection::{Connection, Talk};
use super::tab::Tab;
use crate::error::WebError;

/// A place for pages.
pub struct Context {
    talk: Talk,
    id: String,
    /// The session of the empty page.
    keeper: String,
}

impl Context {
    pub(super) fn open(connection: &Arc<Connection>) -> Result<Self, WebError> {
        let deadline = Instant::now() + PATIENCE;
        let mut talk = connection.talk();
        let alone = json!({"disposeOnDetach": true});
        let method = "Target.createBrowserContext";
        let id = named(&mut talk, method, alone, "browserContextId", deadline)?;
        let deny = json!({"behavior": "deny", "browserContextId": id});
        connection.send("", "Browser.setDownloadBehavior", deny);
        let (_, keeper) = new_page(&mut talk, &id, deadline)?;
        Ok(Self { talk, id, keeper })
    }

    /// Opens an empty page.
    ///
    /// # Errors
    ///
    /// If the browser does not answer in time.
    pub fn open_tab(&self) -> Result<Tab, WebError> {
        let deadline = Instant::now() + PATIENCE;
        let mut talk = self.talk.connection.talk();
        let (target, session) = new_page(&mut talk, &self.id, deadline)?;
        Ok(Tab::new(talk, target, session))
    }

    /// Forgets all cookies, and all that pages of these origins have stored. It
    /// does not reach what frames within pages of another site have stored.
    ///
    /// # Errors
    ///
    /// If the browser does not answer in time, or refuses.
    pub fn forget(&mut self, origins: &BTreeSet<String>) -> Result<(), WebError> {
        let deadline = Instant::now() + PATIENCE;
        let all = json!({"browserContextId": self.id});
        self.talk.call("", "Storage.clearCookies", all, deadline)?;
        for origin in origins {
            let all = json!({"origin": origin, "storageTypes": "all"});
            let method = "Storage.clearDataForOrigin";
            self.talk.call(&self.keeper, method, all, deadline)?;
        }
        Ok(())
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        let context = json!({"browserContextId": self.id});
        let connection = &self.talk.connection;
        connection.send("", "Target.disposeBrowserContext", context);
    }
}

/// An empty page: its name and its session.
fn new_page(
    talk: &mut Talk,
    context: &str,
    deadline: Instant,
) -> Result<(String, String), WebError> {
    let page = json!({"url": "about:blank", "browserContextId": context});
    let target = named(talk, "Target.createTarget", page, "targetId", deadline)?;
    let flat = json!({"targetId": target, "flatten": true});
    let session = named(talk, "Target.attachToTarget", flat, "sessionId", deadline)?;
    Ok((target, session))
}

/// Has the browser make something, and gives its name.
fn named(
    talk: &mut Talk,
    method: &'static str,
    parameters: Value,
    field: &str,
    deadline: Instant,
) -> Result<String, WebError> {
    let answer = talk.call("", method, parameters, deadline)?;
    let name = answer[field].as_str().ok_or_else(|| WebError::Refused {
        method,
        reason: format!("there is no {field} in the answer"),
    })?;
    Ok(name.to_owned())
}
