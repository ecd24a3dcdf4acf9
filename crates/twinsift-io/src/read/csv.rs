//! CSV and TSV: rows under a header, with quotes as in RFC 4180.
//!
//! The reader thread finds where rows end, by newlines outside quotes; cells
//! are taken apart on the worker threads. What ends the header ends all rows: where that
//! is a carriage return alone, as on old machines, newlines are part of cells, and the
//! other way round. Both go by the same few rules, and
//! jump from quote to quote rather than walk byte by byte as `csv-core` does,
//! at several times its speed on long texts. A quote that never closes costs
//! one line, not the rest of the file; where a row is too long to tell, the lines under the
//! quote do, which are rows or are not.

use std::borrow::Cow;
use std::sync::Arc;

use super::charsets::Charset;
use super::feed::Feed;
use super::fields::{Fields, Value};
use super::sniff::is_column;
use super::split::{NextRecord, Split, in_sight};

/// So many lines under an open quote are looked at.
const LINES_TRIED: usize = 64;

/// The header line of a table.
#[derive(Debug)]
pub(crate) struct Header {
    /// The line as it stands, with its newline.
    pub raw: Vec<u8>,
    /// The names of the columns.
    pub names: Vec<String>,
    delimiter: u8,
    charset: Arc<Charset>,
}

/// The byte that ends all rows of the table under a header.
pub(crate) fn row_end(header: &[u8]) -> u8 {
    match header.last() {
        Some(b'\r') => b'\r',
        _ => b'\n',
    }
}

/// Finds rows.
pub(super) struct Rows {
    /// What sets cells apart; `None` before the header has told.
    delimiter: Option<u8>,
    charset: Arc<Charset>,
    header: Option<Arc<Header>>,
    /// Whether the beginning of the next row may be missing.
    is_cut: bool,
    /// The row that is too long, while it lasts.
    long: Option<RowScan>,
}

impl Rows {
    /// Rows whose cells are set apart by what was `given`, or else is `usual`, or else by
    /// what the header tells.
    pub(super) fn new(given: Option<u8>, usual: Option<u8>, charset: Arc<Charset>) -> Self {
        Self {
            delimiter: given.or(usual),
            charset,
            header: None,
            is_cut: false,
            long: None,
        }
    }

    fn row(&mut self, feed: &mut Feed) -> NextRecord {
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
                return NextRecord::Record { lead, len };
            }
            if window.len() > feed.longest() {
                if scan.quoted && self.is_open_quote(window, end) {
                    return open_quote(window, lead, end);
                }
                feed.consume(lead);
                self.long = Some(RowScan::new(self.delimiter, end));
                return NextRecord::TooLong { is_document: true };
            }
            if !feed.fill() {
                break;
            }
        }
        let window = &feed.window()[lead..];
        if window.is_empty() || feed.problem().is_some() {
            return NextRecord::End;
        }
        if scan.quoted && !scan.at_quote(window) {
            return open_quote(window, lead, end);
        }
        NextRecord::Record {
            lead,
            len: window.len(),
        }
    }

    /// Whether the quote that opens in the first line is a broken one: most of the lines
    /// under it are rows then. Without columns to count, that is always taken to be so.
    fn is_open_quote(&self, window: &[u8], end: Option<u8>) -> bool {
        let Some(header) = &self.header else {
            return true;
        };
        let end = end.unwrap_or(b'\n');
        let lines = window.split(|&byte| byte == end).skip(1);
        // The last one may be cut.
        let mut lines: Vec<&[u8]> = lines.take(LINES_TRIED + 1).collect();
        lines.pop();
        let is_row = |line: &&&[u8]| {
            let mut count = 0;
            let cut = cells(line, header.delimiter, |_| {
                count += 1;
                Ok(())
            });
            cut.is_ok() && count == header.names.len()
        };
        let rows = lines.iter().filter(is_row).count();
        !lines.is_empty() && (header.names.len() == 1 || rows * 2 > lines.len())
    }
}

