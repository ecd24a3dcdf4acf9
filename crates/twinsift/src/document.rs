//! What the engine is given: documents, and records that could not become one.
//!
//! The engine knows no file formats. A reader hands over [`Item`]s; each says
//! where it came from ([`Place`]), so that a reader of an error or a result
//! can find the record again.

use crate::signature::Signature;
use std::borrow::Cow;
use std::fmt;

/// Where a document stands: which source (in the order they were given), and
/// which record of it, counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Index of the source.
    pub source: u32,
    /// Number of the record within the source, from 1: a line, a row, a message.
    pub record: u64,
}

/// A document's name. Numbers are kept apart from text so that a result can
/// write `7` where the input had `7`, and `"7"` where it had `"7"`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Id<'a> {
    /// The name as it is printed.
    pub text: Cow<'a, str>,
    /// Whether the input held a number rather than a string.
    pub is_number: bool,
}

impl<'a> Id<'a> {
    /// A textual name.
    pub fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self {
            text: text.into(),
            is_number: false,
        }
    }

    /// A name that the input gave as a number; `digits` is its spelling.
    pub fn number(digits: impl Into<Cow<'a, str>>) -> Self {
        Self {
            text: digits.into(),
            is_number: true,
        }
    }
}

impl fmt::Display for Id<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The value of the field that decides which duplicate is kept. Text sorts by
/// its bytes, which puts ISO dates in order.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Rank {
    /// A numeric value.
    Number(f64),
    /// A whole number that no float is equal to, such as a time in nanoseconds.
    Integer(i64),
    /// Anything else.
    Text(String),
}

impl Rank {
    /// Compares two values; the order is total, with numbers before text.
    pub fn order(&self, other: &Self) -> std::cmp::Ordering {
        match (self, other) {
            (Rank::Number(a), Rank::Number(b)) => a.total_cmp(b),
            (Rank::Integer(a), Rank::Integer(b)) => a.cmp(b),
            // Numbers as large as these have no fractions.
            (Rank::Integer(a), Rank::Number(b)) => i128::from(*a).cmp(&(*b as i128)),
            (Rank::Number(a), Rank::Integer(b)) => (*a as i128).cmp(&i128::from(*b)),
            (Rank::Text(a), Rank::Text(b)) => a.cmp(b),
            (_, Rank::Text(_)) => std::cmp::Ordering::Less,
            (Rank::Text(_), _) => std::cmp::Ordering::Greater,
        }
    }

    /// Whether it is a number.
    pub fn is_number(&self) -> bool {
        !matches!(self, Rank::Text(_))
    }

    /// The value that a text spells: a number if it is one.
    pub fn of(text: &str) -> Self {
        let trimmed = text.trim();
        match (trimmed.parse::<i64>().ok(), trimmed.parse::<f64>()) {
            (Some(whole), Ok(number)) if number as i128 != i128::from(whole) => {
                Rank::Integer(whole)
            }
            (_, Ok(number)) if number.is_finite() => Rank::Number(number),
            _ => Rank::Text(text.to_owned()),
        }
    }
}

/// A key by which content is known, as in a web archive: a *revisit* record says
/// "the same bytes as that other record" and carries none itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentKey {
    /// This document's content is known by the key.
    Holds(u64),
    /// This document has no content of its own: it repeats the one that
    /// [`Holds`](ContentKey::Holds) the key.
    Repeats(u64),
}

/// A page as a browser showed it, which may be far from what was fetched:
/// scripts have run, frames are filled in, redirects have been followed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendered<'a> {
    /// Its text.
    pub text: Cow<'a, str>,
    /// Its title.
    pub title: Option<Cow<'a, str>>,
    /// The address at which the browser ended up.
    pub url: Option<Cow<'a, str>>,
}

/// A document to be compared.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    /// Its name, unique within a run.
    pub id: Id<'a>,
    /// The name to use should `id` be taken: for names that sources repeat in
    /// good faith, such as the address of a page that was fetched twice.
    pub second_id: Option<Cow<'a, str>>,
    /// The text that is compared.
    pub text: Cow<'a, str>,
    /// The title, kept apart from the text.
    pub title: Option<Cow<'a, str>>,
    /// The address.
    pub url: Option<Cow<'a, str>>,
    /// The page as a browser showed it, where the reader was asked for both
    /// bodies and there is one.
    pub rendered: Option<Box<Rendered<'a>>>,
    /// Where it came from.
    pub place: Place,
    /// The value of the field that a keep rule asks for.
    pub rank: Option<Rank>,
    /// The keys by which its content is known, where the source has such, or those of the
    /// content that it repeats: the first that another document holds counts. Never both.
    pub content_keys: Vec<ContentKey>,
    /// The values of further fields that the reader was asked for, in that order.
    pub extra: Vec<Option<Cow<'a, str>>>,
    /// The signature that was made of it before by the run's own recipe, in place of its text.
    pub signature: Option<Box<Signature>>,
}

