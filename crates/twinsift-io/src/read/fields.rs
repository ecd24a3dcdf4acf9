//! From a record's fields to a document.
//!
//! JSON, CSV and Parquet readers all fill one table of values, a slot for each
//! field name that matters; what the values mean is decided here, once. A name
//! may play several parts (`url` is an address and can be an id), so slots are
//! by name and parts refer to slots.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

use twinsift::{Document, Id, Item, Place, Rank, Rendered, Skipped};

use super::options::{Body, FieldNames};
use crate::extract::{self, Content, ExtractedText};

const ID: &[&str] = &["id", "doc_id", "url"];
const TEXT: &[&str] = &["text", "content", "body", "article"];
const HTML: &[&str] = &["html"];
const TITLE: &[&str] = &["title"];
const SUBJECT: &[&str] = &["subject"];
const URL: &[&str] = &["url"];
const RENDERED: &[&str] = &["rendered"];
const FINAL_URL: &[&str] = &["final_url"];

/// At most this many field names are listed in a complaint.
const NAMES_SHOWN: usize = 12;

/// What a field holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value<'a> {
    /// The record has no such field.
    #[default]
    Missing,
    /// The field is there and holds nothing.
    Null,
    /// A string.
    Text(Cow<'a, str>),
    /// A number, as it is spelt.
    Number(Cow<'a, str>),
    /// True or false.
    Truth(bool),
    /// None of these, in words: "a list".
    Other(&'static str),
}

impl Value<'_> {
    /// The same, with nothing borrowed.
    pub(super) fn into_owned(self) -> Value<'static> {
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        match self {
            Value::Missing => Value::Missing,
            Value::Null => Value::Null,
            Value::Text(text) => Value::Text(own(text)),
            Value::Number(digits) => Value::Number(own(digits)),
            Value::Truth(truth) => Value::Truth(truth),
            Value::Other(what) => Value::Other(what),
        }
    }

    /// How many bytes of text it has.
    pub(super) fn len(&self) -> usize {
        match self {
            Value::Text(text) | Value::Number(text) => text.len(),
            _ => 0,
        }
    }

    /// What it is, in words.
    fn kind(&self) -> &'static str {
        match self {
            Value::Missing | Value::Null => "nothing",
            Value::Text(_) => "text",
            Value::Number(_) => "a number",
            Value::Truth(_) => "a truth value",
            Value::Other(what) => what,
        }
    }
}

/// The name of a slot.
#[derive(Debug, PartialEq, Eq)]
struct Name {
    text: String,
    /// Whether it is for fields whose name differs in letter case only. These have a slot of
    /// their own, so that `text` goes before `Text` in a record that has both; and if they
    /// hold something else than they should, they are not meant.
    any_case: bool,
}

/// Which fields matter, and what for.
#[derive(Debug)]
pub(super) struct Fields {
    names: Vec<Name>,
    id: Vec<usize>,
    text: Vec<usize>,
    html: Vec<usize>,
    title: Vec<usize>,
    subject: Vec<usize>,
    url: Vec<usize>,
    rendered: Vec<usize>,
    final_url: Vec<usize>,
    rank: Option<usize>,
    extra: Vec<usize>,
    no_text: bool,
    id_is_named: bool,
    subject_is_named: bool,
    content: Content,
    body: Body,
    /// Pages that were too large to look for their main content.
    whole_pages: AtomicU64,
}

