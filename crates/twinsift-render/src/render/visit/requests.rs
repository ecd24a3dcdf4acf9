//! What a page asks for, and what it is given.
//!
//! Documents are seen twice: before they are asked for, and when the answer has
//! begun. That is where redirects, downloads and answers that are too long are
//! told.

use serde_json::{Value, json};

use super::{End, Visit};
use crate::render::document::{self, Received};
use crate::render::page::{Redirect, RedirectKind, milliseconds};
use crate::render::traffic::{Answer, Verdict, is_page};

/// More steps than this, the first included and those of the protocol not, lead
/// nowhere.
const MOST_STEPS: usize = 20;

impl Visit<'_> {
    /// Sees to a request, or to the answer to one for a document.
    pub(super) fn request(&mut self, session: &str, event: &Value) -> Result<(), End> {
        let is_main = self.is_main_frame(&event["frameId"]) && event["resourceType"] == "Document";
        let request = json!({"requestId": event["requestId"]});
        if event["responseErrorReason"].is_string() {
            self.tab.tell(session, "Fetch.continueRequest", request);
            return Ok(());
        }
        if let Some(status) = event["responseStatusCode"].as_u64() {
            return self.response(session, event, status as u16, is_main);
        }
        let address = event["request"]["url"].as_str().unwrap_or_default();
        if event["resourceType"] == "Document" {
            self.traces.document(address, is_main);
        }
        if is_main {
            let name = event["networkId"].as_str().unwrap_or_default();
            name.clone_into(&mut self.document);
            self.step_to(address)?;
        }
        let kind = event["resourceType"].as_str().unwrap_or_default();
        let headers = &event["request"]["headers"];
        let header = |name: &str| headers[name].as_str().unwrap_or_default();
        match self.traffic.judge(address, kind, header) {
            Verdict::Send => self.tab.tell(session, "Fetch.continueRequest", request),
            Verdict::Drop => self.refuse(session, event, "BlockedByClient"),
            Verdict::Forbid(host) if is_main => {
                self.refuse(session, event, "Aborted");
                let reason = format!("leads to {host}, which is not allowed");
                if self.is_shown {
                    self.out.error = Some(reason.clone());
                }
                return self.stay(reason);
            }
            Verdict::Forbid(_) => self.refuse(session, event, "BlockedByClient"),
            Verdict::Answer(answer) => {
                if is_main {
                    self.out.status = Some(answer.status);
                }
                self.answer(session, event, &answer);
            }
        }
        Ok(())
    }

    /// Notes that the page goes to another document.
    fn step_to(&mut self, address: &str) -> Result<(), End> {
        self.announced = None;
        self.frames.begin_document();
        let step = self.step.take();
        if step.is_none_or(|(kind, _)| kind != RedirectKind::Http) {
            self.steps += 1;
        }
        if let Some((kind, status)) = step {
            let url = self.traffic.outside_name(address).unwrap_or_default();
            self.out.redirects.push(Redirect { kind, status, url });
        }
        match self.steps <= MOST_STEPS {
            true => Ok(()),
            false => Err(End::Nothing("redirects without end".to_owned())),
        }
    }

    /// A main document could not be fetched.
    pub(super) fn fails(&mut self, reason: &str) {
        if reason == "net::ERR_ABORTED" {
            // The page that was there before is still there.
            self.frames.stay();
        }
        self.failure = Some(reason.to_owned());
    }

    /// A step is not taken, which leaves the page as it is, if there is one.
    fn stay(&mut self, reason: String) -> Result<(), End> {
        self.frames.stay();
        match self.is_shown {
            true => Ok(()),
            false => Err(End::Nothing(reason)),
        }
    }

    fn refuse(&self, session: &str, event: &Value, reason: &str) {
        let refusal = json!({"requestId": event["requestId"], "errorReason": reason});
        self.tab.tell(session, "Fetch.failRequest", refusal);
    }

    fn answer(&self, session: &str, event: &Value, answer: &Answer) {
        let header = json!([{"name": "Content-Type", "value": answer.media}]);
        document::hand_over(
            &self.tab,
            session,
            event,
            answer.status,
            &header,
            &answer.bytes,
        );
    }

    /// Sees to the answer to a request for a document.
    fn response(
        &mut self,
        session: &str,
        event: &Value,
        status: u16,
        is_main: bool,
    ) -> Result<(), End> {
        let media = document::header(event, "content-type");
        let disposition = document::header(event, "content-disposition");
        let leads_on =
            (300..400).contains(&status) && !document::header(event, "location").is_empty();
        if leads_on {
            if is_main {
                self.step = Some((RedirectKind::Http, Some(status)));
            }
        } else if !is_page(&media, &disposition) {
            self.refuse(session, event, "Aborted");
            if !is_main {
                return Ok(());
            }
            let reason = match disposition.is_empty() {
                true => format!("it is no page but {media}"),
                false => "it is a download".to_owned(),
            };
            match self.is_shown {
                // A page that starts a download is a page.
                true => drop(self.out.redirects.pop()),
                false => (self.out.status, self.out.content_type) = (Some(status), Some(media)),
            }
            return self.stay(reason);
        } else if is_main {
            return self.main_document(session, event, status, media);
        }
        let request = json!({"requestId": event["requestId"]});
        self.tab.tell(session, "Fetch.continueRequest", request);
        Ok(())
    }

    fn main_document(
        &mut self,
        session: &str,
        event: &Value,
        status: u16,
        media: String,
    ) -> Result<(), End> {
        // Some time is left to show what there is of a body that never ends.
        let until = self.started + self.options.timeout * 3 / 4;
        let Received { bytes, whole } =
            document::receive(&mut self.tab, session, event, self.options.max_size, until)?;
        if let Some(why) = whole.err() {
            self.out.error = Some(why);
        }
        self.out.status = Some(status);
        if self.out.html.is_none() {
            let declared = (!media.is_empty()).then_some(media.as_str());
            self.out.html = Some(twinsift_io::html_of(&bytes, declared));
            self.out.milliseconds.fetched = Some(milliseconds(self.started.elapsed()));
        }
        self.out.content_type = (!media.is_empty()).then_some(media);
        let headers = document::headers_to_keep(event);
        document::hand_over(&self.tab, session, event, status, &headers, &bytes);
        // What is left of one that was cut is of no interest.
        self.frames.fetch_ends(&self.document);
        Ok(())
    }
}
