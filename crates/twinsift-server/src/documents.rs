//! Documents of a request: one, a list, or a line for each.
//!
//! They are read by the code that reads files, so that the same fields mean the same. A
//! document that cannot be read does not cost the others.

use crate::body::{self, Kind};
use crate::error::{Answered, ApiError};
use crate::json::{self, push_line};
use bytes::Bytes;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::ops::Range;
use twinsift::{Document, Id, Item, Place, Recipe};
use twinsift_io::{Body, Content, FieldNames, RowReader};
use utoipa::ToSchema;

/// Documents that are worked on, and become durable, together.
const MOST_TOGETHER: usize = 256;

/// Bytes of documents that are worked on together, about.
const BYTES_TOGETHER: usize = 1 << 20;

/// Where the documents of a body stand.
#[derive(Debug)]
pub(crate) struct Documents {
    pub(crate) bytes: Bytes,
    places: Vec<Range<usize>>,
    /// Whether it is a single one, rather than a list of one.
    pub(crate) is_single: bool,
}

impl Documents {
    /// Finds the documents of a body.
    pub(crate) fn find(bytes: Bytes, kind: Kind) -> Answered<Self> {
        let (places, is_single) = match kind {
            Kind::Lines => (lines(&bytes), false),
            Kind::Json => elements(&bytes)?,
        };
        Ok(Self {
            bytes,
            places,
            is_single,
        })
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.places.len()
    }

    /// The documents in groups that are worked on together, each as its number and bytes.
    pub(crate) fn groups(&self) -> Vec<Range<usize>> {
        let (mut groups, mut start, mut bytes) = (Vec::new(), 0, 0);
        for (at, place) in self.places.iter().enumerate() {
            bytes += place.len();
            if at + 1 - start >= MOST_TOGETHER || bytes >= BYTES_TOGETHER {
                groups.push(start..at + 1);
                (start, bytes) = (at + 1, 0);
            }
        }
        if start < self.places.len() {
            groups.push(start..self.places.len());
        }
        groups
    }

    /// The JSON of a document.
    pub(crate) fn get(&self, at: usize) -> &[u8] {
        self.places
            .get(at)
            .and_then(|place| self.bytes.get(place.clone()))
            .unwrap_or_default()
    }
}

/// The lines that are not empty.
fn lines(bytes: &[u8]) -> Vec<Range<usize>> {
    let ends = memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]);
    let mut start = 0;
    let ranges = ends.map(|end| std::mem::replace(&mut start, end + 1)..end);
    ranges
        .filter(|range| !bytes[range.clone()].trim_ascii().is_empty())
        .collect()
}

/// The elements of a list, or a single object.
fn elements(bytes: &[u8]) -> Answered<(Vec<Range<usize>>, bool)> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| ApiError::malformed(format!("the body is no UTF-8: {error}")))?;
    body::refuse_nested(bytes).map_err(ApiError::malformed)?;
    let broken = |error: serde_json::Error| body::malformed(&error);
    let range = |raw: &RawValue| {
        let start = raw.get().as_ptr() as usize - text.as_ptr() as usize;
        start..start + raw.get().len()
    };
    match text.trim_start().as_bytes().first() {
        Some(b'[') => {
            let all: Vec<&RawValue> = serde_json::from_str(text).map_err(broken)?;
            Ok((all.into_iter().map(range).collect(), false))
        }
        Some(b'{') => {
            let one: &RawValue = serde_json::from_str(text).map_err(broken)?;
            Ok((vec![range(one)], true))
        }
        None => Err(ApiError::malformed("the body is empty: send a document")),
        Some(_) => {
            let _: &RawValue = serde_json::from_str(text).map_err(broken)?;
            Err(ApiError::malformed(
                "the body is neither a document nor a list of documents",
            ))
        }
    }
}

/// Turns JSON objects into documents, as a recipe reads them.
#[derive(Debug)]
pub(crate) struct Reader(RowReader);

/// A document, and what is to be known of it besides.
#[derive(Debug)]
pub(crate) struct Submitted<'a> {
    pub(crate) document: Document<'a>,
    pub(crate) label: Option<String>,
    /// In milliseconds.
    pub(crate) time_to_live: Option<u64>,
}

impl Submitted<'_> {
    /// Its id, if it has one.
    pub(crate) fn id(&self) -> Option<&Id<'_>> {
        Some(&self.document.id).filter(|id| !id.text.is_empty())
    }
}

/// A document that could not be taken, as it is answered.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Broken {
    /// Its id, if it has one.
    #[schema(value_type = Option<String>)]
    pub(crate) id: Value,
    /// What is wrong with it, as one sentence.
    #[schema(example = "it has no id")]
    pub(crate) error: String,
}

