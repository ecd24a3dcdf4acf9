//! Outputs that appear whole or not at all.
//!
//! Everything that is written goes through [`AtomicFile`]: a [`Target`], which
//! knows when the bytes may be seen; a large buffer in front of it, so that the
//! system is asked for blocks and not for lines, on standard output too; and
//! an [`Encoder`] for the compression. Result tables and survivors add their
//! formats, and say in the same words what went wrong.

mod encoder;
mod error;
#[cfg(feature = "parquet")]
mod parquet;
mod target;
mod temporary;
mod unfinished;

use std::io::{self, BufWriter, Write};
use std::path::Path;

pub(crate) use encoder::Encoder;
pub use error::WriteError;
#[cfg(feature = "parquet")]
pub(crate) use parquet::ParquetFile;
use target::Target;
pub(crate) use target::folder_of;
pub(crate) use temporary::folder as temporary_folder;
pub use unfinished::remove_unfinished;
pub(crate) use unfinished::{Unfinished, unless_ending};

use crate::format::{Compression, by_name};

/// So much goes to the system at once.
pub(crate) const BLOCK: usize = 256 * 1024;

/// Why Parquet is not compressed a second time.
pub(crate) const PARQUET_IS_COMPRESSED: &str =
    "Parquet is compressed inside; end the name in .parquet";

/// A file in the making. Dropped before [`finish`](AtomicFile::finish), it
/// is removed.
///
/// Devices, named pipes and standard output cannot be renamed onto, so they
/// are written directly.
pub struct AtomicFile {
    name: String,
    encoder: Encoder<BufWriter<Target>>,
}

impl AtomicFile {
    /// Begins a file that is to appear at `path`, compressed as its extension
    /// says.
    pub fn create(path: &Path) -> Result<Self, WriteError> {
        Self::create_as(path, path.display().to_string(), compression_of(path))
    }

    /// Begins a file that goes by another name in messages, and whose bytes are
    /// compressed as the caller says.
    pub(crate) fn create_as(
        path: &Path,
        name: String,
        compression: Compression,
    ) -> Result<Self, WriteError> {
        Self::new(Target::create(path), name, compression)
    }

    /// Writes a whole file at once.
    pub fn write_all_to(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
        let mut file = Self::create(path)?;
        file.put(bytes)?;
        file.finish()
    }

    /// Standard output, as it is: nothing compresses it.
    pub fn stdout() -> Result<Self, WriteError> {
        let name = "standard output".to_owned();
        Self::new(Ok(Target::stdout()), name, Compression::None)
    }

    fn new(
        target: io::Result<Target>,
        name: String,
        compression: Compression,
    ) -> Result<Self, WriteError> {
        let encoder = target
            .and_then(|target| Encoder::new(BufWriter::with_capacity(BLOCK, target), compression));
        match encoder {
            Ok(encoder) => Ok(Self { name, encoder }),
            Err(error) => Err(WriteError::new(&name, error)),
        }
    }

    /// What messages call it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Adds bytes; unlike [`Write::write_all`], an error names the file.
    pub fn put(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        let written = self.encoder.write_all(bytes);
        written.map_err(|error| WriteError::new(&self.name, error))
    }

    /// Makes the file appear.
    pub fn finish(self) -> Result<(), WriteError> {
        let commit = || {
            let buffer = self.encoder.finish()?;
            let target = buffer.into_inner().map_err(|error| error.into_error())?;
            target.commit()
        };
        commit().map_err(|error| WriteError::new(&self.name, error))
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

/// The compression that a file name asks for.
pub(crate) fn compression_of(path: &Path) -> Compression {
    by_name(path).1.unwrap_or(Compression::None)
}
