//! Names of temporary files, by which a later run finds those that an earlier one left.
//!
//! A program that is killed, or loses power, cannot clear up. So temporary names follow
//! from the name of the target, each is locked as long as its program lives, and the next
//! run with the same target removes those that no program holds. Where the system has no
//! locks, nothing is removed.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile, TempDir};
use twinsift::hash;

use super::target::folder_of;

/// So many runs at once can have the same target and names of this kind.
const NAMES: u32 = 8;

const SUFFIX: &str = ".tmp";

/// A temporary file beside `target`.
pub(crate) fn file(target: &Path) -> io::Result<NamedTempFile> {
    let create = |builder: &mut Builder<'_, '_>| {
        builder.make_in(folder_of(target), |path| {
            OpenOptions::new().write(true).create_new(true).open(path)
        })
    };
    (make(target, create, |made| lock(made.as_file(), made.path()))).map(|(file, _)| file)
}

/// A temporary folder beside `target`, and what holds it. It has the permissions that the
/// user's mask leaves, as any other; by default it would be for its owner alone.
pub(crate) fn folder(target: &Path) -> io::Result<(TempDir, Option<File>)> {
    let create = |builder: &mut Builder<'_, '_>| {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o777));
        }
        builder.tempdir_in(folder_of(target))
    };
    let hold = |made: &TempDir| match File::open(made.path()) {
        Ok(held) => lock(&held, made.path()).map(|()| Some(held)),
        Err(_) => Some(None),
    };
    let (made, held) = make(target, create, hold)?;
    Ok((made, held.flatten()))
}

/// Makes something under the first name that is free, and holds it.
fn make<T, H>(
    target: &Path,
    create: impl Fn(&mut Builder<'_, '_>) -> io::Result<T>,
    hold: impl Fn(&T) -> Option<H>,
) -> io::Result<(T, Option<H>)> {
    let stem = stem(target);
    let names = (0..NAMES).map(|number| format!("{stem}{number}"));
    let names: Vec<String> = names.collect();
    for name in &names {
        clear(&folder_of(target).join(format!("{name}{SUFFIX}")));
    }
    for name in &names {
        let mut builder = Builder::new();
        builder.prefix(name).suffix(SUFFIX).rand_bytes(0);
        match create(&mut builder) {
            Ok(made) => {
                if let Some(held) = hold(&made) {
                    return Ok((made, Some(held)));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    let mut builder = Builder::new();
    let made = create(builder.prefix(&stem).suffix(SUFFIX))?;
    let held = hold(&made);
    Ok((made, held))
}

/// How all temporary names of a target begin. Its own name may be too long for more.
fn stem(target: &Path) -> String {
    let name = target.file_name().unwrap_or(OsStr::new(""));
    let name = hash::bytes(name.as_encoded_bytes());
    format!(".twinsift-{name:016x}-")
}

/// Takes the lock of what was just made at `path`. `None` if another run was quicker and
/// took it for a leftover.
fn lock(made: &File, path: &Path) -> Option<()> {
    let is_taken = matches!(made.try_lock(), Err(fs::TryLockError::WouldBlock));
    (!is_taken && fs::symlink_metadata(path).is_ok()).then_some(())
}

/// Removes what a run that has ended left at `path`. What cannot be removed stays: there
/// are other names.
fn clear(path: &PathBuf) {
    let Ok(found) = fs::symlink_metadata(path) else {
        return;
    };
    let Ok(left) = File::open(path) else {
        return;
    };
    if left.try_lock().is_ok() {
        let _ = match found.is_dir() {
            true => fs::remove_dir_all(path),
            false => fs::remove_file(path),
        };
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn listed(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn what_a_killed_run_left_is_removed_and_what_a_live_one_holds_is_not() {
        let space = tempfile::tempdir().unwrap();
        let target = space.path().join("pairs.csv");
        // As a killed run leaves it: there, and held by no one.
        drop(file(&target).unwrap().keep().unwrap());
        drop(
            file(&space.path().join("other.csv"))
                .unwrap()
                .keep()
                .unwrap(),
        );
        assert_eq!(listed(space.path()), 2);
        let live = file(&target).unwrap();
        assert_eq!(listed(space.path()), 2, "one of another target, and ours");
        let second = file(&target).unwrap();
        assert_ne!(live.path(), second.path());
        assert!(live.path().exists());
        assert_eq!(listed(space.path()), 3);
    }

    #[test]
    #[cfg(unix)]
    fn folders_are_cleared_too() {
        let space = tempfile::tempdir().unwrap();
        let target = space.path().join("clean");
        let (left, held) = folder(&target).unwrap();
        fs::write(left.path().join("a.txt"), "a").unwrap();
        let left = left.keep();
        let (live, _held) = folder(&target).unwrap();
        assert!(left.exists(), "it is held");
        drop((held, live));
        let (live, _held) = folder(&target).unwrap();
        assert_eq!(live.path(), left);
        assert_eq!(listed(live.path()), 0);
        assert_eq!(listed(space.path()), 1);
    }

    #[test]
    fn many_runs_at_once_have_names_of_their_own() {
        let space = tempfile::tempdir().unwrap();
        let target = space.path().join("x".repeat(255));
        let all: Vec<_> = (0..NAMES + 3).map(|_| file(&target).unwrap()).collect();
        assert_eq!(listed(space.path()), all.len());
    }
}
