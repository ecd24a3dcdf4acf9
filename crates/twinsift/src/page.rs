//! What signals are computed from: a page as it was fetched and, where there is
//! one, as a browser showed it.
//!
//! The engine does not parse HTML. The caller hands over the source of a page together
//! with its visible text and its main content.

use std::borrow::Cow;

/// A page, or any other document.
#[derive(Clone, Debug, Default)]
pub struct Page<'a> {
    /// The body that was fetched; `None` where that failed.
    pub fetched: Option<Body<'a>>,
    /// The body that a browser showed; `None` if it was not rendered.
    pub rendered: Option<Body<'a>>,
}

/// One body of a page.
#[derive(Clone, Debug, Default)]
pub struct Body<'a> {
    /// Its address; of a rendered body, where the browser ended up.
    pub url: Option<Cow<'a, str>>,
    /// Its title.
    pub title: Option<Cow<'a, str>>,
    /// The body itself: HTML, or plain text.
    pub source: Cow<'a, str>,
    /// What of it a reader sees.
    pub text: Cow<'a, str>,
    /// The article without what surrounds it.
    pub main: Cow<'a, str>,
}

impl<'a> Body<'a> {
    /// A plain text: source, visible text and article are one.
    pub fn plain(text: &'a str) -> Self {
        Self {
            source: Cow::Borrowed(text),
            text: Cow::Borrowed(text),
            main: Cow::Borrowed(text),
            ..Self::default()
        }
    }
}

impl<'a> Page<'a> {
    /// A page with nothing but a fetched text.
    pub fn plain(text: &'a str) -> Self {
        Self {
            fetched: Some(Body::plain(text)),
            rendered: None,
        }
    }
}
