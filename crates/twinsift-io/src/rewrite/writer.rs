//! Where survivors go: one file for all sources, standard output, or a folder
//! that mirrors the sources.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use super::RewriteError;
use super::folder::Folder;
use crate::format::{Compression, Format, by_name, extension, uncompressed};
use crate::output::{AtomicFile, Encoder, PARQUET_IS_COMPRESSED, WriteError, compression_of};
use crate::read::{Source, Spelling, row_end};

/// Writes survivors. What is written appears when it is finished; dropped
/// before that, it is removed.
pub struct SurvivorWriter {
    layout: Layout,
    format: Format,
    written: u64,
    /// The header of the table, and the source it came from.
    header: Option<(String, Vec<u8>)>,
    /// The end of the last record.
    tail: [u8; 2],
    /// How the text of the first source is spelt, and its name.
    spelling: Option<(String, Spelling)>,
}

enum Layout {
    File(Sink),
    Folder(Folder),
}

/// A file in the making.
pub(super) enum Sink {
    /// One stream of bytes.
    Stream(AtomicFile),
    /// A gzip member for each record, as web archives have them.
    Members(AtomicFile),
    #[cfg(feature = "parquet")]
    Rows(super::parquet::RowWriter),
}

impl Sink {
    /// A file that appears at `path` and goes by `name` in messages.
    pub(super) fn create(path: &Path, name: String, format: Format) -> Result<Self, WriteError> {
        match (format, compression_of(path)) {
            (Format::Warc, Compression::Gzip) => Ok(Self::Members(AtomicFile::create_as(
                path,
                name,
                Compression::None,
            )?)),
            (_, compression) => {
                let file = AtomicFile::create_as(path, name, compression)?;
                Ok(Self::new(file, format))
            }
        }
    }

    fn new(file: AtomicFile, format: Format) -> Self {
        match format {
            #[cfg(feature = "parquet")]
            Format::Parquet => Self::Rows(super::parquet::RowWriter::new(file)),
            _ => Self::Stream(file),
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::Stream(file) | Self::Members(file) => file.name(),
            #[cfg(feature = "parquet")]
            Self::Rows(rows) => rows.name(),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        match self {
            Self::Stream(file) => file.put(bytes),
            Self::Members(file) => {
                member(file, bytes).map_err(|error| WriteError::new(file.name(), error))
            }
            #[cfg(feature = "parquet")]
            Self::Rows(rows) => {
                let error = io::Error::other("rows are not bytes");
                Err(WriteError::new(rows.name(), error))
            }
        }
    }

    pub(super) fn finish(self) -> Result<(), WriteError> {
        match self {
            Self::Stream(file) | Self::Members(file) => file.finish(),
            #[cfg(feature = "parquet")]
            Self::Rows(rows) => rows.finish(),
        }
    }
}

/// Refuses a name that speaks of another format than is written.
fn check_name(path: &Path, format: Format) -> Result<(), WriteError> {
    let refuse = |reason: String| {
        Err(WriteError::Format {
            path: path.to_owned(),
            reason,
        })
    };
    let (named, compression) = by_name(path);
    match (named, format) {
        // What is called JSON may be lines; the readers look inside.
        (Some(Format::Json), Format::Jsonl) => Ok(()),
        (Some(named), _) if named != format => {
            let ending = match (compression, extension(path)) {
                (Some(_), Some(last)) if format != Format::Parquet => {
                    format!("{}.{last}", format.extension())
                }
                _ => format.extension().to_owned(),
            };
            let better = uncompressed(path).0.with_extension(ending);
            refuse(format!(
                "the survivors are {format} like the inputs: name the output {}",
                better.display()
            ))
        }
        (_, Format::Parquet) if compression.is_some() => refuse(PARQUET_IS_COMPRESSED.to_owned()),
        _ => Ok(()),
    }
}

fn member(file: &mut AtomicFile, bytes: &[u8]) -> io::Result<()> {
    let mut encoder = Encoder::new(file, Compression::Gzip)?;
    encoder.write_all(bytes)?;
    encoder.finish()?;
    Ok(())
}

impl SurvivorWriter {
    /// One file for sources of one format, which becomes its own. A name that
    /// speaks of another format is refused.
    pub fn file(path: &Path, format: Format) -> Result<Self, RewriteError> {
        check_name(path, format)?;
        let sink = Sink::create(path, path.display().to_string(), format)?;
        Ok(Self::new(Layout::File(sink), format))
    }

