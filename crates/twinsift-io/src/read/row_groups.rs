//! The row groups of a Parquet file, one after the other.
//!
//! Each group is opened by itself, so that a damaged one does not take those behind it
//! along, and rows keep the numbers that the file's own table of contents gives them.
//! Where a batch fails, its group is read again row by row, up to the first row that
//! cannot be read: reading the same columns loses the very same rows, however large
//! their batches are. Healthy files pay for opening their groups, a few microseconds each.
//!
//! Where the marks that tell nulls from values are wrong in a certain way, the decoder
//! panics; so it is guarded.

use std::fs::File;
use std::ops::Range;

use arrow_array::RecordBatch;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};

use super::parquet::damaged;
use crate::guard::guarded;

/// The rows of a file in batches, each with the number of its first row.
pub(crate) struct RowGroups {
    file: File,
    contents: ArrowReaderMetadata,
    mask: ProjectionMask,
    batch_rows: usize,
    /// How many groups have been begun; the last of them is at hand.
    begun: usize,
    /// The rows of the group at hand: its first, the next one, and the first behind it.
    start: u64,
    row: u64,
    end: u64,
    reader: Option<ParquetRecordBatchReader>,
    /// Whether the group at hand is read row by row.
    by_row: bool,
}

/// Rows that cannot be read.
#[derive(Debug)]
pub(crate) struct Damage {
    /// The number of the first.
    pub first: u64,
    /// How many they are.
    pub count: u64,
    /// Why, as a phrase for people that names them.
    pub reason: String,
}

impl Damage {
    /// Their numbers.
    pub(crate) fn rows(&self) -> Range<u64> {
        self.first..self.first + self.count
    }
}

impl RowGroups {
    /// The columns in `mask` of all rows, `batch_rows` at a time.
    pub(crate) fn new(
        file: File,
        contents: ArrowReaderMetadata,
        mask: ProjectionMask,
        batch_rows: usize,
    ) -> Self {
        Self {
            file,
            contents,
            mask,
            batch_rows,
            begun: 0,
            start: 1,
            row: 1,
            end: 1,
            reader: None,
            by_row: false,
        }
    }

    /// Goes on to the next group that has rows.
    fn begin_group(&mut self) -> Option<()> {
        while self.row == self.end {
            let group = self.contents.metadata().row_groups().get(self.begun)?;
            self.begun += 1;
            self.start = self.end;
            self.end += group.num_rows().max(0) as u64;
            self.reader = None;
            self.by_row = false;
        }
        Some(())
    }

    fn open(&self, batch_rows: usize) -> Result<ParquetRecordBatchReader, String> {
        let file = self.file.try_clone().map_err(|error| error.to_string())?;
        ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.contents.clone())
            .with_row_groups(vec![self.begun - 1])
            .with_projection(self.mask.clone())
            .with_batch_size(batch_rows)
            .build()
            .map_err(|error| error.to_string())
    }

    /// The next rows of the group at hand, which has some left.
    fn batch(&mut self) -> Result<RecordBatch, String> {
        let reader = match self.reader.take() {
            Some(reader) => reader,
            None => self.open(self.batch_rows.min((self.end - self.start) as usize))?,
        };
        take(self.reader.insert(reader))
    }

    /// Reads the group at hand again, row by row, up to where it had come.
    fn read_by_row(&mut self) -> Result<RecordBatch, String> {
        self.by_row = true;
        let reader = self.open(1)?;
        let reader = self.reader.insert(reader);
        for _ in self.start..self.row {
            take(reader)?;
        }
        take(reader)
    }
}

fn take(reader: &mut ParquetRecordBatchReader) -> Result<RecordBatch, String> {
    match guarded(|| reader.next()) {
        Some(Some(Ok(batch))) if batch.num_rows() > 0 => Ok(batch),
        Some(Some(Err(error))) => Err(error.to_string()),
        Some(_) => Err("rows are missing".to_owned()),
        None => Err("its decoder gives up".to_owned()),
    }
}

impl Iterator for RowGroups {
    type Item = Result<(u64, RecordBatch), Damage>;

    fn next(&mut self) -> Option<Self::Item> {
        self.begin_group()?;
        let batch = match self.batch() {
            Err(_) if !self.by_row => self.read_by_row(),
            read => read,
        };
        let first = self.row;
        Some(match batch {
            Ok(batch) => {
                self.row += batch.num_rows() as u64;
                Ok((first, batch))
            }
            Err(reason) => {
                self.row = self.end;
                let (last, count) = (self.end - 1, self.end - first);
                Err(Damage {
                    first,
                    count,
                    reason: format!("{}; rows {first} to {last} are lost", damaged(&reason)),
                })
            }
        })
    }
}
