//! A disk in memory that loses power, gets full, and forgets what was not synced.

use crate::storage::{ReadFile, Storage, WriteFile};
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use twinsift::hash::Stream;

/// What is written at once, or not at all.
const SECTOR: usize = 64;

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The power goes, in the middle of a write.
    PowerCut,
    /// There is no space for more bytes.
    Full,
}

/// A disk.
#[derive(Clone, Default)]
pub(super) struct Disk(Arc<Mutex<Inner>>);

impl fmt::Debug for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Disk")
    }
}

#[derive(Default)]
struct Inner {
    files: Vec<Content>,
    names: BTreeMap<String, usize>,
    /// Names as they are on disk, and what has been done to them since.
    durable_names: BTreeMap<String, usize>,
    name_changes: Vec<NameChange>,
    operations: u64,
    fault: Option<(u64, Fault)>,
    has_failed: bool,
    /// A bug that a test plants.
    ignores_syncs: bool,
    is_locked: bool,
}

/// What happened to names, at once: names that go, and one that is given to a file.
type NameChange = (Vec<String>, Option<(String, usize)>);

#[derive(Clone, Default)]
struct Content {
    current: Vec<u8>,
    durable: Vec<u8>,
}

impl Disk {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Fails at an operation, counted from now, and from then on.
    pub(super) fn fail_at(&self, operation: u64, fault: Fault) {
        let mut inner = self.inner();
        let at = inner.operations + operation;
        (inner.fault, inner.has_failed) = (Some((at, fault)), false);
    }

    /// Works again.
    pub(super) fn heal(&self) {
        let mut inner = self.inner();
        (inner.fault, inner.has_failed) = (None, false);
    }

    pub(super) fn has_failed(&self) -> bool {
        self.inner().has_failed
    }

    pub(super) fn operations(&self) -> u64 {
        self.inner().operations
    }

    /// Plants a bug: nothing that is synced lasts.
    pub(super) fn ignore_syncs(&self) {
        self.inner().ignores_syncs = true;
    }

    /// What is on the disk when the power comes back: of what was not synced, any part.
    pub(super) fn after_power_cut(&self, random: &mut Stream) -> Self {
        let inner = self.inner();
        let mut names = inner.durable_names.clone();
        for (gone, given) in &inner.name_changes {
            if random.below(2) == 0 {
                gone.iter().for_each(|name| _ = names.remove(name));
                names.extend(given.clone());
            }
        }
        let mut files = Vec::new();
        for content in &inner.files {
            let survived = content.after_power_cut(random);
            files.push(Content {
                current: survived.clone(),
                durable: survived,
            });
        }
        Self(Arc::new(Mutex::new(Inner {
            files,
            durable_names: names.clone(),
            names,
            ignores_syncs: inner.ignores_syncs,
            ..Inner::default()
        })))
    }

    /// Every file that has a name, with its bytes.
    pub(super) fn files(&self) -> Vec<(String, Vec<u8>)> {
        let inner = self.inner();
        let files = inner.names.iter();
        files
            .map(|(name, &file)| (name.clone(), inner.files[file].current.clone()))
            .collect()
    }

    /// A disk with these files.
    pub(super) fn of(files: &[(String, Vec<u8>)]) -> Self {
        let disk = Self::default();
        {
            let mut inner = disk.inner();
            for (name, bytes) in files {
                let number = inner.files.len();
                inner.files.push(Content {
                    current: bytes.clone(),
                    durable: bytes.clone(),
                });
                inner.names.insert(name.clone(), number);
                inner.durable_names.insert(name.clone(), number);
            }
        }
        disk
    }
}

impl Content {
    fn after_power_cut(&self, random: &mut Stream) -> Vec<u8> {
        let (current, durable) = (&self.current, &self.durable);
        if current == durable {
            return durable.clone();
        }
        let grown = current.len().saturating_sub(durable.len());
        let length = durable.len() + random.below(grown + 1);
        let mut survived = durable.clone();
        survived.resize(length, 0);
        for start in (0..length).step_by(SECTOR) {
            let end = (start + SECTOR).min(length).min(current.len());
            if start < end && random.below(2) == 0 {
                survived[start..end].copy_from_slice(&current[start..end]);
            }
        }
        survived
    }
}

fn out_of_order() -> io::Error {
    io::Error::other("the disk has failed")
}

