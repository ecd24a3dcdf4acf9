//! Text out of pages and mails.

pub mod charset;
pub mod html;
pub mod mail;
mod main_content;

use crate::read::Content;

/// What a page or a mail says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Its title or subject, if it has one.
    pub title: Option<String>,
    /// Its text.
    pub text: String,
}

/// The title and text of a page.
pub fn page(html: &str, content: Content) -> Page {
    let mut page = html::extract(html);
    if content == Content::Main
        && let Some(text) = main_content::extract(html, &page.text)
    {
        page.text = text;
    }
    page
}
