//! The files of an index, through one small interface.
//!
//! Everything that an index reads and writes goes through [`Storage`]: a [`Folder`] of the file
//! system, or a disk in memory that loses power, with which the tests show what survives.

use crate::error::{Error, Result};
use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A folder of files.
///
/// What was written survives a power cut once it was synced: the bytes of a file by
/// [`WriteFile::sync`], names of files by [`sync`](Self::sync).
pub trait Storage: fmt::Debug + Send + Sync {
    /// Where a file is, or the folder itself if there is no name: for messages, and for files
    /// that are mapped into memory.
    fn path(&self, name: &str) -> PathBuf;
    /// Makes an empty file, or empties one.
    fn create(&self, name: &str) -> io::Result<Box<dyn WriteFile>>;
    /// Opens a file to write behind its first `length` bytes; what follows them is cut off.
    fn append(&self, name: &str, length: u64) -> io::Result<Box<dyn WriteFile>>;
    /// Opens a file to read.
    fn open(&self, name: &str) -> io::Result<Arc<dyn ReadFile>>;
    /// Gives a file another name, in place of a file that has it.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, name: &str) -> io::Result<()>;
    /// The names of all files.
    fn names(&self) -> io::Result<Vec<String>>;
    /// Makes names last.
    fn sync(&self) -> io::Result<()>;
    /// Reserves the folder for one writer until the result is dropped; `None` if another one has it.
    fn lock(&self) -> io::Result<Option<Box<dyn Send + Sync>>>;
}

/// A file that is written from its beginning to its end.
pub trait WriteFile: Send + Sync {
    /// Writes bytes behind those that were written before.
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Makes what was written last.
    fn sync(&mut self) -> io::Result<()>;
}

/// A file that is read at any place, by any number of threads.
pub trait ReadFile: Send + Sync {
    /// Its size in bytes.
    fn size(&self) -> io::Result<u64>;
    /// Fills a buffer with the bytes from a place on.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()>;
}

/// The file that a writer locks.
const LOCK: &str = "lock";

/// A folder of the file system.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// The folder at a path, which need not be there yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }
}

impl Storage for Folder {
    fn path(&self, name: &str) -> PathBuf {
        match name {
            "" => self.0.clone(),
            name => self.0.join(name),
        }
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn WriteFile>> {
        Ok(Box::new(File::create(self.path(name))?))
    }

    fn append(&self, name: &str, length: u64) -> io::Result<Box<dyn WriteFile>> {
        let mut file = File::options().write(true).open(self.path(name))?;
        if file.metadata()?.len() != length {
            file.set_len(length)?;
            file.sync_data()?;
        }
        file.seek(SeekFrom::Start(length))?;
        Ok(Box::new(file))
    }

    fn open(&self, name: &str) -> io::Result<Arc<dyn ReadFile>> {
        Ok(Arc::new(File::open(self.path(name))?))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.path(from), self.path(to))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.path(name))
    }

    fn names(&self) -> io::Result<Vec<String>> {
        let entries = fs::read_dir(&self.0)?;
        entries
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect()
    }

    fn sync(&self) -> io::Result<()> {
        sync_folder(&self.0)
    }

    fn lock(&self) -> io::Result<Option<Box<dyn Send + Sync>>> {
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(self.path(LOCK))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Box::new(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

/// Makes the names in a folder last. Where a system has no such thing, names last by themselves.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    match cfg!(unix) {
        true => File::open(path)?.sync_all(),
        false => Ok(()),
    }
}

impl WriteFile for File {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        Write::write_all(self, bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

impl ReadFile for File {
    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    #[cfg(unix)]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, buffer, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
        while !buffer.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(self, buffer, offset)? {
                0 => return Err(ErrorKind::UnexpectedEof.into()),
                read => {
                    buffer = &mut buffer[read..];
                    offset += read as u64;
                }
            }
        }
        Ok(())
    }
}

/// A file of an index that is read, with its name for messages.
#[derive(Clone)]
pub(crate) struct Source {
    file: Arc<dyn ReadFile>,
    path: PathBuf,
    size: u64,
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Source").field(&self.path).finish()
    }
}