impl Split for Rows {
    fn next(&mut self, feed: &mut Feed) -> NextRecord {
        if self.header.is_none() {
            match self.row(feed) {
                NextRecord::Record { lead, len } => {
                    let raw = feed.window()[lead..lead + len].to_vec();
                    feed.consume(lead + len);
                    let delimiter = self.delimiter.unwrap_or_else(|| delimiter_of(&raw));
                    self.delimiter = Some(delimiter);
                    match names(&raw, delimiter, &self.charset) {
                        Ok(names) => {
                            self.header = Some(Arc::new(Header {
                                raw,
                                names,
                                delimiter,
                                charset: Arc::clone(&self.charset),
                            }));
                        }
                        Err(reason) => {
                            return self.no_table(feed, format!("the header is broken: {reason}"));
                        }
                    }
                }
                NextRecord::TooLong { .. } => {
                    self.long = None;
                    return self.no_table(feed, "the header has no end".to_owned());
                }
                other => return other,
            }
        }
        let found = self.row(feed);
        match (std::mem::take(&mut self.is_cut), found) {
            // The end of a row may look like a row.
            (true, NextRecord::Record { lead, len }) => NextRecord::Broken {
                len: lead + len,
                reason: "the beginning of the row may be missing".to_owned(),
            },
            (_, found) => found,
        }
    }

    fn more(&mut self, feed: &mut Feed) -> Option<usize> {
        let mut scan = self.long.take()?;
        loop {
            if let Some(len) = scan.end(feed.window()) {
                return Some(len);
            }
            // The byte before a quote tells what it is.
            if scan.at > 1 {
                let passed = scan.at - 1;
                scan.at = 1;
                self.long = Some(scan);
                return Some(passed);
            }
            if !feed.fill() {
                return in_sight(feed);
            }
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

impl Rows {
    /// Passes over all there is: without a header, no row can be read.
    fn no_table(&mut self, feed: &mut Feed, reason: String) -> NextRecord {
        while feed.fill() {
            feed.consume(feed.window().len());
        }
        let len = feed.window().len();
        NextRecord::Broken { len, reason }
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

fn open_quote(window: &[u8], lead: usize, end: Option<u8>) -> NextRecord {
    let end = memchr::memchr(end.unwrap_or(b'\n'), window);
    let line = end.map_or(window.len(), |at| at + 1);
    NextRecord::Broken {
        len: lead + line,
        reason: "a quoted cell is opened and never closed".to_owned(),
    }
}

/// Where a row ends, found in as many goes as it takes.
struct RowScan {
    at: usize,
    quoted: bool,
    /// What sets cells apart; in a header that has not been read, any that is usual.
    delimiter: Option<u8>,
    /// What ends a row; not known before the header has ended.
    end: Option<u8>,
}

impl RowScan {
    fn new(delimiter: Option<u8>, end: Option<u8>) -> Self {
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
            self.quoted = found == 0
                || match self.delimiter {
                    Some(delimiter) => window[found - 1] == delimiter,
                    None => DELIMITERS.contains(&window[found - 1]),
                };
        }
    }
}

/// The delimiter of a table with this header. Where a comma is the decimal mark, tables
/// have semicolons; so it is the first mark that gives a known column, or else the one that
/// gives most columns.
fn delimiter_of(header: &[u8]) -> u8 {
    let cut = |mark: u8| {
        let mut names = Vec::new();
        let _ = cells(header, mark, |cell| {
            names.push(String::from_utf8_lossy(&cell).into_owned());
            Ok(())
        });
        names
    };
    let known = |&mark: &u8| cut(mark).iter().any(|name| is_column(name));
    let marks = DELIMITERS.into_iter();
    let most = || marks.clone().rev().max_by_key(|&mark| cut(mark).len());
    marks.clone().find(known).or_else(most).unwrap_or(b',')
}

/// What usually sets cells apart.
const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];

fn names(raw: &[u8], delimiter: u8, charset: &Charset) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    cells(raw, delimiter, |cell| {
        let name = charset
            .text(&cell)
            .map_err(|_| "invalid UTF-8".to_owned())?;
        names.push(name.into_owned());
        Ok(())
    })?;
    Ok(names)
}

/// Reads one row to the table of values. An empty cell counts as null.
pub(super) fn parse<'a>(
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
            let charset = &header.charset;
            let text = match cell {
                Cow::Borrowed(bytes) => charset.text(bytes).ok(),
                Cow::Owned(bytes) => match String::from_utf8(bytes) {
                    Ok(text) => Some(Cow::Owned(text)),
                    Err(error) => match charset.text(error.as_bytes()) {
                        Ok(text) => Some(Cow::Owned(text.into_owned())),
                        Err(_) => None,
                    },
                },
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
