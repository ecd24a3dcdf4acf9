//! How far a page and its frames are.
//!
//! A frame of another site has a process and a clock of its own. All clocks are
//! set forward together, a slice at a time, but only while nothing is being
//! fetched: a page must not see its timers run out before an answer that it
//! waits for. The browser has a policy for just that, but counts a fetch for
//! ever that a page has gone away from, so fetches are counted here as well;
//! and a clock must not be left standing meanwhile, or a page that comes next
//! is never loaded.
//!
//! The page is finished when all clocks have been set forward as far as
//! redirects are waited for. A frame that comes late is given some time, not any
//! time, and so is a fetch that does not end.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use serde_json::json;

use super::graft::Parts;
use super::snapshot::{STYLES, Snapshot};
use crate::browser::Tab;
use crate::error::WebError;

/// Clocks are set forward by this much at a time.
pub(super) const SLICE: Duration = Duration::from_millis(250);

/// A page that does not get through a slice by then will not.
const SLICE_TAKES: Duration = Duration::from_secs(5);

/// How long frames are waited for once the page itself has settled.
const LATE_FRAMES: Duration = Duration::from_secs(2);

/// How long fetches hold up the clocks of a page, once it is loaded.
const UNREST: Duration = Duration::from_secs(4);

/// When a clock that is set forward goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    /// Whenever the browser knows of nothing that is being fetched.
    WhileIdle,
    /// At once.
    AtOnce,
}

#[derive(Debug)]
struct Frame {
    /// The session that the element with the frame is in.
    parent: String,
    session: String,
    /// The frame's name in its parent.
    name: String,
    is_loaded: bool,
    /// How far its clock is still to be set forward.
    left: Duration,
    /// What of that is under way.
    slice: Option<Slice>,
}

#[derive(Clone, Copy, Debug)]
struct Slice {
    since: Instant,
    pace: Pace,
    grant: Grant,
}

/// Whether the browser knows of a slice. Until it has said so, it may still tell
/// of the end of the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grant {
    Wanted,
    Asked(u64),
    Given,
}

impl Frame {
    fn new(parent: &str, session: &str, name: &str) -> Self {
        Self {
            parent: parent.to_owned(),
            session: session.to_owned(),
            name: name.to_owned(),
            is_loaded: false,
            left: Duration::ZERO,
            slice: None,
        }
    }

    fn begin(&mut self, since: Instant, pace: Pace) -> String {
        let grant = Grant::Wanted;
        self.slice = Some(Slice { since, pace, grant });
        self.session.clone()
    }

    /// A slice is over.
    fn ran(&mut self) {
        self.left = self.left.saturating_sub(SLICE);
        self.slice = None;
    }
}

/// What is to be done next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// Wait for what comes, until then.
    Wait(Option<Instant>),
    /// Set the clocks of these sessions forward by a slice.
    Run(Vec<String>, Pace),
    /// All is done.
    Settled,
}

/// The page, and those of its frames that have a process of their own.
#[derive(Debug)]
pub(super) struct Frames {
    /// The page itself comes first.
    all: Vec<Frame>,
    /// What is being fetched.
    fetches: HashSet<String>,
    /// How far clocks are set forward.
    budget: Duration,
    /// Whether the page was loaded when it asked for the next document.
    was_loaded: bool,
    /// Whether that document did not come.
    stays: bool,
    loaded_at: Option<Instant>,
    settled_at: Option<Instant>,
}

impl Frames {
    pub(super) fn new(session: &str, budget: Duration) -> Self {
        Self {
            all: vec![Frame::new("", session, "")],
            fetches: HashSet::new(),
            budget,
            was_loaded: false,
            stays: false,
            loaded_at: None,
            settled_at: None,
        }
    }

