//! Fields with a comma or a tab between them, below a line of column names.
//!
//! Fields that hold a delimiter, a quote or a line break are quoted, in
//! tab-separated files too: it is the only way to keep such a value in one
//! piece, and what the readers of this crate expect.

use std::io;

use super::compress::Sink;
use super::json;
use super::target::Target;
use super::{Column, Value};

const BUFFER: usize = 256 * 1024;

/// Writes rows as CSV or its relatives.
pub(super) struct DelimitedRows {
    writer: csv::Writer<Sink>,
    /// A number on its way into a field.
    number: Vec<u8>,
}

impl DelimitedRows {
    pub(super) fn new(sink: Sink, delimiter: u8, columns: &[Column<'_>]) -> io::Result<Self> {
        let mut writer = csv::WriterBuilder::new()
            .delimiter(delimiter)
            .buffer_capacity(BUFFER)
            .from_writer(sink);
        writer
            .write_record(columns.iter().map(|column| column.name))
            .map_err(as_io)?;
        Ok(Self {
            writer,
            number: Vec::new(),
        })
    }

    pub(super) fn row(&mut self, values: &[Value<'_>]) -> io::Result<()> {
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
            self.writer.write_field(field).map_err(as_io)?;
        }
        self.writer.write_record(None::<&[u8]>).map_err(as_io)
    }

    pub(super) fn finish(self) -> io::Result<Target> {
        self.writer
            .into_inner()
            .map_err(|failed| failed.into_error())?
            .finish()
    }
}

/// The system's own error, where there is one inside.
fn as_io(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
