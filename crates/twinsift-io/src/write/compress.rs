//! Compression between the rows and the place they go to.
//!
//! Levels are each format's usual one: results are written once and read a few
//! times, so neither speed nor size is worth a flag. All work happens on the
//! thread that writes, which keeps the bytes the same on every machine.

use std::io::{self, Write};

use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzWriter};

use super::format::Compression;
use super::target::Target;

const XZ_LEVEL: u32 = 6;

/// A target behind the compression that was asked for.
pub(super) enum Sink {
    Plain(Target),
    Gzip(GzEncoder<Target>),
    Zstd(zstd::Encoder<'static, Target>),
    Bzip2(BzEncoder<Target>),
    Xz(XzWriter<Target>),
}

impl Sink {
    pub(super) fn new(target: Target, compression: Compression) -> io::Result<Self> {
        Ok(match compression {
            Compression::None => Sink::Plain(target),
            Compression::Gzip => Sink::Gzip(GzEncoder::new(target, flate2::Compression::default())),
            Compression::Zstd => {
                Sink::Zstd(zstd::Encoder::new(target, zstd::DEFAULT_COMPRESSION_LEVEL)?)
            }
            Compression::Bzip2 => {
                Sink::Bzip2(BzEncoder::new(target, bzip2::Compression::default()))
            }
            Compression::Xz => Sink::Xz(XzWriter::new(target, XzOptions::with_preset(XZ_LEVEL))?),
        })
    }

    /// Writes what the compressor still holds and gives the target back.
    pub(super) fn finish(self) -> io::Result<Target> {
        match self {
            Sink::Plain(target) => Ok(target),
            Sink::Gzip(encoder) => encoder.finish(),
            Sink::Zstd(encoder) => encoder.finish(),
            Sink::Bzip2(encoder) => encoder.finish(),
            Sink::Xz(encoder) => encoder.finish(),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::Plain(target) => target.write(bytes),
            Sink::Gzip(encoder) => encoder.write(bytes),
            Sink::Zstd(encoder) => encoder.write(bytes),
            Sink::Bzip2(encoder) => encoder.write(bytes),
            Sink::Xz(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::Plain(target) => target.flush(),
            Sink::Gzip(encoder) => encoder.flush(),
            Sink::Zstd(encoder) => encoder.flush(),
            Sink::Bzip2(encoder) => encoder.flush(),
            Sink::Xz(encoder) => encoder.flush(),
        }
    }
}
