//! Compressed bytes that can be read again.
//!
//! A decoder may read damaged data past the place where sound data begins again. So the
//! last bytes that it was given stay here, as many as it takes to go back there. The buffer
//! is moved along when it is full, which costs well under a hundredth of the time that decoding
//! takes.

use std::io::{self, ErrorKind, Read};

/// Bytes are read in pieces of this size.
const READ_SIZE: usize = 256 * 1024;

/// So many of the bytes that have been passed can be read again.
pub(super) const HISTORY: usize = 512 * 1024;

/// The buffer is this large at most, unless more is asked for at once.
const BUFFER_SIZE: usize = 4 * HISTORY;

/// A reader with a memory.
pub(super) struct Rewind<R> {
    reader: R,
    buffer: Vec<u8>,
    at: usize,
    /// How many bytes came before the buffer.
    gone: u64,
}

impl<R: Read> Rewind<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            reader,
            buffer: Vec::new(),
            at: 0,
            gone: 0,
        }
    }

    /// How many bytes have been passed.
    pub(super) fn offset(&self) -> u64 {
        self.gone + self.at as u64
    }

    /// Goes back to where `offset` bytes had been passed, or as near to it as possible.
    pub(super) fn go_back(&mut self, offset: u64) {
        self.at = (offset.saturating_sub(self.gone) as usize).min(self.at);
    }

    /// Passes bytes that are in sight.
    pub(super) fn consume(&mut self, count: usize) {
        self.at = (self.at + count).min(self.buffer.len());
    }

    /// The bytes in sight: at least `count`, or all there are.
    pub(super) fn want(&mut self, count: usize) -> io::Result<&[u8]> {
        while self.buffer.len() - self.at < count && self.read_on()? {}
        Ok(&self.buffer[self.at..])
    }

    fn read_on(&mut self) -> io::Result<bool> {
        if self.buffer.len() + READ_SIZE > BUFFER_SIZE {
            let passed = self.at.saturating_sub(HISTORY);
            self.buffer.drain(..passed);
            self.at -= passed;
            self.gone += passed as u64;
        }
        let length = self.buffer.len();
        self.buffer.resize(length + READ_SIZE, 0);
        let read = loop {
            match self.reader.read(&mut self.buffer[length..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        let count = *read.as_ref().unwrap_or(&0);
        self.buffer.truncate(length + count);
        read.map(|count| count > 0)
    }
}