impl Fields {
    /// The fields that `names` asks for, with the usual guesses.
    pub(super) fn new(names: &FieldNames, content: Content, body: Body) -> Self {
        let mut table = Vec::new();
        let mut slots = |given: &Option<String>, guesses: &[&str]| -> Vec<usize> {
            let mut slot = |name: &str, any_case: bool| {
                let text = name.to_owned();
                let name = Name { text, any_case };
                let known = table.iter().position(|known| *known == name);
                known.unwrap_or_else(|| {
                    table.push(name);
                    table.len() - 1
                })
            };
            match given {
                Some(name) if name == FieldNames::NONE => Vec::new(),
                Some(name) => vec![slot(name, false)],
                None => (guesses.iter())
                    .flat_map(|name| [slot(name, false), slot(name, true)])
                    .collect(),
            }
        };
        let text_guesses = match is_named(&names.html) || names.no_text {
            true => &[],
            false => TEXT,
        };
        let html_guesses = match is_named(&names.text) || names.no_text {
            true => &[],
            false => HTML,
        };
        let another_is_named = is_named(&names.text) || is_named(&names.html);
        // A name that was given to another part is not meant for this one.
        let others = [&names.text, &names.html, &names.rendered, &names.title];
        let mut others = others.into_iter().flatten();
        let is_taken = others.any(|name| name.eq_ignore_ascii_case(SUBJECT[0]));
        let (subject, subject_guesses) = match (names.no_text, is_taken) {
            (true, _) => (&None, &[][..]),
            (false, true) => (&names.subject, &[][..]),
            (false, false) => (&names.subject, SUBJECT),
        };
        let (rendered, rendered_guesses) = match body {
            _ if names.no_text => (&None, &[][..]),
            Body::Fetched => (&None, &[][..]),
            Body::Rendered if another_is_named => (&names.rendered, &[][..]),
            Body::Rendered | Body::Both => (&names.rendered, RENDERED),
        };
        Self {
            extra: (names.extra.iter())
                .flat_map(|name| slots(&Some(name.clone()), &[]))
                .collect(),
            no_text: names.no_text,
            id: slots(&names.id, ID),
            text: slots(&names.text, text_guesses),
            html: slots(&names.html, html_guesses),
            title: slots(&names.title, TITLE),
            subject: slots(subject, subject_guesses),
            url: slots(&names.url, URL),
            rendered: slots(rendered, rendered_guesses),
            final_url: slots(&None, FINAL_URL),
            rank: slots(&names.rank, &[]).first().copied(),
            names: table,
            id_is_named: is_named(&names.id),
            subject_is_named: is_named(&names.subject),
            content,
            body,
            whole_pages: AtomicU64::new(0),
        }
    }

    /// The title of a page, and as much of it as is asked for.
    pub(super) fn page(&self, html: &str) -> ExtractedText {
        let (page, is_whole) = extract::page(html, self.content);
        self.whole_pages
            .fetch_add(u64::from(is_whole), Ordering::Relaxed);
        page
    }

