//! CSV and TSV: rows under a header, with quotes as in RFC 4180.
//!
//! The reader thread finds where rows end, by newlines outside quotes; cells
//! are taken apart by `csv-core` on the worker threads. A quote that never
//! closes costs one line, not the rest of the file.

use std::borrow::Cow;
use std::sync::Arc;

use csv_core::{ReadFieldResult, ReaderBuilder};

use super::feed::Feed;
use super::fields::{Fields, Value};
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

/// Finds rows.
pub struct Rows {
    delimiter: u8,
    header: Option<Arc<Header>>,
}

impl Rows {
    /// Rows whose cells are set apart by `delimiter`.
    pub fn new(delimiter: u8) -> Self {
        Self {
            delimiter,
            header: None,
        }
    }

    fn row(&self, feed: &mut Feed) -> Found {
        let mut lead = 0;
        let mut scan = RowScan::new(self.delimiter);
        loop {
            let window = &feed.window()[lead..];
            // Blank lines are no rows.
            if scan.at == 0
                && let Some(count) = blank_line(window)
            {
                lead += count;
                continue;
            }
            if let Some(len) = scan.end(window) {
                return Found::Record { lead, len };
            }
            if window.len() > LONGEST_ROW {
                return open_quote(window, lead);
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
            return open_quote(window, lead);
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
        self.row(feed)
    }

    fn header(&self) -> Option<&Arc<Header>> {
        self.header.as_ref()
    }
}

fn blank_line(window: &[u8]) -> Option<usize> {
    match window {
        [b'\n', ..] => Some(1),
        [b'\r', b'\n', ..] => Some(2),
        _ => None,
    }
}

fn open_quote(window: &[u8], lead: usize) -> Found {
    let line = memchr::memchr(b'\n', window).map_or(window.len(), |at| at + 1);
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
}

impl RowScan {
    fn new(delimiter: u8) -> Self {
        Self {
            at: 0,
            quoted: false,
            delimiter,
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
            let Some(offset) = memchr::memchr2(b'"', b'\n', &window[self.at..]) else {
                self.at = window.len();
                return None;
            };
            let found = self.at + offset;
            self.at = found + 1;
            if window[found] == b'\n' {
                return Some(self.at);
            }
            // A quote counts only where a cell begins.
            self.quoted = found == 0 || window[found - 1] == self.delimiter;
        }
    }
}

fn names(raw: &[u8], delimiter: u8) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    cells(raw, delimiter, |cell| {
        names.push(String::from_utf8(cell).map_err(|_| "invalid UTF-8".to_owned())?);
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
            values[slot] = if cell.is_empty() {
                Value::Null
            } else {
                let text = String::from_utf8(cell)
                    .map_err(|_| format!("invalid UTF-8 in column {column}"))?;
                Value::Text(Cow::Owned(text))
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

fn cells(
    row: &[u8],
    delimiter: u8,
    mut sink: impl FnMut(Vec<u8>) -> Result<(), String>,
) -> Result<(), String> {
    let mut reader = ReaderBuilder::new().delimiter(delimiter).build();
    let mut rest = row;
    let mut cell = vec![0; 64];
    let mut filled = 0;
    loop {
        let (result, read, written) = reader.read_field(rest, &mut cell[filled..]);
        rest = &rest[read..];
        filled += written;
        match result {
            ReadFieldResult::OutputFull => {
                let room = cell.len() * 2;
                cell.resize(room.max(rest.len().min(row.len())), 0);
            }
            // Empty input tells the parser that the row is over.
            ReadFieldResult::InputEmpty => {}
            ReadFieldResult::Field { record_end } => {
                cell.truncate(filled);
                sink(std::mem::replace(&mut cell, vec![0; 64]))?;
                filled = 0;
                if record_end {
                    return Ok(());
                }
            }
            ReadFieldResult::End => return Ok(()),
        }
    }
}
