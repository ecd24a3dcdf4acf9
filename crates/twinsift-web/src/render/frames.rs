//! How far a page and its frames are.
//!
//! A frame of another site has a process and a clock of its own. The page is
//! finished when the clocks of all have run out; a frame that comes late is
//! given some time, not any time.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use serde_json::json;

use super::graft::Parts;
use super::snapshot::Snapshot;
use crate::browser::Tab;
use crate::error::WebError;

/// How long frames are waited for once the page itself has settled.
const LATE_FRAMES: Duration = Duration::from_secs(2);

/// A clock that is told to run whatever happens has run out by then.
const HURRIED: Duration = Duration::from_secs(1);

/// How far a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Loading,
    /// Loaded; its clock runs ahead.
    Running {
        since: Instant,
    },
    /// Its clock runs ahead whatever is still on its way.
    Hurried {
        since: Instant,
    },
    Settled {
        at: Instant,
    },
}

#[derive(Debug)]
struct Frame {
    /// The session that the element with the frame is in.
    parent: String,
    session: String,
    /// The frame's name in its parent.
    name: String,
    state: State,
}

/// What is to be done next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// Wait for what comes, until then.
    Wait(Option<Instant>),
    /// Wait no longer for what is on its way.
    Hurry,
    /// All is done.
    Settled,
}

/// The page, and those of its frames that have a process of their own.
#[derive(Debug)]
pub(super) struct Frames {
    /// The page itself comes first.
    all: Vec<Frame>,
    documents: usize,
    has_loaded: bool,
}

impl Frames {
    pub fn new(session: &str) -> Self {
        Self {
            all: vec![Frame {
                parent: String::new(),
                session: session.to_owned(),
                name: String::new(),
                state: State::Loading,
            }],
            documents: 0,
            has_loaded: false,
        }
    }

    pub fn sessions(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|frame| frame.session.as_str())
    }

    /// A frame has got a process of its own.
    pub fn add(&mut self, parent: &str, session: &str, name: &str) {
        self.all.push(Frame {
            parent: parent.to_owned(),
            session: session.to_owned(),
            name: name.to_owned(),
            state: State::Loading,
        });
    }

    pub fn gone(&mut self, session: &str) {
        self.all.retain(|frame| frame.session != session);
    }

    /// The page asks for a document; whether it is the first.
    pub fn begin_document(&mut self) -> bool {
        self.all[0].state = State::Loading;
        self.documents += 1;
        self.documents == 1
    }

    /// Whether there has been something to see.
    pub fn has_loaded(&self) -> bool {
        self.has_loaded
    }

    /// A session is loaded; those whose clocks are to run now.
    pub fn loaded(&mut self, session: &str, now: Instant) -> Vec<String> {
        let is_page = self.all[0].session == session;
        self.has_loaded |= is_page;
        let page_is_loaded = self.has_loaded && self.all[0].state != State::Loading;
        let mut to_run = Vec::new();
        for frame in &mut self.all {
            // A page is loaded when its frames are.
            let starts = match is_page {
                true => true,
                false => frame.session == session && page_is_loaded,
            };
            if starts {
                frame.state = State::Running { since: now };
                to_run.push(frame.session.clone());
            }
        }
        to_run
    }

    /// A session's clock has run out.
    pub fn ran_out(&mut self, session: &str, now: Instant) {
        for frame in &mut self.all {
            let runs = matches!(frame.state, State::Running { .. } | State::Hurried { .. });
            if frame.session == session && runs {
                frame.state = State::Settled { at: now };
            }
        }
    }

    /// What to do at a time; `unrest` is how long a clock may be held up.
    pub fn moment(&self, now: Instant, unrest: Duration) -> Moment {
        let until = |at: Instant, then: Moment| match now < at {
            true => Moment::Wait(Some(at)),
            false => then,
        };
        match self.all[0].state {
            State::Loading => Moment::Wait(None),
            State::Running { since } => until(since + unrest, Moment::Hurry),
            State::Hurried { since } => until(since + HURRIED, Moment::Settled),
            State::Settled { at } => {
                let settled = |frame: &Frame| matches!(frame.state, State::Settled { .. });
                match self.all.iter().all(settled) {
                    true => Moment::Settled,
                    false => until(at + LATE_FRAMES, Moment::Settled),
                }
            }
        }
    }

    /// Notes that clocks are told to run whatever happens; whose.
    pub fn hurry(&mut self, now: Instant) -> Vec<String> {
        let mut hurried = Vec::new();
        for frame in &mut self.all {
            if matches!(frame.state, State::Running { .. }) {
                frame.state = State::Hurried { since: now };
                hurried.push(frame.session.clone());
            }
        }
        hurried
    }

    /// The trees of all processes, and where each belongs. A frame that does
    /// not answer is left out; the page itself must.
    pub fn snapshots(&self, tab: &mut Tab, until: Instant) -> Result<Parts, WebError> {
        let mut parts = Parts {
            snapshots: Vec::new(),
            owners: HashMap::new(),
        };
        // Which snapshot a session's is.
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        for frame in &self.all {
            let snapshot = match take_snapshot(tab, &frame.session, until) {
                Ok(snapshot) => snapshot,
                Err(WebError::Gone) => return Err(WebError::Gone),
                Err(error) if numbers.is_empty() => return Err(error),
                Err(_) => continue,
            };
            if let Some(&parent) = numbers.get(frame.parent.as_str()) {
                let name = json!({"frameId": frame.name});
                let owner = tab.call_in(&frame.parent, "DOM.getFrameOwner", name, until);
                let Some(element) = owner.ok().and_then(|o| o["backendNodeId"].as_i64()) else {
                    continue;
                };
                let number = parts.snapshots.len();
                parts.owners.insert((parent, element), number);
            }
            numbers.insert(&frame.session, parts.snapshots.len());
            parts.snapshots.push(snapshot);
        }
        Ok(parts)
    }
}

fn take_snapshot(tab: &mut Tab, session: &str, until: Instant) -> Result<Snapshot, WebError> {
    let method = "DOMSnapshot.captureSnapshot";
    let answer = tab.call_in(session, method, json!({"computedStyles": []}), until)?;
    serde_json::from_value(answer).map_err(|error| WebError::Refused {
        method,
        reason: error.to_string(),
    })
}
