//! The file of labels: rows `a,b,label,when,why`, which are on disk before anything else happens.
//!
//! Rows are only added. A later row of a pair replaces an earlier one, and the label `undone`
//! takes back the row of its pair that stood until then. A row that a power cut has torn is cut
//! off when the file is opened next; a file that was made elsewhere, without `when` and `why`, is
//! given these columns.

use crate::error::Error;
use csv::{ReaderBuilder, StringRecord, WriterBuilder};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use twinsift_io::AtomicFile;
use twinsift_learn::detect::Verdict;
use twinsift_learn::detect::labels::{pair_key, standing};

/// The columns, in the order of a new file.
const COLUMNS: [&str; 5] = ["a", "b", "label", "when", "why"];

/// Why a pair was asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It was drawn at random: what is known of such pairs says how good a detector is.
    Random,
    /// It teaches much.
    Teaching,
    /// Somebody chose it, or said it elsewhere.
    Chosen,
}

impl Why {
    fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Teaching => "teaching",
            Self::Chosen => "chosen",
        }
    }

    fn parse(name: &str) -> Self {
        match name.trim() {
            "random" => Self::Random,
            "teaching" => Self::Teaching,
            _ => Self::Chosen,
        }
    }
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The id of one document.
    pub a: String,
    /// The id of the other.
    pub b: String,
    /// What is said of the two.
    pub verdict: Verdict,
    /// When it was said, as RFC 3339 writes it; empty if it was said elsewhere.
    pub when: String,
    /// Why they were asked about.
    pub why: Why,
}

impl Label {
    /// What is said now.
    pub fn now(a: &str, b: &str, verdict: Verdict, why: Why) -> Self {
        Self {
            a: a.to_owned(),
            b: b.to_owned(),
            verdict,
            when: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            why,
        }
    }
}

/// A file of labels that nobody else writes to.
#[derive(Debug)]
pub struct LabelFile {
    path: PathBuf,
    file: File,
    layout: Layout,
    rows: Vec<Label>,
    /// What was mended as the file was opened, as a sentence.
    mended: Option<String>,
}

/// How rows are written in a file.
#[derive(Clone, Debug)]
struct Layout {
    delimiter: u8,
    /// The columns that the file has.
    header: StringRecord,
}

impl Layout {
    fn column(&self, name: &str) -> Option<usize> {
        let is_it = |column: &str| column.trim().eq_ignore_ascii_case(name);
        self.header.iter().position(is_it)
    }

    fn row(&self, label: &Label) -> Vec<u8> {
        let values = [
            &*label.a,
            &*label.b,
            label.verdict.name(),
            &*label.when,
            label.why.name(),
        ];
        let mut cells = vec![""; self.header.len()];
        for (name, value) in COLUMNS.iter().zip(values) {
            if let Some(at) = self.column(name) {
                cells[at] = value;
            }
        }
        self.line(cells)
    }

    fn line<'a>(&self, cells: impl IntoIterator<Item = &'a str>) -> Vec<u8> {
        let mut writer = WriterBuilder::new()
            .delimiter(self.delimiter)
            .flexible(true)
            .from_writer(Vec::new());
        // Writing to memory does not fail.
        let _ = writer.write_record(cells);
        writer.into_inner().unwrap_or_default()
    }
}

/// A file of labels as it was read.
struct Parsed {
    layout: Layout,
    rows: Vec<Label>,
    /// Records as they are, for a file that is given more columns.
    records: Vec<StringRecord>,
    /// Where the whole rows end.
    end: usize,
}

impl LabelFile {
    /// Opens a file of labels, or makes one. Nobody else can open it until it is dropped.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let failed = Error::labels(path);
        let mut file = locked(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(&failed)?;
        if bytes.is_empty() {
            let layout = Layout {
                delimiter: b',',
                header: StringRecord::from(COLUMNS.to_vec()),
            };
            file.write_all(&layout.line(COLUMNS)).map_err(&failed)?;
            file.sync_all().map_err(&failed)?;
            return Ok(Self {
                path: path.to_owned(),
                file,
                layout,
                rows: Vec::new(),
                mended: None,
            });
        }
        let parsed = parse(path, &bytes)?;
        let mut mended = None;
        if parsed.end < bytes.len() {
            file.set_len(parsed.end as u64).map_err(&failed)?;
            file.sync_all().map_err(&failed)?;
            mended = Some("the last row was not whole, and was cut off".to_owned());
        }
        let mut layout = parsed.layout.clone();
        let missing: Vec<&str> = COLUMNS[3..]
            .iter()
            .copied()
            .filter(|name| layout.column(name).is_none())
            .collect();
        if !missing.is_empty() {
            missing
                .iter()
                .for_each(|name| layout.header.push_field(name));
            file = rewritten(path, &layout, &parsed.records)?;
        } else if parsed.end > 0 && bytes[parsed.end - 1] != b'\n' {
            file.seek(SeekFrom::End(0)).map_err(&failed)?;
            file.write_all(b"\n").map_err(&failed)?;
        }
        file.seek(SeekFrom::End(0)).map_err(&failed)?;
        Ok(Self {
            path: path.to_owned(),
            file,
            layout,
            rows: parsed.rows,
            mended,
        })
    }

    /// Reads the labels of a file without locking it.
    pub fn read(path: &Path) -> Result<Vec<Label>, Error> {
        let bytes = std::fs::read(path).map_err(Error::labels(path))?;
        Ok(standing_rows(&parse(path, &bytes)?.rows))
    }

