//! What the browser says of which elements are seen, for the tags of a rendered body.

use super::snapshot::Document;

/// Attributes and declarations of inline styles by which elements are hidden.
pub(super) const HIDING: [&str; 2] = ["hidden", "aria-hidden"];
const HIDING_STYLES: [&str; 2] = ["display", "visibility"];

/// What the browser says of how the elements within another are seen.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sight {
    /// Of each, whether it is; where that is left to its content, as the one around it.
    Told { visible: bool },
    /// Nothing: they are outside of the body, within what is hidden already, or folded
    /// away. They keep the attributes that they have.
    Untold,
}

/// What is written into the tag of an element.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// All of its attributes, and no more.
    Plain,
    /// That it is displayed; and whether it is visible, where the one around it differs.
    Displayed { visible: Option<bool> },
    /// That it is not displayed.
    Hidden,
}

/// How an element is marked, and what is known of those within.
pub(super) fn sight(
    document: &Document<'_>,
    node: usize,
    around: Sight,
    name: &str,
) -> (Mark, Sight) {
    let (around, is_body) = match around {
        Sight::Told { visible } => (visible, false),
        Sight::Untold if name == "body" => (true, true),
        Sight::Untold => return (Mark::Plain, Sight::Untold),
    };
    if !document.is_shown(node) {
        let mark = match document.has_words(node) && !is_body {
            true => Mark::Hidden,
            false => Mark::Plain,
        };
        return (mark, Sight::Untold);
    }
    let visible = document.is_visible(node).unwrap_or(around);
    let mark = Mark::Displayed {
        visible: (visible != around).then_some(visible),
    };
    match name == "select" || document.is_folded(node) {
        true => (mark, Sight::Untold),
        false => (mark, Sight::Told { visible }),
    }
}

/// An inline style without the declarations that hide an element or do not.
pub(super) fn without_hiding(style: &str) -> String {
    let hides = |declaration: &&str| {
        let name = declaration.split(':').next().unwrap_or_default().trim();
        let mut hiding = HIDING_STYLES.iter();
        hiding.any(|hiding| name.eq_ignore_ascii_case(hiding))
    };
    let kept = style.split(';').filter(|declaration| !hides(declaration));
    kept.collect::<Vec<_>>().join(";")
}
