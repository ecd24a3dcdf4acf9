//! Rows of Python objects, pulled from an iterator a mebibyte at a time.
//!
//! Only the pulling needs the interpreter. What is pulled holds no Python object, so that it is
//! read without it, on other threads.

use crate::errors::{input, usage};
use pyo3::exceptions::PyUnicodeEncodeError;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyIterator, PyList, PyMapping, PyString,
};
use std::borrow::Cow;
use twinsift::{Item, Place};
use twinsift_io::{RowReader, Value};

/// Rows are pulled until they have so many bytes, or so many rows.
const BATCH_BYTES: usize = 1 << 20;
const BATCH_ROWS: usize = 8192;

/// What a value takes besides its text.
const VALUE_BYTES: usize = 48;

/// Some rows, in the order in which they came.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    /// How many rows came before.
    first: u64,
    /// The texts of rows that are nothing but a text.
    texts: String,
    rows: Vec<Row>,
    /// The values of other rows, each with its slot.
    values: Vec<(usize, Value<'static>)>,
    bytes: usize,
}

#[derive(Debug)]
enum Row {
    /// A text, which ends here.
    Text(usize),
    /// Nothing: an empty document.
    Null,
    /// Some values, which end here.
    Values(usize),
}

impl Rows {
    /// About how many bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Hands the documents to `sink`; they borrow their texts.
    pub(crate) fn expand(&self, reader: &RowReader, sink: &mut dyn FnMut(Item<'_>)) {
        let text_slot = reader.text_slot();
        let mut values = reader.blank();
        let (mut text_start, mut value_start) = (0, 0);
        for (number, row) in (1..).zip(&self.rows) {
            values.fill(Value::Missing);
            match *row {
                Row::Text(end) => {
                    if let Some(slot) = text_slot {
                        values[slot] = Value::Text(Cow::Borrowed(&self.texts[text_start..end]));
                    }
                    text_start = end;
                }
                Row::Null => {
                    if let Some(slot) = text_slot {
                        values[slot] = Value::Null;
                    }
                }
                Row::Values(end) => {
                    for (slot, value) in &self.values[value_start..end] {
                        values[*slot] = borrowed(value);
                    }
                    value_start = end;
                }
            }
            let place = Place {
                source: 0,
                record: self.first + number,
            };
            sink(reader.item(&mut values, place, Vec::new));
        }
    }
}

fn borrowed<'a>(value: &'a Value<'static>) -> Value<'a> {
    match value {
        Value::Text(text) => Value::Text(Cow::Borrowed(text)),
        Value::Number(digits) => Value::Number(Cow::Borrowed(digits)),
        other => other.clone(),
    }
}

/// Pulls rows from an iterator.
pub(crate) struct Puller<'py> {
    iterator: Bound<'py, PyIterator>,
    /// Where every row is kept as it is, if rows are asked for later.
    retained: Option<Bound<'py, PyList>>,
    pulled: u64,
}

impl<'py> Puller<'py> {
    pub(crate) fn new(
        rows: &Bound<'py, PyAny>,
        retained: Option<Bound<'py, PyList>>,
    ) -> PyResult<Self> {
        Ok(Self {
            iterator: rows.try_iter()?,
            retained,
            pulled: 0,
        })
    }

    /// The next rows; `None` at the end.
    pub(crate) fn next(&mut self, reader: &RowReader) -> PyResult<Option<Rows>> {
        let mut rows = Rows {
            first: self.pulled,
            ..Rows::default()
        };
        while rows.bytes < BATCH_BYTES && rows.rows.len() < BATCH_ROWS {
            let Some(row) = self.iterator.next() else {
                break;
            };
            let row = row?;
            rows.push(&row, self.pulled, reader)?;
            if let Some(retained) = &self.retained {
                retained.append(row)?;
            }
            self.pulled += 1;
        }
        Ok((!rows.rows.is_empty()).then_some(rows))
    }
}

