//! Parquet: only the columns that matter, a few rows at a time. (Of rows that are to be
//! copied all columns matter, for one that cannot be copied must not stand for others.)
//!
//! The file is read from its end, so it has to be one: a stream, or a file
//! that is compressed as a whole, is spooled first. The reader thread decodes
//! pages to Arrow arrays; the workers take the values out.

use std::borrow::Cow;
use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrowPrimitiveType, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ArrowReaderMetadata;
use twinsift::{Item, Place, Skipped};

use super::Inputs;
use super::fields::{Fields, Value};
use super::lengths::too_long;
use super::row_groups::{Damage, RowGroups};

/// Rows are read so that about this many bytes are decoded at once.
const BATCH_BYTES: i64 = 1 << 20;
const BATCH_ROWS: i64 = 8192;

/// Some rows of a file.
#[derive(Debug)]
pub(crate) struct Rows {
    batch: RecordBatch,
    /// The names of all columns, those that were not read too.
    names: Arc<[String]>,
}

impl Rows {
    /// About how much memory they take.
    pub(crate) fn weight(&self) -> usize {
        self.batch.get_array_memory_size()
    }
}

/// The rows of a file, in order, with the number of the first of each batch.
pub(crate) struct RowBatches {
    groups: RowGroups,
    names: Arc<[String]>,
    rows: u64,
    size: u64,
    bytes_read: Arc<AtomicU64>,
}

impl Iterator for RowBatches {
    type Item = Result<(u64, Rows), Damage>;

    fn next(&mut self) -> Option<Self::Item> {
        let read = self.groups.next()?;
        let (first, count) = match &read {
            Ok((first, batch)) => (*first, batch.num_rows() as u64),
            Err(damage) => (damage.first, damage.count),
        };
        let share =
            |row: u64| (self.size as u128 * u128::from(row) / u128::from(self.rows.max(1))) as u64;
        let passed = share(first - 1 + count).saturating_sub(share(first - 1));
        self.bytes_read.fetch_add(passed, Ordering::Relaxed);
        let names = Arc::clone(&self.names);
        Some(read.map(|(first, batch)| (first, Rows { batch, names })))
    }
}

/// How the library complains of a compression that it does not read, and its name.
const UNREAD: [(&str, &str); 2] = [
    ("Disabled feature at compile time: brotli", "brotli"),
    ("The codec type LZO is not supported", "LZO"),
];

/// A damaged file, in words; or one that is sound, but compressed in a way that is not read.
pub(super) fn damaged(error: &dyn std::fmt::Display) -> String {
    let reason = error.to_string();
    match UNREAD.iter().find(|(words, _)| reason.contains(words)) {
        Some((_, name)) => format!("Parquet that is compressed with {name} is not read"),
        None => format!("the Parquet file is damaged ({reason})"),
    }
}

impl Inputs {
    /// A Parquet source, and what it says of itself.
    pub(crate) fn open_parquet(&self, index: usize) -> Result<(File, ArrowReaderMetadata), String> {
        let file = self
            .plain_file(index)
            .map_err(|error| self.lose(index, &error))?;
        let contents = ArrowReaderMetadata::load(&file, Default::default());
        let contents = contents.map_err(|error| damaged(&error))?;
        // Rows that are lost are counted, so their number must be one to rely on.
        let groups = contents.metadata().row_groups().iter();
        let rows: i128 = groups.map(|group| i128::from(group.num_rows())).sum();
        match rows == i128::from(contents.metadata().file_metadata().num_rows()) {
            true => Ok((file, contents)),
            false => Err(damaged(&"its numbers of rows contradict each other")),
        }
    }

    /// The names of the columns of a source.
    pub(super) fn column_names(&self, index: usize) -> Result<Vec<String>, String> {
        let (_, contents) = self.open_parquet(index)?;
        let fields = contents.schema().fields().iter();
        Ok(fields.map(|field| field.name().clone()).collect())
    }

    /// The columns of a Parquet source that matter. If its rows are to be copied, all of
    /// them do: a row that cannot be written must not stand for one that can.
    pub(super) fn open_rows(&self, index: usize) -> Result<RowBatches, String> {
        let (file, contents) = self.open_parquet(index)?;
        let names: Arc<[String]> = contents
            .schema()
            .fields()
            .iter()
            .map(|field| field.name().clone())
            .collect();
        self.fields.refuse_repeated(&names)?;
        let is_wanted = |name: &String| self.options.to_copy || self.fields.slot(name).is_some();
        let wanted = (0..names.len()).filter(|&at| is_wanted(&names[at]));
        let mask = ProjectionMask::roots(contents.parquet_schema(), wanted);
        let groups = contents.metadata().row_groups();
        let rows: i64 = groups.iter().map(|group| group.num_rows().max(0)).sum();
        let bytes: i64 = groups
            .iter()
            .flat_map(|group| group.columns().iter().enumerate())
            .filter(|(leaf, _)| mask.leaf_included(*leaf))
            .map(|(_, column)| column.uncompressed_size())
            .sum();
        let row_bytes = (bytes / rows.max(1)).max(1);
        let batch_rows = (BATCH_BYTES / row_bytes).clamp(1, BATCH_ROWS);
        Ok(RowBatches {
            groups: RowGroups::new(file, contents, mask, batch_rows as usize),
            names,
            rows: rows as u64,
            size: self.sources[index].size.unwrap_or(0),
            bytes_read: Arc::clone(&self.bytes_read),
        })
    }

