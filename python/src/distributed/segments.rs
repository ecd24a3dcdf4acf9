//! From documents to segments, and the classes of equal ones.

use super::{Addressed, Blobs, addressed, column, signed};
use crate::arrow::stream;
use crate::columns::ArrowArray;
use crate::errors::{engine, input};
use crate::matches::keep_rule;
use crate::reading::Reading;
use crate::recipe::Recipe;
use crate::verbs::Statistics;
use arrow_array::builder::BinaryBuilder;
use arrow_array::{BinaryArray, Int32Array, Int64Array, RecordBatch};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use twinsift::distributed::preference::preference;
use twinsift::distributed::{self, classes, sample, segment};
use twinsift::{Extractor, Item, Keep, Place, hash};
use twinsift_io::RowReader;

/// Refuses a recipe by which tasks would not find what one machine finds.
#[pyfunction]
pub(crate) fn check_distributed(py: Python<'_>, recipe: &Bound<'_, Recipe>) -> PyResult<()> {
    distributed::check(&recipe.get().recipe).map_err(|error| engine(py, &error))
}

/// Reads the rows of Arrow data as documents.
pub(super) struct BatchReader {
    reader: RowReader,
    rows: u64,
}

impl BatchReader {
    pub(super) fn new(reading: &Reading, recipe: &twinsift::Recipe) -> Self {
        Self {
            reader: reading.rows(recipe),
            rows: 0,
        }
    }

    /// Hands the documents of a table to `take`; fails at the first row that is none.
    pub(super) fn read(
        &mut self,
        table: &Bound<'_, PyAny>,
        mut take: impl FnMut(&twinsift::Document<'_>) + Send,
    ) -> PyResult<()> {
        let py = table.py();
        let batches: Result<Vec<RecordBatch>, _> = stream(table)?.collect();
        let batches = batches.map_err(|error| crate::arrow::unreadable(py, &error))?;
        let mut wrong = None;
        py.detach(|| {
            for batch in &batches {
                let first = Place {
                    source: 0,
                    record: self.rows + 1,
                };
                self.reader.expand(batch, first, &mut |item| match item {
                    Item::Document(document) => take(&document),
                    Item::Skipped(skipped) => wrong = wrong.take().or(Some(skipped.reason)),
                });
                self.rows += batch.num_rows() as u64;
            }
        });
        match wrong {
            Some(why) => Err(input(py, why)),
            None => Ok(()),
        }
    }
}

/// The most documents of the sample of one partition.
const SAMPLED: usize = 32_000;

/// Writes the documents of one partition as segments.
#[pyclass(module = "twinsift._twinsift")]
pub(crate) struct SegmentWriter {
    extractor: Extractor,
    reader: BatchReader,
    writer: Option<segment::SegmentWriter>,
    keep: Keep,
    /// What the rows since the last segment are preferred by.
    preferences: BinaryBuilder,
}

/// A segment: its number, what its documents are, their signatures, and their preferences.
type Cut<'py> = (i64, Bound<'py, PyBytes>, Bound<'py, PyBytes>, ArrowArray);

#[pymethods]
impl SegmentWriter {
    /// A writer for a partition.
    #[new]
    fn new(
        py: Python<'_>,
        recipe: &Bound<'_, Recipe>,
        statistics: &Bound<'_, Statistics>,
        reading: Reading,
        old: bool,
        partition: u64,
        keep: &str,
    ) -> PyResult<Self> {
        let recipe = &recipe.get().recipe;
        let extractor = Extractor::new(recipe, &statistics.get().statistics);
        Ok(Self {
            extractor: extractor.map_err(|error| engine(py, &error))?,
            reader: BatchReader::new(&reading, recipe),
            writer: Some(segment::SegmentWriter::new(old, partition, SAMPLED)),
            keep: keep_rule(py, keep)?,
            preferences: BinaryBuilder::new(),
        })
    }

    /// Adds the rows of a table.
    fn add(&mut self, table: &Bound<'_, PyAny>) -> PyResult<()> {
        let (extractor, keep) = (&self.extractor, self.keep);
        let preferences = &mut self.preferences;
        let Some(writer) = &mut self.writer else {
            return Err(finished(table.py()));
        };
        self.reader.read(table, |document| {
            let id = hash::bytes(document.id.text.as_bytes());
            writer.add(id, &extractor.extract(document));
            preferences.append_value(preference(keep, document));
        })
    }