impl<'a> Document<'a> {
    /// A document with a name and a text, and nothing else.
    pub fn new(id: impl Into<Cow<'a, str>>, text: impl Into<Cow<'a, str>>) -> Self {
        Self {
            id: Id::text(id),
            second_id: None,
            text: text.into(),
            title: None,
            url: None,
            rendered: None,
            place: Place::default(),
            rank: None,
            content_keys: Vec::new(),
            extra: Vec::new(),
            signature: None,
        }
    }

    /// The same document, borrowed.
    pub fn view(&self) -> Document<'_> {
        fn borrowed<'b>(text: &'b Option<Cow<'_, str>>) -> Option<Cow<'b, str>> {
            text.as_deref().map(Cow::Borrowed)
        }
        Document {
            id: Id {
                text: Cow::Borrowed(&self.id.text),
                is_number: self.id.is_number,
            },
            second_id: borrowed(&self.second_id),
            text: Cow::Borrowed(&self.text),
            title: borrowed(&self.title),
            url: borrowed(&self.url),
            rendered: self.rendered.as_ref().map(|page| {
                Box::new(Rendered {
                    text: Cow::Borrowed(&page.text),
                    title: borrowed(&page.title),
                    url: borrowed(&page.url),
                })
            }),
            place: self.place,
            rank: self.rank.clone(),
            content_keys: self.content_keys.clone(),
            extra: self.extra.iter().map(borrowed).collect(),
            signature: self.signature.clone(),
        }
    }

    /// The same document, with texts of its own.
    pub fn into_owned(self) -> Document<'static> {
        fn owned(text: Option<Cow<'_, str>>) -> Option<Cow<'static, str>> {
            text.map(|text| Cow::Owned(text.into_owned()))
        }
        Document {
            id: Id {
                text: Cow::Owned(self.id.text.into_owned()),
                is_number: self.id.is_number,
            },
            second_id: owned(self.second_id),
            text: Cow::Owned(self.text.into_owned()),
            title: owned(self.title),
            url: owned(self.url),
            rendered: self.rendered.map(|page| {
                Box::new(Rendered {
                    text: Cow::Owned(page.text.into_owned()),
                    title: owned(page.title),
                    url: owned(page.url),
                })
            }),
            place: self.place,
            rank: self.rank,
            content_keys: self.content_keys,
            extra: self.extra.into_iter().map(owned).collect(),
            signature: self.signature,
        }
    }
}

/// A record that could not be turned into a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Where it stands; record 0 means the source as a whole.
    pub place: Place,
    /// How many records it is, from that one on: one, unless several are lost together.
    pub records: u64,
    /// Why it was skipped, as a phrase that completes "line 7: …".
    pub reason: String,
}

impl Skipped {
    /// A single record.
    pub fn one(place: Place, reason: impl Into<String>) -> Self {
        Self {
            place,
            records: 1,
            reason: reason.into(),
        }
    }
}

/// What a reader hands to the engine.
#[derive(Clone, Debug)]
pub enum Item<'a> {
    /// A document.
    Document(Document<'a>),
    /// A record that is reported, counted and left out.
    Skipped(Skipped),
}

#[cfg(test)]
mod tests {
    use super::Rank;
    use std::cmp::Ordering;

    #[test]
    fn numbers_are_compared_exactly() {
        let ascending = [
            "-9223372036854775807",
            "-9223372036854775806.5",
            "-3",
            "0.5",
            "9007199254740992",
            "9007199254740993",
            "9007199254740994",
            "1700000000000000001",
            "1700000000000000099",
            "1e300",
            "2024-05-01",
        ];
        for (at, a) in ascending.iter().enumerate() {
            for (other, b) in ascending.iter().enumerate() {
                // A fraction of that size is rounded away.
                let expected = match (at, other) {
                    (0 | 1, 0 | 1) => continue,
                    _ => at.cmp(&other),
                };
                assert_eq!(Rank::of(a).order(&Rank::of(b)), expected, "{a} {b}");
            }
        }
        assert_eq!(Rank::of("7").order(&Rank::of("7.0")), Ordering::Equal);
    }
}
