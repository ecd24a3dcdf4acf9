//! What the calling thread hands to the engine, batch by batch.

use crate::arrow::{slices, stream, unreadable};
use crate::errors::input;
use crate::rows::{Puller, Rows};
use crate::source::Kind;
use arrow_array::ffi_stream::RecordBatchStreamReader;
use arrow_array::{RecordBatch, RecordBatchReader};
use pyo3::prelude::*;
use std::collections::VecDeque;
use std::sync::Arc;
use twinsift::{Item, Place};
use twinsift_io::RowReader;

/// A slice of a table has about so many bytes.
const SLICE_BYTES: usize = 1 << 20;

/// Some rows that need no interpreter any more.
pub(crate) enum Batch {
    Rows(Rows),
    /// Rows of a table, and how many came before.
    Table(RecordBatch, u64),
}

impl Batch {
    /// About how many bytes were made for it. A slice of a table is there already.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Rows(rows) => rows.bytes(),
            Self::Table(..) => 0,
        }
    }

    /// Hands the documents to `sink`.
    pub(crate) fn expand(&self, reader: &RowReader, sink: &mut dyn FnMut(Item<'_>)) {
        match self {
            Self::Rows(rows) => rows.expand(reader, sink),
            Self::Table(batch, before) => {
                let first = Place {
                    source: 0,
                    record: before + 1,
                };
                reader.expand(batch, first, sink);
            }
        }
    }
}

/// A source that is read on the calling thread.
pub(crate) struct Feed<'py> {
    reader: Arc<RowReader>,
    from: From<'py>,
}

enum From<'py> {
    Nothing,
    Rows(Puller<'py>),
    Table {
        stream: RecordBatchStreamReader,
        slices: VecDeque<RecordBatch>,
        passed: u64,
    },
}

impl<'py> Feed<'py> {
    /// A feed for a source. Files are read by the engine's own threads: of them it has nothing.
    pub(crate) fn new(py: Python<'py>, kind: &Kind, reader: RowReader) -> PyResult<Self> {
        let reader = Arc::new(reader);
        let from = match kind {
            Kind::Files(_) => From::Nothing,
            Kind::Rows(rows, retained) => {
                let retained = retained.as_ref().map(|list| list.bind(py).clone());
                From::Rows(Puller::new(rows.bind(py), retained)?)
            }
            Kind::Table(table) => {
                let stream = stream(table.bind(py))?;
                check_columns(py, &stream, &reader)?;
                From::Table {
                    stream,
                    slices: VecDeque::new(),
                    passed: 0,
                }
            }
        };
        Ok(Self { reader, from })
    }

    pub(crate) fn reader(&self) -> Arc<RowReader> {
        Arc::clone(&self.reader)
    }

    /// The next batch; `None` at the end.
    pub(crate) fn next(&mut self, py: Python<'py>) -> PyResult<Option<Batch>> {
        match &mut self.from {
            From::Nothing => Ok(None),
            From::Rows(puller) => Ok(puller.next(&self.reader)?.map(Batch::Rows)),
            From::Table {
                stream,
                slices: waiting,
                passed,
            } => {
                while waiting.is_empty() {
                    // The producer may need the interpreter, on whatever thread.
                    match py.detach(|| stream.next()) {
                        None => return Ok(None),
                        Some(Err(error)) => return Err(unreadable(py, &error)),
                        Some(Ok(batch)) => waiting.extend(slices(&batch, SLICE_BYTES)),
                    }
                }
                let slice = waiting.pop_front();
                Ok(slice.map(|slice| {
                    let before = *passed;
                    *passed += slice.num_rows() as u64;
                    Batch::Table(slice, before)
                }))
            }
        }
    }
}

/// Refuses a table without a column that was named, or without any text.
fn check_columns(
    py: Python<'_>,
    stream: &RecordBatchStreamReader,
    reader: &RowReader,
) -> PyResult<()> {
    let schema = stream.schema();
    let columns: Vec<String> = schema
        .fields()
        .iter()
        .map(|field| field.name().clone())
        .collect();
    let listed = || {
        let quoted: Vec<String> = columns.iter().map(|name| format!("\"{name}\"")).collect();
        quoted.join(", ")
    };
    reader
        .refuse_repeated(&columns)
        .map_err(|why| input(py, why))?;
    let missing = reader
        .named()
        .find(|name| columns.iter().all(|column| column != name));
    match missing {
        Some(name) => Err(input(
            py,
            format!(
                "there is no column \"{name}\": the columns are {}",
                listed()
            ),
        )),
        None => Ok(()),
    }
}
