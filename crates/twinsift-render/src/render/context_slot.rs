//! One browser context that is used again for page after page.
//!
//! What a page leaves in the browser is deleted before the next one. If that cannot
//! be done in full, and after a page that failed, a new [`Context`] is opened.

use super::RenderOptions;
use super::page::{RenderInput, Rendering};
use super::visit::{Visited, visit};
use crate::browser::{Browser, Context};
use crate::error::WebError;

/// A context is closed after so many pages in any case: the browser itself may keep
/// more than it should.
const MOST_PAGES: usize = 100;

/// A context, or none if the next page has to open a new one.
#[derive(Default)]
pub(super) struct ContextSlot {
    used: Option<Used>,
}

struct Used {
    context: Context,
    /// The number of the browser that it is in.
    browser: usize,
    pages: usize,
}

impl ContextSlot {
    /// Shows a page in the browser with a number.
    pub(super) fn visit(
        &mut self,
        browser: &Browser,
        number: usize,
        page: &RenderInput,
        options: &RenderOptions,
    ) -> Result<Rendering, WebError> {
        let fits = |used: &Used| used.browser == number && used.pages < MOST_PAGES;
        let mut used = match self.used.take().filter(fits) {
            Some(used) => used,
            None => Used {
                context: browser.open_context()?,
                browser: number,
                pages: 0,
            },
        };
        let tab = used.context.open_tab()?;
        let Visited { rendering, traces } = visit(tab, page, options)?;
        if let Some(origins) = traces
            && used.context.forget(&origins).is_ok()
        {
            used.pages += 1;
            self.used = Some(used);
        }
        Ok(rendering)
    }
}
