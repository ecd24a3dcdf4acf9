//! The sources of a run.

use std::path::{Path, PathBuf};

use crate::format::{Compression, Format, by_name};

/// The name of a file that takes what came in by a stream: the stream's own where it tells
/// the format, as that of a named pipe may, else one that does.
pub(super) fn name_of_stream(path: &Path, format: Format, compression: Compression) -> PathBuf {
    let name = path.file_name().map(PathBuf::from).unwrap_or_default();
    if by_name(&name).0.is_some() {
        return name;
    }
    let stem = match path == Path::new("-") {
        true => "stdin".into(),
        false => name.to_string_lossy(),
    };
    PathBuf::from(format!(
        "{stem}.{}{}",
        format.extension(),
        compression.ending()
    ))
}

/// One input: a file, or standard input.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name as the user would write it.
    pub name: String,
    /// Where it lies; `-` is standard input.
    pub path: PathBuf,
    /// Its format; `None` if it cannot be read, and is reported as skipped.
    pub format: Option<Format>,
    /// How it is compressed.
    pub compression: Compression,
    /// Its size on disk; `None` for standard input and pipes.
    pub size: Option<u64>,
    /// Its path within the folder that was named, or its file name.
    pub(crate) inside: PathBuf,
    pub(crate) problem: Option<String>,
    /// Whether the problem is that the system does not let it be read.
    pub(crate) is_unreadable: bool,
    /// Where its bytes are if not at `path`: spooled to a temporary file.
    pub(crate) spooled: Option<PathBuf>,
}

impl Source {
    /// The file that holds the bytes.
    pub(crate) fn file(&self) -> &Path {
        self.spooled.as_deref().unwrap_or(&self.path)
    }
}
