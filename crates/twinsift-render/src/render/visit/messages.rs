//! What the browser says of a page that is being visited.

use std::time::Instant;

use serde_json::{Value, json};

use super::{End, Visit};
use crate::browser::Message;
use crate::render::page::{RedirectKind, milliseconds};

/// What is fetched for one page is at most so many times as large as a body
/// may be.
const TRAFFIC_TO_BODY: u64 = 16;

impl Visit<'_> {
    /// Handles an answer or an event of the browser.
    pub(super) fn take(&mut self, message: &Message) -> Result<(), End> {
        if message["id"].is_u64() {
            return self.take_answer(message);
        }
        let session = message["sessionId"].as_str().unwrap_or_default();
        let event = &message["params"];
        let method = message["method"].as_str().unwrap_or_default();
        match method.split_once('.').unwrap_or_default() {
            ("Fetch", "requestPaused") => self.request(session, event)?,
            ("Fetch", "authRequired") => {
                let no = json!({"response": "CancelAuth"});
                let answer = json!({"requestId": event["requestId"], "authChallengeResponse": no});
                self.tab.tell(session, "Fetch.continueWithAuth", answer);
            }
            ("Page", what) => self.take_page_event(what, session, event)?,
            ("Network", what) => self.take_network_event(what, event)?,
            ("Target", what) => self.take_target_event(what, session, event)?,
            ("Emulation", "virtualTimeBudgetExpired") => self.frames.ran(session),
            ("Inspector", "targetCrashed") if session == self.tab.session() => {
                return Err(End::Nothing("the page crashed".to_owned()));
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes the answer to something that was asked of the browser.
    fn take_answer(&mut self, message: &Message) -> Result<(), End> {
        if message["id"] == self.navigation {
            let failed = &message["result"]["errorText"];
            return match failed.as_str().or(message["error"]["message"].as_str()) {
                Some(reason) => Err(End::Nothing(cannot_be_shown(reason))),
                None => Ok(()),
            };
        }
        if let Some(id) = message["id"].as_u64() {
            self.frames.answered(id);
        }
        Ok(())
    }

    fn take_page_event(&mut self, what: &str, session: &str, event: &Value) -> Result<(), End> {
        let is_main = session == self.tab.session();
        match what {
            "javascriptDialogOpening" => {
                // To stay on a page is not for the page to ask.
                let accept = event["type"] == "beforeunload";
                let answer = json!({"accept": accept});
                self.tab
                    .tell(session, "Page.handleJavaScriptDialog", answer);
            }
            "frameRequestedNavigation" if self.is_main_frame(&event["frameId"]) => {
                self.announce(event);
            }
            "navigatedWithinDocument" if self.is_main_frame(&event["frameId"]) => {
                self.announced = None;
            }
            "frameNavigated" if is_main && event["frame"]["parentId"].is_null() => {
                self.announced = None;
                if event["frame"]["unreachableUrl"].is_string() {
                    let reason = self.failure.take().unwrap_or_default();
                    return Err(End::Nothing(cannot_be_shown(&reason)));
                }
                self.is_shown = true;
            }
            "frameStoppedLoading" if self.is_main_frame(&event["frameId"]) => {
                self.frames.stopped(Instant::now());
            }
            "loadEventFired" => {
                if is_main {
                    let loaded = milliseconds(self.started.elapsed());
                    self.out.milliseconds.loaded = Some(loaded);
                }
                self.frames.loaded(session, Instant::now());
            }
            _ => {}
        }
        Ok(())
    }

    fn take_network_event(&mut self, what: &str, event: &Value) -> Result<(), End> {
        let fetch = event["requestId"].as_str().unwrap_or_default();
        match what {
            // Such a stream has no end to wait for.
            "requestWillBeSent" if event["type"] != "EventSource" => {
                self.frames.fetch_begins(fetch);
            }
            "loadingFinished" => self.frames.fetch_ends(fetch),
            "loadingFailed" => {
                self.frames.fetch_ends(fetch);
                if fetch == self.document {
                    self.fails(event["errorText"].as_str().unwrap_or_default());
                }
            }
            "responseReceivedExtraInfo" => self.traces.answer(&event["headers"]),
            "dataReceived" => self.count(event["dataLength"].as_u64())?,
            _ => {}
        }
        Ok(())
    }

    fn take_target_event(&mut self, what: &str, session: &str, event: &Value) -> Result<(), End> {
        match what {
            "attachedToTarget" => self.attached(session, event),
            "detachedFromTarget" if event["sessionId"] == self.tab.session() => {
                return Err(End::Nothing("the page closed itself".to_owned()));
            }
            "detachedFromTarget" => {
                self.frames
                    .gone(event["sessionId"].as_str().unwrap_or_default());
            }
            _ => {}
        }
        Ok(())
    }

    fn announce(&mut self, event: &Value) {
        if event["disposition"] != "currentTab" {
            return;
        }
        let kind = match event["reason"].as_str() {
            Some("metaTagRefresh" | "httpHeaderRefresh") => RedirectKind::Refresh,
            _ => RedirectKind::Script,
        };
        self.step = Some((kind, None));
        self.announced = Some(Instant::now());
    }

    fn attached(&mut self, parent: &str, event: &Value) {
        let (Some(session), Some(target)) = (
            event["sessionId"].as_str(),
            event["targetInfo"]["targetId"].as_str(),
        ) else {
            return;
        };
        match event["targetInfo"]["type"].as_str().unwrap_or_default() {
            "iframe" => self.frames.add(parent, session, target),
            "page" | "tab" => {
                // A window of its own is not part of the page.
                self.tab
                    .tell("", "Target.closeTarget", json!({"targetId": target}));
                return;
            }
            _ => {}
        }
        self.attend(session);
    }

    /// Bounds what is fetched for the page.
    fn count(&mut self, bytes: Option<u64>) -> Result<(), End> {
        self.received += bytes.unwrap_or(0);
        let most = self.options.max_size as u64 * TRAFFIC_TO_BODY;
        match self.received > most {
            true => Err(End::Partly(format!("fetches more than {most} bytes"))),
            false => Ok(()),
        }
    }
}

/// The browser's word for what is wrong, as people would say it.
fn cannot_be_shown(reason: &str) -> String {
    match reason.strip_prefix("net::ERR_") {
        Some("TOO_MANY_REDIRECTS") => "redirects without end".to_owned(),
        Some("ABORTED") => "the answer is empty".to_owned(),
        Some(code) => {
            let words = code.to_ascii_lowercase().replace('_', " ");
            format!("cannot be fetched: {words}")
        }
        None if reason.is_empty() => "cannot be fetched".to_owned(),
        None => format!("cannot be fetched: {reason}"),
    }
}
