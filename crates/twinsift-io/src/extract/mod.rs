//! Text out of pages and mails.

pub mod html;

use crate::read::Content;

/// What a page says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Its title, if it has one.
    pub title: Option<String>,
    /// Its text.
    pub text: String,
}

/// The title and text of a page.
pub fn page(html: &str, content: Content) -> Page {
    let _ = content;
    html::extract(html)
}
