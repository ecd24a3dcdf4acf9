//! Rows that a program holds in memory, read as those of files are.
//!
//! Which column is what, and how a page becomes text, is decided by the very code that reads
//! files, so that the same rows are the same documents wherever they come from.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use twinsift::{Item, Place, Skipped};

use super::charsets::Charset;
use super::fields::{Fields, Value};
use super::options::{Body, FieldNames};
use super::record;
use crate::extract::Content;

/// Turns rows into documents.
#[derive(Debug)]
pub struct RowReader {
    fields: Fields,
    /// Rows that were named by their number.
    numbered: AtomicU64,
}

impl RowReader {
    /// A reader of rows whose columns have these names, with the usual guesses.
    pub fn new(names: &FieldNames, content: Content, body: Body) -> Self {
        Self {
            fields: Fields::new(names, content, body),
            numbered: AtomicU64::new(0),
        }
    }

    /// The place of a column among the values of a row; `None` if the column does not matter.
    pub fn slot(&self, column: &str) -> Option<usize> {
        self.fields.slot(column)
    }

    /// Where the text of a row goes that is nothing but a text.
    pub fn text_slot(&self) -> Option<usize> {
        self.fields.text_slot()
    }

    /// The values of a row without any.
    pub fn blank<'a>(&self) -> Vec<Value<'a>> {
        self.fields.blank()
    }

    /// The columns that were named, rather than guessed.
    pub fn named(&self) -> impl Iterator<Item = &str> {
        self.fields.named()
    }

    /// Why a table with such columns cannot be read: one that matters is there twice.
    pub fn refuse_repeated(&self, columns: &[String]) -> Result<(), String> {
        self.fields.refuse_repeated(columns)
    }

    /// How many pages so far were too large to look for their main content.
    pub fn whole_pages(&self) -> u64 {
        self.fields.whole_pages()
    }

    /// How many rows so far had no id.
    pub fn numbered(&self) -> u64 {
        self.numbered.load(Ordering::Relaxed)
    }

    /// The document of a row. Without an id, it is named by the number of rows before it.
    /// `present` are the names of the row's columns.
    pub fn item<'a>(
        &self,
        values: &mut [Value<'a>],
        place: Place,
        present: impl FnOnce() -> Vec<String>,
    ) -> Item<'a> {
        let is_numbered = Cell::new(false);
        let number = || {
            is_numbered.set(true);
            (place.record.saturating_sub(1)).to_string()
        };
        let mut item = self.fields.item(values, place, number, present);
        if let Item::Document(document) = &mut item {
            document.id.is_number |= is_numbered.get();
            let numbered = u64::from(is_numbered.get());
            self.numbered.fetch_add(numbered, Ordering::Relaxed);
        }
        item
    }

    /// The document of a JSON object. Without an id it has an empty one.
    pub fn json<'a>(&self, object: &'a [u8], place: Place) -> Item<'a> {
        let mut values = self.fields.blank();
        match record::parse(object, &Charset::utf8(), &self.fields, &mut values) {
            Ok(()) => {
                let present = || record::names(object);
                self.fields.item(&mut values, place, String::new, present)
            }
            Err(reason) => Item::Skipped(Skipped::one(place, reason)),
        }
    }

    /// Hands the documents of some rows to `sink`; they borrow their texts.
    #[cfg(feature = "parquet")]
    pub fn expand(
        &self,
        batch: &arrow_array::RecordBatch,
        first: Place,
        sink: &mut dyn FnMut(Item<'_>),
    ) {
        let columns = super::parquet::columns(batch, &self.fields);
        let mut values = self.fields.blank();
        for row in 0..batch.num_rows() {
            values.fill(Value::Missing);
            for (slot, column) in &columns {
                values[*slot] = column.value(row);
            }
            let place = Place {
                record: first.record + row as u64,
                ..first
            };
            let present = || {
                let fields = batch.schema_ref().fields();
                fields.iter().map(|field| field.name().clone()).collect()
            };
            sink(self.item(&mut values, place, present));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;

    #[test]
    fn rows_without_an_id_are_named_by_their_number() {
        let names = FieldNames::default();
        let reader = RowReader::new(&names, Content::Main, Body::Rendered);
        let text = reader.slot("text").expect("a usual name");
        let mut values = reader.blank();
        values[text] = Value::Text(Cow::Borrowed("some words"));
        let place = Place {
            source: 0,
            record: 3,
        };
        let Item::Document(document) = reader.item(&mut values, place, Vec::new) else {
            panic!("a document")
        };
        assert_eq!((&*document.id.text, document.id.is_number), ("2", true));
        assert_eq!(document.text, "some words");
        assert_eq!(reader.numbered(), 1);
    }

    #[test]
    fn an_object_is_read_as_a_line_of_a_file() {
        let names = FieldNames {
            extra: vec!["label".to_owned()],
            ..FieldNames::default()
        };
        let reader = RowReader::new(&names, Content::Main, Body::Rendered);
        let object = br#"{"id":7,"html":"<p>some words","label":"x"}"#;
        let Item::Document(document) = reader.json(object, Place::default()) else {
            panic!("a document")
        };
        assert_eq!((&*document.id.text, document.id.is_number), ("7", true));
        assert_eq!(document.text.trim(), "some words");
        assert_eq!(document.extra[0].as_deref(), Some("x"));
        for broken in [&b"{"[..], b"[1]", b"{\"id\":1}", b"{\"text\":\"\xff\"}"] {
            let item = reader.json(broken, Place::default());
            assert!(matches!(item, Item::Skipped(_)), "{item:?}");
        }
    }

    #[test]
    fn a_name_that_is_given_is_the_only_one() {
        let names = FieldNames {
            text: Some("story".to_owned()),
            ..FieldNames::default()
        };
        let reader = RowReader::new(&names, Content::Main, Body::Rendered);
        assert_eq!(reader.named().collect::<Vec<_>>(), ["story"]);
        assert_eq!(reader.slot("Story"), None);
    }
}
