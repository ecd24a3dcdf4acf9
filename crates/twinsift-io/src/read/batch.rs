//! Batches: what the thread that reads hands to the threads that work.
//!
//! A batch is about a mebibyte of whole records, from one source or, where
//! files are small, from many. Its bytes are raw; nothing in them has been
//! looked at more closely than it took to find where records end.

use std::sync::Arc;

use twinsift::{Place, Skipped};

use super::charsets::Charset;
use super::csv::Header;
use super::feed::Feed;
use super::fields::Fields;
use super::lengths::{bomb_size, too_long};
use super::lines;
use super::split::{NextRecord, Split};
use super::{Inputs, Opened};
use crate::format::{Compression, Format};

/// A batch is handed over when it holds this many bytes, or as many records.
const BATCH_BYTES: usize = 1 << 20;
const BATCH_PIECES: usize = 4096;

/// Whole records, to be expanded into documents.
#[derive(Debug, Default)]
pub struct Batch {
    pub(super) data: Vec<u8>,
    pub(super) pieces: Vec<Piece>,
    weight: usize,
}

/// A run of bytes of a batch.
#[derive(Debug)]
pub(super) struct Piece {
    /// The source and the number of the first record.
    pub place: Place,
    pub start: usize,
    pub end: usize,
    pub kind: Kind,
}

/// What a piece is.
#[derive(Debug)]
pub(super) enum Kind {
    /// Lines, each a record.
    Lines,
    /// A record of the source's format.
    Record,
    /// A row of a table.
    Row(Arc<Header>),
    /// Rows of a Parquet file; the bytes are not in the batch's data.
    #[cfg(feature = "parquet")]
    Rows(super::parquet::Rows),
    /// No record, and why.
    Problem(Skipped),
}

impl Batch {
    fn push(&mut self, place: Place, bytes: &[u8], kind: Kind) {
        let start = self.data.len();
        self.data.extend_from_slice(bytes);
        self.weight += bytes.len();
        self.pieces.push(Piece {
            place,
            start,
            end: self.data.len(),
            kind,
        });
    }

    fn problem(&mut self, skipped: Skipped) {
        self.push(skipped.place, &[], Kind::Problem(skipped));
    }

    /// Leaves only the first record.
    fn keep_first(&mut self) {
        self.pieces.truncate(1);
        if let Some(piece) = self.pieces.first_mut()
            && let Kind::Lines = piece.kind
            && let Some(end) = memchr::memchr(b'\n', &self.data[piece.start..piece.end])
        {
            piece.end = piece.start + end;
        }
    }

    /// About how many bytes it holds.
    pub fn size(&self) -> usize {
        self.weight
    }

    fn is_full(&self) -> bool {
        self.weight >= BATCH_BYTES || self.pieces.len() >= BATCH_PIECES
    }
}

/// The batches of a run, in order. Meant for one thread at a time: it only reads,
/// decompresses and finds the ends of records.
pub struct Batches<'a> {
    inputs: &'a Inputs,
    source: usize,
    open: Option<Open>,
}

enum Open {
    Stream(Stream),
    #[cfg(feature = "parquet")]
    Rows(super::parquet::RowBatches),
}

struct Stream {
    feed: Feed,
    split: Box<dyn Split>,
    format: Format,
    charset: Arc<Charset>,
    /// The size of the source, if it is compressed.
    packed: Option<u64>,
    record: u64,
    /// Whether the columns of a table have been looked at.
    is_checked: bool,
}

/// Whether a source has more to give.
#[derive(PartialEq, Eq)]
enum Progress {
    More,
    /// More, but not at once: hand over what there is.
    Flush,
    Done,
}

impl<'a> Batches<'a> {
    pub(super) fn new(inputs: &'a Inputs) -> Self {
        Self {
            inputs,
            source: 0,
            open: None,
        }
    }

    /// The first record, as soon as it has been read.
    pub(super) fn first_record(mut self) -> Option<Batch> {
        let mut batch = Batch::default();
        while batch.pieces.is_empty() && self.fill(&mut batch) {}
        batch.keep_first();
        (!batch.pieces.is_empty()).then_some(batch)
    }

    /// Reads on, if there is anything left, and says whether to go on with that.
    fn fill(&mut self, batch: &mut Batch) -> bool {
        if self.source >= self.inputs.sources().len() {
            return false;
        }
        if self.open.is_none() {
            self.open(batch);
        }
        if self.open.is_none() {
            return true;
        }
        let progress = self.step(batch);
        if progress == Progress::Done {
            self.open = None;
            self.source += 1;
        }
        progress != Progress::Flush
    }

    fn place(&self, record: u64) -> Place {
        Place {
            source: self.source as u32,
            record,
        }
    }

    fn open(&mut self, batch: &mut Batch) {
        match self.inputs.open_source(self.source) {
            Ok(Opened::Stream(feed, format)) => {
                let source = &self.inputs.sources[self.source];
                self.open = Some(Open::Stream(Stream {
                    feed,
                    split: self.inputs.splitter(self.source, format),
                    format,
                    charset: Arc::clone(&self.inputs.charsets[self.source]),
                    packed: source
                        .size
                        .filter(|_| source.compression != Compression::None),
                    record: 1,
                    is_checked: false,
                }));
            }
            #[cfg(feature = "parquet")]
            Ok(Opened::Rows(rows)) => self.open = Some(Open::Rows(rows)),
            Err(reason) => {
                batch.problem(Skipped::one(self.place(0), reason));
                self.source += 1;
            }
        }
    }

