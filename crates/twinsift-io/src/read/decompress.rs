//! Opening a source as a stream of plain bytes.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::feed::Bytes;
use super::members::{Bzip2, Gzip, Members, Xz, Zstd};
use crate::format::Compression;

/// Counts the bytes that pass.
pub(super) struct Counting<R> {
    inner: R,
    count: Arc<AtomicU64>,
}

impl<R> Counting<R> {
    /// Adds what is read through `inner` to `count`.
    pub(super) fn new(inner: R, count: Arc<AtomicU64>) -> Self {
        Self { inner, count }
    }
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.count.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Plain bytes out of compressed ones.
pub(super) fn decompress<R: Read + Send + 'static>(
    reader: R,
    compression: Compression,
) -> io::Result<Bytes> {
    Ok(match compression {
        Compression::None => Box::new(reader),
        Compression::Gzip => Box::new(Members::<_, Gzip>::new(reader)?),
        Compression::Zstd => Box::new(Members::<_, Zstd>::new(reader)?),
        Compression::Bzip2 => Box::new(Members::<_, Bzip2>::new(reader)?),
        Compression::Xz => Box::new(Members::<_, Xz>::new(reader)?),
    })
}

/// The plain bytes of a file.
pub(super) fn open(
    path: &std::path::Path,
    compression: Compression,
    count: Arc<AtomicU64>,
) -> io::Result<Bytes> {
    decompress(Counting::new(File::open(path)?, count), compression)
}
