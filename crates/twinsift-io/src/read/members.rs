//! Compressed data in members that follow one another, some of which may be damaged.
//!
//! A gzip file may be many gzip files in a row (web archives have one for each record),
//! and zstd, bzip2 and xz know the same. Each member can be decoded without those before it,
//! so damage need not cost more than the one that it is in: the next one is looked for,
//! and a [`Gap`] tells the reader that something is missing here. All that was decoded
//! before the damage is handed out first.
//!
//! The mark of a member may stand in compressed data by chance, and a page in a web
//! archive may itself be a gzip file that is kept as it is. So a member counts only if it
//! decodes to its end and another one, or nothing, follows; or if it goes on for longer
//! than any format keeps data as it is in one piece.
//!
//! A decoder for each gzip member costs two or three microseconds, which is little beside
//! decoding it; otherwise sound data is read as fast as by the decoders' own readers.

use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind, Read};

use flate2::{Decompress, FlushDecompress};
use lzma_rust2::{Action, XzStream};
use memchr::memmem;
use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer};

use super::rewind::{HISTORY, Rewind};

/// A member of which so much decodes is one. Formats keep at most 128 KiB as they are in
/// one piece, and what is looked at must fit the history.
const FAR: u64 = HISTORY as u64 / 2;

/// The window of gzip, as a power of two.
const GZIP_WINDOW_LOG: u8 = 15;

/// The largest window that a zstd frame may ask for, as a power of two: the
/// format's own limit, so `--long=31` files are read.
const ZSTD_WINDOW_LOG: u32 = 31;

/// What decodes a single member.
pub(super) trait Codec: Sized {
    /// What every member begins with.
    const MARK: &'static [u8];

    fn new() -> io::Result<Self>;

    /// Makes ready for another member.
    fn restart(&mut self) -> io::Result<()>;

    /// Decodes some of `input` to `output`.
    fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Decoded;
}

/// What came of a piece of a member.
pub(super) struct Decoded {
    /// Bytes that were taken from the input, and bytes that were made, also if it failed.
    taken: usize,
    made: usize,
    /// Whether this was the member's end.
    is_end: io::Result<bool>,
}

/// Something is missing here; what can be read next has nothing to do with what came before.
#[derive(Debug)]
pub(super) struct Gap {
    /// What is wrong.
    pub error: io::Error,
    /// The offset in the compressed data from which on it is sound again.
    pub until: u64,
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl Error for Gap {}

/// The plain bytes of all members.
pub(super) struct Members<R, C> {
    input: Rewind<R>,
    codec: C,
    /// Where the member at hand begins; `None` between members.
    begin: Option<u64>,
    /// What is wrong behind the bytes that were handed out last.
    damage: Option<(u64, io::Error)>,
}

impl<R: Read, C: Codec> Members<R, C> {
    pub(super) fn new(reader: R) -> io::Result<Self> {
        Ok(Self {
            input: Rewind::new(reader),
            codec: C::new()?,
            begin: None,
            damage: None,
        })
    }

    /// Goes on to the next member that is sound, if there is one, and says what happened.
    fn pass_over(&mut self, begin: u64, error: io::Error) -> io::Error {
        self.input.go_back(begin);
        self.input.consume(1);
        match self.find_member() {
            Ok(true) => {
                let until = self.input.offset();
                io::Error::other(Gap { error, until })
            }
            _ => error,
        }
    }

    fn find_member(&mut self) -> io::Result<bool> {
        loop {
            let window = self.input.want(C::MARK.len())?;
            if window.len() < C::MARK.len() {
                return Ok(false);
            }
            let found = memmem::find(window, C::MARK);
            // The mark may straddle what is in sight and what is not.
            let passed = found.unwrap_or(window.len() - (C::MARK.len() - 1));
            self.input.consume(passed);
            if found.is_some() {
                let begin = self.input.offset();
                let is_member = self.is_member(begin)?;
                self.input.go_back(begin);
                if is_member {
                    return Ok(true);
                }
                self.input.consume(1);
            }
        }
    }

    /// Passes over zeros, which may fill the space between members and begin none.
    fn skip_padding(&mut self) -> io::Result<()> {
        loop {
            let window = self.input.want(1)?;
            let zeros = window.iter().take_while(|&&byte| byte == 0).count();
            let is_over = zeros < window.len() || window.is_empty();
            self.input.consume(zeros);
            if is_over {
                return Ok(());
            }
        }
    }

