//! Fields with a comma or a tab between them, below a line of column names.
//!
//! Fields that hold a delimiter, a quote or a line break are quoted, in
//! tab-separated files too: it is the only way to keep such a value in one
//! piece, and what the readers of this crate expect.

use std::io;

use super::{Column, Value, json};
use crate::output::{AtomicFile, BLOCK, WriteError};

/// Writes rows as CSV or its relatives.
pub(super) struct DelimitedRows {
    writer: csv::Writer<AtomicFile>,
    /// A number on its way into a field.
    number: Vec<u8>,
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