    /// One stream on standard output for sources of one format. It is not
    /// compressed. What is written there cannot be taken back: if something
    /// goes wrong, the stream ends early.
    pub fn stdout(format: Format) -> Result<Self, RewriteError> {
        if format == Format::Parquet && io::stdout().is_terminal() {
            return Err(RewriteError::Write(WriteError::Format {
                path: "standard output".into(),
                reason: "Parquet is not for the screen; name a file".to_owned(),
            }));
        }
        let sink = Sink::new(AtomicFile::stdout()?, format);
        Ok(Self::new(Layout::File(sink), format))
    }

    /// A folder with a file for each source, named as the source is within the
    /// folder that was given. It must not exist yet, or be empty.
    pub fn folder(path: &Path) -> Result<Self, RewriteError> {
        Ok(Self::new(
            Layout::Folder(Folder::create(path)?),
            Format::Text,
        ))
    }

    fn new(layout: Layout, format: Format) -> Self {
        Self {
            layout,
            format,
            written: 0,
            header: None,
            tail: *b"\n\n",
            spelling: None,
        }
    }

    /// Makes the output appear.
    pub fn finish(mut self) -> Result<(), RewriteError> {
        if self.as_folder().is_none() {
            self.close_list()?;
        }
        match self.layout {
            Layout::File(sink) => sink.finish()?,
            Layout::Folder(folder) => folder.finish()?,
        }
        Ok(())
    }

    pub(super) fn as_folder(&mut self) -> Option<&mut Folder> {
        match &mut self.layout {
            Layout::Folder(folder) => Some(folder),
            Layout::File(_) => None,
        }
    }

    /// Makes ready for a source.
    pub(super) fn begin(&mut self, source: &Source) -> Result<(), RewriteError> {
        let Some(format) = source.format else {
            return Ok(());
        };
        match &mut self.layout {
            Layout::Folder(folder) => {
                folder.begin(source)?;
                self.format = format;
                self.written = 0;
                self.header = None;
                self.tail = *b"\n\n";
                self.spelling = None;
                Ok(())
            }
            Layout::File(_) if format != self.format => {
                let reason = format!("it is {format}, not {}", self.format);
                Err(self.mismatch(&source.name, reason))
            }
            Layout::File(_) => Ok(()),
        }
    }

    /// Ends a source.
    pub(super) fn end(&mut self) -> Result<(), RewriteError> {
        if self.as_folder().is_some() {
            self.close_list()?;
        }
        if let Some(folder) = self.as_folder() {
            folder.end()?;
        }
        Ok(())
    }

    /// Takes on how the text of a source is spelt: its byte-order mark, and UTF-16.
    pub(super) fn spell(&mut self, source: &str, spelling: Spelling) -> Result<(), RewriteError> {
        match &self.spelling {
            None => {
                self.spelling = Some((source.to_owned(), spelling));
                self.write_raw(spelling.mark)
            }
            Some((first, known)) if known.wide != spelling.wide => {
                let reason = format!("its charset is not that of {first}");
                Err(self.mismatch(source, reason))
            }
            Some(_) => Ok(()),
        }
    }

    /// Writes more of the record at hand. (In a compressed web archive it then is in
    /// several members, which unpack to the same.)
    pub(super) fn piece(&mut self, bytes: &[u8]) -> Result<(), RewriteError> {
        self.write(bytes)
    }

