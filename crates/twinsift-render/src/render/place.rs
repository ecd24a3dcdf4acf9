//! Where one page is shown after the other, without a trace of the last.
//!
//! What a page leaves in the browser is forgotten before the next one. Where
//! that cannot be done in full, and after a page with which anything was
//! wrong, the [`Context`] is made anew.

use super::RenderOptions;
use super::page::{Page, Rendering};
use super::visit::{Visited, visit};
use crate::browser::{Browser, Context};
use crate::error::WebError;

/// After so many pages a context is made anew in any case: the browser itself
/// may not forget all that it should.
const MOST_PAGES: usize = 100;

/// A context, while it can be used.
#[derive(Default)]
pub(super) struct Place {
    used: Option<Used>,
}

struct Used {
    context: Context,
    /// The number of the browser that it is in.
    browser: usize,
    pages: usize,
}

impl Place {
    /// Shows a page in the browser with a number.
    pub fn visit(
        &mut self,
        browser: &Browser,
        number: usize,
        page: &Page,
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