impl Broken {
    pub(crate) fn new(id: Option<&Id<'_>>, error: impl Into<String>) -> Self {
        Self {
            id: id.map_or(Value::Null, json::id),
            error: error.into(),
        }
    }

    pub(crate) fn push(&self, lines: &mut Vec<u8>) {
        push_line(lines, self);
    }
}

impl Reader {
    pub(crate) fn new(recipe: &Recipe) -> Self {
        let names = FieldNames {
            extra: vec!["label".to_owned(), "ttl".to_owned()],
            ..FieldNames::default()
        };
        let content = match recipe.content() {
            twinsift::recipe::Content::All => Content::All,
            _ => Content::Main,
        };
        let body = match recipe.body() {
            twinsift::recipe::Body::Fetched => Body::Fetched,
            _ => Body::Rendered,
        };
        Self(RowReader::new(&names, content, body))
    }

    /// The document of a JSON object.
    pub(crate) fn read<'a>(&self, object: &'a [u8]) -> Result<Submitted<'a>, Broken> {
        if let Err(why) = body::refuse_nested(object) {
            return Err(Broken::new(None, why));
        }
        match self.0.json(object, Place::default()) {
            Item::Skipped(skipped) => Err(Broken {
                id: named(object),
                error: skipped.reason,
            }),
            Item::Document(mut document) => {
                let mut extra = std::mem::take(&mut document.extra).into_iter();
                let label = extra.next().flatten().map(|label| label.into_owned());
                let ttl = extra.next().flatten();
                let time_to_live = ttl.map(|ttl| time_to_live(&ttl)).transpose();
                let time_to_live =
                    time_to_live.map_err(|why| Broken::new(Some(&document.id), why))?;
                Ok(Submitted {
                    document,
                    label,
                    time_to_live,
                })
            }
        }
    }
}

/// The id of an object that is no document; null if it has none.
fn named(object: &[u8]) -> Value {
    #[derive(serde::Deserialize)]
    struct Named {
        id: Value,
    }
    let named = serde_json::from_slice(object).map(|named: Named| named.id);
    let named = named.ok().filter(|id| id.is_string() || id.is_number());
    named.unwrap_or(Value::Null)
}

/// Milliseconds of `90` (seconds), `30d` or `1h 30m`.
fn time_to_live(text: &str) -> Result<u64, String> {
    let wrong = || {
        format!(
            "the ttl \"{}\" is no time: use seconds, or a unit as in 30d",
            text.chars().take(40).collect::<String>()
        )
    };
    let milliseconds = match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds < 1e13 => (seconds * 1000.0) as u64,
        Ok(_) => return Err(wrong()),
        Err(_) => {
            let duration = humantime::parse_duration(text).map_err(|_| wrong())?;
            u64::try_from(duration.as_millis()).map_err(|_| wrong())?
        }
    };
    match milliseconds {
        0 => Err(wrong()),
        some => Ok(some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_found_in_every_form() {
        let found = |text: &'static str, kind| {
            let found = Documents::find(Bytes::from_static(text.as_bytes()), kind)?;
            let texts = (0..found.len()).map(|at| found.get(at));
            let texts = texts.map(|text| String::from_utf8_lossy(text).into_owned());
            Answered::Ok((texts.collect::<Vec<_>>(), found.is_single))
        };
        let (one, is_single) = found(" {\"a\":[1]} ", Kind::Json).expect("sound");
        assert_eq!((one, is_single), (vec!["{\"a\":[1]}".to_owned()], true));
        let (list, is_single) = found("[{\"a\":1}, 2 ,{}]", Kind::Json).expect("sound");
        assert_eq!(
            (list.as_slice(), is_single),
            (&["{\"a\":1}", "2", "{}"].map(str::to_owned)[..], false)
        );
        let (lines, _) = found("{}\r\n\n x\n", Kind::Lines).expect("sound");
        assert_eq!(lines, ["{}\r", " x"]);
        for broken in ["", "7", "[1", "{\"a\"", "{} {}"] {
            assert!(found(broken, Kind::Json).is_err(), "{broken}");
        }
    }

    #[test]
    fn groups_hold_all_documents_in_order() {
        let lines = "{}\n".repeat(600);
        let found = Documents::find(lines.into(), Kind::Lines).expect("sound");
        assert_eq!(found.groups(), [0..256, 256..512, 512..600]);
    }

    #[test]
    fn times_to_live_are_seconds_or_have_a_unit() {
        assert_eq!(time_to_live("90"), Ok(90_000));
        assert_eq!(time_to_live("0.5"), Ok(500));
        assert_eq!(time_to_live("30d"), Ok(30 * 86_400_000));
        for wrong in ["0", "-1", "soon", "1e99", "NaN", "0s", ""] {
            assert!(time_to_live(wrong).is_err(), "{wrong}");
        }
    }
}
