//! Opening a source as a stream of plain bytes.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::feed::Bytes;
use super::source::Compression;

/// Compressed bytes are read in pieces of this size.
const READ_SIZE: usize = 256 * 1024;

/// The largest window that a zstd frame may ask for, as a power of two: the
/// format's own limit, so `--long=31` files are read.
const ZSTD_WINDOW_LOG: u32 = 31;

/// Counts the bytes that pass.
pub struct Counting<R> {
    inner: R,
    count: Arc<AtomicU64>,
}

impl<R> Counting<R> {
    /// Adds what is read through `inner` to `count`.
    pub fn new(inner: R, count: Arc<AtomicU64>) -> Self {
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
pub fn decompress<R: Read + Send + 'static>(
    reader: R,
    compression: Compression,
) -> io::Result<Bytes> {
    let buffered = |reader| BufReader::with_capacity(READ_SIZE, reader);
    Ok(match compression {
        Compression::None => Box::new(reader),
        Compression::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(buffered(reader))),
        Compression::Zstd => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(buffered(reader))?;
            decoder.window_log_max(ZSTD_WINDOW_LOG)?;
            Box::new(decoder)
        }
        Compression::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(buffered(reader))),
        Compression::Xz => Box::new(lzma_rust2::XzReader::new(buffered(reader), true)),
    })
}

/// The plain bytes of a file.
pub fn open(
    path: &std::path::Path,
    compression: Compression,
    count: Arc<AtomicU64>,
) -> io::Result<Bytes> {
    decompress(Counting::new(File::open(path)?, count), compression)
}