    pub(super) fn sessions(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|frame| frame.session.as_str())
    }

    /// A frame has got a process of its own.
    pub(super) fn add(&mut self, parent: &str, session: &str, name: &str) {
        self.all.push(Frame::new(parent, session, name));
    }

    pub(super) fn gone(&mut self, session: &str) {
        self.all.retain(|frame| frame.session != session);
    }

    pub(super) fn fetch_begins(&mut self, name: &str) {
        self.fetches.insert(name.to_owned());
    }

    pub(super) fn fetch_ends(&mut self, name: &str) {
        self.fetches.remove(name);
    }

    /// The page asks for a document.
    pub(super) fn begin_document(&mut self) {
        let page = &mut self.all[0];
        self.was_loaded = page.is_loaded;
        (page.is_loaded, page.slice) = (false, None);
        self.settled_at = None;
        self.stays = false;
        // What the last one fetched is no matter any more.
        self.fetches.clear();
    }

    /// The document that the page asked for does not come: the last one stays,
    /// and is loaded when it stops loading.
    pub(super) fn stay(&mut self) {
        self.all[0].is_loaded = self.was_loaded;
        self.stays = true;
    }

    /// The page has stopped loading, which says little unless it stays.
    pub(super) fn stopped(&mut self, now: Instant) {
        if self.stays && !self.all[0].is_loaded {
            let session = self.all[0].session.clone();
            self.loaded(&session, now);
        }
    }

    /// A session is loaded.
    pub(super) fn loaded(&mut self, session: &str, now: Instant) {
        let is_page = self.all[0].session == session;
        if is_page {
            self.loaded_at = Some(now);
        }
        for frame in &mut self.all {
            // A page is loaded when its frames are.
            if frame.session == session || (is_page && !frame.is_loaded) {
                (frame.is_loaded, frame.left, frame.slice) = (true, self.budget, None);
            }
        }
    }

    /// A session's clock has been set forward.
    pub(super) fn ran(&mut self, session: &str) {
        for frame in &mut self.all {
            let is_given = frame.slice.is_some_and(|slice| slice.grant == Grant::Given);
            if frame.session == session && is_given {
                frame.ran();
            }
        }
    }

    /// The browser has been asked to set a session's clock forward, by the call
    /// with an id.
    pub(super) fn asked(&mut self, session: &str, id: u64) {
        let mut frames = self.all.iter_mut();
        if let Some(frame) = frames.find(|frame| frame.session == session)
            && let Some(slice) = &mut frame.slice
        {
            slice.grant = Grant::Asked(id);
        }
    }

    /// The browser has answered the call with an id.
    pub(super) fn answered(&mut self, id: u64) {
        for slice in self.all.iter_mut().filter_map(|frame| frame.slice.as_mut()) {
            if slice.grant == Grant::Asked(id) {
                slice.grant = Grant::Given;
            }
        }
    }

    /// What to do at a time.
    pub(super) fn moment(&mut self, now: Instant) -> Moment {
        let page = &mut self.all[0];
        let loaded_at = match self.loaded_at {
            Some(at) if page.is_loaded => at,
            // Its clock stands, and with it whatever comes next.
            Some(_) if page.slice.is_none() => {
                let pace = Pace::WhileIdle;
                return Moment::Run(vec![page.begin(now, pace)], pace);
            }
            _ => return Moment::Wait(None),
        };
        let mut wake = None;
        let mut wait = |until: Instant| wake = Some(wake.map_or(until, |w: Instant| w.min(until)));
        let pace = match self.fetches.is_empty() || now >= loaded_at + UNREST {
            true => Pace::AtOnce,
            false => {
                wait(loaded_at + UNREST);
                Pace::WhileIdle
            }
        };
        let mut to_run = Vec::new();
        for frame in self.all.iter_mut().filter(|frame| frame.is_loaded) {
            if let Some(slice) = frame.slice
                && slice.pace == Pace::AtOnce
                && now >= slice.since + SLICE_TAKES
            {
                frame.ran();
            }
            match frame.slice {
                _ if frame.left.is_zero() => {}
                Some(slice) if slice.pace == Pace::AtOnce => wait(slice.since + SLICE_TAKES),
                Some(slice) if slice.pace == pace => {}
                _ => to_run.push(frame.begin(now, pace)),
            }
        }
        if !to_run.is_empty() {
            return Moment::Run(to_run, pace);
        }
        let is_settled = |frame: &Frame| frame.is_loaded && frame.left.is_zero();
        if !is_settled(&self.all[0]) {
            return Moment::Wait(wake);
        }
        let late = *self.settled_at.get_or_insert(now) + LATE_FRAMES;
        match self.all.iter().all(is_settled) || now >= late {
            true => Moment::Settled,
            false => Moment::Wait(Some(wake.map_or(late, |wake| wake.min(late)))),
        }
    }

    /// The trees of all processes, and where each belongs. A frame that does
    /// not answer is left out; the page itself must.
    pub(super) fn snapshots(&self, tab: &mut Tab, until: Instant) -> Result<Parts, WebError> {
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
    let styles = json!({"computedStyles": STYLES});
    let answer = tab.call_in(session, method, styles, until)?;
    serde_json::from_value(answer).map_err(|error| WebError::Refused {
        method,
        reason: error.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Does what the browser would, and counts slices until there is something
    /// else to do.
    fn run_all(frames: &mut Frames, now: Instant) -> (usize, Moment) {
        let mut slices = 0;
        loop {
            match frames.moment(now) {
                Moment::Run(sessions, Pace::AtOnce) => {
                    for session in sessions {
                        slices += 1;
                        frames.asked(&session, slices as u64);
                        frames.answered(slices as u64);
                        frames.ran(&session);
                    }
                }
                moment => return (slices, moment),
            }
        }
    }

    const BUDGET: Duration = Duration::from_secs(1);

    #[test]
    fn the_clock_runs_when_the_page_is_loaded_and_nothing_is_fetched() {
        let now = Instant::now();
        let mut frames = Frames::new("p", BUDGET);
        frames.begin_document();
        assert_eq!(frames.moment(now), Moment::Wait(None));
        frames.fetch_begins("x");
        frames.loaded("p", now);
        let idle = Moment::Run(vec!["p".to_owned()], Pace::WhileIdle);
        assert_eq!(frames.moment(now), idle);
        assert_eq!(frames.moment(now), Moment::Wait(Some(now + UNREST)));
        frames.fetch_ends("x");
        assert_eq!(run_all(&mut frames, now), (4, Moment::Settled));
    }

    #[test]
    fn a_fetch_that_does_not_end_holds_a_page_up_for_a_while() {
        let now = Instant::now();
        let mut frames = Frames::new("p", BUDGET);
        frames.begin_document();
        frames.loaded("p", now);
        frames.fetch_begins("x");
        frames.moment(now);
        assert!(matches!(frames.moment(now), Moment::Wait(Some(_))));
        let later = now + UNREST;
        assert_eq!(run_all(&mut frames, later), (4, Moment::Settled));
    }

    #[test]
    fn the_end_of_a_slice_that_was_replaced_does_not_count() {
        let now = Instant::now();
        let mut frames = Frames::new("p", SLICE);
        frames.begin_document();
        frames.fetch_begins("x");
        frames.loaded("p", now);
        let runs = |moment, pace| matches!(moment, Moment::Run(_, found) if found == pace);
        assert!(runs(frames.moment(now), Pace::WhileIdle));
        frames.asked("p", 1);
        frames.answered(1);
        frames.fetch_ends("x");
        assert!(runs(frames.moment(now), Pace::AtOnce));
        frames.asked("p", 2);
        frames.ran("p");
        assert!(matches!(frames.moment(now), Moment::Wait(_)));
        frames.answered(2);
        frames.ran("p");
        assert_eq!(frames.moment(now), Moment::Settled);
    }

    #[test]
    fn frames_that_come_late_are_given_some_time() {
        let now = Instant::now();
        let mut frames = Frames::new("p", BUDGET);
        frames.begin_document();
        frames.loaded("p", now);
        frames.add("p", "f", "F");
        let (slices, moment) = run_all(&mut frames, now);
        assert_eq!((slices, moment), (4, Moment::Wait(Some(now + LATE_FRAMES))));
        frames.loaded("f", now);
        assert_eq!(run_all(&mut frames, now), (4, Moment::Settled));
        frames.add("p", "g", "G");
        assert_eq!(run_all(&mut frames, now + LATE_FRAMES).1, Moment::Settled);
    }

    #[test]
    fn a_page_that_goes_on_is_waited_for_and_its_clock_kept_going() {
        let now = Instant::now();
        let mut frames = Frames::new("p", BUDGET);
        frames.begin_document();
        frames.loaded("p", now);
        run_all(&mut frames, now);
        frames.begin_document();
        assert!(matches!(
            frames.moment(now),
            Moment::Run(_, Pace::WhileIdle)
        ));
        assert_eq!(frames.moment(now), Moment::Wait(None));
        // The next document does not come: the page is as finished as before.
        frames.stay();
        assert_eq!(run_all(&mut frames, now).1, Moment::Settled);
    }
}
