//! Media types of texts.

/// A kind of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextKind {
    /// HTML.
    Page,
    /// Plain text.
    Plain,
}

impl TextKind {
    /// The kind that a media type stands for. Where there is none, only what
    /// looks like a page is one.
    pub(crate) fn of(media: Option<&str>, bytes: &[u8]) -> Option<Self> {
        let media = media.unwrap_or_default();
        let essence = media.split(';').next().unwrap_or_default().trim();
        match essence.to_ascii_lowercase().as_str() {
            "text/html" | "application/xhtml+xml" => Some(Self::Page),
            "text/plain" => Some(Self::Plain),
            "" => {
                let head = bytes.trim_ascii_start();
                let head = head[..head.len().min(64)].to_ascii_lowercase();
                let is_page = head.starts_with(b"<!doctype html") || head.starts_with(b"<html");
                is_page.then_some(Self::Page)
            }
            _ => None,
        }
    }
}
