//! The text of a page, by tokens alone.
//!
//! No tree is built: what a reader sees can be told from the tags as they go
//! by, which is several times faster than a tree, needs no memory for it, and
//! cannot be made to overflow the stack or turn quadratic by nesting. The
//! tokeniser is `html5gum`, a full implementation of the standard's; what the
//! standard leaves to the tree builder (which elements hold raw text) is
//! decided in [`State`] switches here.
//!
//! Block elements and `<br>` end a line, inline ones leave words whole, white
//! space is folded except in `<pre>`. What tags say is hidden does not count
//! ([`hidden`](super::hidden)), unless nothing would be left of the page.
//!
//! To a browser `<script/>` opens a script, and hides the page if nothing ends
//! it; so does a title. In XHTML such an element is empty. Elsewhere it is
//! passed over, and a title too, where nothing ends it: readers of a page that
//! never was in a browser, or is cut off, would rather have its words.

use std::cell::Cell;
use std::convert::Infallible;

use html5gum::{Emitter, Error, State, Tokenizer};
use memchr::memmem;

use super::ExtractedText;
use super::attributes::Attributes;
use super::elements::Kind;
use super::hidden::{Claims, Hidden};

/// So much of a page is looked at to know XHTML.
const HEAD_BYTES: usize = 8192;

/// The title and all visible text of a page.
pub(crate) fn extract(html: &str) -> ExtractedText {
    let page = read(html, true);
    match page.text.is_empty() && page.hidden.hid_text() {
        // Scripts will show it.
        true => read(html, false).finish(),
        false => page.finish(),
    }
}

/// Goes through a page, with or without regard to what it hides.
fn read(html: &str, hide: bool) -> Visible {
    let is_xhtml = is_xhtml(html);
    let mut unended = Vec::new();
    loop {
        let mut page = Visible::with_room(html.len() / 4, is_xhtml, unended);
        page.hidden = Hidden::new(hide);
        let attributes = Cell::new(0);
        let reader = Attributes::of(html, &attributes);
        let emitter = Forward {
            page: &mut page,
            attributes: &attributes,
        };
        let Ok(()) = Tokenizer::new_with_emitter(reader, emitter).finish();
        if !page.is_swallowed() {
            trim_end(&mut page.text);
            return page;
        }
        // No further element of this name has an end, so that a page is gone
        // through at most once for each name.
        unended = page.unended;
        unended.push((page.last_start, page.tags));
    }
}

/// Whether a page says that it is XML.
fn is_xhtml(html: &str) -> bool {
    let head = html.trim_start().as_bytes();
    let head = &head[..head.len().min(HEAD_BYTES)];
    let namespace = memmem::find(head, b"\"http://www.w3.org/1999/xhtml\"")
        .or_else(|| memmem::find(head, b"'http://www.w3.org/1999/xhtml'"));
    let tag = namespace.and_then(|at| {
        let start = memchr::memrchr(b'<', &head[..at])?;
        head.get(start..start + b"<html".len())
    });
    head.starts_with(b"<?xml ") || tag.is_some_and(|tag| tag.eq_ignore_ascii_case(b"<html"))
}

/// Whose text is being seen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sink {
    Text,
    Title,
    Nowhere,
}

/// Gathers what a reader would see.
struct Visible {
    is_xhtml: bool,
    /// Raw-text elements that are passed over, from some start tag on, for
    /// nothing ends them.
    unended: Vec<(Vec<u8>, usize)>,
    /// Start tags so far.
    tags: usize,
    text: Vec<u8>,
    title: Vec<u8>,
    has_title: bool,
    /// Set while a raw-text element lasts; its end tag is the next tag.
    raw: Option<Sink>,
    name: Vec<u8>,
    last_start: Vec<u8>,
    is_end: bool,
    self_closing: bool,
    /// Open `<template>`s, whose content is not shown.
    templates: u32,
    /// Open `<svg>`s, where `<title>` is not the page's.
    drawings: u32,
    in_select: bool,
    preformatted: u32,
    claims: Claims,
    hidden: Hidden,
}

