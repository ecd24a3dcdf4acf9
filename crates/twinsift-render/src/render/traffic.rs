//! What becomes of each request of a page: sent, refused, or answered here.

use std::path::{Path, PathBuf};

use url::Url;

use super::hosts::Hosts;
use super::page::{HtmlSource, RenderInput};

/// Hosts that cannot exist, for pages that have no address of their own.
const STORED: &str = "https://stored.invalid/";
const FILES: &str = "https://files.invalid";

/// Resources without text, and those that change nothing on the page.
const UNREAD: [&str; 8] = [
    "Image",
    "Media",
    "Font",
    "TextTrack",
    "Ping",
    "Prefetch",
    "Manifest",
    "CSPViolationReport",
];

/// What becomes of a request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Send,
    /// It is not needed.
    Drop,
    /// It is to a host that is not allowed.
    Forbid(String),
    Answer(Answer),
}

/// An answer that is given here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub status: u16,
    pub media: String,
    pub bytes: Vec<u8>,
}

/// The rules for one page.
pub(super) struct Traffic<'a> {
    hosts: &'a Hosts,
    page: &'a RenderInput,
    /// Where the page is opened.
    pub address: Url,
    /// The folder whose files the page may use.
    folder: Option<PathBuf>,
}

impl<'a> Traffic<'a> {
    pub(super) fn new(hosts: &'a Hosts, page: &'a RenderInput) -> Self {
        let fallback = || STORED.parse::<Url>().ok();
        let (address, folder) = match &page.body {
            HtmlSource::Address(address) => (Some(address.clone()), None),
            HtmlSource::Stored { url, .. } => (url.clone().or_else(fallback), None),
            HtmlSource::File { path, .. } => match path.canonicalize() {
                Ok(path) => {
                    let folder = path.parent().map(Path::to_owned);
                    (file_address(&path).or_else(fallback), folder)
                }
                // It came down a pipe: there are no files beside it.
                Err(_) => (fallback(), None),
            },
        };
        // The fallback is a constant that parses.
        let address = address.unwrap_or_else(|| unreachable!("a fixed address"));
        Self {
            hosts,
            page,
            address,
            folder,
        }
    }

    /// The address as the user knows it.
    pub(super) fn outside_name(&self, address: &str) -> Option<String> {
        if address.starts_with(STORED) {
            return None;
        }
        match address.strip_prefix(FILES) {
            Some(path) => Some(format!("file://{path}")),
            None => Some(address.to_owned()),
        }
    }

    /// What becomes of a request for `address`, of a kind that the browser
    /// names; `header` gives its headers by name.
    pub(super) fn judge<'h>(
        &self,
        address: &str,
        kind: &str,
        header: impl Fn(&str) -> &'h str,
    ) -> Verdict {
        let is_picture = kind != "Document" && header("Accept").starts_with("image/");
        let is_ahead_of_need = ["Purpose", "Sec-Purpose"]
            .iter()
            .any(|name| header(name).starts_with("prefetch"));
        if UNREAD.contains(&kind) || is_picture || is_ahead_of_need {
            return Verdict::Drop;
        }
        let Ok(address) = Url::parse(address) else {
            return Verdict::Drop;
        };
        match address.scheme() {
            "data" | "blob" | "about" => return Verdict::Send,
            "http" | "https" => {}
            scheme => return Verdict::Forbid(format!("{scheme}:")),
        }
        if let Some(answer) = self.stored(&address) {
            return Verdict::Answer(answer);
        }
        match self.hosts.allows(&address) {
            true => Verdict::Send,
            false => Verdict::Forbid(address.host_str().unwrap_or_default().to_owned()),
        }
    }

    fn stored(&self, address: &Url) -> Option<Answer> {
        let is_page = without_fragment(address) == without_fragment(&self.address);
        match &self.page.body {
            HtmlSource::Stored { html, .. } | HtmlSource::File { html, .. } if is_page => {
                Some(Answer {
                    status: 200,
                    media: "text/html; charset=utf-8".to_owned(),
                    bytes: html.clone().into_bytes(),
                })
            }
            HtmlSource::File { .. } if address.as_str().starts_with(FILES) => {
                Some(self.file(address).unwrap_or_else(|| Answer {
                    status: 404,
                    media: "text/plain".to_owned(),
                    bytes: Vec::new(),
                }))
            }
            _ => None,
        }
    }

    /// A file in the page's folder or below it, links followed first.
    fn file(&self, address: &Url) -> Option<Answer> {
        let mut local = Url::parse("file:///").ok()?;
        local.set_path(address.path());
        let path = local.to_file_path().ok()?.canonicalize().ok()?;
        let allowed = self
            .folder
            .as_ref()
            .is_some_and(|root| path.starts_with(root));
        let bytes = allowed.then(|| std::fs::read(&path).ok()).flatten()?;
        Some(Answer {
            status: 200,
            media: media_of(&path).to_owned(),
            bytes,
        })
    }
}

