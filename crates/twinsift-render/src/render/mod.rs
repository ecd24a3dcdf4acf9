//! Rendering: from addresses and stored pages to what a person would see.
//!
//! A [`Renderer`] shows several pages at a time, none of which sees what others
//! have left, and hands over what came of each as it is done;
//! [`Journal`] keeps that so that a run can be taken up again, and puts it in
//! order. What goes wrong with a page is noted with it and stops nothing. Pages
//! that were shown when the browser went down are shown again one by one in a
//! new one: then it is clear which page was the cause.
//!
//! Pages are hostile until proven otherwise. They run in the browser's own
//! sandbox where the system permits, with an empty profile; they reach only
//! the [`Hosts`] that were allowed, are given no credentials, and cannot
//! download, open windows or wait for an answer to a dialogue.

mod context_slot;
mod document;
mod frames;
mod graft;
mod hosts;
mod journal;
mod page;
mod sight;
mod snapshot;
mod sources;
mod traffic;
mod visit;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use crate::browser::{Browser, BrowserOptions};
use crate::error::WebError;
use context_slot::ContextSlot;
pub use hosts::Hosts;
pub use journal::{Journal, JournalError};
pub use page::{HtmlSource, Redirect, RedirectKind, RenderInput, Rendering, Times};
pub use sources::{SourceItem, Sources};

/// How pages are rendered.
#[derive(Clone, Debug)]
pub struct RenderOptions {
    /// The browser; else the first one that is found.
    pub browser: Option<PathBuf>,
    /// Do without the browser's sandbox.
    pub no_sandbox: bool,
    /// The hosts that pages may be fetched from, and may fetch from.
    pub hosts: Hosts,
    /// How many pages are shown at a time.
    pub tabs: usize,
    /// How long a page may take.
    pub timeout: Duration,
    /// How long a page may show itself before it leads on to another.
    pub redirect_delay: Duration,
    /// How many bytes a body may have, fetched or rendered.
    pub max_size: usize,
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self {
            browser: None,
            no_sandbox: false,
            hosts: Hosts::default(),
            tabs: 4,
            timeout: Duration::from_secs(30),
            redirect_delay: Duration::from_secs(5),
            max_size: 8 << 20,
        }
    }
}

/// A page that is done.
#[derive(Debug)]
pub struct Done {
    /// Its number among the pages, from 0.
    pub number: usize,
    /// The page.
    pub page: RenderInput,
    /// What came of it.
    pub rendering: Rendering,
}

/// Shows pages in a browser.
pub struct Renderer {
    options: RenderOptions,
    browser: Mutex<Running>,
    /// Read-locked by threads that show pages side by side, write-locked by one that shows a
    /// page alone.
    side_by_side: RwLock<()>,
}

/// The browser that runs, and how many ran before it.
struct Running {
    browser: Arc<Browser>,
    number: usize,
}

impl Renderer {
    /// Starts a browser.
    ///
    /// # Errors
    ///
    /// If there is none, or it does not start.
    pub fn start(options: RenderOptions) -> Result<Self, WebError> {
        let browser = start(&options)?;
        Ok(Self {
            options,
            browser: Mutex::new(Running { browser, number: 0 }),
            side_by_side: RwLock::new(()),
        })
    }

    /// Whether pages are locked up in the browser's sandbox.
    pub fn is_sandboxed(&self) -> bool {
        lock(&self.browser).browser.is_sandboxed()
    }

    /// Renders pages and hands each to `sink` as it is done, which is not the
    /// order they come in. Few are in memory at a time. `sink` may end it early.
    ///
    /// # Errors
    ///
    /// If the browser has ended and cannot be started again.
    pub fn render(
        &self,
        pages: impl Iterator<Item = RenderInput> + Send,
        mut sink: impl FnMut(Done) -> ControlFlow<()>,
    ) -> Result<(), WebError> {
        let pages = Mutex::new(pages.enumerate());
        let stopped = AtomicBool::new(false);
        let (sender, results) = sync_channel(self.options.tabs);
        std::thread::scope(|scope| {
            for _ in 0..self.options.tabs.max(1) {
                let (pages, stopped, sender) = (&pages, &stopped, sender.clone());
                scope.spawn(move || {
                    let mut slot = ContextSlot::default();
                    while !stopped.load(Ordering::Relaxed) {
                        let Some((number, page)) = lock(pages).next() else {
                            break;
                        };
                        let done = self.page(&page, &mut slot).map(|rendering| Done {
                            number,
                            page,
                            rendering,
                        });
                        if sender.send(done).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut outcome = Ok(());
            // Read to the end, so that no thread waits to send its result.
            for done in results {
                match done {
                    _ if stopped.load(Ordering::Relaxed) => {}
                    Ok(done) => {
                        let goes_on = sink(done).is_continue();
                        stopped.store(!goes_on, Ordering::Relaxed);
                    }
                    Err(error) => {
                        stopped.store(true, Ordering::Relaxed);
                        outcome = Err(error);
                    }
                }
            }
            outcome
        })
    }

    fn page(&self, page: &RenderInput, slot: &mut ContextSlot) -> Result<Rendering, WebError> {
        let side_by_side = self.side_by_side.read();
        if let Some(rendering) = self.attempt(page, slot)? {
            return Ok(rendering);
        }
        drop(side_by_side);
        let _alone = self.side_by_side.write();
        let rendering = self.attempt(page, slot)?;
        Ok(rendering
            .unwrap_or_else(|| Rendering::failed(page, "the browser ends when it shows this page")))
    }

    /// Shows a page; `None` if the browser ended meanwhile, and runs again.
    fn attempt(
        &self,
        page: &RenderInput,
        slot: &mut ContextSlot,
    ) -> Result<Option<Rendering>, WebError> {
        let (browser, number) = {
            let running = lock(&self.browser);
            (Arc::clone(&running.browser), running.number)
        };
        let visited = slot.visit(&browser, number, page, &self.options);
        match visited {
            Ok(rendering) => Ok(Some(rendering)),
            Err(WebError::Gone) => {
                *slot = ContextSlot::default();
                drop(browser);
                self.restart(number)?;
                Ok(None)
            }
            Err(error) => Ok(Some(Rendering::failed(page, &error.to_string()))),
        }
    }

    /// Starts another browser in place of the one with a number, unless
    /// someone else has.
    fn restart(&self, number: usize) -> Result<(), WebError> {
        let mut running = lock(&self.browser);
        if running.number == number {
            running.browser = start(&self.options)?;
            running.number += 1;
        }
        Ok(())
    }
}

fn start(options: &RenderOptions) -> Result<Arc<Browser>, WebError> {
    let mut browser = BrowserOptions {
        program: options.browser.clone(),
        no_sandbox: options.no_sandbox,
        ..BrowserOptions::default()
    };
    options.hosts.confine(&mut browser);
    Ok(Arc::new(Browser::start(&browser)?))
}

/// A mutex is poisoned only by a panic, which is shown by the thread that panics.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