impl Visible {
    fn with_room(bytes: usize, is_xhtml: bool, unended: Vec<(Vec<u8>, usize)>) -> Self {
        Self {
            is_xhtml,
            unended,
            tags: 0,
            text: Vec::with_capacity(bytes),
            title: Vec::new(),
            has_title: false,
            raw: None,
            name: Vec::new(),
            last_start: Vec::new(),
            is_end: false,
            self_closing: false,
            templates: 0,
            drawings: 0,
            in_select: false,
            preformatted: 0,
            claims: Claims::default(),
            hidden: Hidden::new(true),
        }
    }

    fn finish(mut self) -> ExtractedText {
        trim_end(&mut self.title);
        let title = into_string(self.title);
        ExtractedText {
            title: (!title.is_empty()).then_some(title),
            text: into_string(self.text),
        }
    }

    /// Whether the rest of the page went into an element that was not meant to
    /// hold it.
    fn is_swallowed(&self) -> bool {
        self.raw.is_some() && self.may_be_empty(&self.last_start)
    }

    /// Whether a raw-text element may be one that nothing ends.
    fn may_be_empty(&self, name: &[u8]) -> bool {
        self.self_closing || name == b"title"
    }

    fn is_passed_over(&self) -> bool {
        let is_this = |(name, from): &(Vec<u8>, usize)| *name == self.name && *from <= self.tags;
        self.may_be_empty(&self.name) && self.unended.iter().any(is_this)
    }

    fn sink(&self) -> Sink {
        match self.raw {
            Some(Sink::Title) => Sink::Title,
            Some(Sink::Nowhere) => Sink::Nowhere,
            _ if self.hidden.is_hiding() || self.templates > 0 || self.in_select => Sink::Nowhere,
            _ => Sink::Text,
        }
    }

    fn characters(&mut self, bytes: &[u8]) {
        match self.sink() {
            Sink::Nowhere if self.raw.is_none() => self.hidden.note_text(bytes),
            Sink::Nowhere => {}
            Sink::Title => push_folded(&mut self.title, bytes),
            Sink::Text if self.preformatted > 0 => self.text.extend_from_slice(bytes),
            Sink::Text => push_folded(&mut self.text, bytes),
        }
    }

    fn new_line(&mut self) {
        if self.sink() == Sink::Text {
            while self.text.last() == Some(&b' ') {
                self.text.pop();
            }
            if !matches!(self.text.last(), None | Some(b'\n')) {
                self.text.push(b'\n');
            }
        }
    }

    fn start_tag(&mut self) -> Option<State> {
        self.tags += 1;
        let kind = Kind::of(&self.name);
        let is_raw = matches!(kind, Kind::Raw(_));
        let is_drawn = self.drawings > 0 || matches!(kind, Kind::Drawing);
        let is_empty = self.self_closing && (self.is_xhtml || is_drawn);
        self.hidden.before_start(&self.name, &kind);
        let state = self.start_of(kind);
        // The end tag of raw text follows at once.
        if !is_raw && !is_empty {
            self.hidden.start(&self.name, &self.claims);
        }
        state
    }

    fn start_of(&mut self, kind: Kind) -> Option<State> {
        match kind {
            Kind::Pre | Kind::Template | Kind::Select | Kind::Raw(_)
                if self.is_xhtml && self.self_closing =>
            {
                self.new_line();
                None
            }
            Kind::Raw(_) if self.is_passed_over() => {
                self.new_line();
                None
            }
            Kind::Inline => None,
            Kind::Block => {
                self.in_select = false;
                self.new_line();
                None
            }
            Kind::Pre => {
                self.new_line();
                self.preformatted += 1;
                None
            }
            Kind::Template => {
                self.templates += 1;
                None
            }
            Kind::Select => {
                self.in_select = true;
                None
            }
            Kind::Drawing => {
                self.drawings += u32::from(!self.self_closing);
                None
            }
            // In a drawing `<style/>` and `<title/>` have no content.
            Kind::Raw(_) if self.drawings > 0 && self.self_closing => None,
            Kind::Raw(state) => {
                self.new_line();
                let is_title = self.name == b"title" && self.drawings == 0 && self.templates == 0;
                self.raw = Some(match state {
                    State::RcData if is_title && !self.has_title => {
                        self.has_title = true;
                        Sink::Title
                    }
                    State::PlainText => Sink::Text,
                    _ if self.name == b"xmp" => Sink::Text,
                    _ => Sink::Nowhere,
                });
                Some(state)
            }
        }
    }

