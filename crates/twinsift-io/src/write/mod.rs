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
//!   that is dropped before that leaves nothing behind. Devices, named pipes
//!   and standard output cannot be renamed onto, so they are written directly.
//! * The same rows give the same bytes.
//! * A value means the same in every format. Numbers are written in the
//!   shortest form that reads back to the same number; a number that is not
//!   finite counts as missing, since JSON has no word for it.
//!
//! Result tables can be long, with a row per pair. The text formats reuse their
//! buffers and allocate nothing per row.

mod compress;
mod delimited;
mod format;
mod json;
#[cfg(feature = "parquet")]
mod parquet;
mod target;

use std::io;
use std::path::{Path, PathBuf};

use twinsift::Id;

use self::compress::Sink;
use self::delimited::DelimitedRows;
use self::format::{Format, Layout};
use self::json::JsonRows;
#[cfg(feature = "parquet")]
use self::parquet::ParquetRows;
use self::target::Target;

/// How the names in an [`Id`](Kind::Id) column are typed, where the format has
/// a type per column. JSON has a type per value and ignores this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdKind {
    /// Any names: a column of strings.
    Mixed,
    /// Every name is a whole number that fits 64 bits: a column of integers.
    AllIntegers,
}

/// What a column holds. Every kind also takes [`Value::Missing`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Names of documents.
    Id(IdKind),
    /// Strings.
    Text,
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
                | (Kind::Text, Value::Text(_))
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
    pub fn new(name: &'a str, kind: Kind) -> Self {
        Self { name, kind }
    }
}

/// One value of a row.
#[derive(Clone, Copy, Debug)]
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

/// Why a table could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Whoever read the output has had enough. For a command that writes to a
    /// pipe this is a normal end, as in `twinsift pairs … | head`.
    #[error("the reader closed the output")]
    ClosedPipe,
    /// The system refused.
    #[error("cannot write {target}: {}", system_words(.source))]
    Io {
        /// The output, as it was named.
        target: String,
        /// What the system said.
        source: io::Error,
    },
    /// The name does not say which format to write.
    #[error("cannot write {}: {reason}", .path.display())]
    Format {
        /// The output, as it was named.
        path: PathBuf,
        /// What is wrong with the name.
        reason: String,
    },
    /// A name in a column that was declared to hold integers only.
    #[error("cannot write {target}: the id {id:?} in column {column:?} is not a 64-bit integer")]
    NotAnInteger {
        /// The output, as it was named.
        target: String,
        /// The column.
        column: String,
        /// The name.
        id: String,
    },
}

/// The system's message without the number that Rust appends to it.
fn system_words(error: &io::Error) -> String {
    let words = error.to_string();
    match words.rfind(" (os error ") {
        Some(at) => words[..at].to_owned(),
        None => words,
    }
}

/// What can go wrong below a [`Table`], before the output's name is added.
enum RowError {
    Io(io::Error),
    #[cfg_attr(not(feature = "parquet"), allow(dead_code))]
    NotAnInteger {
        column: usize,
        id: String,
    },
}

impl From<io::Error> for RowError {
    fn from(error: io::Error) -> Self {
        RowError::Io(error)
    }
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
    name: String,
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
        let (name, layout) = match path {
            Some(path) => (path.display().to_string(), format::of(path)?),
            None => ("standard output".to_owned(), Layout::default()),
        };
        let rows = open(path, layout, columns).map_err(|error| named(error, &name, &[]))?;
        let columns = columns
            .iter()
            .map(|column| (column.name.to_owned(), column.kind))
            .collect();
        Ok(Table {
            name,
            columns,
            rows,
        })
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
        let name = path.display().to_string();
        match std::fs::metadata(path) {
            // Opening and closing a pipe would be the end of it for its reader.
            Ok(found) if !found.is_file() && !found.is_dir() => Ok(()),
            _ => Target::create(path)
                .map(drop)
                .map_err(|error| named(RowError::Io(error), &name, &[])),
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
        let written = match &mut self.rows {
            Rows::Json(rows) => rows.row(values).map_err(RowError::Io),
            Rows::Delimited(rows) => rows.row(values).map_err(RowError::Io),
            #[cfg(feature = "parquet")]
            Rows::Parquet(rows) => rows.row(values),
        };
        written.map_err(|error| named(error, &self.name, &self.columns))
    }

    /// Completes the table, which then stands under its own name.
    ///
    /// # Errors
    ///
    /// If the rest of it cannot be written; nothing is left behind then.
    pub fn finish(self) -> Result<(), WriteError> {
        let target = match self.rows {
            Rows::Json(rows) => rows.finish(),
            Rows::Delimited(rows) => rows.finish(),
            #[cfg(feature = "parquet")]
            Rows::Parquet(rows) => rows.finish(),
        };
        target
            .and_then(Target::commit)
            .map_err(|error| named(RowError::Io(error), &self.name, &self.columns))
    }
}

fn open(path: Option<&Path>, layout: Layout, columns: &[Column<'_>]) -> Result<Rows, RowError> {
    let target = match path {
        Some(path) => Target::create(path)?,
        None => Target::stdout(),
    };
    Ok(match layout.format {
        Format::JsonLines => {
            let sink = Sink::new(target, layout.compression)?;
            Rows::Json(Box::new(JsonRows::new(sink, columns)))
        }
        Format::Delimited(delimiter) => {
            let sink = Sink::new(target, layout.compression)?;
            Rows::Delimited(Box::new(DelimitedRows::new(sink, delimiter, columns)?))
        }
        #[cfg(feature = "parquet")]
        Format::Parquet => Rows::Parquet(Box::new(ParquetRows::new(target, columns)?)),
    })
}

fn named(error: RowError, target: &str, columns: &[(String, Kind)]) -> WriteError {
    match error {
        RowError::Io(source) if source.kind() == io::ErrorKind::BrokenPipe => {
            WriteError::ClosedPipe
        }
        RowError::Io(source) => WriteError::Io {
            target: target.to_owned(),
            source,
        },
        RowError::NotAnInteger { column, id } => WriteError::NotAnInteger {
            target: target.to_owned(),
            column: columns[column].0.clone(),
            id,
        },
    }
}

#[cfg(test)]
mod tests;
