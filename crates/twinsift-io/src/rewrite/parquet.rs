//! Parquet rows, filtered.

use std::io;
use std::sync::Arc;

use arrow_array::{BooleanArray, RecordBatch};
use arrow_schema::{Schema, SchemaRef};
use arrow_select::filter::filter_record_batch;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ArrowReaderMetadata;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

use super::{Dropped, RewriteError, SurvivorWriter};
use crate::output::{AtomicFile, ParquetFile, WriteError};
use crate::read::{Inputs, RowGroups};

/// Rows are filtered so many at a time.
const BATCH_ROWS: usize = 1024;

/// The key under which the writer itself keeps the schema.
const SCHEMA_KEY: &str = "ARROW:schema";

/// A Parquet file in the making; its schema is that of the first source.
pub(super) struct RowWriter {
    name: String,
    state: State,
}

enum State {
    /// No source has come yet. `None` once a schema was refused.
    Waiting(Option<Box<AtomicFile>>),
    Writing {
        file: Box<ParquetFile>,
        schema: SchemaRef,
        first: String,
    },
}

impl RowWriter {
    pub(super) fn new(file: AtomicFile) -> Self {
        Self {
            name: file.name().to_owned(),
            state: State::Waiting(Some(Box::new(file))),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Takes on a source's schema, or says from whose schema it differs.
    fn begin(
        &mut self,
        source: &str,
        contents: &ArrowReaderMetadata,
    ) -> Result<Result<(), String>, WriteError> {
        match &mut self.state {
            State::Waiting(file) => {
                let file = file.take().ok_or_else(|| failed_before(&self.name))?;
                let schema = contents.schema().clone();
                let file = ParquetFile::new(*file, schema.clone(), properties(contents))?;
                self.state = State::Writing {
                    file: Box::new(file),
                    schema,
                    first: source.to_owned(),
                };
                Ok(Ok(()))
            }
            State::Writing { schema, first, .. } => {
                Ok(match schema.fields() == contents.schema().fields() {
                    true => Ok(()),
                    false => Err(format!("its columns are not those of {first}")),
                })
            }
        }
    }

    fn write(&mut self, rows: &RecordBatch) -> Result<(), WriteError> {
        match &mut self.state {
            State::Writing { file, .. } => file.write(rows),
            State::Waiting(_) => Err(failed_before(&self.name)),
        }
    }

    pub(super) fn finish(self) -> Result<(), WriteError> {
        match self.state {
            State::Writing { file, .. } => file.finish(),
            State::Waiting(Some(file)) => {
                // No source, no columns; but a Parquet file nonetheless.
                let schema = Arc::new(Schema::empty());
                ParquetFile::new(*file, schema, WriterProperties::default())?.finish()
            }
            State::Waiting(None) => Err(failed_before(&self.name)),
        }
    }
}

fn failed_before(name: &str) -> WriteError {
    WriteError::new(name, io::Error::other("it failed before"))
}

/// Writes as the source was written: its compression, its own metadata.
fn properties(contents: &ArrowReaderMetadata) -> WriterProperties {
    let metadata = contents.metadata();
    let compression = metadata
        .row_groups()
        .first()
        .and_then(|group| group.columns().first())
        .map(|column| column.compression())
        .filter(|compression| !matches!(compression, Compression::LZO | Compression::BROTLI(_)))
        .unwrap_or(Compression::SNAPPY);
    let pairs = metadata.file_metadata().key_value_metadata().map(|pairs| {
        let own = |pair: &&parquet::file::metadata::KeyValue| pair.key != SCHEMA_KEY;
        pairs.iter().filter(own).cloned().collect()
    });
    WriterProperties::builder()
        .set_compression(compression)
        .set_key_value_metadata(pairs)
        .build()
}

impl Inputs {
    pub(super) fn copy_rows(
        &self,
        index: usize,
        dropped: &mut Dropped<'_>,
        out: &mut SurvivorWriter,
    ) -> Result<u64, RewriteError> {
        let name = &self.sources()[index].name;
        let unreadable = |reason: String| RewriteError::unreadable(name, reason);
        let (file, contents) = self.open_parquet(index).map_err(unreadable)?;
        if let Some(rows) = out.rows()?
            && let Err(reason) = rows.begin(name, &contents)?
        {
            return Err(out.mismatch(name, reason));
        }
        let mut written = 0;
        for batch in RowGroups::new(file, contents, ProjectionMask::all(), BATCH_ROWS) {
            let (first, batch) = match batch {
                Ok(read) => read,
                // The first walk met the same damage, and told.
                Err(damage) if damage.rows().all(|row| dropped.contains(row)) => continue,
                Err(damage) => {
                    return Err(RewriteError::Lost {
                        name: name.clone(),
                        reason: damage.reason,
                    });
                }
            };
            let keep: BooleanArray = (first..first + batch.num_rows() as u64)
                .map(|row| Some(!dropped.contains(row)))
                .collect();
            let kept = filter_record_batch(&batch, &keep)
                .map_err(|error| unreadable(error.to_string()))?;
            written += kept.num_rows() as u64;
            if let Some(rows) = out.rows()? {
                rows.write(&kept)?;
            }
        }
        Ok(written)
    }
}
