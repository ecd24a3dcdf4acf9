//! Which format a file name asks for.
//!
//! Names are the only place where a user chooses a format, so a name that is
//! not understood is refused with the list of those that are. Guessing would
//! leave a file whose content its name does not tell.

use std::path::Path;

use super::WriteError;

/// The shape of the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Format {
    /// One JSON object per line.
    #[default]
    JsonLines,
    /// Fields with this byte between them, and a header line.
    Delimited(u8),
    /// Parquet.
    #[cfg(feature = "parquet")]
    Parquet,
}

/// The compression around the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Compression {
    #[default]
    None,
    Gzip,
    Zstd,
    Bzip2,
    Xz,
}

/// A format in its compression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) format: Format,
    pub(super) compression: Compression,
}

const KNOWN: &str = "use .jsonl, .ndjson, .csv, .tsv or .parquet; \
                     all but .parquet may be followed by .gz, .zst, .bz2 or .xz";

/// Reads the layout off a name. Case does not matter.
pub(super) fn of(path: &Path) -> Result<Layout, WriteError> {
    let refuse = |reason: String| WriteError::Format {
        path: path.to_owned(),
        reason,
    };
    let (stem, compression) = match extension(path).as_deref() {
        Some("gz") => (path.with_extension(""), Compression::Gzip),
        Some("zst") => (path.with_extension(""), Compression::Zstd),
        Some("bz2") => (path.with_extension(""), Compression::Bzip2),
        Some("xz") => (path.with_extension(""), Compression::Xz),
        _ => (path.to_owned(), Compression::None),
    };
    let format = match extension(&stem).as_deref() {
        None | Some("jsonl" | "ndjson") => Format::JsonLines,
        Some("csv") => Format::Delimited(b','),
        Some("tsv") => Format::Delimited(b'\t'),
        Some("parquet") if compression != Compression::None => {
            return Err(refuse(
                "Parquet is compressed inside; end the name in .parquet".to_owned(),
            ));
        }
        #[cfg(feature = "parquet")]
        Some("parquet") => Format::Parquet,
        #[cfg(not(feature = "parquet"))]
        Some("parquet") => {
            return Err(refuse("this build of twinsift has no Parquet".to_owned()));
        }
        Some(other) => {
            return Err(refuse(format!(
                "no table format is called .{other}; {KNOWN}"
            )));
        }
    };
    Ok(Layout {
        format,
        compression,
    })
}

fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_string_lossy().to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_ask_for_formats() {
        let layout = |name: &str| {
            let layout = of(Path::new(name)).expect("a known name");
            (layout.format, layout.compression)
        };
        assert_eq!(layout("x.jsonl"), (Format::JsonLines, Compression::None));
        assert_eq!(layout("a/x.NDJSON"), (Format::JsonLines, Compression::None));
        assert_eq!(layout("x"), (Format::JsonLines, Compression::None));
        assert_eq!(layout("x.gz"), (Format::JsonLines, Compression::Gzip));
        assert_eq!(layout("/dev/null"), (Format::JsonLines, Compression::None));
        assert_eq!(
            layout("v1.2.csv"),
            (Format::Delimited(b','), Compression::None)
        );
        assert_eq!(
            layout("x.tsv.zst"),
            (Format::Delimited(b'\t'), Compression::Zstd)
        );
        assert_eq!(
            layout("x.jsonl.bz2"),
            (Format::JsonLines, Compression::Bzip2)
        );
        assert_eq!(layout("x.jsonl.XZ"), (Format::JsonLines, Compression::Xz));
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
