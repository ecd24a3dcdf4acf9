//! Fields with a comma or a tab between them, below a line of column names.
//!
//! Fields that hold a delimiter, a quote or a line break are quoted, in
//! tab-separated files too: it is the only way to keep such a value in one
//! piece, and what the readers of this crate expect.
//!
//! Spreadsheets take a cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return
//! for a formula, quoted or not. Cells are written as they are all the same, because
//! programs read them too; on request there is an apostrophe before such text.

use std::io;

use super::{Column, Value, json};
use crate::output::{AtomicFile, BLOCK, WriteError};

/// Writes rows as CSV or its relatives.
pub(super) struct DelimitedRows {
    writer: csv::Writer<AtomicFile>,
    /// A number, or guarded text, on its way into a field.
    number: Vec<u8>,
    pub(super) guards_formulas: bool,
}

impl DelimitedRows {
    pub(super) fn new(
        file: AtomicFile,
        delimiter: u8,
        columns: &[Column<'_>],
    ) -> Result<Self, WriteError> {
        let writer = csv::WriterBuilder::new()
            .delimiter(delimiter)
            .buffer_capacity(BLOCK)
            .from_writer(file);
        let mut rows = Self {
            writer,
            number: Vec::new(),
            guards_formulas: false,
        };
        let names = columns.iter().map(|column| column.name);
        let written = rows.writer.write_record(names);
        written.map_err(|error| rows.failed(error))?;
        Ok(rows)
    }

    pub(super) fn row(&mut self, values: &[Value<'_>]) -> Result<(), WriteError> {
        let written = self.write_row(values);
        written.map_err(|error| self.failed(error))
    }

    fn write_row(&mut self, values: &[Value<'_>]) -> csv::Result<()> {
        for value in values {
            self.number.clear();
            let text = match *value {
                Value::Text(text) => text,
                Value::Id(id) => &id.text,
                _ => "",
            };
            if self.guards_formulas && is_formula(text) {
                self.number.push(b'\'');
                self.number.extend_from_slice(text.as_bytes());
                self.writer.write_field(&self.number)?;
                continue;
            }
            let field = match *value {
                Value::Text(text) => text.as_bytes(),
                Value::Id(id) => id.text.as_bytes(),
                Value::Integer(number) => {
                    json::push(&mut self.number, &number);
                    &self.number
                }
                Value::Number(number) if number.is_finite() => {
                    json::push(&mut self.number, &number);
                    &self.number
                }
                Value::Bool(true) => b"true",
                Value::Bool(false) => b"false",
                Value::Number(_) | Value::Missing => b"",
            };
            self.writer.write_field(field)?;
        }
        self.writer.write_record(None::<&[u8]>)
    }

    fn failed(&self, error: csv::Error) -> WriteError {
        let source = match error.into_kind() {
            csv::ErrorKind::Io(error) => error,
            other => io::Error::other(format!("{other:?}")),
        };
        WriteError::new(self.writer.get_ref().name(), source)
    }

    pub(super) fn finish(self) -> Result<(), WriteError> {
        let name = self.writer.get_ref().name().to_owned();
        match self.writer.into_inner() {
            Ok(file) => file.finish(),
            Err(failed) => Err(WriteError::new(&name, failed.into_error())),
        }
    }
}

/// Whether a spreadsheet would take a text for a formula. Numbers are none.
fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r'])
        && !text.parse::<f64>().is_ok_and(f64::is_finite)
}