    /// Whether it is time for `cut`.
    #[getter]
    fn is_full(&self) -> bool {
        (self.writer.as_ref()).is_some_and(segment::SegmentWriter::is_full)
    }

    /// The rows since the last call as a segment: its number, what its documents are, their
    /// signatures, and bytes that sort as they are preferred. `None` if there were none.
    fn cut<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Cut<'py>>> {
        let Some(writer) = &mut self.writer else {
            return Err(finished(py));
        };
        let segment = writer.cut().map_err(|error| engine(py, &error))?;
        let preferences = column::<BinaryArray>(self.preferences.finish());
        Ok(segment.map(|segment| {
            (
                signed(segment.number),
                PyBytes::new(py, &segment.documents),
                PyBytes::new(py, &segment.signatures),
                preferences,
            )
        }))
    }

    /// The sample of all rows.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        match self.writer.take() {
            Some(writer) => Ok(PyBytes::new(py, &writer.finish())),
            None => Err(finished(py)),
        }
    }
}

fn finished(py: Python<'_>) -> PyErr {
    input(py, "this writer has finished: make another one".to_owned())
}

/// The part of a partition's sample that a sample of about `wanted` of all documents needs.
#[pyfunction]
pub(crate) fn trim_sample<'py>(
    py: Python<'py>,
    sample: &[u8],
    documents: u64,
    wanted: u64,
) -> PyResult<Bound<'py, PyBytes>> {
    let trimmed = sample::trim(sample, documents, wanted);
    Ok(PyBytes::new(
        py,
        &trimmed.map_err(|error| engine(py, &error))?,
    ))
}

/// The digests and ids of the documents of a segment, a blob for each bucket that gets some.
#[pyfunction]
pub(crate) fn digests(
    py: Python<'_>,
    segment: u64,
    documents: &[u8],
    buckets: usize,
) -> PyResult<Addressed> {
    let blobs = py.detach(|| classes::digests(segment, documents, buckets));
    let blobs = blobs.map_err(|error| engine(py, &error))?;
    let filled = (0i64..).zip(blobs).filter(|(_, blob)| blob.len() > 1);
    Ok(addressed(filled))
}

/// What segments are to know, pairs of documents with one id, and how many copies there are.
type Classes = (Addressed, Vec<(i64, i64)>, u64);

/// Finds the equal documents of a bucket: what segments are to know of them, and documents whose
/// ids have the same hash.
#[pyfunction]
pub(crate) fn collapse(blobs: &Bound<'_, PyAny>) -> PyResult<Classes> {
    let py = blobs.py();
    let blobs = Blobs::new(blobs)?;
    let classes = py.detach(|| classes::collapse(blobs.iter()));
    let classes = classes.map_err(|error| engine(py, &error))?;
    let redirects = classes.redirects.into_iter();
    let same = (classes.same_id.iter()).map(|&(a, b)| (signed(a), signed(b)));
    Ok((
        addressed(redirects.map(|(segment, blob)| (signed(segment), blob))),
        same.collect(),
        classes.copies,
    ))
}

/// The rows of a segment's documents that are in classes of several, or represent one of `ends`,
/// and the documents that represent them.
#[pyfunction]
pub(crate) fn class_members(
    py: Python<'_>,
    segment: u64,
    documents: &[u8],
    redirects: Vec<Vec<u8>>,
    ends: Vec<u64>,
) -> PyResult<(ArrowArray, ArrowArray)> {
    let members = py.detach(|| {
        let redirects = redirects.iter().map(Vec::as_slice);
        classes::members(segment, documents, redirects, &ends)
    });
    let members = members.map_err(|error| engine(py, &error))?;
    let (rows, representatives): (Vec<i32>, Vec<i64>) = members
        .into_iter()
        .map(|(row, representative)| (row as i32, signed(representative)))
        .unzip();
    Ok((
        column(Int32Array::from(rows)),
        column(Int64Array::from(representatives)),
    ))
}