impl Inner {
    /// Counts an operation. Returns what goes wrong with it.
    fn operate(&mut self) -> Result<(), Fault> {
        self.operations += 1;
        match self.fault {
            Some((at, fault)) if self.operations > at => {
                self.has_failed = true;
                Err(fault)
            }
            _ => Ok(()),
        }
    }

    /// Counts an operation that needs no space.
    fn operate_without_space(&mut self) -> io::Result<()> {
        match self.operate() {
            Err(Fault::PowerCut) => Err(out_of_order()),
            Ok(()) | Err(Fault::Full) => Ok(()),
        }
    }

    fn sync_file(&mut self, file: usize) {
        if !self.ignores_syncs {
            let content = &mut self.files[file];
            content.durable.clone_from(&content.current);
        }
    }
}

struct Handle {
    disk: Disk,
    file: usize,
}

impl WriteFile for Handle {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut inner = self.disk.inner();
        let is_first = !inner.has_failed;
        let operated = inner.operate();
        let written = match operated {
            Ok(()) => bytes,
            Err(_) if is_first => &bytes[..bytes.len() / 2],
            Err(_) => &[],
        };
        inner.files[self.file].current.extend_from_slice(written);
        match operated {
            Ok(()) => Ok(()),
            Err(Fault::PowerCut) => Err(out_of_order()),
            Err(Fault::Full) => Err(ErrorKind::StorageFull.into()),
        }
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut inner = self.disk.inner();
        inner.operate_without_space()?;
        inner.sync_file(self.file);
        Ok(())
    }
}

impl ReadFile for Handle {
    fn size(&self) -> io::Result<u64> {
        Ok(self.disk.inner().files[self.file].current.len() as u64)
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let inner = self.disk.inner();
        let bytes = inner.files[self.file].current.get(offset as usize..);
        let bytes = bytes.and_then(|bytes| bytes.get(..buffer.len()));
        buffer.copy_from_slice(bytes.ok_or(ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// The lock, which goes with the process that has it.
struct Locked(Disk);

impl Drop for Locked {
    fn drop(&mut self) {
        self.0.inner().is_locked = false;
    }
}

impl Storage for Disk {
    fn path(&self, name: &str) -> PathBuf {
        PathBuf::from("disk").join(name)
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn WriteFile>> {
        let mut inner = self.inner();
        inner.operate_without_space()?;
        let file = inner.files.len();
        inner.files.push(Content::default());
        inner.names.insert(name.to_owned(), file);
        let change = (Vec::new(), Some((name.to_owned(), file)));
        inner.name_changes.push(change);
        drop(inner);
        let disk = self.clone();
        Ok(Box::new(Handle { disk, file }))
    }

    fn append(&self, name: &str, length: u64) -> io::Result<Box<dyn WriteFile>> {
        let mut inner = self.inner();
        inner.operate_without_space()?;
        let file = *inner.names.get(name).ok_or(ErrorKind::NotFound)?;
        inner.files[file].current.truncate(length as usize);
        inner.sync_file(file);
        drop(inner);
        let disk = self.clone();
        Ok(Box::new(Handle { disk, file }))
    }

    fn open(&self, name: &str) -> io::Result<Arc<dyn ReadFile>> {
        let file = *self.inner().names.get(name).ok_or(ErrorKind::NotFound)?;
        let disk = self.clone();
        Ok(Arc::new(Handle { disk, file }))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let mut inner = self.inner();
        inner.operate_without_space()?;
        let file = inner.names.remove(from).ok_or(ErrorKind::NotFound)?;
        inner.names.insert(to.to_owned(), file);
        let change = (vec![from.to_owned()], Some((to.to_owned(), file)));
        inner.name_changes.push(change);
        Ok(())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        let mut inner = self.inner();
        inner.operate_without_space()?;
        inner.names.remove(name).ok_or(ErrorKind::NotFound)?;
        inner.name_changes.push((vec![name.to_owned()], None));
        Ok(())
    }

    fn names(&self) -> io::Result<Vec<String>> {
        Ok(self.inner().names.keys().cloned().collect())
    }

    fn sync(&self) -> io::Result<()> {
        let mut inner = self.inner();
        inner.operate_without_space()?;
        if !inner.ignores_syncs {
            inner.durable_names = inner.names.clone();
            inner.name_changes.clear();
        }
        Ok(())
    }

    fn lock(&self) -> io::Result<Option<Box<dyn Send + Sync>>> {
        let mut inner = self.inner();
        match std::mem::replace(&mut inner.is_locked, true) {
            true => Ok(None),
            false => Ok(Some(Box::new(Locked(self.clone())))),
        }
    }
}