impl Source {
    /// Opens a file; `None` if it is not there.
    pub(crate) fn find(storage: &dyn Storage, name: &str) -> Result<Option<Self>> {
        let path = storage.path(name);
        let opened = storage.open(name).and_then(|file| Ok((file.size()?, file)));
        match opened {
            Ok((size, file)) => Ok(Some(Self { file, path, size })),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(source) => Err(Error::Io {
                what: "open",
                path,
                source,
            }),
        }
    }

    /// Opens a file that must be there.
    pub(crate) fn open(storage: &dyn Storage, name: &str) -> Result<Self> {
        Self::find(storage, name)?.ok_or_else(|| Error::Damaged {
            path: storage.path(name),
            what: "the file is missing".to_owned(),
        })
    }

    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// Fills a buffer with the bytes of a range.
    pub(crate) fn fill(&self, buffer: &mut Vec<u8>, offset: u64, length: u64) -> Result<()> {
        let end = offset.checked_add(length);
        if end.is_none_or(|end| end > self.size) {
            return Err(self.damaged("it is shorter than it was"));
        }
        buffer.resize(length as usize, 0);
        let read = self.file.read_at(buffer, offset);
        read.map_err(|source| match source.kind() {
            ErrorKind::UnexpectedEof => self.damaged("it is shorter than it was"),
            _ => Error::Io {
                what: "read",
                path: self.path.clone(),
                source,
            },
        })
    }

    /// The bytes of a range.
    pub(crate) fn read(&self, offset: u64, length: usize) -> Result<Vec<u8>> {
        let mut buffer = Vec::new();
        self.fill(&mut buffer, offset, length as u64)?;
        Ok(buffer)
    }

    /// All bytes.
    pub(crate) fn read_all(&self) -> Result<Vec<u8>> {
        self.read(0, self.size as usize)
    }

    /// The error that the file is damaged.
    pub(crate) fn damaged(&self, what: impl Into<String>) -> Error {
        Error::Damaged {
            path: self.path.clone(),
            what: what.into(),
        }
    }
}

/// A file of an index that is written, through a buffer.
pub(crate) struct Target {
    file: Box<dyn WriteFile>,
    path: PathBuf,
    buffer: Vec<u8>,
    written: u64,
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Target").field(&self.path).finish()
    }
}

/// So many bytes are written at once.
const BUFFER: usize = 1 << 20;

impl Target {
    pub(crate) fn create(storage: &dyn Storage, name: &str) -> Result<Self> {
        Self::of(storage, name, storage.create(name), 0)
    }

    /// Goes on behind the first `length` bytes of a file.
    pub(crate) fn append(storage: &dyn Storage, name: &str, length: u64) -> Result<Self> {
        Self::of(storage, name, storage.append(name, length), length)
    }

    fn of(
        storage: &dyn Storage,
        name: &str,
        file: io::Result<Box<dyn WriteFile>>,
        written: u64,
    ) -> Result<Self> {
        let path = storage.path(name);
        match file {
            Ok(file) => Ok(Self {
                file,
                path,
                buffer: Vec::new(),
                written,
            }),
            Err(source) => Err(Error::Io {
                what: "write",
                path,
                source,
            }),
        }
    }

    /// Bytes so far.
    pub(crate) fn written(&self) -> u64 {
        self.written
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.written += bytes.len() as u64;
        self.buffer.extend_from_slice(bytes);
        match self.buffer.len() < BUFFER {
            true => Ok(()),
            false => self.flush(),
        }
    }

    fn flush(&mut self) -> Result<()> {
        let written = self.file.write_all(&self.buffer);
        self.buffer.clear();
        written.map_err(|source| self.failed(source))
    }

    /// Makes everything last.
    pub(crate) fn sync(&mut self) -> Result<()> {
        self.flush()?;
        let synced = self.file.sync();
        synced.map_err(|source| self.failed(source))
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::Io {
            what: "write",
            path: self.path.clone(),
            source,
        }
    }
}

/// Writes a whole file, to be renamed or referred to afterwards.
pub(crate) fn write_file(storage: &dyn Storage, name: &str, bytes: &[u8]) -> Result<()> {
    let mut target = Target::create(storage, name)?;
    target.write(bytes)?;
    target.sync()
}

/// Makes the names of files last.
pub(crate) fn sync_names(storage: &dyn Storage) -> Result<()> {
    storage.sync().map_err(|source| Error::Io {
        what: "write",
        path: storage.path(""),
        source,
    })
}
