//! What can go wrong with the browser itself. What goes wrong with a page is
//! no error: it is written down with the page.

use thiserror::Error;

/// Why the browser cannot be used. Each message is one sentence.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WebError {
    /// There is no browser where one was looked for.
    #[error("no browser was found: install Chromium, or name one with --browser (looked for {0})")]
    NoBrowser(String),
    /// The browser does not start.
    #[error("{program} does not start as a browser: {reason}")]
    Start {
        /// The program.
        program: String,
        /// What it said.
        reason: String,
    },
    /// The system does not let the browser lock its pages up.
    #[error(
        "{program} cannot lock pages up on this system: allow user namespaces, or do without with --no-sandbox"
    )]
    NoSandbox {
        /// The program.
        program: String,
    },
    /// The browser has ended.
    #[error("the browser has ended")]
    Gone,
    /// The browser has not answered in time.
    #[error("the browser has not answered {0} in time")]
    Late(&'static str),
    /// The browser does not do what it was told.
    #[error("the browser refuses {method}: {reason}")]
    Refused {
        /// What it was told.
        method: &'static str,
        /// What it said.
        reason: String,
    },
    /// A host that cannot be allowed.
    #[error("\"{0}\" is no host to allow: write a name such as example.org, *.example.org or *")]
    Host(String),
}
