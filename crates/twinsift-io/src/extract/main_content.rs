//! The article of a page, without what surrounds it.
//!
//! Readability's rules, through `dom_smoothie`. It builds a tree, so pages
//! that are nested absurdly deep or have absurdly many elements, or attributes
//! of one, are not given to it. Nor are pages on which it would take forever: it writes the
//! article down as HTML, and looks for the end of a text again at each character that has to
//! be written as an entity; and it remembers every error of a page. It is not always right,
//! so a result that is all but empty is not taken. In all these cases the caller keeps the whole page.

use std::cell::Cell;
use std::collections::HashMap;
use std::convert::Infallible;

use dom_smoothie::{Config, Readability};
use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

use super::attributes::{Attributes, MANY};
use super::elements::is_void;
use super::html;

/// No page for readers is nested deeper.
const DEEPEST: u32 = 512;

/// Nor has it more elements.
const MOST_ELEMENTS: usize = 100_000;

/// Tags and stray `<`, of which each may be an error to remember.
const MOST_TAGS: usize = 1_000_000;

/// The work of writing texts down: for each text, its bytes times its characters that have to
/// be escaped. So much takes half a second; an ordinary page of a megabyte takes a thousandth.
const MOST_ESCAPING: u64 = 20_000_000_000;

/// The same, were all of a page one text: there are ways to make a tree put texts together.
const MOST_ESCAPING_OF_PAGE: u64 = 1_000_000_000_000;

/// A main text is taken if it has so many words …
const ENOUGH_WORDS: usize = 50;

/// … or at least one in so many of the page's.
const ENOUGH_OF_PAGE: usize = 10;

/// A page that takes too much time or memory to look for its main text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooMuch;

/// The main text of a page whose whole text is `whole`, or `None` where there
/// is none worth having.
pub(super) fn extract(page: &str, whole: &str) -> Result<Option<String>, TooMuch> {
    match whole.is_empty() {
        true => Ok(None),
        false if is_too_much(page) => Err(TooMuch),
        false => Ok(main_text(page, whole)),
    }
}

fn main_text(page: &str, whole: &str) -> Option<String> {
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

/// Whether elements may be nested too deep for a tree, or be too many, or have too many
/// attributes, or texts be too much to write down. An end tag counts only if it ends
/// something, so stray ones cannot hide the depth.
fn is_too_much(page: &str) -> bool {
    let tags = memchr::memchr2_iter(b'<', 0, page.as_bytes()).count();
    if tags > MOST_TAGS {
        return true;
    }
    let mut text = Text::default();
    let mut open: HashMap<Vec<u8>, u32> = HashMap::new();
    let mut depth = 0;
    let mut deepest = 0;
    let attributes = Cell::new(0);
    let mut most_attributes = 0;
    let mut emitter = CallbackEmitter::new(
        |event: CallbackEvent<'_>, _: Span<()>| -> Option<Infallible> {
            match event {
                CallbackEvent::String { value } => text.push(value),
                CallbackEvent::AttributeValue { value } => text.attribute(value),
                CallbackEvent::OpenStartTag { name } => {
                    let is_open = |name: &[u8]| open.get(name).is_some_and(|&count| count > 0);
                    if is_kept(name, is_open(b"table")) && !is_open(b"select") {
                        text.end();
                    }
                    if !nests(name) {
                        return None;
                    }
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
    text.end();
    deepest > DEEPEST || most_attributes > MANY || text.is_too_much()
}

/// Whether a start tag ends the text before it: not if a tree may leave it out.
fn is_kept(name: &[u8], in_table: bool) -> bool {
    match name {
        b"html" | b"head" | b"body" | b"frame" | b"frameset" | b"option" | b"optgroup" => false,
        b"caption" | b"col" | b"colgroup" | b"tbody" | b"thead" | b"tfoot" | b"tr" | b"td"
        | b"th" => in_table,
        _ => true,
    }
}

/// The work of writing down a page's texts.
#[derive(Default)]
struct Text {
    bytes: u64,
    escaped: u64,
    /// Of the texts that have ended.
    work: u64,
    all_bytes: u64,
    all_escaped: u64,
}

impl Text {
    /// Adds to the text at hand. Tags that no tree keeps do not end it.
    fn push(&mut self, value: &[u8]) {
        self.bytes += value.len() as u64;
        self.escaped += escaped(value);
    }

    fn attribute(&mut self, value: &[u8]) {
        self.work += value.len() as u64 * escaped(value);
    }

    fn end(&mut self) {
        self.work += self.bytes * self.escaped;
        self.all_bytes += self.bytes;
        self.all_escaped += self.escaped;
        (self.bytes, self.escaped) = (0, 0);
    }

    fn is_too_much(&self) -> bool {
        self.work > MOST_ESCAPING || self.all_bytes * self.all_escaped > MOST_ESCAPING_OF_PAGE
    }
}

/// How many characters are escaped, or looked at as if they were.
fn escaped(value: &[u8]) -> u64 {
    memchr::memchr2_iter(b'&', 0xc2, value).count() as u64
}

/// Whether an element can be nested at will: not if it has no content, or if
/// the next of its kind ends it and only another element can be in between.
fn nests(name: &[u8]) -> bool {
    let ended_by_next = matches!(
        name,
        b"p" | b"li"
            | b"dd"
            | b"dt"
            | b"tr"
            | b"td"
            | b"th"
            | b"tbody"
            | b"thead"
            | b"tfoot"
            | b"option"
    );
    !ended_by_next && !is_void(name)
}