/// Whether an answer is something to read in a browser, and not a download.
pub(super) fn is_page(media: &str, disposition: &str) -> bool {
    let essence = media.split(';').next().unwrap_or_default().trim();
    let essence = essence.to_ascii_lowercase();
    let attached = disposition.trim_start().to_ascii_lowercase();
    let is_readable = essence.is_empty()
        || essence.starts_with("text/")
        || essence.ends_with("xml")
        || essence.ends_with("json");
    is_readable && !attached.starts_with("attachment")
}

fn file_address(path: &Path) -> Option<Url> {
    let local = Url::from_file_path(path).ok()?;
    Url::parse(&format!("{FILES}{}", local.path())).ok()
}

fn without_fragment(address: &Url) -> &str {
    let address = address.as_str();
    address.split('#').next().unwrap_or(address)
}

/// The browser takes no script and no style that is not called one.
fn media_of(path: &Path) -> &'static str {
    let extension = path.extension().and_then(|end| end.to_str());
    match extension.unwrap_or_default().to_ascii_lowercase().as_str() {
        "js" | "mjs" => "text/javascript",
        "css" => "text/css",
        "json" => "application/json",
        "xhtml" => "application/xhtml+xml",
        "xml" => "application/xml",
        "svg" => "image/svg+xml",
        "txt" => "text/plain",
        _ => "text/html",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use twinsift::Id;

    #[test]
    fn pages_are_told_from_downloads() {
        assert!(is_page("text/html; charset=x", "inline"));
        assert!(is_page("", ""));
        assert!(is_page("application/xhtml+xml", ""));
        assert!(!is_page("application/zip", ""));
        assert!(!is_page("application/pdf", ""));
        assert!(!is_page("text/html", " Attachment; filename=x"));
    }

    #[test]
    fn files_stay_in_their_folder() {
        let root = tempfile::tempdir().expect("a folder");
        let inside = root.path().join("site");
        std::fs::create_dir(&inside).expect("a folder");
        for (path, text) in [
            (inside.join("page.html"), "page"),
            (inside.join("frame.html"), "frame"),
            (root.path().join("secret.html"), "secret"),
        ] {
            std::fs::write(path, text).expect("a file");
        }
        std::os::unix::fs::symlink("../secret.html", inside.join("link.html")).expect("a link");
        let page = RenderInput {
            id: Id::text("x"),
            body: HtmlSource::File {
                path: inside.join("page.html"),
                html: "decoded".to_owned(),
            },
        };
        let hosts = Hosts::default();
        let traffic = Traffic::new(&hosts, &page);
        let answer = |name: &str| {
            let address = traffic.address.join(name).expect("an address");
            match traffic.judge(address.as_str(), "Document", |_| "") {
                Verdict::Answer(answer) => (answer.status, answer.bytes),
                other => panic!("{name}: {other:?}"),
            }
        };
        assert_eq!(answer("page.html#x"), (200, b"decoded".to_vec()));
        assert_eq!(answer("frame.html"), (200, b"frame".to_vec()));
        for name in ["../secret.html", "link.html", "missing.html", "/etc/passwd"] {
            assert_eq!(answer(name), (404, Vec::new()), "{name}");
        }
        let local = format!("file://{}", inside.join("frame.html").display());
        let verdict = traffic.judge(&local, "Document", |_| "");
        assert_eq!(verdict, Verdict::Forbid("file:".to_owned()));
    }
}