    /// Adds a row, which is on disk when this returns.
    pub fn append(&mut self, label: Label) -> Result<(), Error> {
        let failed = Error::labels(&self.path);
        self.file
            .write_all(&self.layout.row(&label))
            .map_err(&failed)?;
        self.file.sync_data().map_err(&failed)?;
        self.rows.push(label);
        Ok(())
    }

    /// Adds the labels of another file that say something new.
    pub fn import(&mut self, path: &Path) -> Result<usize, Error> {
        let known = self.standing();
        let is_known = |label: &Label| {
            let key = pair_key(&label.a, &label.b);
            let mut same = known
                .iter()
                .filter(|known| pair_key(&known.a, &known.b) == key);
            same.any(|known| known.verdict == label.verdict)
        };
        let new: Vec<Label> = Self::read(path)?
            .into_iter()
            .filter(|label| !is_known(label))
            .collect();
        let count = new.len();
        new.into_iter().try_for_each(|label| self.append(label))?;
        Ok(count)
    }

    /// Takes back what was said last here, and says what it was; `None` if there is nothing left.
    pub fn undo(&mut self) -> Result<Option<Label>, Error> {
        let mut alive: Vec<&Label> = Vec::new();
        for row in &self.rows {
            match row.verdict {
                Verdict::Undone => {
                    let key = pair_key(&row.a, &row.b);
                    let last = alive
                        .iter()
                        .rposition(|said| pair_key(&said.a, &said.b) == key);
                    last.map(|at| alive.remove(at));
                }
                _ => alive.push(row),
            }
        }
        let last = alive.into_iter().rfind(|row| !row.when.is_empty()).cloned();
        if let Some(last) = &last {
            self.append(Label::now(&last.a, &last.b, Verdict::Undone, last.why))?;
        }
        Ok(last)
    }

    /// The rows that stand.
    pub fn standing(&self) -> Vec<Label> {
        standing_rows(&self.rows)
    }

    /// Number of rows, of whatever kind: it grows with every change.
    pub fn revision(&self) -> usize {
        self.rows.len()
    }

    /// What was mended as the file was opened, as a sentence.
    pub fn mended(&self) -> Option<&str> {
        self.mended.as_deref()
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

fn standing_rows(rows: &[Label]) -> Vec<Label> {
    let said = rows
        .iter()
        .map(|row| (pair_key(&row.a, &row.b), row.verdict));
    let standing = standing(said).into_iter();
    standing.map(|at| rows[at].clone()).collect()
}

/// The file, opened for this process alone.
fn locked(path: &Path) -> Result<File, Error> {
    let failed = Error::labels(path);
    let mut how = OpenOptions::new();
    how.read(true).write(true).create(true).truncate(false);
    let file = how.open(path).map_err(&failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::Locked(path.to_owned())),
        Err(TryLockError::Error(source)) => Err(failed(source)),
    }
}

/// Writes a file anew, with more columns.
fn rewritten(path: &Path, layout: &Layout, records: &[StringRecord]) -> Result<File, Error> {
    let mut bytes = layout.line(&layout.header);
    for record in records {
        let missing = layout.header.len().saturating_sub(record.len());
        bytes.extend(layout.line(record.iter().chain(std::iter::repeat_n("", missing))));
    }
    AtomicFile::write_all_to(path, &bytes)?;
    locked(path)
}

fn parse(path: &Path, bytes: &[u8]) -> Result<Parsed, Error> {
    let refuse = |why: String| Error::NoLabels {
        path: path.to_owned(),
        why,
    };
    let first = bytes
        .split(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default();
    let count = |delimiter: &u8| first.iter().filter(|&byte| byte == delimiter).count();
    let delimiter = *b",;\t"
        .iter()
        .rev()
        .max_by_key(|at| count(at))
        .unwrap_or(&b',');
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter)
        .flexible(true)
        .from_reader(bytes);
    let header = reader
        .headers()
        .cloned()
        .map_err(|error| refuse(error.to_string()))?;
    let layout = Layout { delimiter, header };
    let column = |name| {
        let why =
            || refuse("it is no file of labels: it needs the columns a, b and label".to_owned());
        layout.column(name).ok_or_else(why)
    };
    let columns = [column("a")?, column("b")?, column("label")?];
    let (mut rows, mut records) = (Vec::new(), Vec::new());
    for record in reader.records() {
        let record = record.map_err(|error| refuse(error.to_string()))?;
        let place = record
            .position()
            .map_or((0, 0), |at| (at.byte() as usize, at.line()));
        let cell = |at: Option<usize>| at.and_then(|at| record.get(at)).unwrap_or_default();
        let [a, b, label] = columns.map(|at| cell(Some(at)).to_owned());
        if let (Some(verdict), false, false) = (Verdict::parse(&label), a.is_empty(), b.is_empty())
        {
            rows.push(Label {
                a,
                b,
                verdict,
                when: cell(layout.column("when")).to_owned(),
                why: Why::parse(cell(layout.column("why"))),
            });
            records.push(record);
            continue;
        }
        // Only what this program has begun to write is cut off: less than a line, at the end.
        let tail = &bytes[place.0..];
        if tail.trim_ascii_start().contains(&b'\n') {
            return Err(refuse(format!(
                "line {}: a row has a, b and a label, which is 1, 0, unsure, never or undone",
                place.1
            )));
        }
        return Ok(Parsed {
            layout,
            rows,
            records,
            end: place.0,
        });
    }
    Ok(Parsed {
        layout,
        rows,
        records,
        end: bytes.len(),
    })
}

#[cfg(test)]
mod tests;
