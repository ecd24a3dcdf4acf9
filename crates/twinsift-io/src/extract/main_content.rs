//! The article of a page, without what surrounds it.
//!
//! Readability's rules, through `dom_smoothie`. It builds a tree, so pages
//! that are nested absurdly deep or have absurdly many elements, or attributes
//! of one, are not given to it; and it is not always right, so a result that is all but empty is not
//! taken. In all these cases the caller keeps the whole page.

use std::cell::Cell;
use std::collections::HashMap;
use std::convert::Infallible;

use dom_smoothie::{Config, Readability};
use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

use super::attributes::{Attributes, MANY};
use super::html;

/// No page for readers is nested deeper.
const DEEPEST: u32 = 512;

/// Nor has it more elements.
const MOST_ELEMENTS: usize = 100_000;

/// A main text is taken if it has so many words …
const ENOUGH_WORDS: usize = 50;

/// … or at least one in so many of the page's.
const ENOUGH_OF_PAGE: usize = 10;

/// The main text of a page whose whole text is `whole`, or `None` where there
/// is none worth having.
pub fn extract(page: &str, whole: &str) -> Option<String> {
    if whole.is_empty() || is_too_much(page) {
        return None;
    }
    let config = Config {
        max_elements_to_parse: MOST_ELEMENTS,
        disable_json_ld: true,
        ..Config::default()
    };
    let article = Readability::new(page, None, Some(config))
        .ok()?
        .parse()
        .ok()?;
    let text = html::extract(&article.content).text;
    let words = text.split_whitespace().count();
    let enough = words >= ENOUGH_WORDS
        || (words > 0 && words * ENOUGH_OF_PAGE >= whole.split_whitespace().count());
    enough.then_some(text)
}

/// Whether elements may be nested too deep for a tree, or have too many
/// attributes. An end tag counts only if it ends something, so stray ones cannot
/// hide the depth.
fn is_too_much(page: &str) -> bool {
    let mut open: HashMap<Vec<u8>, u32> = HashMap::new();
    let mut depth = 0;
    let mut deepest = 0;
    let attributes = Cell::new(0);
    let mut most_attributes = 0;
    let mut emitter = CallbackEmitter::new(
        |event: CallbackEvent<'_>, _: Span<()>| -> Option<Infallible> {
            match event {
                CallbackEvent::OpenStartTag { name } if nests(name) => {
                    match open.get_mut(name) {
                        Some(count) => *count += 1,
                        None => {
                            open.insert(name.to_vec(), 1);
                        }
                    }
                    depth += 1;
                    deepest = deepest.max(depth);
                }
                CallbackEvent::AttributeName { .. } => {
                    attributes.set(attributes.get() + 1);
                    most_attributes = most_attributes.max(attributes.get());
                }
                CallbackEvent::CloseStartTag { .. } => attributes.set(0),
                CallbackEvent::EndTag { name } => {
                    attributes.set(0);
                    if let Some(count) = open.get_mut(name)
                        && *count > 0
                    {
                        *count -= 1;
                        depth -= 1;
                    }
                }
                _ => {}
            }
            None
        },
    );
    emitter.naively_switch_states(true);
    let reader = Attributes::of(page, &attributes);
    let Ok(()) = Tokenizer::new_with_emitter(reader, emitter).finish();
    deepest > DEEPEST || most_attributes > MANY
}

/// Whether an element can be nested at will: not if it has no content, or if
/// the next of its kind ends it and only another element can be in between.
fn nests(name: &[u8]) -> bool {
    !matches!(
        name,
        b"area"
            | b"base"
            | b"br"
            | b"col"
            | b"embed"
            | b"hr"
            | b"img"
            | b"input"
            | b"link"
            | b"meta"
            | b"param"
            | b"source"
            | b"track"
            | b"wbr"
            | b"p"
            | b"li"
            | b"dd"
            | b"dt"
            | b"tr"
            | b"td"
            | b"th"
            | b"tbody"
            | b"thead"
            | b"tfoot"
            | b"option"
    )
}
