//! Formats and compressions, by the names and first bytes of files.

use std::fmt;
use std::path::{Path, PathBuf};

/// A format that documents come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// One JSON object per line.
    Jsonl,
    /// A JSON array of objects, or objects one after another.
    Json,
    /// Comma-separated values with a header line, which may show semicolons or tabs instead.
    Csv,
    /// Tab-separated values with a header line.
    Tsv,
    /// Apache Parquet.
    Parquet,
    /// A web archive.
    Warc,
    /// A mailbox file.
    Mbox,
    /// One mail.
    Eml,
    /// One HTML page.
    Html,
    /// One plain text.
    Text,
}

/// Every format in its order, in words, and with the extensions of its files, the usual one
/// first.
const FORMATS: [(Format, &str, &[&str]); 10] = [
    (Format::Jsonl, "JSON lines", &["jsonl", "ndjson"]),
    (Format::Json, "JSON", &["json"]),
    (Format::Csv, "CSV", &["csv"]),
    (Format::Tsv, "TSV", &["tsv", "tab"]),
    (Format::Parquet, "Parquet", &["parquet", "pq"]),
    (Format::Warc, "WARC", &["warc"]),
    (Format::Mbox, "mbox", &["mbox"]),
    (Format::Eml, "mail", &["eml"]),
    (Format::Html, "HTML", &["html", "htm", "xhtml"]),
    (Format::Text, "text", &["txt", "text", "md", "markdown"]),
];

impl Format {
    /// The format that a file name's extension stands for.
    pub fn of_extension(extension: &str) -> Option<Self> {
        let is_one = |known: &&str| known.eq_ignore_ascii_case(extension);
        let mut formats = FORMATS.into_iter();
        let found = formats.find(|(_, _, extensions)| extensions.iter().any(is_one));
        found.map(|(format, ..)| format)
    }

    /// The extension that such a file usually has.
    pub(crate) fn extension(self) -> &'static str {
        FORMATS[self as usize].2[0]
    }

    /// Whether it is lines or rows of text.
    pub(crate) fn is_table(self) -> bool {
        matches!(self, Self::Jsonl | Self::Json | Self::Csv | Self::Tsv)
    }

    /// Whether a file of this format is one document.
    pub fn is_single(self) -> bool {
        matches!(self, Self::Eml | Self::Html | Self::Text)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FORMATS[*self as usize].1)
    }
}

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Compression {
    /// Not at all.
    None,
    /// gzip, of one or many members.
    Gzip,
    /// Zstandard, of one or many frames.
    Zstd,
    /// bzip2.
    Bzip2,
    /// xz.
    Xz,
}

impl Compression {
    /// The compression that a file name's extension stands for.
    pub(crate) fn of_extension(extension: &str) -> Option<Self> {
        Some(match extension.to_ascii_lowercase().as_str() {
            "gz" | "gzip" => Self::Gzip,
            "zst" | "zstd" => Self::Zstd,
            "bz2" => Self::Bzip2,
            "xz" => Self::Xz,
            _ => return None,
        })
    }

    /// The extension that such a file usually has, with its dot.
    pub(crate) fn ending(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Gzip => ".gz",
            Self::Zstd => ".zst",
            Self::Bzip2 => ".bz2",
            Self::Xz => ".xz",
        }
    }

    /// The compression whose mark stands at the head of `bytes`.
    pub(crate) fn of_magic(bytes: &[u8]) -> Self {
        match bytes {
            [0x1f, 0x8b, 8, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Self::Zstd,
            // A skippable frame, which some tools write first.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstd,
            // Of letters alone a text might consist, so two bytes of what follows count.
            [b'B', b'Z', b'h', b'1'..=b'9', b'1', b'A', ..]
            | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, ..] => Self::Bzip2,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Self::Xz,
            _ => Self::None,
        }
    }

    /// The compression of a file that begins with `head`, and whose name speaks of `named`.
    /// What the bytes say goes before what the name says; but what is neither marked nor
    /// text may be a damaged file of the kind it is named for.
    pub(crate) fn of_file(head: &[u8], named: Option<Self>) -> Self {
        match (Self::of_magic(head), named) {
            (Self::None, Some(named)) if head.is_empty() || !is_plain(head) => named,
            (found, _) => found,
        }
    }
}

/// Whether a file that begins so is of a format that we read, and not compressed.
fn is_plain(head: &[u8]) -> bool {
    let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    let marks: [&[u8]; 4] = [b"\xff\xfe", b"\xfe\xff", b"PAR1", b"WARC/"];
    marks.iter().any(|mark| head.starts_with(mark)) || !head.iter().any(is_control)
}

/// The format and the compression that a path's name speaks of.
pub(crate) fn by_name(path: &Path) -> (Option<Format>, Option<Compression>) {
    let (inner, compression) = uncompressed(path);
    let format = extension(&inner).and_then(|extension| Format::of_extension(&extension));
    (format, compression)
}

/// A path without the ending that speaks of compression.
pub(crate) fn uncompressed(path: &Path) -> (PathBuf, Option<Compression>) {
    match extension(path).and_then(|last| Compression::of_extension(&last)) {
        Some(compression) => (path.with_extension(""), Some(compression)),
        None => (path.to_owned(), None),
    }
}

/// What follows the last dot of a path's name.
pub(crate) fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_string_lossy().into_owned())
}
