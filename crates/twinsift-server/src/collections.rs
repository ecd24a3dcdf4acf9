//! The collections of a folder.

use crate::collection::{Collection, Settings};
use crate::error::{Answered, ApiError, Error, NAMES};
use axum::http::StatusCode;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use twinsift::Recipe;
use twinsift_index::Error as IndexError;

/// What is left of a collection while it is removed begins with this, which no name does.
const REMOVED: &str = ".removed-";

/// All collections, by name.
#[derive(Debug)]
pub(crate) struct Collections {
    /// The folder that they are in; `None` if a single index is served.
    folder: Option<PathBuf>,
    open: RwLock<BTreeMap<String, Arc<Collection>>>,
    /// Collections are made and removed one at a time.
    changing: Mutex<()>,
    settings: Settings,
}

/// Whether a collection may have this name.
pub(crate) fn is_name(name: &str) -> bool {
    let is_first = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_next = |byte: u8| is_first(&byte) || matches!(byte, b'.' | b'_' | b'-');
    (1..=64).contains(&name.len())
        && name.as_bytes().first().is_some_and(is_first)
        && name.bytes().all(is_next)
}

impl Collections {
    /// Opens the collections of a folder, which is made if it is not there; or the one
    /// collection that is the folder itself.
    pub(crate) fn open(folder: &Path, settings: Settings) -> Result<Self, Error> {
        let failed = |what| {
            move |source| Error::Io {
                what,
                path: folder.to_owned(),
                source,
            }
        };
        fs::create_dir_all(folder).map_err(failed("make"))?;
        let folder = &folder.canonicalize().map_err(failed("open"))?;
        let mut open = BTreeMap::new();
        let is_one = match open_one(folder, settings) {
            Ok((name, collection)) => {
                open.insert(name, Arc::new(collection));
                true
            }
            Err(Error::Index(IndexError::NotAnIndex(_))) => false,
            Err(error) => return Err(error),
        };
        if !is_one {
            for entry in fs::read_dir(folder).map_err(failed("read"))? {
                let entry = entry.map_err(failed("read"))?;
                let name = entry.file_name().to_string_lossy().into_owned();
                open_entry(&name, &entry.path(), settings, &mut open)?;
            }
        }
        Ok(Self {
            folder: (!is_one).then(|| folder.clone()),
            open: RwLock::new(open),
            changing: Mutex::new(()),
            settings,
        })
    }

    fn read(&self) -> RwLockReadGuard<'_, BTreeMap<String, Arc<Collection>>> {
        self.open.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, BTreeMap<String, Arc<Collection>>> {
        self.open.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The collection of a name.
    pub(crate) fn get(&self, name: &str) -> Answered<Arc<Collection>> {
        let found = self.read().get(name).cloned();
        found.ok_or_else(|| {
            let name: String = name.chars().take(64).collect();
            ApiError::not_found(format!("there is no collection \"{name}\""))
        })
    }

    /// All collections, by name.
    pub(crate) fn all(&self) -> Vec<Arc<Collection>> {
        self.read().values().cloned().collect()
    }

    /// Makes a collection, unless it is there with the same recipe. Returns whether it is new.
    pub(crate) fn create(&self, name: &str, recipe: &Recipe) -> Answered<(Arc<Collection>, bool)> {
        if !is_name(name) {
            let sentence = format!("this cannot be the name of a collection: {NAMES}");
            return Err(ApiError::unprocessable(sentence));
        }
        let conflict = |sentence: String| Err(ApiError::new(StatusCode::CONFLICT, sentence));
        let _changing = self.changing();
        if let Ok(known) = self.get(name) {
            let (have, asked) = (known.searcher().recipe().id(), recipe.id());
            return match have == asked {
                true => Ok((known, false)),
                false => conflict(format!(
                    "the collection \"{name}\" has the recipe {have}, and {asked} was asked for"
                )),
            };
        }
        let Some(folder) = &self.folder else {
            return conflict(
                "this service has a single collection, and makes no others".to_owned(),
            );
        };
        match Collection::create(name, &folder.join(name), recipe, self.settings) {
            Ok(made) => {
                let made = Arc::new(made);
                self.write().insert(name.to_owned(), Arc::clone(&made));
                Ok((made, true))
            }
            Err(IndexError::Exists(_)) => conflict(format!(
                "the folder of the service has something else by the name \"{name}\""
            )),
            Err(IndexError::Engine(error)) => Err(crate::recipe::refused(&error)),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes a collection with all that it holds.
    pub(crate) fn remove(&self, name: &str) -> Answered<()> {
        let _changing = self.changing();
        let collection = self.get(name)?;
        let Some(folder) = &self.folder else {
            return Err(ApiError::new(
                StatusCode::CONFLICT,
                "this service has a single collection, which cannot be removed",
            ));
        };
        self.write().remove(name);
        collection.close();
        let gone = folder.join(format!("{REMOVED}{name}"));
        let removed = fs::rename(&collection.shared.folder, &gone)
            .and_then(|()| fs::File::open(folder)?.sync_all())
            .and_then(|()| fs::remove_dir_all(&gone));
        removed.map_err(|error| ApiError::fault(&error))
    }

    fn changing(&self) -> std::sync::MutexGuard<'_, ()> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finishes what waits, and seals all indexes.
    pub(crate) fn close(&self) {
        let _changing = self.changing();
        self.all().iter().for_each(|collection| collection.close());
    }
}

/// The folder of an index as the one collection.
fn open_one(folder: &Path, settings: Settings) -> Result<(String, Collection), Error> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".idx").unwrap_or(&name);
    let collection = Collection::open(name, folder, settings)?;
    match is_name(name) {
        true => Ok((name.to_owned(), collection)),
        false => Err(Error::Name(folder.to_owned())),
    }
}

/// Opens what is in the folder of the service, if it is a collection.
fn open_entry(
    name: &str,
    path: &Path,
    settings: Settings,
    open: &mut BTreeMap<String, Arc<Collection>>,
) -> Result<(), Error> {
    if name.starts_with(REMOVED) {
        return fs::remove_dir_all(path).map_err(|source| Error::Io {
            what: "remove",
            path: path.to_owned(),
            source,
        });
    }
    if !is_name(name) || !path.is_dir() {
        return Ok(());
    }
    match Collection::open(name, path, settings) {
        Ok(collection) => {
            open.insert(name.to_owned(), Arc::new(collection));
        }
        Err(IndexError::NotAnIndex(_)) => {
            tracing::warn!(
                name,
                "there is no index in this folder, which is left alone"
            );
        }
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::is_name;

    #[test]
    fn names_cannot_lead_elsewhere() {
        for name in ["a", "news-2024", "mail.idx", "0_a", &"a".repeat(64)] {
            assert!(is_name(name), "{name}");
        }
        for name in [
            "",
            ".",
            "..",
            ".a",
            "-a",
            "A",
            "a/b",
            "a b",
            "ä",
            "a\0",
            &"a".repeat(65),
        ] {
            assert!(!is_name(name), "{name}");
        }
    }
}
