//! Pages whose tags have thousands of attributes.
//!
//! The tokeniser goes from one attribute in double quotes to the next by a call, so that
//! some thousands of them in one tag overflow the stack. An attribute that follows a quote
//! without white space between makes it start over. So after many attributes of a tag,
//! white space behind a quote is read as a letter. All that changes is the name of an
//! attribute, or what is in one, of a tag that no page for readers has.

use std::cell::Cell;
use std::convert::Infallible;

use html5gum::{Readable, Reader, StringReader};

/// So many attributes of a tag are read as they stand. No page for readers has a tag with
/// more.
pub(super) const MANY: u32 = 256;

/// Reads a page.
pub(super) struct Attributes<'p> {
    page: StringReader<'p>,
    /// How many the tag has so far; 0 outside of tags.
    count: &'p Cell<u32>,
    last: u8,
}

impl<'p> Attributes<'p> {
    /// Reads `page`, while the caller counts the attributes of each tag in `count`.
    pub(super) fn of(page: &'p str, count: &'p Cell<u32>) -> Self {
        Self {
            page: page.to_reader(),
            count,
            last: 0,
        }
    }
}

impl Reader for Attributes<'_> {
    type Error = Infallible;

    #[inline]
    fn read_byte(&mut self) -> Result<Option<u8>, Infallible> {
        let mut byte = self.page.read_byte()?;
        if self.last == b'"'
            && self.count.get() > MANY
            && byte.is_some_and(|byte| byte.is_ascii_whitespace())
        {
            byte = Some(b'x');
        }
        self.last = byte.unwrap_or(0);
        Ok(byte)
    }

    #[inline]
    fn try_read_string(&mut self, wanted: &[u8], case_sensitive: bool) -> Result<bool, Infallible> {
        self.page.try_read_string(wanted, case_sensitive)
    }

    #[inline]
    fn read_until<'b>(
        &'b mut self,
        needle: &[u8],
        char_buf: &'b mut [u8; 4],
    ) -> Result<Option<&'b [u8]>, Infallible> {
        let read = self.page.read_until(needle, char_buf)?;
        self.last = read.and_then(|read| read.last().copied()).unwrap_or(0);
        Ok(read)
    }
}
