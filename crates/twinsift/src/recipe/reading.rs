//! What of a page is compared. The engine is given texts: a program that makes them of pages says
//! here how, because it changes what is found.

use serde::{Deserialize, Serialize};

/// How much of a page is its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Content {
    /// The main content, without what surrounds it.
    #[default]
    Main,
    /// All that a reader sees.
    All,
}

/// Which body of a page is compared where there are two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Body {
    /// The one that a browser showed.
    #[default]
    Rendered,
    /// The one that was fetched.
    Fetched,
}
