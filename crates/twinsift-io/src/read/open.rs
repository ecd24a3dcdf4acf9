//! Finding out what the sources are, and opening them.
//!
//! What can be read only once (standard input, a pipe) is looked at here and
//! kept open, with the bytes that were looked at still in its window.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use tempfile::TempPath;

use super::charsets::Charset;
use super::decompress::{self, Counting};
use super::feed::{Bytes, Feed};
use super::fields::Fields;
use super::source::{Source, name_of_stream};
use super::{Inputs, Opened, ReadOptions, mirror, sniff, walk};
use crate::error::{ReadError, plain_reason};
use crate::format::{Compression, Format, by_name};
use crate::output::Unfinished;

/// The window to sniff with, and the one to read with.
const SMALL_WINDOW: usize = 64 * 1024;
const WINDOW: usize = 1 << 20;

/// A stream as a temporary file, which goes with this.
pub(super) struct Spooled {
    path: TempPath,
    _unfinished: Unfinished,
}

/// Collects the sources.
struct Opener {
    options: ReadOptions,
    sources: Vec<Source>,
    streams: HashMap<usize, Feed>,
    spooled: Vec<Spooled>,
    bytes_read: Arc<AtomicU64>,
}

/// See [`Inputs::open`].
pub(super) fn open(args: &[PathBuf], options: ReadOptions) -> Result<Inputs, ReadError> {
    let fields = Fields::new(&options.fields, options.content, options.body);
    let mut opener = Opener {
        options,
        sources: Vec::new(),
        streams: HashMap::new(),
        spooled: Vec::new(),
        bytes_read: Arc::default(),
    };
    for path in args {
        opener.argument(path)?;
    }
    if opener.sources.is_empty() && !args.is_empty() {
        let names: Vec<String> = args.iter().map(|path| path.display().to_string()).collect();
        let names = names.join(", ");
        return Err(ReadError::NoFile { names });
    }
    if opener.options.to_copy {
        mirror::make_unique(&mut opener.sources);
    }
    let told = opener.options.charset.map(|name| name.0);
    let charsets = opener.sources.iter();
    let charsets = charsets.map(|source| Arc::new(Charset::of(source, told)));
    Ok(Inputs {
        charsets: charsets.collect(),
        sources: opener.sources,
        options: opener.options,
        fields,
        streams: Mutex::new(opener.streams),
        lost: Mutex::default(),
        _spooled: opener.spooled,
        bytes_read: opener.bytes_read,
    })
}

impl Opener {
    fn argument(&mut self, path: &Path) -> Result<(), ReadError> {
        let name = path.display().to_string();
        if path == Path::new("-") {
            return self.stream(path, name, Box::new(io::stdin()));
        }
        let meta = fs::metadata(path).map_err(|error| ReadError::unreadable(&name, &error))?;
        if meta.is_dir() {
            fs::read_dir(path).map_err(|error| ReadError::unreadable(&name, &error))?;
            for found in walk::files(path) {
                self.found(found, path);
            }
            return Ok(());
        }
        let file = File::open(path).map_err(|error| ReadError::unreadable(&name, &error))?;
        if !meta.is_file() {
            return self.stream(path, name, Box::new(file));
        }
        let source = self.file(path, name.clone(), meta.len(), file, None);
        if let Some(reason) = source.problem {
            return Err(ReadError::Unrecognised { name, reason });
        }
        self.sources.push(source);
        Ok(())
    }

    /// A file in a folder: trouble with it is a skipped item.
    fn found(&mut self, found: walk::FolderEntry, folder: &Path) {
        let name = found.path.display().to_string();
        let known = found.is_mail.then_some(Format::Eml);
        let look = || match fs::metadata(&found.path)? {
            meta if meta.is_file() => Ok(Some((meta.len(), File::open(&found.path)?))),
            _ => Ok(None),
        };
        let opened = match found.problem {
            Some(problem) => Err((problem, found.is_unreadable)),
            None => match look() {
                Ok(Some(opened)) => Ok(opened),
                Ok(None) => Err(("it is not a file".to_owned(), false)),
                Err(error) => Err((plain_reason(&error), true)),
            },
        };
        let inside = found
            .path
            .strip_prefix(folder)
            .unwrap_or(&found.path)
            .to_owned();
        let source = match opened {
            Ok((size, file)) => Source {
                inside,
                ..self.file(&found.path, name, size, file, known)
            },
            Err((reason, is_unreadable)) => Source {
                name,
                is_unreadable,
                path: found.path,
                format: None,
                compression: Compression::None,
                size: Some(0),
                inside,
                problem: Some(format!("cannot be read: {reason}")),
                spooled: None,
            },
        };
        self.sources.push(source);
    }

