//! One page, from its address to its rendered body.
//!
//! When is a page finished? When it is loaded, nothing is on its way to it,
//! and no timer of a few seconds is left that could change it or lead
//! elsewhere. Those seconds are not waited for: the browser sets the page's own
//! clock forward (*virtual time*), by as much as redirects are waited for;
//! [`Frames`] says when. Where a page never comes to rest, it is taken as it
//! is after a while.
//!
//! Main documents are read here before the page gets them: that is the fetched
//! body, and an endless one is cut to size. All else goes straight to the page,
//! once [`Traffic`] has let it pass.

mod messages;
mod requests;
mod traces;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::RenderOptions;
use super::document;
use super::frames::{Frames, Moment, Pace, SLICE};
use super::graft::{ERROR_PAGE, Grafted, graft};
use super::page::{RedirectKind, RenderInput, Rendering, milliseconds};
use super::traffic::Traffic;
use crate::browser::Tab;
use crate::error::WebError;
use traces::Traces;

/// A page that has announced a step and not taken it by then, or by a sixth of the time
/// that it may take, does not take it.
const HESITATION: Duration = Duration::from_secs(2);

/// A page that does so much at one moment has its clock set forward anyway.
const MOST_TASKS: u32 = 1000;

/// Writing down what a page shows takes no longer, unless it hangs.
const WRITING: Duration = Duration::from_secs(10);

/// A page that is not closed by then hangs.
const CLOSING: Duration = Duration::from_secs(2);

/// Why a visit ended before the page was finished.
pub(super) enum End {
    /// There is nothing to show.
    Nothing(String),
    /// What there is can be shown.
    Partly(String),
    /// The browser is at fault.
    Browser(WebError),
}

impl From<WebError> for End {
    fn from(error: WebError) -> Self {
        End::Browser(error)
    }
}

/// What came of a visit.
pub(super) struct Visited {
    pub rendering: Rendering,
    /// The origins that have stored all that the page has left in the browser,
    /// if it is known.
    pub traces: Option<BTreeSet<String>>,
}

/// Shows a page and writes down what there is to see.
pub(super) fn visit(
    tab: Tab,
    page: &RenderInput,
    options: &RenderOptions,
) -> Result<Visited, WebError> {
    let started = Instant::now();
    let traffic = Traffic::new(&options.hosts, page);
    let mut visit = Visit {
        out: Rendering::begin(page),
        started,
        deadline: started + options.timeout,
        frames: Frames::new(tab.session(), options.redirect_delay),
        tab,
        traffic,
        options,
        navigation: 0,
        step: None,
        announced: None,
        steps: 0,
        document: String::new(),
        is_shown: false,
        received: 0,
        failure: None,
        traces: Traces::default(),
    };
    let shown = match visit.watch() {
        Ok(()) => visit.write_down(),
        Err(End::Partly(reason)) => {
            visit.out.error = Some(visit.out.error.take().unwrap_or(reason));
            visit.interrupt();
            visit.write_down()
        }
        Err(end) => Err(end),
    };
    match shown {
        Ok(()) => {}
        Err(End::Nothing(reason) | End::Partly(reason)) => {
            visit.out.error = Some(visit.out.error.take().unwrap_or(reason));
        }
        Err(End::Browser(WebError::Gone)) => return Err(WebError::Gone),
        Err(End::Browser(error)) => visit.out.error = Some(error.to_string()),
    }
    visit.out.milliseconds.total = milliseconds(started.elapsed());
    let went_well = visit.out.rendered.is_some() && visit.out.error.is_none();
    let (rendering, traces) = visit.leave();
    Ok(Visited {
        rendering,
        traces: traces.filter(|_| went_well),
    })
}

struct Visit<'a> {
    tab: Tab,
    traffic: Traffic<'a>,
    options: &'a RenderOptions,
    out: Rendering,
    started: Instant,
    deadline: Instant,
    frames: Frames,
    /// The answer with this id says how the first step went.
    navigation: u64,
    /// What leads to the next document.
    step: Option<(RedirectKind, Option<u16>)>,
    /// When the page announced a step that it has not taken yet.
    announced: Option<Instant>,
    steps: usize,
    /// The fetch of the main document that is under way, or was last.
    document: String,
    /// Whether there is a page to see, if not all of it.
    is_shown: bool,
    /// Bytes fetched for the page.
    received: u64,
    /// Why the last main document could not be fetched.
    failure: Option<String>,
    traces: Traces,
}

