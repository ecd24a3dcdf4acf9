//! Text out of pages and mails.

mod attributes;
pub(crate) mod bodies;
pub(crate) mod charset;
mod elements;
mod encoded_words;
mod hidden;
pub(crate) mod html;
pub(crate) mod mail;
mod main_content;
pub(crate) mod media;

use std::borrow::Cow;

use main_content::TooMuch;
use media::TextKind;

/// How much of an HTML page becomes text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Content {
    /// All that a reader could see.
    #[default]
    All,
    /// The article, without menus, footers and the like. Where none is found,
    /// or less than a tenth of the page's words and fewer than 50 of them, it
    /// is the whole page after all.
    Main,
    /// The HTML itself, to be parsed later. Plain text is put into a page,
    /// as browsers do.
    Html,
}

/// The title and the text of a page or a mail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ExtractedText {
    /// Its title or subject, if it has one.
    pub title: Option<String>,
    /// Its text.
    pub text: String,
}

/// The title of a page, and as much of it as is asked for; and whether that is the whole
/// page though its main content was asked for, because to look for that takes too much.
pub(crate) fn page(html: &str, content: Content) -> (ExtractedText, bool) {
    let mut page = html::extract(html);
    let mut is_whole = false;
    match content {
        Content::All => {}
        Content::Main => match main_content::extract(html, &page.text) {
            Ok(Some(text)) => page.text = text,
            Ok(None) => {}
            Err(TooMuch) => is_whole = true,
        },
        Content::Html => html.clone_into(&mut page.text),
    }
    (page, is_whole)
}

/// The HTML in the body of an answer with a media type: its charset undone, and
/// what is not HTML put into a page, as browsers do.
pub fn html_of(bytes: &[u8], media: Option<&str>) -> String {
    let declared = media.and_then(charset::of_content_type);
    match TextKind::of(media, bytes) {
        Some(TextKind::Page) => charset::decode_page(bytes, declared).into_owned(),
        _ => plain(charset::decode(bytes, declared), Content::Html).into_owned(),
    }
}

/// A plain text, in a page if pages are asked for.
pub(crate) fn plain(text: Cow<'_, str>, content: Content) -> Cow<'_, str> {
    match content {
        Content::All | Content::Main => text,
        Content::Html => {
            let text = text.replace('&', "&amp;").replace('<', "&lt;");
            Cow::Owned(format!("<pre>\n{text}</pre>"))
        }
    }
}
