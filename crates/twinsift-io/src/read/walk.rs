//! The files of a folder.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

/// A file in a folder, or a place where the folder could not be walked.
pub(super) struct FolderEntry {
    /// Where it lies.
    pub path: PathBuf,
    /// Whether it is a mail in a Maildir, whatever its name.
    pub is_mail: bool,
    /// Why the folder could not be walked here.
    pub problem: Option<String>,
    /// Whether that is because the system does not allow it: so something is missing.
    pub is_unreadable: bool,
}

/// The files under a folder, in the order of their paths. Hidden ones are left
/// out, and so is a Maildir's `tmp`, where mails are not yet whole.
pub(super) fn files(folder: &Path) -> Vec<FolderEntry> {
    let mut maildirs = Maildirs::default();
    let mut found = Vec::new();
    let mut walk = WalkDir::new(folder)
        .follow_links(true)
        .sort_by_file_name()
        .into_iter();
    while let Some(entry) = walk.next() {
        match entry {
            Ok(entry) if entry.depth() == 0 => {}
            Ok(entry) if entry.file_type().is_dir() => {
                if maildirs.skips(&entry) {
                    walk.skip_current_dir();
                }
            }
            Ok(entry) if is_hidden(&entry) => {}
            Ok(entry) => found.push(FolderEntry {
                is_mail: maildirs.holds_mail(entry.path()),
                path: entry.into_path(),
                problem: None,
                is_unreadable: false,
            }),
            Err(error) => {
                let path = error.path().unwrap_or(folder).to_owned();
                let problem = match (error.loop_ancestor(), error.io_error()) {
                    (Some(_), _) => "the link leads back to a folder above it".to_owned(),
                    (None, Some(error)) => crate::error::plain_reason(error),
                    (None, None) => error.to_string(),
                };
                found.push(FolderEntry {
                    path,
                    is_mail: false,
                    problem: Some(problem),
                    is_unreadable: error.loop_ancestor().is_none(),
                });
            }
        }
    }
    found
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}

/// Which folders are Maildirs: those that hold `cur` and `new`.
#[derive(Default)]
struct Maildirs {
    known: HashMap<PathBuf, bool>,
}

impl Maildirs {
    fn is_maildir(&mut self, folder: &Path) -> bool {
        if let Some(&known) = self.known.get(folder) {
            return known;
        }
        let is = folder.join("cur").is_dir() && folder.join("new").is_dir();
        self.known.insert(folder.to_owned(), is);
        is
    }

    /// A Maildir's own subfolders begin with a dot and are not hidden.
    fn skips(&mut self, folder: &DirEntry) -> bool {
        if is_hidden(folder) {
            return !self.is_maildir(folder.path());
        }
        folder.file_name() == "tmp"
            && folder
                .path()
                .parent()
                .is_some_and(|parent| self.is_maildir(parent))
    }

    fn holds_mail(&mut self, file: &Path) -> bool {
        let Some(folder) = file.parent() else {
            return false;
        };
        let named = folder
            .file_name()
            .is_some_and(|name| name == "cur" || name == "new");
        named
            && folder
                .parent()
                .is_some_and(|parent| self.is_maildir(parent))
    }
}