impl Rows {
    fn push(&mut self, row: &Bound<'_, PyAny>, number: u64, reader: &RowReader) -> PyResult<()> {
        let before = self.texts.len();
        let row = if let Ok(text) = row.cast::<PyString>() {
            let bytes = utf8(text, || format!("row {number}"))?;
            self.texts += as_str(&bytes);
            Row::Text(self.texts.len())
        } else if is_nothing(row) {
            Row::Null
        } else if let Ok(fields) = row.cast::<PyDict>() {
            for (name, value) in fields.iter() {
                self.field(&name, &value, number, reader)?;
            }
            self.check(fields.as_any(), number, reader)?;
            Row::Values(self.values.len())
        } else if let Ok(fields) = row.cast::<PyMapping>() {
            for item in fields.items()?.iter() {
                let (name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
                self.field(&name, &value, number, reader)?;
            }
            self.check(fields.as_any(), number, reader)?;
            Row::Values(self.values.len())
        } else {
            return Err(input(row.py(), wrong_row(row, number)?));
        };
        self.bytes += self.texts.len() - before + VALUE_BYTES;
        self.rows.push(row);
        Ok(())
    }

    /// Refuses a row that lacks a column which was named.
    fn check(&self, row: &Bound<'_, PyAny>, number: u64, reader: &RowReader) -> PyResult<()> {
        let start = self.rows.iter().rev().find_map(|row| match row {
            Row::Values(end) => Some(*end),
            _ => None,
        });
        let known = &self.values[start.unwrap_or(0)..];
        let is_there = |name: &str| {
            let slot = reader.slot(name);
            known.iter().any(|(other, _)| Some(*other) == slot)
        };
        let Some(missing) = reader.named().find(|name| !is_there(name)) else {
            return Ok(());
        };
        let columns: Vec<String> = row
            .try_iter()?
            .take(12)
            .map(|name| Ok(format!("\"{}\"", name?)))
            .collect::<PyResult<_>>()?;
        let sentence = format!(
            "row {number} has no \"{missing}\": its fields are {}",
            columns.join(", ")
        );
        Err(input(row.py(), sentence))
    }

    fn field(
        &mut self,
        name: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
        number: u64,
        reader: &RowReader,
    ) -> PyResult<()> {
        let Ok(name) = name.extract::<String>() else {
            return Ok(());
        };
        let Some(slot) = reader.slot(&name) else {
            return Ok(());
        };
        let value = self::value(value, || format!("row {number}: the field \"{name}\""))?;
        self.bytes += VALUE_BYTES
            + match &value {
                Value::Text(text) | Value::Number(text) => text.len(),
                _ => 0,
            };
        self.values.push((slot, value));
        Ok(())
    }
}

fn wrong_row(row: &Bound<'_, PyAny>, number: u64) -> PyResult<String> {
    let name = row.get_type().name()?;
    Ok(match row.is_instance_of::<PyBytes>() {
        true => format!("row {number} is bytes, not text: decode it first"),
        false => format!(
            "row {number} is of the type {name}: rows are texts (str), dicts with a field \"text\", or None for an empty document"
        ),
    })
}

/// Whether it is None, NaN or one of pandas' values for nothing.
fn is_nothing(value: &Bound<'_, PyAny>) -> bool {
    if value.is_none() {
        return true;
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        return number.value().is_nan();
    }
    let name = value.get_type().name();
    name.is_ok_and(|name| name == "NAType" || name == "NaTType")
}

/// A text as UTF-8, which half of a surrogate pair is not.
fn utf8<'py>(
    text: &Bound<'py, PyString>,
    place: impl Fn() -> String,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = text.py();
    text.encode_utf8().map_err(|error| {
        match error.is_instance_of::<PyUnicodeEncodeError>(py) {
            true => input(
                py,
                format!(
                    "{} holds half of a surrogate pair, which no text does: encode it with errors=\"replace\" and decode it again",
                    place()
                ),
            ),
            false => error,
        }
    })
}

/// The text of bytes that the interpreter has encoded.
fn as_str<'a>(bytes: &'a Bound<'_, PyBytes>) -> &'a str {
    std::str::from_utf8(bytes.as_bytes()).unwrap_or_default()
}

/// An id that a caller names a document by.
pub(crate) fn id_text(id: &Bound<'_, PyAny>) -> PyResult<String> {
    match value(id, || "an id".to_owned())? {
        Value::Text(text) | Value::Number(text) => Ok(text.into_owned()),
        _ => {
            let name = id.get_type().name()?;
            let sentence = format!("an id is a text or a number, and this is of the type {name}");
            Err(usage(id.py(), sentence))
        }
    }
}

/// The value of a field.
fn value(value: &Bound<'_, PyAny>, place: impl Fn() -> String) -> PyResult<Value<'static>> {
    let number = |digits: String| Value::Number(Cow::Owned(digits));
    if let Ok(text) = value.cast::<PyString>() {
        let bytes = utf8(text, place)?;
        return Ok(Value::Text(Cow::Owned(as_str(&bytes).to_owned())));
    }
    if is_nothing(value) {
        return Ok(Value::Null);
    }
    if let Ok(truth) = value.cast::<PyBool>() {
        return Ok(Value::Truth(truth.is_true()));
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(number(value.str()?.extract()?));
    }
    if let Ok(float) = value.cast::<PyFloat>() {
        return Ok(number(float.value().to_string()));
    }
    if value.is_instance_of::<PyBytes>() || value.is_instance_of::<PyByteArray>() {
        return Ok(Value::Other("bytes"));
    }
    if value.is_instance_of::<PyList>() {
        return Ok(Value::Other("a list"));
    }
    if let Ok(whole) = value.call_method0("__index__") {
        return Ok(number(whole.str()?.extract()?));
    }
    if let Ok(date) = value.call_method0("isoformat") {
        return Ok(Value::Text(Cow::Owned(date.extract()?)));
    }
    if let Ok(float) = value.call_method0("__float__") {
        return Ok(number(float.extract::<f64>()?.to_string()));
    }
    Ok(Value::Other("of a type that is neither text nor a number"))
}