    /// Writes a record, and what its format wants before it.
    pub(super) fn record(
        &mut self,
        source: &str,
        bytes: &[u8],
        header: Option<&[u8]>,
    ) -> Result<(), RewriteError> {
        if self.format.is_single() && self.written > 0 {
            let reason = "one file holds one document; name a folder to write to".to_owned();
            return Err(self.mismatch(source, reason));
        }
        if let Some(header) = header {
            self.header(source, header)?;
        }
        match self.format {
            Format::Json => {
                let lead: &[u8] = if self.written == 0 { b"[\n" } else { b",\n" };
                self.write(lead)?;
            }
            Format::Jsonl | Format::Csv | Format::Tsv => self.end_line()?,
            Format::Mbox => {
                self.end_line()?;
                // Not every `From ` line counts without a blank one before it.
                if self.written > 0 && self.tail[0] != b'\n' && self.tail != *b"\r\n" {
                    self.write(b"\n")?;
                }
            }
            _ => {}
        }
        self.written += 1;
        self.write(bytes)
    }

    /// Writes the header of a table, or checks that it is the same again.
    pub(super) fn header(&mut self, source: &str, header: &[u8]) -> Result<(), RewriteError> {
        match &self.header {
            None => {
                self.header = Some((source.to_owned(), header.to_vec()));
                self.write(header)
            }
            Some((first, known)) if known.trim_ascii_end() != header.trim_ascii_end() => {
                let reason = format!("its columns are not those of {first}");
                Err(self.mismatch(source, reason))
            }
            Some((first, known)) if row_end(known) != row_end(header) => {
                let reason = format!("its lines do not end as those of {first} do");
                Err(self.mismatch(source, reason))
            }
            Some(_) => Ok(()),
        }
    }

    /// Adds the newline that a source's last line may lack.
    fn end_line(&mut self) -> Result<(), RewriteError> {
        let end = self.header.as_ref().map_or(b'\n', |(_, raw)| row_end(raw));
        match self.tail[1] == end {
            true => Ok(()),
            false => self.write(&[end]),
        }
    }

    fn close_list(&mut self) -> Result<(), RewriteError> {
        match self.format {
            Format::Json if self.written == 0 => self.write(b"[]\n"),
            Format::Json => self.write(b"\n]\n"),
            Format::Jsonl | Format::Csv | Format::Tsv | Format::Mbox => self.end_line(),
            _ => Ok(()),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), RewriteError> {
        if let [.., a, b] = *bytes {
            self.tail = [a, b];
        } else if let [only] = *bytes {
            self.tail = [self.tail[1], only];
        }
        match self
            .spelling
            .as_ref()
            .and_then(|(_, spelling)| spelling.wide)
        {
            None => self.write_raw(bytes),
            Some(wide) => {
                let mut raw = Vec::with_capacity(bytes.len() * 2);
                wide.widen(bytes, &mut raw);
                self.write_raw(&raw)
            }
        }
    }

    fn write_raw(&mut self, bytes: &[u8]) -> Result<(), RewriteError> {
        if bytes.is_empty() {
            return Ok(());
        }
        match &mut self.layout {
            Layout::File(sink) => sink.write(bytes)?,
            Layout::Folder(folder) => folder.sink()?.write(bytes)?,
        }
        Ok(())
    }

    pub(super) fn mismatch(&self, source: &str, reason: String) -> RewriteError {
        let out = match &self.layout {
            Layout::File(sink) => sink.name().to_owned(),
            Layout::Folder(folder) => folder.path().display().to_string(),
        };
        RewriteError::Mismatch {
            name: source.to_owned(),
            out,
            reason,
        }
    }

    #[cfg(feature = "parquet")]
    pub(super) fn rows(&mut self) -> Result<Option<&mut super::parquet::RowWriter>, RewriteError> {
        let sink = match &mut self.layout {
            Layout::File(sink) => sink,
            Layout::Folder(folder) => folder.sink()?,
        };
        Ok(match sink {
            Sink::Rows(rows) => Some(rows),
            Sink::Stream(_) | Sink::Members(_) => None,
        })
    }
}