impl Visit<'_> {
    /// Opens the page and sees to its needs until it is finished.
    fn watch(&mut self) -> Result<(), End> {
        let session = self.tab.session().to_owned();
        let size = json!({"width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": false});
        self.tab
            .tell(&session, "Emulation.setDeviceMetricsOverride", size);
        self.tab.tell(&session, "Inspector.enable", json!({}));
        self.attend(&session);
        // All that must be in force before the page is asked for.
        let ready = json!({});
        self.tab
            .call("Runtime.runIfWaitingForDebugger", ready, self.deadline)?;
        let address = json!({"url": self.traffic.address.as_str()});
        self.navigation = self.tab.ask("Page.navigate", address)?;
        let hesitation = HESITATION.max(self.options.timeout / 6);
        loop {
            let now = Instant::now();
            if self.announced.is_some_and(|at| now >= at + hesitation) {
                self.announced = None;
            }
            if now >= self.deadline {
                let limit = self.options.timeout.as_secs_f64();
                return Err(End::Partly(format!("not finished after {limit} s")));
            }
            let wake = match self.frames.moment(now) {
                Moment::Wait(until) => until,
                Moment::Run(sessions, pace) => {
                    for session in sessions {
                        self.run_ahead(&session, pace)?;
                    }
                    continue;
                }
                Moment::Settled => match self.announced {
                    None => return Ok(()),
                    Some(at) => Some(at + hesitation),
                },
            };
            let until = wake.map_or(self.deadline, |wake| wake.min(self.deadline));
            if let Some(message) = self.tab.next(until)? {
                self.take(&message)?;
            }
        }
    }

    /// Has the browser ask before a session fetches anything, and tell what
    /// happens in it.
    fn attend(&self, session: &str) {
        let tell = |method, parameters| self.tab.tell(session, method, parameters);
        let patterns = json!([
            {"urlPattern": "*", "requestStage": "Request"},
            {"urlPattern": "*", "requestStage": "Response", "resourceType": "Document"},
        ]);
        tell(
            "Fetch.enable",
            json!({"patterns": patterns, "handleAuthRequests": true}),
        );
        tell("Page.enable", json!({}));
        tell("Network.enable", json!({}));
        tell("Network.setBypassServiceWorker", json!({"bypass": true}));
        tell("Network.setCacheDisabled", json!({"cacheDisabled": true}));
        // It would go round the list of hosts.
        let no_calls = "delete globalThis.RTCPeerConnection; \
            delete globalThis.webkitRTCPeerConnection; delete globalThis.WebTransport;";
        let script = json!({"source": no_calls, "runImmediately": true});
        tell("Page.addScriptToEvaluateOnNewDocument", script);
        let also = json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true});
        tell("Target.setAutoAttach", also);
        tell("Runtime.runIfWaitingForDebugger", json!({}));
    }

    fn is_main_frame(&self, frame: &Value) -> bool {
        *frame == self.tab.main_frame()
    }

    /// Sets a session's clock forward by a slice.
    fn run_ahead(&mut self, session: &str, pace: Pace) -> Result<(), WebError> {
        let ahead = json!({
            "policy": match pace {
                Pace::WhileIdle => "pauseIfNetworkFetchesPending",
                Pace::AtOnce => "advance",
            },
            "budget": milliseconds(SLICE),
            "maxVirtualTimeTaskStarvationCount": MOST_TASKS,
        });
        let method = "Emulation.setVirtualTimePolicy";
        let id = self.tab.ask_in(session, method, ahead)?;
        self.frames.asked(session, id);
        Ok(())
    }

    /// Ends whatever the page is doing.
    fn interrupt(&self) {
        for session in self.frames.sessions() {
            self.tab.tell(session, "Page.stopLoading", json!({}));
            self.tab
                .tell(session, "Runtime.terminateExecution", json!({}));
        }
    }

    /// Closes the page, which is not asked, and waits until it can leave no more
    /// traces.
    fn leave(self) -> (Rendering, Option<BTreeSet<String>>) {
        for session in self.frames.sessions() {
            let method = "Emulation.setScriptExecutionDisabled";
            self.tab.tell(session, method, json!({"value": true}));
        }
        let is_closed = self.tab.close(Instant::now() + CLOSING);
        let traces = self.traces.origins().filter(|_| is_closed);
        (self.out, traces)
    }

    fn write_down(&mut self) -> Result<(), End> {
        // Who waits long for a page may have a slow machine.
        let patience = WRITING.max(self.options.timeout / 3);
        let parts = self
            .frames
            .snapshots(&mut self.tab, Instant::now() + patience);
        let parts = parts.map_err(|error| match error {
            WebError::Late(_) => End::Nothing("a script in it does not end".to_owned()),
            error => End::Browser(error),
        })?;
        let Some(grafted) = graft(&parts, self.options.max_size) else {
            return Err(End::Nothing("the browser shows nothing".to_owned()));
        };
        let Grafted {
            html,
            title,
            address,
            cut,
        } = grafted;
        if address == "about:blank" || address.starts_with(ERROR_PAGE) {
            return Err(End::Nothing("there was no answer".to_owned()));
        }
        if cut && self.out.error.is_none() {
            self.out.error = Some(document::cut_at(self.options.max_size));
        }
        self.out.final_url = self.traffic.outside_name(&address);
        self.out.title = title;
        self.out.rendered = Some(html);
        Ok(())
    }
}
