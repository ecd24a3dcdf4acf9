//! Result tables: rows of named columns, in the format that the file name asks for.
//!
//! A command says once which columns it writes, then hands over rows; whether
//! they end up as JSON lines, CSV or Parquet, compressed or not, is settled
//! here by the name of the output and nowhere else.
//!
//! Three things are guaranteed.
//!
//! * An output appears whole or not at all. Rows go to a temporary file next
//!   to the target, which takes the target's name in [`Table::finish`]. A table
//!   that is dropped before that is removed. Devices, named pipes
//!   and standard output cannot be renamed onto, so they are written directly.
//! * The same rows give the same bytes.
//! * A value means the same in every format. Numbers are written in the
//!   shortest form that reads back to the same number; a number that is not
//!   finite counts as missing, since JSON has no word for it.
//!
//! Result tables can be long, with a row per pair. The text formats reuse their
//! buffers and allocate nothing per row.

mod delimited;
mod format;
mod json;
#[cfg(feature = "parquet")]
mod parquet;

use std::path::Path;

use twinsift::Id;

use self::delimited::DelimitedRows;
use self::format::Shape;
use self::json::JsonRows;
#[cfg(feature = "parquet")]
use self::parquet::ParquetRows;
use crate::output::AtomicFile;

pub use self::format::check_json_lines;
pub use self::json::json_id;
pub use crate::output::WriteError;

/// How the names in an [`Id`](Kind::Id) column are typed, where the format has
/// a type per column. JSON has a type per value and ignores this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IdKind {
    /// Any names: a column of strings.
    Mixed,
    /// Every name is a whole number that fits 64 bits: a column of integers.
    AllIntegers,
}

/// What a column holds. Every kind also takes [`Value::Missing`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// Names of documents.
    Id(IdKind),
    /// Strings.
    Text,
    /// Strings that hardly ever repeat, such as hashes.
    Digest,
    /// Whole numbers.
    Integer,
    /// Real numbers.
    Number,
    /// Yes or no.
    Bool,
}

impl Kind {
    fn takes(self, value: &Value<'_>) -> bool {
        matches!(
            (self, value),
            (_, Value::Missing)
                | (Kind::Id(_), Value::Id(_))
                | (Kind::Text | Kind::Digest, Value::Text(_))
                | (Kind::Integer, Value::Integer(_))
                | (Kind::Number, Value::Number(_))
                | (Kind::Bool, Value::Bool(_))
        )
    }
}

/// A column: its name, and what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column<'a> {
    /// The name, as the output spells it.
    pub name: &'a str,
    /// What it holds.
    pub kind: Kind,
}

impl<'a> Column<'a> {
    /// A column of the given name and kind.
    pub const fn new(name: &'a str, kind: Kind) -> Self {
        Self { name, kind }
    }
}

/// One value of a row.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Value<'a> {
    /// A string.
    Text(&'a str),
    /// A document's name. In JSON it is a number where the input had one.
    Id(&'a Id<'a>),
    /// A whole number.
    Integer(i64),
    /// A real number; missing unless finite.
    Number(f64),
    /// Yes or no.
    Bool(bool),
    /// Nothing: `null` in JSON and Parquet, an empty field in CSV.
    Missing,
}

enum Rows {
    Json(Box<JsonRows>),
    Delimited(Box<DelimitedRows>),
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetRows>),
}

/// A table being written.
///
/// ```
/// use twinsift::Id;
/// use twinsift_io::write::{Column, IdKind, Kind, Table, Value};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("pairs.csv.gz");
/// let mut table = Table::create(
///     Some(&path),
///     &[
///         Column::new("a", Kind::Id(IdKind::Mixed)),
///         Column::new("b", Kind::Id(IdKind::Mixed)),
///         Column::new("score", Kind::Number),
///     ],
/// )?;
/// let (a, b) = (Id::number("7"), Id::text("n/12"));
/// table.row(&[Value::Id(&a), Value::Id(&b), Value::Number(0.9)])?;
/// table.finish()?;
/// # Ok(())
/// # }
/// ```
pub struct Table {
    columns: Vec<(String, Kind)>,
    rows: Rows,
}

impl Table {
    /// Opens a table. Without a path it goes to standard output as JSON lines.
    ///
    /// The format follows from the extension: `.jsonl` or `.ndjson`, `.csv`,
    /// `.tsv`, `.parquet`. All but the last may be followed by `.gz`, `.zst`,
    /// `.bz2` or `.xz`. A name without any extension means JSON lines.
    ///
    /// # Errors
    ///
    /// If the name has another extension, or the folder cannot be written to.
    pub fn create(path: Option<&Path>, columns: &[Column<'_>]) -> Result<Table, WriteError> {
        let (shape, file) = match path {
            Some(path) => (format::of(path)?, AtomicFile::create(path)?),
            None => (Shape::JsonLines, AtomicFile::stdout()?),
        };
        let rows = match shape {
            Shape::JsonLines => Rows::Json(Box::new(JsonRows::new(file, columns))),
            Shape::Delimited(delimiter) => {
                Rows::Delimited(Box::new(DelimitedRows::new(file, delimiter, columns)?))
            }
            #[cfg(feature = "parquet")]
            Shape::Parquet => Rows::Parquet(Box::new(ParquetRows::new(file, columns)?)),
        };
        let columns = columns
            .iter()
            .map(|column| (column.name.to_owned(), column.kind))
            .collect();
        Ok(Table { columns, rows })
    }

    /// Has text that a spreadsheet would take for a formula begin with an apostrophe, in
    /// CSV and TSV. Numbers stay as they are.
    #[must_use]
    pub fn guard_formulas(mut self, guards: bool) -> Self {
        if let Rows::Delimited(rows) = &mut self.rows {
            rows.guards_formulas = guards;
        }
        self
    }

    /// Finds out whether a table could be created at `path`, and leaves nothing
    /// there: better known before the work is done than after.
    ///
    /// # Errors
    ///
    /// As [`create`](Self::create).
    pub fn check(path: Option<&Path>) -> Result<(), WriteError> {
        let Some(path) = path else { return Ok(()) };
        format::of(path)?;
        match std::fs::metadata(path) {
            // Opening and closing a pipe would be the end of it for its reader.
            Ok(found) if !found.is_file() && !found.is_dir() => Ok(()),
            _ => AtomicFile::create(path).map(drop),
        }
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// If it cannot be written. The table is of no further use then.
    ///
    /// # Panics
    ///
    /// If the values do not fit the columns in number or kind: that is a
    /// mistake in the caller, and the same mistake in every format.
    pub fn row(&mut self, values: &[Value<'_>]) -> Result<(), WriteError> {
        assert_eq!(values.len(), self.columns.len(), "one value per column");
        for ((name, kind), value) in self.columns.iter().zip(values) {
            assert!(
                kind.takes(value),
                "column {name:?} is {kind:?} and cannot hold {value:?}"
            );
        }
        match &mut self.rows {
            Rows::Json(rows) => rows.row(values),
            Rows::Delimited(rows) => rows.row(values),
            #[cfg(feature = "parquet")]
            Rows::Parquet(rows) => rows.row(values),
        }
    }

    /// Completes the table, which then stands under its own name.
    ///
    /// # Errors
    ///
    /// If the rest of it cannot be written; nothing is left behind then.
    pub fn finish(self) -> Result<(), WriteError> {
        match self.rows {
            Rows::Json(rows) => rows.finish(),
            Rows::Delimited(rows) => rows.finish(),
            #[cfg(feature = "parquet")]
            Rows::Parquet(rows) => rows.finish(),
        }
    }
}

#[cfg(test)]
mod tests;