    fn step(&mut self, batch: &mut Batch) -> Progress {
        let source = self.source as u32;
        let fields = &self.inputs.fields;
        match &mut self.open {
            None => Progress::Done,
            Some(Open::Stream(stream)) if stream.format == Format::Jsonl => {
                stream.lines(source, batch)
            }
            Some(Open::Stream(stream)) => stream.record(source, fields, batch),
            #[cfg(feature = "parquet")]
            Some(Open::Rows(rows)) => match rows.next() {
                None => Progress::Done,
                Some(Ok((record, rows))) => {
                    batch.weight += rows.weight();
                    batch.push(Place { source, record }, &[], Kind::Rows(rows));
                    Progress::More
                }
                Some(Err(damage)) => {
                    let record = damage.first;
                    batch.problem(Skipped {
                        place: Place { source, record },
                        records: damage.count,
                        reason: damage.reason,
                    });
                    Progress::More
                }
            },
        }
    }
}

impl Stream {
    fn lines(&mut self, source: u32, batch: &mut Batch) -> Progress {
        let record = self.record;
        let place = Place { source, record };
        let (found, lines) = lines::run(&mut self.feed);
        match found {
            NextRecord::Record { len, .. } => {
                let bytes = &self.feed.window()[..len];
                self.charset.watch(bytes);
                batch.push(place, bytes, Kind::Lines);
                self.feed.consume(len);
            }
            NextRecord::TooLong { .. } => self.pass(place, batch),
            NextRecord::End | NextRecord::Broken { .. } => return self.end(source, batch),
        }
        self.record += lines;
        match self.feed.is_eager() {
            true => Progress::Flush,
            false => Progress::More,
        }
    }

    fn record(&mut self, source: u32, fields: &Fields, batch: &mut Batch) -> Progress {
        let record = self.record;
        let place = Place { source, record };
        match self.split.next(&mut self.feed) {
            NextRecord::End => return self.end(source, batch),
            NextRecord::TooLong { is_document: true } => {
                self.pass(place, batch);
                if self.format.is_single() {
                    return Progress::Done;
                }
            }
            NextRecord::TooLong { is_document: false } => {
                self.pass_over(u64::MAX);
            }
            NextRecord::Record { lead, len }
                if len > self.feed.longest() && self.format != Format::Warc =>
            {
                let reason = too_long(len as u64, self.feed.longest(), self.packed);
                batch.problem(Skipped::one(place, reason));
                self.feed.consume(lead + len);
            }
            NextRecord::Record { lead, len } => {
                if let Some(header) = self.split.header().filter(|_| !self.is_checked)
                    && let Err(reason) = fields.refuse_repeated(&header.names)
                {
                    batch.problem(Skipped::one(Place { source, record: 0 }, reason));
                    return Progress::Done;
                }
                self.is_checked = true;
                if self.format.is_table() {
                    self.charset.watch(&self.feed.window()[lead..lead + len]);
                }
                let kind = match self.split.header() {
                    Some(header) => Kind::Row(Arc::clone(header)),
                    None => Kind::Record,
                };
                batch.push(place, &self.feed.window()[lead..lead + len], kind);
                self.feed.consume(lead + len);
            }
            NextRecord::Broken { len, reason } => {
                batch.problem(Skipped::one(place, reason));
                self.feed.consume(len);
            }
        }
        self.record += 1;
        // Mail that comes in is wanted at once; other formats gain by large batches.
        match self.feed.is_eager() && self.format == Format::Mbox {
            true => Progress::Flush,
            false => Progress::More,
        }
    }

    /// Reports a record that is too long, and passes over it. Nothing follows a single
    /// document, so only as much of it is read as tells whether it is a bomb.
    fn pass(&mut self, place: Place, batch: &mut Batch) {
        let enough = match self.format.is_single() {
            true => bomb_size(self.packed.unwrap_or(0)),
            false => u64::MAX,
        };
        let passed = self.pass_over(enough);
        let reason = too_long(passed, self.feed.longest(), self.packed);
        batch.problem(Skipped::one(place, reason));
    }

    /// Passes over a record that is too long, or enough of it, and says how long it was.
    fn pass_over(&mut self, enough: u64) -> u64 {
        let mut passed = 0;
        while passed <= enough
            && let Some(count) = self.split.more(&mut self.feed)
        {
            self.feed.consume(count);
            passed += count as u64;
        }
        passed
    }

    /// Reports why the stream ended before its time, if it did, and goes on behind that if
    /// possible. What is missing counts as one record.
    fn end(&mut self, source: u32, batch: &mut Batch) -> Progress {
        if let Some(reason) = self.feed.problem() {
            let record = self.record;
            batch.problem(Skipped::one(Place { source, record }, reason));
            self.record += 1;
        }
        match self.feed.go_on() && self.split.resume() {
            true => Progress::More,
            false => Progress::Done,
        }
    }
}

impl Iterator for Batches<'_> {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        let mut batch = Batch::default();
        while self.fill(&mut batch) && !batch.is_full() {}
        (!batch.pieces.is_empty()).then_some(batch)
    }
}
