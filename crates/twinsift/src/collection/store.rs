//! Blocks in memory, or on disk beyond a budget.
//!
//! The matchers walk over blocks and neither know nor care where a block is:
//! there is one code path, and the budget alone decides what is spilled. The
//! spill file has no name in the folder, so nothing is left behind, not even
//! after a crash.

use super::block::Block;
use crate::error::{Error, Result};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A list of blocks.
#[derive(Debug)]
pub struct Store {
    slots: Vec<Slot>,
    /// Bytes that may stay in memory.
    budget: usize,
    resident: usize,
    /// Features of all blocks, wherever they are, and of documents that need none here.
    features: usize,
    spill: Option<Spill>,
    folder: PathBuf,
}

#[derive(Debug)]
enum Slot {
    Resident(Arc<Block>),
    Spilled { offset: u64 },
    Taken,
}

#[derive(Debug)]
struct Spill {
    file: Mutex<File>,
    end: u64,
}

impl Store {
    /// A store that keeps up to `budget` bytes in memory and the rest in `folder`.
    pub fn new(budget: usize, folder: &Path) -> Self {
        Self {
            slots: Vec::new(),
            budget,
            resident: 0,
            features: 0,
            spill: None,
            folder: folder.to_owned(),
        }
    }

    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Number of features in all blocks that were pushed, and of [absent](Self::count_absent)
    /// documents.
    pub fn features(&self) -> usize {
        self.features
    }

    /// Counts the features of documents that are not here, because their features are
    /// those of others. How many documents that is may depend on chance; what is sized
    /// by the number of features does not.
    pub fn count_absent(&mut self, features: usize) {
        self.features += features;
    }

    /// Bytes that were written to disk.
    pub fn spilled_bytes(&self) -> u64 {
        self.spill.as_ref().map_or(0, |spill| spill.end)
    }

    /// Appends a block and says where it stands. It should have no room to spare:
    /// what its arrays hold in reserve is not counted.
    pub fn push(&mut self, block: Block) -> Result<usize> {
        self.features += block.values.len();
        let slot = if self.resident + block.bytes() <= self.budget {
            self.resident += block.bytes();
            Slot::Resident(Arc::new(block))
        } else {
            self.write(&block).map_err(|error| self.failed(error))?
        };
        self.slots.push(slot);
        Ok(self.slots.len() - 1)
    }

    /// The block at `index`.
    pub fn load(&self, index: usize) -> Result<Arc<Block>> {
        match &self.slots[index] {
            Slot::Resident(block) => Ok(block.clone()),
            Slot::Spilled { offset } => self
                .read(*offset)
                .map(Arc::new)
                .map_err(|error| self.failed(error)),
            Slot::Taken => Ok(Arc::default()),
        }
    }

    /// The block at `index`, if it is in memory.
    pub fn resident(&self, index: usize) -> Option<&Block> {
        match &self.slots[index] {
            Slot::Resident(block) => Some(block),
            Slot::Spilled { .. } | Slot::Taken => None,
        }
    }

    /// The block at `index`, which leaves the store.
    pub fn take(&mut self, index: usize) -> Result<Arc<Block>> {
        let block = self.load(index)?;
        if let Slot::Resident(_) = self.slots[index] {
            self.resident -= block.bytes();
        }
        self.slots[index] = Slot::Taken;
        Ok(block)
    }

    fn write(&mut self, block: &Block) -> io::Result<Slot> {
        let spill = match &mut self.spill {
            Some(spill) => spill,
            None => self.spill.insert(Spill {
                file: Mutex::new(tempfile::tempfile_in(&self.folder)?),
                end: 0,
            }),
        };
        let file = spill.file.get_mut().map_err(|_| poisoned())?;
        let offset = spill.end;
        file.seek(SeekFrom::Start(offset))?;
        let mut out = BufWriter::with_capacity(1 << 16, file);
        block.write(&mut out)?;
        out.flush()?;
        drop(out);
        spill.end = spill
            .file
            .get_mut()
            .map_err(|_| poisoned())?
            .stream_position()?;
        Ok(Slot::Spilled { offset })
    }

    fn read(&self, offset: u64) -> io::Result<Block> {
        let Some(spill) = &self.spill else {
            return Err(io::Error::other("the spill file is missing"));
        };
        let mut file = spill.file.lock().map_err(|_| poisoned())?;
        file.seek(SeekFrom::Start(offset))?;
        Block::read(&mut BufReader::with_capacity(1 << 16, &mut *file))
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::Spill {
            folder: self.folder.clone(),
            source,
        }
    }
}

/// One block of a store after another: those in memory are lent, another one is read
/// and kept until the next is asked for.
#[derive(Debug)]
pub(crate) struct Glance<'a> {
    store: &'a Store,
    read: Option<(usize, Arc<Block>)>,
}

impl<'a> Glance<'a> {
    pub(crate) fn new(store: &'a Store) -> Self {
        Self { store, read: None }
    }

    pub(crate) fn at(&mut self, index: usize) -> Result<&Block> {
        if let Some(block) = self.store.resident(index) {
            return Ok(block);
        }
        let read = match self.read.take() {
            Some(read) if read.0 == index => read,
            _ => (index, self.store.load(index)?),
        };
        Ok(&self.read.insert(read).1)
    }
}

fn poisoned() -> io::Error {
    io::Error::other("another thread failed while using the spill file")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_back_from_memory_and_from_disk() {
        let folder = std::env::temp_dir();
        for budget in [0, 200, usize::MAX] {
            let mut store = Store::new(budget, &folder);
            for number in 0..10u32 {
                let mut block = Block::default();
                block.values.extend([u64::from(number), 7]);
                block.weights.extend([0.5, 2.0]);
                block.end_document(number, 2.5);
                block.end_document(number + 100, 0.0);
                store.push(block).expect("there is room");
            }
            assert_eq!(store.spilled_bytes() > 0, budget < 300);
            for number in 0..10 {
                let block = store.take(number).expect("it was pushed");
                assert_eq!(block.docs, [number as u32, number as u32 + 100]);
                assert_eq!(block.vector(0).values, [number as u64, 7]);
                assert_eq!(block.vector(0).weights, [0.5, 2.0]);
                assert!(block.vector(1).values.is_empty());
            }
            assert_eq!(store.resident, 0);
        }
    }
}
