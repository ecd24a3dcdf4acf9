//! CSV and TSV: rows under a header, with quotes as in RFC 4180.
//!
//! The reader thread finds where rows end, by newlines outside quotes; cells
//! are taken apart on the worker threads. What ends the header ends all rows: where that
//! is a carriage return alone, as on old machines, newlines are part of cells, and the
//! other way round. Both go by the same few rules, and
//! jump from quote to quote rather than walk byte by byte as `csv-core` does,
//! at several times its speed on long texts. A quote that never closes costs
//! one line, not the rest of the file.

use std::borrow::Cow;
use std::sync::Arc;

use super::feed::Feed;
use super::fields::{Fields, Value};
use super::sniff::is_column;
use super::split::{Found, Split};

/// A row may be this long; past it, an open quote counts as a broken one.
const LONGEST_ROW: usize = 256 << 20;

/// The header line of a table.
#[derive(Debug, PartialEq, Eq)]
pub struct Header {
    /// The line as it stands, with its newline.
    pub raw: Vec<u8>,
    /// The names of the columns.
    pub names: Vec<String>,
    delimiter: u8,
}

/// The byte that ends all rows of the table under a header.
pub fn row_end(header: &[u8]) -> u8 {
    match header.last() {
        Some(b'\r') => b'\r',
        _ => b'\n',
    }
}

/// Finds rows.
pub struct Rows {
    delimiter: u8,
    header: Option<Arc<Header>>,
    /// Whether the beginning of the next row may be missing.
    is_cut: bool,
}

impl Rows {
    /// Rows whose cells are set apart by `delimiter`; the header of a table with commas may
    /// tell otherwise.
    pub fn new(delimiter: u8) -> Self {
        Self {
            delimiter,
            header: None,
            is_cut: false,
        }
    }

    fn row(&self, feed: &mut Feed) -> Found {
        let end = self.header.as_ref().map(|header| row_end(&header.raw));
        let mut lead = 0;
        let mut scan = RowScan::new(self.delimiter, end);
        loop {
            let window = &feed.window()[lead..];
            // Blank lines are no rows.
            if scan.at == 0
                && let Some(count) = blank_line(window, end)
            {
                lead += count;
                continue;
            }
            if let Some(len) = scan.end(window) {
                return Found::Record { lead, len };
            }
            if window.len() > LONGEST_ROW {
                return open_quote(window, lead, end);
            }
            if !feed.fill() {
                break;
            }
        }
        let window = &feed.window()[lead..];
        if window.is_empty() || feed.problem().is_some() {
            return Found::End;
        }
        if scan.quoted && !scan.at_quote(window) {
            return open_quote(window, lead, end);
        }
        Found::Record {
            lead,
            len: window.len(),
        }
    }
}

impl Split for Rows {
    fn next(&mut self, feed: &mut Feed) -> Found {
        if self.header.is_none() {
            match self.row(feed) {
                Found::Record { lead, len } => {
                    let raw = feed.window()[lead..lead + len].to_vec();
                    feed.consume(lead + len);
                    if self.delimiter == b',' {
                        self.delimiter = told_by(&raw);
                    }
                    match names(&raw, self.delimiter) {
                        Ok(names) => {
                            self.header = Some(Arc::new(Header {
                                raw,
                                names,
                                delimiter: self.delimiter,
                            }));
                        }
                        Err(reason) => {
                            while feed.fill() {
                                feed.consume(feed.window().len());
                            }
                            return Found::Broken {
                                len: feed.window().len(),
                                reason: format!("the header is broken: {reason}"),
                            };
                        }
                    }
                }
                other => return other,
            }
        }
        let found = self.row(feed);
        match (std::mem::take(&mut self.is_cut), found) {
            // The end of a row may look like a row.
            (true, Found::Record { lead, len }) => Found::Broken {
                len: lead + len,
                reason: "the beginning of the row may be missing".to_owned(),
            },
            (_, found) => found,
        }
    }

    fn header(&self) -> Option<&Arc<Header>> {
        self.header.as_ref()
    }

    /// Without its header, a table cannot be read.
    fn resume(&mut self) -> bool {
        self.is_cut = true;
        self.header.is_some()
    }
}

fn blank_line(window: &[u8], end: Option<u8>) -> Option<usize> {
    match window {
        [b'\n', ..] => Some(1),
        [b'\r', b'\n', ..] => Some(2),
        [b'\r', ..] if end == Some(b'\r') => Some(1),
        [b'\r', _, ..] if end.is_none() => Some(1),
        _ => None,
    }
}

fn open_quote(window: &[u8], lead: usize, end: Option<u8>) -> Found {
    let end = memchr::memchr(end.unwrap_or(b'\n'), window);
    let line = end.map_or(window.len(), |at| at + 1);
    Found::Broken {
        len: lead + line,
        reason: "a quoted cell is opened and never closed".to_owned(),
    }
}

/// Where a row ends, found in as many goes as it takes.
struct RowScan {
    at: usize,
    quoted: bool,
    delimiter: u8,
    /// What ends a row; not known before the header has ended.
    end: Option<u8>,
}

impl RowScan {
    fn new(delimiter: u8, end: Option<u8>) -> Self {
        Self {
            at: 0,
            quoted: false,
            delimiter,
            end,
        }
    }

    /// Whether the scan waits to see if the last quote is a doubled one.
    fn at_quote(&self, window: &[u8]) -> bool {
        self.at < window.len()
    }

