//! Where the bytes of an output go, and when they become visible.
//!
//! A regular file is written under a temporary name in the folder it will
//! stand in, and renamed when it is complete. The result is as
//! if the file had been opened and written in the usual way: a new file has
//! the permissions that the umask leaves, one that was there keeps its own,
//! one that must not be written to is refused, and a symbolic link stays a
//! link. Only other hard links to a replaced file keep the old content.
//!
//! Anything else that has a name (a device, a named pipe, what a shell's
//! `>(…)` stands for) is a place to write to, not a file to replace.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Stdout, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::temporary;
use super::unfinished::{Unfinished, unless_ending};

/// A place to write to.
#[derive(Debug)]
pub(super) enum Target {
    Stdout(Stdout),
    Direct(File),
    File(Pending),
}

/// A file that has not yet got its name.
#[derive(Debug)]
pub(super) struct Pending {
    temporary: NamedTempFile,
    _unfinished: Unfinished,
    path: PathBuf,
    permissions: Option<Permissions>,
}

impl Target {
    pub(super) fn stdout() -> Self {
        Target::Stdout(io::stdout())
    }

    /// Opens `path` for writing, whatever it is.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        if path == Path::new("/dev/stdout") {
            return Ok(Target::stdout());
        }
        if is_open_already(path) {
            let file = OpenOptions::new().append(true).open(path)?;
            return Ok(Target::Direct(file));
        }
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let permissions = match fs::metadata(&path) {
            Ok(found) if found.is_dir() => {
                return Err(io::Error::new(
                    io::ErrorKind::IsADirectory,
                    "it is a folder",
                ));
            }
            Ok(found) => {
                let file = OpenOptions::new().write(true).open(&path)?;
                if !found.is_file() {
                    return Ok(Target::Direct(file));
                }
                Some(found.permissions())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let temporary = temporary::file(&path)?;
        Ok(Target::File(Pending {
            _unfinished: Unfinished::new(temporary.path()),
            temporary,
            path,
            permissions,
        }))
    }

    /// Makes what was written visible under its name.
    pub(super) fn commit(mut self) -> io::Result<()> {
        self.flush()?;
        let Target::File(pending) = self else {
            return Ok(());
        };
        if let Some(permissions) = pending.permissions {
            pending.temporary.as_file().set_permissions(permissions)?;
        }
        unless_ending(|| pending.temporary.persist(&pending.path)).map_err(|error| error.error)?;
        Ok(())
    }
}

/// The folder that a file stands in, or is to stand in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Whether the name stands for something this process was started with, such
/// as `/dev/fd/3`. A shell may have sent it to a file that others write to as
/// well, so it must be neither replaced nor cut short.
fn is_open_already(path: &Path) -> bool {
    path == Path::new("/dev/stderr")
        || path.starts_with("/dev/fd")
        || path.starts_with("/proc/self/fd")
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::Stdout(out) => out.write(bytes),
            Target::Direct(file) => file.write(bytes),
            Target::File(pending) => pending.temporary.as_file_mut().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::Stdout(out) => out.flush(),
            Target::Direct(file) => file.flush(),
            Target::File(pending) => pending.temporary.as_file_mut().flush(),
        }
    }
}