    /// A plain text, in a page if pages are asked for.
    pub(super) fn plain<'a>(&self, text: Cow<'a, str>) -> Cow<'a, str> {
        extract::plain(text, self.content)
    }

    /// How many pages so far were too large to look for their main content.
    pub(super) fn whole_pages(&self) -> u64 {
        self.whole_pages.load(Ordering::Relaxed)
    }

    /// The slot of a field name.
    pub(super) fn slot(&self, name: &str) -> Option<usize> {
        let exact = |known: &Name| !known.any_case && known.text == name;
        let loose = |known: &Name| known.any_case && known.text.eq_ignore_ascii_case(name);
        let find = |is: &dyn Fn(&Name) -> bool| self.names.iter().position(is);
        find(&exact).or_else(|| find(&loose))
    }

    /// The first slot of texts, else of pages.
    pub(super) fn text_slot(&self) -> Option<usize> {
        self.text.iter().chain(&self.html).next().copied()
    }

    /// The names that were given, rather than guessed, for a part that every record needs or
    /// that somebody asked for.
    pub(super) fn named(&self) -> impl Iterator<Item = &str> {
        let parts = [&self.id, &self.text, &self.html, &self.title, &self.subject];
        let more = [&self.url, &self.rendered];
        let single = parts.into_iter().chain(more).filter(|part| part.len() == 1);
        let slots = single.map(|part| part[0]).chain(self.rank);
        slots.map(|slot| self.names[slot].text.as_str())
    }

    /// Why a table with such columns cannot be read: one that matters is there twice, and
    /// which of the two is meant is not ours to guess.
    pub(super) fn refuse_repeated(&self, columns: &[String]) -> Result<(), String> {
        let mut known = HashSet::new();
        let mut matter = columns.iter().filter(|name| self.slot(name).is_some());
        match matter.find(|name| !known.insert(*name)) {
            Some(name) => Err(format!(
                "the column \"{name}\" is there twice: rename one of the two"
            )),
            None => Ok(()),
        }
    }

    /// A table with every value missing.
    pub(super) fn blank<'a>(&self) -> Vec<Value<'a>> {
        vec![Value::Missing; self.names.len()]
    }

    /// Turns a record's values into a document. `place_id` is the name to use
    /// if no field holds one; `present` lists the record's own fields, for the
    /// complaint that none of them is a text.
    pub(super) fn item<'a>(
        &self,
        values: &mut [Value<'a>],
        place: Place,
        place_id: impl FnOnce() -> String,
        present: impl FnOnce() -> Vec<String>,
    ) -> Item<'a> {
        match self.document(values, place, place_id, present) {
            Ok(document) => Item::Document(document),
            Err(reason) => Item::Skipped(Skipped::one(place, reason)),
        }
    }

    fn document<'a>(
        &self,
        values: &mut [Value<'a>],
        place: Place,
        place_id: impl FnOnce() -> String,
        present: impl FnOnce() -> Vec<String>,
    ) -> Result<Document<'a>, String> {
        let rank = self.rank.and_then(|slot| rank(&values[slot]));
        let extra = self
            .extra
            .iter()
            .map(|&slot| plain(&values[slot]))
            .collect();
        let id = self.id(values, place_id)?;
        let url = first_text(values, &self.url);
        let mut title = first_text(values, &self.title);
        // What has a title is no mail: its subject is what it is about.
        let subject =
            first_text(values, &self.subject).filter(|_| self.subject_is_named || title.is_none());
        let final_url = first_text(values, &self.final_url);
        let rendered = first_text(values, &self.rendered);
        let mut rendered = rendered.map(|html| self.page(&html));
        let text = if let Some(page) = rendered.take_if(|_| self.body == Body::Rendered) {
            title = title.or(page.title.map(Cow::Owned));
            self.page_text(&subject, page.text)
        } else {
            match self.pick(values, &self.text)? {
                Some(Value::Text(text)) => self.plain(with_subject(&subject, text)),
                other => match self.pick(values, &self.html)? {
                    Some(Value::Text(html)) => {
                        let page = self.page(&html);
                        let own = page.title.map(Cow::Owned);
                        // The title field of a page that a browser showed is
                        // that of where it ended up.
                        title = match final_url.is_some() {
                            true => own.or(title),
                            false => title.or(own),
                        };
                        self.page_text(&subject, page.text)
                    }
                    None if other.is_none() && rendered.is_none() && !self.no_text => {
                        return Err(self.lacking(&present()));
                    }
                    _ => match &subject {
                        Some(subject) if rendered.is_none() => {
                            extract::plain(subject.clone(), self.content)
                        }
                        _ => Cow::Borrowed(""),
                    },
                },
            }
        };
        let title = title.or(subject);
        let rendered = rendered.map(|page| {
            Box::new(Rendered {
                text: Cow::Owned(page.text),
                title: page.title.map(Cow::Owned),
                url: final_url,
            })
        });
        Ok(Document {
            id,
            second_id: None,
            text,
            title,
            url,
            rendered,
            place,
            rank,
            content_keys: Vec::new(),
            extra,
            signature: None,
        })
    }

    /// The text of a page, or of a mail that is one. Where pages themselves are wanted, they
    /// stay as they are.
    fn page_text<'a>(&self, subject: &Option<Cow<'a, str>>, text: String) -> Cow<'a, str> {
        match self.content {
            Content::Html => Cow::Owned(text),
            Content::All | Content::Main => with_subject(subject, Cow::Owned(text)),
        }
    }

    fn id<'a>(
        &self,
        values: &mut [Value<'a>],
        place_id: impl FnOnce() -> String,
    ) -> Result<Id<'a>, String> {
        for &slot in &self.id {
            match &values[slot] {
                Value::Missing | Value::Null => {}
                Value::Text(text) if is_blank(text) => {}
                // Cloned, not taken: the same field may be the address too.
                Value::Text(text) => return Ok(Id::text(text.clone())),
                Value::Number(digits) => return Ok(Id::number(digits.clone())),
                _ if self.names[slot].any_case => {}
                value => {
                    return Err(format!(
                        "the id field \"{}\" is {}, not a string or a number",
                        self.names[slot].text,
                        value.kind()
                    ));
                }
            }
        }
        match self.id.first() {
            Some(&slot) if self.id_is_named => {
                Err(format!("no id in \"{}\"", self.names[slot].text))
            }
            _ => Ok(Id::text(place_id())),
        }
    }

    /// The first of `slots` that holds text, else `Null` if one is there and holds none.
    fn pick<'a>(
        &self,
        values: &mut [Value<'a>],
        slots: &[usize],
    ) -> Result<Option<Value<'a>>, String> {
        let mut found = None;
        for &slot in slots {
            match &mut values[slot] {
                Value::Missing => {}
                Value::Null => found = Some(Value::Null),
                Value::Text(text) if is_blank(text) => found = Some(Value::Null),
                Value::Text(text) => {
                    // The longest field of all is moved, not copied, unless it
                    // is borrowed and so costs nothing.
                    return Ok(Some(Value::Text(std::mem::take(text))));
                }
                _ if self.names[slot].any_case => {}
                value => return Err(self.not_text(slot, value.kind())),
            }
        }
        Ok(found)
    }

    fn not_text(&self, slot: usize, what: &str) -> String {
        format!(
            "the field \"{}\" is {what}, not text",
            self.names[slot].text
        )
    }

    fn lacking(&self, present: &[String]) -> String {
        let wanted: Vec<_> = self
            .text
            .iter()
            .chain(&self.html)
            .map(|&slot| &self.names[slot])
            .filter(|name| !name.any_case)
            .map(|name| format!("\"{}\"", name.text))
            .collect();
        let wanted = wanted.join(", ");
        if present.is_empty() {
            return format!("no text: looked for {wanted}, but there are no fields at all");
        }
        let mut shown: Vec<_> = present
            .iter()
            .take(NAMES_SHOWN)
            .map(|name| format!("\"{name}\""))
            .collect();
        if present.len() > NAMES_SHOWN {
            shown.push(format!("{} more", present.len() - NAMES_SHOWN));
        }
        format!(
            "no text: looked for {wanted}, but the fields are {}",
            shown.join(", ")
        )
    }
}

