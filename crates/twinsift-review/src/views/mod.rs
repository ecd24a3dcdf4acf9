//! What pages show, as HTML. Nothing here knows of requests, so that a report in a file can have
//! the same views. Whatever comes from outside goes through [`text`].

pub(crate) mod chart;
pub(crate) mod frame;
pub(crate) mod group;
pub(crate) mod learning;
pub(crate) mod list;
pub(crate) mod overview;
pub(crate) mod question;
pub(crate) mod side;
pub(crate) mod text;

/// The style sheet of all pages.
pub(crate) fn style() -> String {
    [twinsift_server::html::STYLE, include_str!("style.css")].concat()
}