    fn file(
        &self,
        path: &Path,
        name: String,
        size: u64,
        mut file: File,
        known: Option<Format>,
    ) -> Source {
        let (named, packed) = match known {
            Some(_) => (known, None),
            None => by_name(path),
        };
        let format = self.options.format.or(named);
        let head = head(&mut file);
        let is_unreadable = head.is_err();
        let (format, compression) = match head {
            Err(error) => (Err(plain_reason(&error)), Compression::None),
            Ok(head) => {
                let compression = Compression::of_file(&head, packed);
                (
                    sniffed(file, compression, format, &self.options),
                    compression,
                )
            }
        };
        let (format, problem) = match format {
            Ok(format) => (Some(format), None),
            Err(reason) => (None, Some(reason)),
        };
        Source {
            name,
            path: path.to_owned(),
            format,
            compression,
            size: Some(size),
            inside: file_name(path),
            problem,
            is_unreadable,
            spooled: None,
        }
    }

    /// Standard input or a pipe.
    fn stream(&mut self, path: &Path, name: String, mut reader: Bytes) -> Result<(), ReadError> {
        let mut magic = Vec::new();
        reader
            .by_ref()
            .take(6)
            .read_to_end(&mut magic)
            .map_err(|error| ReadError::unreadable(&name, &error))?;
        let compression = Compression::of_magic(&magic);
        // Nothing at all is no document, rather than an empty one.
        let nothing = magic.is_empty().then_some(Format::Jsonl);
        let whole: Bytes = Box::new(Cursor::new(magic).chain(reader));
        let needs_file = self.options.format == Some(Format::Parquet);
        let mut source = Source {
            name: name.clone(),
            path: path.to_owned(),
            format: self.options.format.or(nothing),
            compression,
            size: None,
            inside: file_name(path),
            problem: None,
            is_unreadable: false,
            spooled: None,
        };
        if self.options.to_copy || needs_file {
            let spooled = self.spool(whole)?;
            source.spooled = Some(spooled.path.to_path_buf());
            if source.format.is_none() {
                let file = File::open(&spooled.path)
                    .map_err(|error| ReadError::unreadable(&name, &error))?;
                let format = sniffed(file, compression, None, &self.options)
                    .map_err(|reason| ReadError::Unrecognised { name, reason })?;
                source.format = Some(format);
            }
            if let Some(format) = source.format {
                source.inside = name_of_stream(path, format, compression);
            }
            self.spooled.push(spooled);
            self.sources.push(source);
            return Ok(());
        }
        let counted = Counting::new(whole, Arc::clone(&self.bytes_read));
        let plain = decompress::decompress(counted, compression)
            .map_err(|error| ReadError::unreadable(&name, &error))?;
        let mut feed = Feed::new(plain, WINDOW, self.options.max_document, true);
        if source.format.is_none() {
            feed.detect_utf16(self.options.charset.map(|name| name.0));
            let format = sniff::format(&mut feed)
                .map_err(|reason| ReadError::Unrecognised { name, reason })?;
            source.format = Some(format);
        }
        if source.format == Some(Format::Parquet) {
            // Parquet is read from its end, so it has to be a file.
            let spooled = self.spool(Box::new(feed.into_reader()))?;
            source.spooled = Some(spooled.path.to_path_buf());
            source.compression = Compression::None;
            self.spooled.push(spooled);
        } else {
            self.streams.insert(self.sources.len(), feed);
        }
        self.sources.push(source);
        Ok(())
    }

    fn spool(&self, mut reader: Bytes) -> Result<Spooled, ReadError> {
        let folder = &self.options.tmp;
        let failed = |error: io::Error| ReadError::Spool {
            folder: folder.display().to_string(),
            reason: plain_reason(&error),
        };
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
        let unfinished = Unfinished::new(file.path());
        io::copy(&mut reader, &mut file).map_err(failed)?;
        Ok(Spooled {
            path: file.into_temp_path(),
            _unfinished: unfinished,
        })
    }
}