/// Whether a name was given, and is one.
fn is_named(name: &Option<String>) -> bool {
    name.as_ref().is_some_and(|name| name != FieldNames::NONE)
}

/// The text of a mail, below its subject as `extract::mail` has it.
fn with_subject<'a>(subject: &Option<Cow<'a, str>>, text: Cow<'a, str>) -> Cow<'a, str> {
    match subject {
        Some(subject) => Cow::Owned(format!("{}\n\n{text}", subject.trim())),
        None => text,
    }
}

fn is_blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}

fn first_text<'a>(values: &[Value<'a>], slots: &[usize]) -> Option<Cow<'a, str>> {
    slots.iter().find_map(|&slot| match &values[slot] {
        Value::Text(text) if !is_blank(text) => Some(text.clone()),
        _ => None,
    })
}

fn rank(value: &Value<'_>) -> Option<Rank> {
    match value {
        Value::Text(text) | Value::Number(text) => Some(Rank::of(text)),
        Value::Truth(truth) => Some(Rank::Number(f64::from(u8::from(*truth)))),
        Value::Missing | Value::Null | Value::Other(_) => None,
    }
}

/// A value as it would be printed.
fn plain<'a>(value: &Value<'a>) -> Option<Cow<'a, str>> {
    match value {
        Value::Text(text) if text.is_empty() => None,
        Value::Text(text) | Value::Number(text) => Some(text.clone()),
        Value::Truth(truth) => Some(Cow::Borrowed(if *truth { "true" } else { "false" })),
        Value::Missing | Value::Null | Value::Other(_) => None,
    }
}