    fn end_tag(&mut self) {
        let kind = Kind::of(&self.name);
        if !matches!(kind, Kind::Raw(_)) {
            self.hidden.end(&self.name, &kind);
        }
        match kind {
            Kind::Inline => {}
            Kind::Block => self.new_line(),
            Kind::Pre => {
                self.preformatted = self.preformatted.saturating_sub(1);
                self.new_line();
            }
            Kind::Template => self.templates = self.templates.saturating_sub(1),
            Kind::Select => self.in_select = false,
            Kind::Drawing => self.drawings = self.drawings.saturating_sub(1),
            Kind::Raw(_) => {
                self.raw = None;
                self.new_line();
            }
        }
    }
}

/// Appends with each run of white space as one space, none at a line's start.
fn push_folded(out: &mut Vec<u8>, bytes: &[u8]) {
    let mut rest = bytes;
    while !rest.is_empty() {
        let word = rest
            .iter()
            .position(u8::is_ascii_whitespace)
            .unwrap_or(rest.len());
        out.extend_from_slice(&rest[..word]);
        rest = &rest[word..];
        let space = rest
            .iter()
            .position(|byte| !byte.is_ascii_whitespace())
            .unwrap_or(rest.len());
        if space > 0 && !matches!(out.last(), None | Some(b' ' | b'\n')) {
            out.push(b' ');
        }
        rest = &rest[space..];
    }
}

fn trim_end(bytes: &mut Vec<u8>) {
    while bytes.last().is_some_and(u8::is_ascii_whitespace) {
        bytes.pop();
    }
}

fn into_string(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Passes the tokeniser's calls on; all that concerns comments, doctypes and
/// other attributes than those that hide elements is dropped.
struct Forward<'v> {
    page: &'v mut Visible,
    /// How many attributes the tag has so far.
    attributes: &'v Cell<u32>,
}

impl Emitter for Forward<'_> {
    type Token = Infallible;

    fn set_last_start_tag(&mut self, name: Option<&[u8]>) {
        self.page.last_start.clear();
        self.page
            .last_start
            .extend_from_slice(name.unwrap_or_default());
    }

    fn emit_eof(&mut self) {}

    fn emit_error(&mut self, _: Error) {}

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    #[inline]
    fn pop_token(&mut self) -> Option<Infallible> {
        None
    }

    #[inline]
    fn emit_string(&mut self, bytes: &[u8]) {
        self.page.characters(bytes);
    }

    fn init_start_tag(&mut self) {
        self.page.name.clear();
        self.page.is_end = false;
        self.page.self_closing = false;
        self.page.claims.clear();
    }

    fn init_end_tag(&mut self) {
        self.page.name.clear();
        self.page.is_end = true;
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        self.attributes.set(0);
        if self.page.is_end {
            self.page.end_tag();
            return None;
        }
        self.page.claims.end_attribute();
        let state = self.page.start_tag();
        let page = &mut *self.page;
        page.last_start.clear();
        page.last_start.extend_from_slice(&page.name);
        state
    }

    fn set_self_closing(&mut self) {
        self.page.self_closing = true;
    }

    #[inline]
    fn push_tag_name(&mut self, bytes: &[u8]) {
        self.page.name.extend_from_slice(bytes);
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.page.is_end && self.page.name == self.page.last_start
    }

    fn init_comment(&mut self) {}
    fn emit_current_comment(&mut self) {}
    fn push_comment(&mut self, _: &[u8]) {}
    fn init_doctype(&mut self) {}
    fn emit_current_doctype(&mut self) {}
    fn set_force_quirks(&mut self) {}
    fn push_doctype_name(&mut self, _: &[u8]) {}
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}

    fn init_attribute(&mut self) {
        self.attributes.set(self.attributes.get() + 1);
        self.page.claims.end_attribute();
    }

    #[inline]
    fn push_attribute_name(&mut self, bytes: &[u8]) {
        self.page.claims.push_name(bytes);
    }

    #[inline]
    fn push_attribute_value(&mut self, bytes: &[u8]) {
        self.page.claims.push_value(bytes);
    }
}
