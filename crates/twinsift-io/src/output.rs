//! Output files that appear whole or not at all.
//!
//! All is written to a temporary file beside the target and renamed at the
//! end; whatever goes wrong before leaves nothing behind. The target's
//! extension says how it is compressed.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzWriter};
use tempfile::NamedTempFile;
use thiserror::Error;

use crate::error::plain_reason;
use crate::read::Compression;

/// Why an output cannot be written; one sentence that names it.
#[derive(Debug, Error)]
#[error("cannot write {name}: {reason}")]
pub struct WriteError {
    /// The output, as the user wrote it.
    pub name: String,
    /// What the system said.
    pub reason: String,
}

impl WriteError {
    /// The failure of writing to `path`.
    pub fn new(path: &Path, error: &io::Error) -> Self {
        Self {
            name: path.display().to_string(),
            reason: plain_reason(error),
        }
    }
}

/// Where plain bytes go to be compressed.
pub(crate) enum Encoder<W: Write> {
    Plain(W),
    Gzip(GzEncoder<W>),
    Zstd(zstd::stream::write::Encoder<'static, W>),
    Bzip2(BzEncoder<W>),
    Xz(Box<XzWriter<W>>),
}

impl<W: Write> Encoder<W> {
    pub(crate) fn new(out: W, compression: Compression) -> io::Result<Self> {
        Ok(match compression {
            Compression::None => Self::Plain(out),
            Compression::Gzip => Self::Gzip(GzEncoder::new(out, flate2::Compression::default())),
            Compression::Zstd => Self::Zstd(zstd::stream::write::Encoder::new(out, 0)?),
            Compression::Bzip2 => Self::Bzip2(BzEncoder::new(out, bzip2::Compression::default())),
            Compression::Xz => Self::Xz(Box::new(XzWriter::new(out, XzOptions::with_preset(6))?)),
        })
    }

    /// Writes what is still held back, and gives the target back.
    pub(crate) fn finish(self) -> io::Result<W> {
        match self {
            Self::Plain(out) => Ok(out),
            Self::Gzip(encoder) => encoder.finish(),
            Self::Zstd(encoder) => encoder.finish(),
            Self::Bzip2(encoder) => encoder.finish(),
            Self::Xz(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(out) => out.write(bytes),
            Self::Gzip(encoder) => encoder.write(bytes),
            Self::Zstd(encoder) => encoder.write(bytes),
            Self::Bzip2(encoder) => encoder.write(bytes),
            Self::Xz(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(out) => out.flush(),
            Self::Gzip(encoder) => encoder.flush(),
            Self::Zstd(encoder) => encoder.flush(),
            Self::Bzip2(encoder) => encoder.flush(),
            Self::Xz(encoder) => encoder.flush(),
        }
    }
}

/// A file in the making. Dropped before [`finish`](AtomicFile::finish), it
/// leaves nothing behind.
pub struct AtomicFile {
    path: PathBuf,
    encoder: Encoder<BufWriter<NamedTempFile>>,
}

impl AtomicFile {
    /// Begins a file that is to appear at `path`, compressed as its extension
    /// says.
    pub fn create(path: &Path) -> Result<Self, WriteError> {
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let compression = Compression::of_extension(&extension).unwrap_or(Compression::None);
        Self::with_compression(path, compression)
    }

    /// Begins a file whose bytes are compressed already, or not at all.
    pub(crate) fn with_compression(
        path: &Path,
        compression: Compression,
    ) -> Result<Self, WriteError> {
        Self::begin(path, compression).map_err(|error| WriteError::new(path, &error))
    }

    fn begin(path: &Path, compression: Compression) -> io::Result<Self> {
        if path.is_dir() {
            return Err(io::Error::other("it is a folder"));
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let file = temporary(0o666).tempfile_in(folder)?;
        Ok(Self {
            path: path.to_owned(),
            encoder: Encoder::new(BufWriter::with_capacity(1 << 16, file), compression)?,
        })
    }

    /// Where it is to appear.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the file appear.
    pub fn finish(self) -> Result<(), WriteError> {
        let Self { path, encoder } = self;
        let persist = || -> io::Result<File> {
            let mut out = encoder.finish()?;
            out.flush()?;
            let file = out.into_inner().map_err(|error| error.into_error())?;
            file.persist(&path).map_err(|error| error.error)
        };
        persist().map_err(|error| WriteError::new(&path, &error))?;
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.encoder.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.encoder.flush()
    }
}

/// Temporary files and folders with the permissions that the user's mask
/// leaves of `mode`, as any other; by default they would be for their owner
/// alone.
pub(crate) fn temporary(mode: u32) -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".twinsift-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = mode;
    builder
}
