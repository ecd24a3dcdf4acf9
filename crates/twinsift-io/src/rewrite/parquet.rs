//! Parquet rows, filtered.

use std::fs::File;
use std::path::{Path, PathBuf};

use arrow_array::{BooleanArray, RecordBatch};
use arrow_schema::SchemaRef;
use arrow_select::filter::filter_record_batch;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use super::{Dropped, RewriteError, SurvivorWriter};
use crate::output::{AtomicFile, WriteError};
use crate::read::Inputs;

/// Rows are filtered so many at a time.
const BATCH_ROWS: usize = 1024;

/// Rows are held back until they take this much memory, then written as one
/// row group.
const ROW_GROUP_BYTES: usize = 128 << 20;

/// The key under which the writer itself keeps the schema.
const SCHEMA_KEY: &str = "ARROW:schema";

/// A Parquet file in the making; its schema is that of the first source.
pub(super) struct RowWriter {
    path: PathBuf,
    state: State,
}

enum State {
    Waiting(Box<AtomicFile>),
    Writing {
        writer: Box<ArrowWriter<AtomicFile>>,
        schema: SchemaRef,
        first: String,
    },
    Failed,
}

impl RowWriter {
    pub(super) fn create(path: &Path) -> Result<Self, WriteError> {
        Ok(Self {
            path: path.to_owned(),
            state: State::Waiting(Box::new(AtomicFile::create(path)?)),
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn failed(&self, error: ParquetError) -> WriteError {
        failed(&self.path, error)
    }

    /// Takes on a source's schema, or says from whose schema it differs.
    fn begin(
        &mut self,
        source: &str,
        builder: &ParquetRecordBatchReaderBuilder<File>,
    ) -> Result<Result<(), String>, WriteError> {
        match std::mem::replace(&mut self.state, State::Failed) {
            State::Waiting(file) => {
                let schema = builder.schema().clone();
                let properties = properties(builder);
                let writer = ArrowWriter::try_new(*file, schema.clone(), Some(properties))
                    .map_err(|error| self.failed(error))?;
                self.state = State::Writing {
                    writer: Box::new(writer),
                    schema,
                    first: source.to_owned(),
                };
                Ok(Ok(()))
            }
            State::Writing {
                writer,
                schema,
                first,
            } => {
                let same = schema.fields() == builder.schema().fields();
                let differs = format!("its columns are not those of {first}");
                self.state = State::Writing {
                    writer,
                    schema,
                    first,
                };
                Ok(if same { Ok(()) } else { Err(differs) })
            }
            State::Failed => Ok(Ok(())),
        }
    }

    fn write(&mut self, rows: &RecordBatch) -> Result<(), WriteError> {
        let path = &self.path;
        let State::Writing { writer, .. } = &mut self.state else {
            return Ok(());
        };
        let mut write = || {
            writer.write(rows)?;
            match writer.in_progress_size() >= ROW_GROUP_BYTES {
                true => writer.flush(),
                false => Ok(()),
            }
        };
        write().map_err(|error| failed(path, error))
    }

    pub(super) fn finish(self) -> Result<(), WriteError> {
        match self.state {
            State::Writing { writer, .. } => {
                let file = writer.into_inner();
                file.map_err(|error| failed(&self.path, error))?.finish()
            }
            State::Waiting(file) => file.finish(),
            State::Failed => Ok(()),
        }
    }
}

/// The output's own words where the trouble is with writing.
fn failed(path: &Path, error: ParquetError) -> WriteError {
    if let ParquetError::External(inner) = &error
        && let Some(error) = inner.downcast_ref()
    {
        return WriteError::new(path, error);
    }
    WriteError {
        name: path.display().to_string(),
        reason: error.to_string(),
    }
}

/// Writes as the source was written: its compression, its own metadata.
fn properties(builder: &ParquetRecordBatchReaderBuilder<File>) -> WriterProperties {
    let metadata = builder.metadata();
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
        let unreadable = |reason: String| RewriteError::Read {
            name: name.clone(),
            reason,
        };
        let builder = self.open_parquet(index).map_err(unreadable)?;
        if let Some(rows) = out.rows()?
            && let Err(reason) = rows.begin(name, &builder)?
        {
            return Err(out.mismatch(name, reason));
        }
        let reader = builder.with_batch_size(BATCH_ROWS).build();
        let reader = reader.map_err(|error| unreadable(error.to_string()))?;
        let (mut row, mut written) = (0, 0);
        for batch in reader {
            let batch = match batch {
                Ok(batch) => batch,
                // The first walk met the same end, and told.
                Err(_) if dropped.contains(row + 1) => break,
                Err(error) => return Err(unreadable(error.to_string())),
            };
            let keep: BooleanArray = (0..batch.num_rows())
                .map(|_| {
                    row += 1;
                    Some(!dropped.contains(row))
                })
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
