//! One JSON object per line.
//!
//! The keys never change, so each is prepared once together with the
//! punctuation around it. A row is put together in a buffer that is reused and
//! handed on when it is large enough to be worth a system call.

use serde::Serialize;
use serde_json::value::RawValue;
use twinsift::Id;

use super::{Column, Value};
use crate::output::{AtomicFile, BLOCK, WriteError};

/// Writes rows as JSON lines.
pub(super) struct JsonRows {
    file: AtomicFile,
    buffer: Vec<u8>,
    /// What stands before each value: `{"a":`, then `,"b":`, and so on.
    leads: Vec<Vec<u8>>,
}

impl JsonRows {
    pub(super) fn new(file: AtomicFile, columns: &[Column<'_>]) -> Self {
        let leads = columns
            .iter()
            .enumerate()
            .map(|(at, column)| {
                let mut lead = vec![if at == 0 { b'{' } else { b',' }];
                push(&mut lead, column.name);
                lead.push(b':');
                lead
            })
            .collect();
        Self {
            file,
            buffer: Vec::with_capacity(BLOCK + BLOCK / 4),
            leads,
        }
    }

    pub(super) fn row(&mut self, values: &[Value<'_>]) -> Result<(), WriteError> {
        let out = &mut self.buffer;
        for (lead, value) in self.leads.iter().zip(values) {
            out.extend_from_slice(lead);
            match *value {
                Value::Text(text) => push(out, text),
                Value::Id(id) if id.is_number && is_json_number(id.text.as_bytes()) => {
                    out.extend_from_slice(id.text.as_bytes());
                }
                Value::Id(id) => push(out, &*id.text),
                Value::Integer(number) => push(out, &number),
                Value::Number(number) => push(out, &number),
                Value::Bool(yes) => push(out, &yes),
                Value::Missing => push(out, &()),
            }
        }
        out.extend_from_slice(b"}\n");
        if self.buffer.len() >= BLOCK {
            self.file.put(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<(), WriteError> {
        self.file.put(&self.buffer)?;
        self.file.finish()
    }
}

/// Appends a plain value as JSON: text with its escapes, numbers in their
/// shortest form, `null` for nothing and for numbers that are not finite.
pub(super) fn push<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    serde_json::to_writer(out, value).expect("plain values always have a JSON form");
}

/// A name as JSON: a number where the input had one.
pub fn json_id(id: &Id<'_>) -> Box<RawValue> {
    let text = match id.is_number && is_json_number(id.text.as_bytes()) {
        true => id.text.to_string(),
        false => serde_json::Value::from(&*id.text).to_string(),
    };
    RawValue::from_string(text).expect("names always have a JSON form")
}

/// Whether JSON would read these bytes as a number. An input such as CSV may
/// call `007` a number, and JSON does not.
fn is_json_number(text: &[u8]) -> bool {
    let [b'-' | b'0'..=b'9', ..] = text else {
        return false;
    };
    // JSON allows for white space around a value.
    text.trim_ascii_end().len() == text.len() && serde_json::from_slice::<&RawValue>(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_from_look_alikes() {
        for yes in [
            "0",
            "-0",
            "7",
            "1234567890123456789012",
            "0.5",
            "1e9",
            "-1.5E-10",
            "2e+3",
        ] {
            assert!(is_json_number(yes.as_bytes()), "{yes}");
        }
        for no in [
            "", "-", "007", "+1", ".5", "1.", "1e", "1e+", "NaN", "1 ", "0x10", "１",
        ] {
            assert!(!is_json_number(no.as_bytes()), "{no}");
        }
    }
}