    /// Hands the documents of some rows to `sink`.
    pub(super) fn rows(&self, rows: &Rows, first: Place, sink: &mut dyn FnMut(Item<'_>)) {
        let columns = columns(&rows.batch, &self.fields);
        for row in 0..rows.batch.num_rows() {
            let mut values = self.fields.blank();
            for (slot, column) in &columns {
                values[*slot] = column.value(row);
            }
            let place = Place {
                record: first.record + row as u64,
                ..first
            };
            let id = || self.place_id(place);
            let longest = self.options.max_document;
            if let Some(length) = values.iter().map(Value::len).find(|&len| len > longest) {
                let reason = too_long(length as u64, longest, None);
                sink(Item::Skipped(Skipped::one(place, reason)));
                continue;
            }
            sink(
                self.fields
                    .item(&mut values, place, id, || rows.names.to_vec()),
            );
        }
    }
}

/// The columns that matter, each with its slot.
pub(super) fn columns<'a>(batch: &'a RecordBatch, fields: &Fields) -> Vec<(usize, Column<'a>)> {
    let schema = batch.schema();
    let named = schema.fields().iter().zip(batch.columns());
    named
        .filter_map(|(field, column)| {
            Some((fields.slot(field.name())?, Column::new(column.as_ref())))
        })
        .collect()
}

/// One column, with its type found out once.
pub(super) struct Column<'a> {
    array: &'a dyn Array,
    value: Box<dyn Fn(usize) -> Value<'a> + 'a>,
}

impl<'a> Column<'a> {
    fn new(array: &'a dyn Array) -> Self {
        Self {
            array,
            value: reader(array),
        }
    }

    pub(super) fn value(&self, row: usize) -> Value<'a> {
        match self.array.is_null(row) {
            true => Value::Null,
            false => (self.value)(row),
        }
    }
}

fn text(text: &str) -> Value<'_> {
    Value::Text(Cow::Borrowed(text))
}

fn bytes(bytes: &[u8]) -> Value<'_> {
    match std::str::from_utf8(bytes) {
        Ok(valid) => text(valid),
        Err(_) => Value::Other("bytes that are not UTF-8"),
    }
}

fn reader<'a>(array: &'a dyn Array) -> Box<dyn Fn(usize) -> Value<'a> + 'a> {
    match array.data_type() {
        DataType::Utf8 => {
            let array = array.as_string::<i32>();
            Box::new(|row| text(array.value(row)))
        }
        DataType::LargeUtf8 => {
            let array = array.as_string::<i64>();
            Box::new(|row| text(array.value(row)))
        }
        DataType::Utf8View => {
            let array = array.as_string_view();
            Box::new(|row| text(array.value(row)))
        }
        DataType::Binary => {
            let array = array.as_binary::<i32>();
            Box::new(|row| bytes(array.value(row)))
        }
        DataType::LargeBinary => {
            let array = array.as_binary::<i64>();
            Box::new(|row| bytes(array.value(row)))
        }
        DataType::BinaryView => {
            let array = array.as_binary_view();
            Box::new(|row| bytes(array.value(row)))
        }
        DataType::Dictionary(..) => {
            let array = array.as_any_dictionary();
            let values = Column::new(array.values().as_ref());
            // Where there are no values, every row is null and has no key.
            let keys = match array.values().is_empty() {
                true => Vec::new(),
                false => array.normalized_keys(),
            };
            Box::new(move |row| values.value(keys[row]))
        }
        DataType::Int8 => number::<Int8Type>(array),
        DataType::Int16 => number::<Int16Type>(array),
        DataType::Int32 => number::<Int32Type>(array),
        DataType::Int64 => number::<Int64Type>(array),
        DataType::UInt8 => number::<UInt8Type>(array),
        DataType::UInt16 => number::<UInt16Type>(array),
        DataType::UInt32 => number::<UInt32Type>(array),
        DataType::UInt64 => number::<UInt64Type>(array),
        DataType::Float32 => number::<Float32Type>(array),
        DataType::Float64 => number::<Float64Type>(array),
        // Times rank by their count of units.
        DataType::Date32 => number::<Date32Type>(array),
        DataType::Date64 => number::<Date64Type>(array),
        DataType::Timestamp(unit, _) => match unit {
            TimeUnit::Second => number::<TimestampSecondType>(array),
            TimeUnit::Millisecond => number::<TimestampMillisecondType>(array),
            TimeUnit::Microsecond => number::<TimestampMicrosecondType>(array),
            TimeUnit::Nanosecond => number::<TimestampNanosecondType>(array),
        },
        DataType::Null => Box::new(|_| Value::Null),
        DataType::Boolean => {
            let array = array.as_boolean();
            Box::new(|row| Value::Truth(array.value(row)))
        }
        _ => Box::new(|_| Value::Other("of a type that is neither text nor a number")),
    }
}

fn number<'a, T>(array: &'a dyn Array) -> Box<dyn Fn(usize) -> Value<'a> + 'a>
where
    T: ArrowPrimitiveType,
    T::Native: std::fmt::Display,
{
    let array = array.as_primitive::<T>();
    Box::new(|row| Value::Number(Cow::Owned(array.value(row).to_string())))
}