fn file_name(path: &Path) -> PathBuf {
    path.file_name().map(PathBuf::from).unwrap_or_default()
}

/// The format of a file by its content, unless it is known already. What is known as JSON
/// may still be lines.
fn sniffed(
    file: File,
    compression: Compression,
    known: Option<Format>,
    options: &ReadOptions,
) -> Result<Format, String> {
    if let Some(format) = known.filter(|&format| format != Format::Json) {
        return Ok(format);
    }
    let plain = decompress::decompress(file, compression).map_err(|error| plain_reason(&error))?;
    let mut feed = Feed::new(plain, SMALL_WINDOW, options.max_document, false);
    while feed.want(1).is_empty() && feed.go_on() {}
    feed.detect_utf16(options.charset.map(|name| name.0));
    match known {
        Some(_) => {
            feed.fill();
            Ok(sniff::json_kind(&mut feed))
        }
        None => sniff::format(&mut feed),
    }
}

/// So many bytes tell whether a file is compressed.
const HEAD: u64 = 512;

/// The first bytes of a file, which is then at its beginning again.
fn head(file: &mut File) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    file.by_ref().take(HEAD).read_to_end(&mut head)?;
    file.rewind()?;
    Ok(head)
}

impl Inputs {
    /// The bytes of a source as a plain file; a compressed one is unpacked to a
    /// temporary file first, which goes when it is closed.
    #[cfg(feature = "parquet")]
    pub(super) fn plain_file(&self, index: usize) -> io::Result<File> {
        let source = &self.sources[index];
        if source.compression == Compression::None {
            return File::open(source.file());
        }
        let mut plain = decompress::open(source.file(), source.compression, Arc::default())?;
        let mut file = tempfile::tempfile_in(&self.options.tmp)?;
        io::copy(&mut plain, &mut file)?;
        Ok(file)
    }

    /// Takes note of a source that the system does not let be read.
    pub(super) fn lose(&self, index: usize, error: &io::Error) -> String {
        let mut lost = self.lost.lock().unwrap_or_else(|held| held.into_inner());
        lost.insert(index);
        format!("cannot be read: {}", plain_reason(error))
    }

    /// Opens a source for reading. The error is a phrase for people.
    pub(crate) fn open_source(&self, index: usize) -> Result<Opened, String> {
        let source = &self.sources[index];
        let Some(format) = source.format else {
            return Err(source.problem.clone().unwrap_or_default());
        };
        if source.size.is_none() && source.spooled.is_none() {
            let mut streams = self.streams.lock().unwrap_or_else(|held| held.into_inner());
            let mut feed = streams
                .remove(&index)
                .ok_or("a stream can be read only once")?;
            self.begin_table(&mut feed, index, format);
            return Ok(Opened::Stream(feed, format));
        }
        #[cfg(feature = "parquet")]
        if format == Format::Parquet {
            return self.open_rows(index).map(Opened::Rows);
        }
        #[cfg(not(feature = "parquet"))]
        if format == Format::Parquet {
            return Err("this build does not read Parquet".to_owned());
        }
        let plain = decompress::open(
            source.file(),
            source.compression,
            Arc::clone(&self.bytes_read),
        )
        .map_err(|error| self.lose(index, &error))?;
        let window = match (source.compression, source.size) {
            (Compression::None, Some(size)) => (size as usize + 1).min(WINDOW),
            _ if format.is_single() => SMALL_WINDOW,
            _ => WINDOW,
        };
        let mut feed = Feed::new(plain, window, self.options.max_document, false);
        self.begin_table(&mut feed, index, format);
        Ok(Opened::Stream(feed, format))
    }

    /// Makes UTF-8 without a byte-order mark of a table; what single documents are is told
    /// when they are decoded.
    fn begin_table(&self, feed: &mut Feed, index: usize, format: Format) {
        if format.is_table() {
            feed.detect_utf16(self.options.charset.map(|name| name.0));
            feed.skip_mark();
            if feed.spelling().wide.is_some() {
                self.charsets[index].set_utf16();
            }
        }
    }
}
