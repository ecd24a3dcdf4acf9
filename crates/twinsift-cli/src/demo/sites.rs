//! The invented sites, as `sites.toml` lists them.

use serde::Deserialize;
use std::sync::LazyLock;

/// How a site writes quotation marks and dashes in its HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Quotes {
    /// As typographers do, in Unicode.
    Curly,
    /// As typographers do, as character references.
    Entities,
    /// As typewriters do.
    Straight,
}

/// How the story itself is marked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Body {
    /// An `article` of paragraphs.
    Article,
    /// A `div` of paragraphs with a class of the site's own.
    Division,
    /// One block of text with line breaks, as old systems do.
    Breaks,
}

/// A piece of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Part {
    /// The notice about cookies.
    Cookies,
    /// The name of the site and its motto.
    Masthead,
    /// The menu.
    Menu,
    /// The story.
    Story,
    /// Links to share the story.
    Share,
    /// Links to other stories.
    Related,
    /// The list of what others read.
    MostRead,
    /// The plea to subscribe.
    Letter,
    /// What the site says about itself.
    About,
    /// What readers say.
    Comments,
    /// The small print.
    Footer,
}

/// A site.
#[derive(Deserialize)]
pub(super) struct Site {
    pub(super) name: String,
    pub(super) host: String,
    pub(super) motto: String,
    pub(super) menu: Vec<String>,
    pub(super) byline: String,
    pub(super) cookies: String,
    pub(super) letter: String,
    pub(super) about: String,
    pub(super) rules: String,
    pub(super) footer: String,
    pub(super) quotes: Quotes,
    pub(super) body: Body,
    pub(super) layout: Vec<Part>,
}

#[derive(Deserialize)]
struct Sites {
    site: Vec<Site>,
}

/// All sites.
pub(super) static ALL: LazyLock<Vec<Site>> = LazyLock::new(|| {
    let sites: Sites = toml::from_str(include_str!("sites.toml")).expect("a list of sites");
    sites.site
});
