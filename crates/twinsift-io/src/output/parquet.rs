//! A Parquet file in the making.
//!
//! Parquet's own writer wraps the system's errors, and loses them where it
//! gives its target back. Here they come out as everywhere else.

use std::io::{self, Write};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use super::{AtomicFile, WriteError};

/// Rows are held back until they take this much memory, then written as one
/// row group.
const ROW_GROUP_BYTES: usize = 128 << 20;

/// Writes batches of rows.
pub(crate) struct ParquetFile {
    name: String,
    writer: ArrowWriter<Lent>,
}

impl ParquetFile {
    pub(crate) fn new(
        file: AtomicFile,
        schema: SchemaRef,
        properties: WriterProperties,
    ) -> Result<Self, WriteError> {
        let name = file.name().to_owned();
        match ArrowWriter::try_new(Lent(Some(file)), schema, Some(properties)) {
            Ok(writer) => Ok(Self { name, writer }),
            Err(error) => Err(WriteError::new(&name, as_io(error))),
        }
    }

    pub(crate) fn write(&mut self, rows: &RecordBatch) -> Result<(), WriteError> {
        let mut write = || {
            self.writer.write(rows)?;
            match self.writer.in_progress_size() >= ROW_GROUP_BYTES {
                true => self.writer.flush(),
                false => Ok(()),
            }
        };
        write().map_err(|error| WriteError::new(&self.name, as_io(error)))
    }

    /// Writes the rest and makes the file appear.
    pub(crate) fn finish(mut self) -> Result<(), WriteError> {
        let finished = self.writer.finish();
        finished.map_err(|error| WriteError::new(&self.name, as_io(error)))?;
        match self.writer.inner_mut().0.take() {
            Some(file) => file.finish(),
            None => Err(WriteError::new(&self.name, taken())),
        }
    }
}

/// A file that can be taken back.
struct Lent(Option<AtomicFile>);

impl Write for Lent {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.as_mut().ok_or_else(taken)?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.as_mut().ok_or_else(taken)?.flush()
    }
}

fn taken() -> io::Error {
    io::Error::other("it is already complete")
}

/// The system's own error, where there is one inside.
fn as_io(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}