    fn is_member(&mut self, begin: u64) -> io::Result<bool> {
        self.codec.restart()?;
        let mut scratch = vec![0; 64 * 1024];
        loop {
            match decode(&mut self.codec, &mut self.input, &mut scratch)?.is_end {
                Err(_) => return Ok(false),
                Ok(true) => {
                    self.skip_padding()?;
                    let after = self.input.want(C::MARK.len())?;
                    return Ok(after.is_empty() || after.starts_with(C::MARK));
                }
                Ok(false) if self.input.offset() - begin > FAR => return Ok(true),
                Ok(false) => {}
            }
        }
    }
}

/// Decodes on. Only what the reader itself cannot do is an error here.
fn decode<R: Read>(
    codec: &mut impl Codec,
    input: &mut Rewind<R>,
    output: &mut [u8],
) -> io::Result<Decoded> {
    let is_idle = |decoded: &Decoded| {
        matches!(
            (decoded.taken, decoded.made, &decoded.is_end),
            (0, 0, Ok(false))
        )
    };
    // What the codec still holds comes first: the reader must not wait for more input till then.
    let mut decoded = codec.decode(input.want(0)?, output);
    if is_idle(&decoded) {
        decoded = codec.decode(input.want(1)?, output);
    }
    if is_idle(&decoded) {
        decoded.is_end = Err(ErrorKind::UnexpectedEof.into());
    }
    input.consume(decoded.taken);
    Ok(decoded)
}

impl<R: Read, C: Codec> Read for Members<R, C> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some((begin, error)) = self.damage.take() {
                return Err(self.pass_over(begin, error));
            }
            if self.begin.is_none() {
                self.skip_padding()?;
            }
            let begin = match self.begin {
                Some(begin) => begin,
                None if self.input.want(1)?.is_empty() => return Ok(0),
                None => {
                    self.codec.restart()?;
                    *self.begin.insert(self.input.offset())
                }
            };
            let decoded = decode(&mut self.codec, &mut self.input, output)?;
            match decoded.is_end {
                Ok(false) => {}
                Ok(true) => self.begin = None,
                Err(error) => {
                    self.begin = None;
                    self.damage = Some((begin, error));
                }
            }
            if decoded.made > 0 {
                return Ok(decoded.made);
            }
        }
    }
}

fn damaged(reason: impl Into<Box<dyn Error + Send + Sync>>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, reason)
}

/// gzip, whose header and checksum the decoder sees to.
pub(super) struct Gzip(Decompress);

impl Codec for Gzip {
    const MARK: &'static [u8] = &[0x1f, 0x8b, 8];

    fn new() -> io::Result<Self> {
        Ok(Self(Decompress::new_gzip(GZIP_WINDOW_LOG)))
    }

    fn restart(&mut self) -> io::Result<()> {
        *self = Self::new()?;
        Ok(())
    }

    fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Decoded {
        let (taken, made) = (self.0.total_in(), self.0.total_out());
        let status = self.0.decompress(input, output, FlushDecompress::None);
        Decoded {
            taken: (self.0.total_in() - taken) as usize,
            made: (self.0.total_out() - made) as usize,
            is_end: match status {
                Ok(status) => Ok(status == flate2::Status::StreamEnd),
                Err(error) => Err(damaged(error.message().unwrap_or("not gzip").to_owned())),
            },
        }
    }
}

/// Zstandard.
pub(super) struct Zstd(Decoder<'static>);

impl Codec for Zstd {
    const MARK: &'static [u8] = &[0x28, 0xb5, 0x2f, 0xfd];

    fn new() -> io::Result<Self> {
        let mut decoder = Decoder::new()?;
        decoder.set_parameter(DParameter::WindowLogMax(ZSTD_WINDOW_LOG))?;
        Ok(Self(decoder))
    }

    fn restart(&mut self) -> io::Result<()> {
        self.0.reinit()
    }

    fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Decoded {
        let mut input = InBuffer::around(input);
        let mut output = OutBuffer::around(output);
        let hint = self.0.run(&mut input, &mut output);
        Decoded {
            taken: input.pos(),
            made: output.pos(),
            is_end: hint.map(|hint| hint == 0).map_err(damaged),
        }
    }
}

/// bzip2.
pub(super) struct Bzip2(bzip2::Decompress);

impl Codec for Bzip2 {
    const MARK: &'static [u8] = b"BZh";

    fn new() -> io::Result<Self> {
        Ok(Self(bzip2::Decompress::new(false)))
    }

    fn restart(&mut self) -> io::Result<()> {
        *self = Self::new()?;
        Ok(())
    }

    fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Decoded {
        let (taken, made) = (self.0.total_in(), self.0.total_out());
        let status = self.0.decompress(input, output);
        Decoded {
            taken: (self.0.total_in() - taken) as usize,
            made: (self.0.total_out() - made) as usize,
            is_end: match status {
                Ok(status) => Ok(status == bzip2::Status::StreamEnd),
                Err(error) => Err(damaged(error)),
            },
        }
    }
}

/// xz. Its reader would throw away what it had decoded when it fails; this does not.
pub(super) struct Xz(XzStream);

impl Codec for Xz {
    const MARK: &'static [u8] = b"\xfd7zXZ\0";

    fn new() -> io::Result<Self> {
        Ok(Self(XzStream::new(false)))
    }

    fn restart(&mut self) -> io::Result<()> {
        *self = Self::new()?;
        Ok(())
    }

    fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Decoded {
        let (taken, made) = (self.0.total_in(), self.0.total_out());
        let result = self.0.process(input, output, Action::Run);
        Decoded {
            taken: (self.0.total_in() - taken) as usize,
            made: (self.0.total_out() - made) as usize,
            is_end: result.map(|result| result.status == lzma_rust2::Status::StreamEnd),
        }
    }
}