    fn end(&mut self, window: &[u8]) -> Option<usize> {
        loop {
            if self.quoted {
                let Some(offset) = memchr::memchr(b'"', &window[self.at..]) else {
                    self.at = window.len();
                    return None;
                };
                let quote = self.at + offset;
                match window.get(quote + 1) {
                    // Whether it is doubled is not in sight yet.
                    None => {
                        self.at = quote;
                        return None;
                    }
                    Some(b'"') => self.at = quote + 2,
                    Some(_) => {
                        self.at = quote + 1;
                        self.quoted = false;
                    }
                }
                continue;
            }
            let rest = &window[self.at..];
            let offset = match self.end {
                Some(end) => memchr::memchr2(b'"', end, rest),
                None => memchr::memchr3(b'"', b'\n', b'\r', rest),
            };
            let Some(offset) = offset else {
                self.at = window.len();
                return None;
            };
            let found = self.at + offset;
            self.at = found + 1;
            match (window[found], window.get(found + 1)) {
                (b'"', _) => {}
                (b'\r', Some(b'\n')) if self.end.is_none() => return Some(found + 2),
                // Whether a newline follows is not in sight yet.
                (b'\r', None) if self.end.is_none() => {
                    self.at = found;
                    return None;
                }
                _ => return Some(self.at),
            }
            // A quote counts only where a cell begins.
            self.quoted = found == 0 || window[found - 1] == self.delimiter;
        }
    }
}

/// What sets the cells under a header apart. Where a comma is the mark of decimals, tables
/// have semicolons; so it is the first mark that gives a known column, or else the one that
/// gives most columns.
fn told_by(header: &[u8]) -> u8 {
    let marks = [b',', b';', b'\t'];
    let cut = |mark: u8| names(header, mark).unwrap_or_default();
    let known = |&mark: &u8| cut(mark).iter().any(|name| is_column(name));
    let most = || marks.into_iter().rev().max_by_key(|&mark| cut(mark).len());
    marks.into_iter().find(known).or_else(most).unwrap_or(b',')
}

fn names(raw: &[u8], delimiter: u8) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    cells(raw, delimiter, |cell| {
        let name = std::str::from_utf8(&cell).map_err(|_| "invalid UTF-8".to_owned())?;
        names.push(name.to_owned());
        Ok(())
    })?;
    Ok(names)
}

/// Reads one row to the table of values. An empty cell counts as null.
pub fn parse<'a>(
    row: &'a [u8],
    header: &Header,
    fields: &Fields,
    values: &mut [Value<'a>],
) -> Result<(), String> {
    let mut column = 0;
    cells(row, header.delimiter, |cell| {
        let name = header.names.get(column);
        column += 1;
        if let Some(slot) = name.and_then(|name| fields.slot(name)) {
            let text = match cell {
                Cow::Borrowed(bytes) => std::str::from_utf8(bytes).map(Cow::Borrowed).ok(),
                Cow::Owned(bytes) => String::from_utf8(bytes).map(Cow::Owned).ok(),
            };
            values[slot] = match text {
                Some(text) if text.is_empty() => Value::Null,
                Some(text) => Value::Text(text),
                None => return Err(format!("invalid UTF-8 in column {column}")),
            };
        }
        Ok(())
    })?;
    if column != header.names.len() {
        return Err(format!(
            "{column} cells where the header has {}",
            header.names.len()
        ));
    }
    Ok(())
}

fn cells<'a>(
    row: &'a [u8],
    delimiter: u8,
    mut sink: impl FnMut(Cow<'a, [u8]>) -> Result<(), String>,
) -> Result<(), String> {
    let row = row.strip_suffix(b"\n").unwrap_or(row);
    let mut rest = Some(row.strip_suffix(b"\r").unwrap_or(row));
    while let Some(bytes) = rest {
        let (cell, after) = match bytes.first() {
            Some(b'"') => quoted_cell(&bytes[1..], delimiter),
            _ => {
                let (cell, after) = plain_cell(bytes, delimiter);
                (Cow::Borrowed(cell), after)
            }
        };
        sink(cell)?;
        rest = after;
    }
    Ok(())
}

/// What stands before the next delimiter, and what after it.
fn plain_cell(bytes: &[u8], delimiter: u8) -> (&[u8], Option<&[u8]>) {
    match memchr::memchr(delimiter, bytes) {
        Some(end) => (&bytes[..end], Some(&bytes[end + 1..])),
        None => (bytes, None),
    }
}

/// The same for a cell whose opening quote has been passed. What follows the
/// closing quote belongs to the cell too, as it stands.
fn quoted_cell(bytes: &[u8], delimiter: u8) -> (Cow<'_, [u8]>, Option<&[u8]>) {
    let mut cell = Cow::Borrowed(&bytes[..0]);
    let mut push = |piece| match cell.is_empty() {
        true => cell = Cow::Borrowed(piece),
        false => cell.to_mut().extend_from_slice(piece),
    };
    let mut start = 0;
    loop {
        let Some(offset) = memchr::memchr(b'"', &bytes[start..]) else {
            push(&bytes[start..]);
            return (cell, None);
        };
        let quote = start + offset;
        if bytes.get(quote + 1) == Some(&b'"') {
            push(&bytes[start..=quote]);
            start = quote + 2;
            continue;
        }
        push(&bytes[start..quote]);
        let (tail, after) = plain_cell(&bytes[quote + 1..], delimiter);
        push(tail);
        return (cell, after);
    }
}
