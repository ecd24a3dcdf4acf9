//! Which format a file name asks for.
//!
//! Names are the only place where a user chooses a format, so a name that is
//! not understood is refused with the list of those that are. Guessing would
//! leave a file whose content its name does not tell.

use std::path::Path;

use super::WriteError;
use crate::format::{Format, extension, uncompressed};
use crate::output::PARQUET_IS_COMPRESSED;

/// The shape of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// One JSON object per line.
    JsonLines,
    /// Fields with this byte between them, and a header line.
    Delimited(u8),
    /// Parquet.
    #[cfg(feature = "parquet")]
    Parquet,
}

const KNOWN: &str = "use .jsonl, .ndjson, .csv, .tsv or .parquet; \
                     all but .parquet may be followed by .gz, .zst, .bz2 or .xz";

/// Reads off a name what to write. Case does not matter.
pub(super) fn of(path: &Path) -> Result<Shape, WriteError> {
    let refuse = |reason: String| WriteError::Format {
        path: path.to_owned(),
        reason,
    };
    let (inner, compression) = uncompressed(path);
    let Some(last) = extension(&inner) else {
        return Ok(Shape::JsonLines);
    };
    Ok(match Format::of_extension(&last) {
        Some(Format::Jsonl) => Shape::JsonLines,
        Some(Format::Csv) => Shape::Delimited(b','),
        Some(Format::Tsv) => Shape::Delimited(b'\t'),
        Some(Format::Parquet) if compression.is_some() => {
            return Err(refuse(PARQUET_IS_COMPRESSED.to_owned()));
        }
        #[cfg(feature = "parquet")]
        Some(Format::Parquet) => Shape::Parquet,
        #[cfg(not(feature = "parquet"))]
        Some(Format::Parquet) => {
            return Err(refuse("this build of twinsift has no Parquet".to_owned()));
        }
        _ => {
            let last = last.to_lowercase();
            return Err(refuse(format!(
                "no table format is called .{last}; {KNOWN}"
            )));
        }
    })
}

/// Makes sure that a name asks for JSON lines, for rows that are written in no other form.
///
/// # Errors
///
/// If it asks for something else.
pub fn check_json_lines(path: &Path) -> Result<(), WriteError> {
    match of(path)? {
        Shape::JsonLines => Ok(()),
        _ => Err(WriteError::Format {
            path: path.to_owned(),
            reason: "these rows are written as JSON lines only; end the name in .jsonl".to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_ask_for_formats() {
        let shape = |name: &str| of(Path::new(name)).expect("a known name");
        for name in [
            "x.jsonl",
            "a/x.NDJSON",
            "x",
            "x.gz",
            "/dev/null",
            "x.jsonl.XZ",
        ] {
            assert_eq!(shape(name), Shape::JsonLines, "{name}");
        }
        assert_eq!(shape("v1.2.csv"), Shape::Delimited(b','));
        assert_eq!(shape("x.tsv.zst"), Shape::Delimited(b'\t'));
    }

    #[test]
    fn unknown_names_are_refused_with_the_known_ones() {
        let words = |name: &str| of(Path::new(name)).expect_err("unknown").to_string();
        assert_eq!(
            words("out/x.xlsx"),
            "cannot write out/x.xlsx: no table format is called .xlsx; use .jsonl, .ndjson, .csv, \
             .tsv or .parquet; all but .parquet may be followed by .gz, .zst, .bz2 or .xz"
        );
        assert_eq!(
            words("x.parquet.gz"),
            "cannot write x.parquet.gz: Parquet is compressed inside; end the name in .parquet"
        );
        assert!(words("x.json.gz").contains("called .json;"));
    }
}
