//! What is rendered, and what comes of it.

use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;
use twinsift::Id;
use twinsift_io::write::json_id;
use url::Url;

/// A page to render.
#[derive(Clone, Debug)]
pub struct RenderInput {
    /// Its name, unique within a run.
    pub id: Id<'static>,
    /// Where its HTML comes from.
    pub body: HtmlSource,
}

/// Where the HTML of a page comes from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum HtmlSource {
    /// It is fetched from this address.
    Address(Url),
    /// It is here. Nothing is fetched for it but what it asks for itself from
    /// hosts that are allowed.
    Stored {
        /// The address that it was fetched from, which relative addresses in it
        /// refer to.
        url: Option<Url>,
        /// The HTML.
        html: String,
    },
    /// It is a file, which may use other files in its folder and below.
    File {
        /// The file.
        path: PathBuf,
        /// The HTML in it.
        html: String,
    },
}

impl RenderInput {
    /// A number for the page, its body included: the same tomorrow.
    pub fn key(&self) -> u64 {
        let (kind, address, html) = match &self.body {
            HtmlSource::Address(address) => ("address", address.to_string(), ""),
            HtmlSource::Stored { url, html } => {
                let address = url.as_ref().map(ToString::to_string);
                ("stored", address.unwrap_or_default(), html.as_str())
            }
            HtmlSource::File { path, html } => ("file", path.display().to_string(), html.as_str()),
        };
        let parts = [kind, &self.id.text, &address, html].join("\0");
        rapidhash::v3::rapidhash_v3(parts.as_bytes())
    }

    /// The page at an address, which is its name too.
    pub fn at(address: Url) -> Self {
        Self {
            id: Id::text(address.to_string()),
            body: HtmlSource::Address(address),
        }
    }
}

/// What came of a page: a row of the output.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Rendering {
    /// The address that was asked for.
    pub url: Option<String>,
    /// The address at which the browser ended up.
    pub final_url: Option<String>,
    /// The status of the answer that is shown.
    pub status: Option<u16>,
    /// The way from the one address to the other.
    pub redirects: Vec<Redirect>,
    /// The media type of the answer that is shown.
    pub content_type: Option<String>,
    /// The title of the rendered page.
    pub title: Option<String>,
    /// The body as a plain fetch gives it, which follows redirects of the
    /// protocol and no others.
    pub html: Option<String>,
    /// The body as it is shown, frames and all.
    pub rendered: Option<String>,
    /// Why there is no rendered body, or only a part of it.
    pub error: Option<String>,
    /// How long it took.
    pub milliseconds: Times,
}

impl Rendering {
    /// What is known of a page before it is shown.
    pub(super) fn begin(page: &RenderInput) -> Self {
        let (url, html) = match &page.body {
            HtmlSource::Address(address) => (Some(address), None),
            HtmlSource::Stored { url, html } => (url.as_ref(), Some(html)),
            HtmlSource::File { html, .. } => (None, Some(html)),
        };
        Self {
            url: url.map(ToString::to_string),
            html: html.cloned(),
            ..Self::default()
        }
    }

    /// The same, and why no more came of it.
    pub(super) fn failed(page: &RenderInput, reason: &str) -> Self {
        Self {
            error: Some(reason.to_owned()),
            ..Self::begin(page)
        }
    }

    /// The row of the output: one line of JSON.
    pub fn row(&self, id: &Id<'_>) -> String {
        let name = json_id(id);
        let rest = serde_json::to_string(self).unwrap_or_default();
        format!("{{\"id\":{name},{}", rest.trim_start_matches('{'))
    }
}

/// A step from one address to the next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Redirect {
    /// What led there.
    pub kind: RedirectKind,
    /// The status of the answer, for a redirect of the protocol.
    pub status: Option<u16>,
    /// Where it led.
    pub url: String,
}

/// What can lead from one address to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum RedirectKind {
    /// A status such as 302, and the header `Location`.
    Http,
    /// `<meta http-equiv="refresh">`, or the header of that name.
    Refresh,
    /// A script, or a form that a script has sent off.
    Script,
}

/// How long a page took, from the beginning, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Times {
    /// Until the first body was there.
    pub fetched: Option<u64>,
    /// Until the page that is shown was loaded.
    pub loaded: Option<u64>,
    /// Until its rendered body was written down.
    pub total: u64,
}

pub(super) fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
