//! Blocks in memory, or on disk beyond a budget.
//!
//! The matchers read blocks without knowing where a block is:
//! there is one code path, and the budget alone decides what is spilled. The
//! spill file has no name in the folder, so nothing is left behind, not even
//! after a crash.

use super::block::Block;
use super::pages;
use crate::error::{Error, Result};
use crate::observer::Observer;
use crate::settings::Settings;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

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
    observer: Observer,
    /// Bytes of the spilled blocks that are [lent](Self::lend), and a sign that some came
    /// back.
    lent: Mutex<usize>,
    returned: Condvar,
}

#[derive(Debug)]
enum Slot {
    Resident(Arc<Block>),
    Spilled { offset: u64, bytes: usize },
    Taken,
}

#[derive(Debug)]
struct Spill {
    file: Mutex<File>,
    end: u64,
}

impl Store {
    /// A store that keeps up to `budget` bytes in memory and the rest in the folder of the
    /// settings. It hands out no block once the run is cancelled.
    pub fn new(budget: usize, settings: &Settings) -> Self {
        Self {
            slots: Vec::new(),
            budget,
            resident: 0,
            features: 0,
            spill: None,
            folder: settings.tmp.clone(),
            observer: settings.observer.clone(),
            lent: Mutex::new(0),
            returned: Condvar::new(),
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

    /// Appends a block and returns its index. Its arrays should have no unused capacity,
    /// which is not counted.
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
        self.observer.check()?;
        match &self.slots[index] {
            Slot::Resident(block) => Ok(block.clone()),
            Slot::Spilled { offset, .. } => self
                .read(*offset)
                .map(Arc::new)
                .map_err(|error| self.failed(error)),
            Slot::Taken => Ok(Arc::default()),
        }
    }

    /// As [`load`](Self::load), for threads that walk over the blocks side by side: a
    /// thread waits while the spilled blocks of others take half of the budget. It must not
    /// keep one while it asks for another.
    pub(crate) fn lend(&self, index: usize) -> Result<Lent<'_>> {
        let bytes = self.spilled_block(index);
        let is_too_much = |lent: &mut usize| *lent > 0 && *lent + bytes > self.budget / 2;
        if bytes > 0 {
            let lent = self.lent.lock().unwrap_or_else(PoisonError::into_inner);
            let lent = self.returned.wait_while(lent, is_too_much);
            *lent.unwrap_or_else(PoisonError::into_inner) += bytes;
        }
        let mut lent = Lent {
            block: Arc::default(),
            bytes,
            store: self,
        };
        lent.block = self.load(index)?;
        Ok(lent)
    }

    /// The bytes of the block at `index`, if it was spilled.
    pub(crate) fn spilled_block(&self, index: usize) -> usize {
        match self.slots[index] {
            Slot::Spilled { bytes, .. } => bytes,
            Slot::Resident(_) | Slot::Taken => 0,
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
        let bytes = block.bytes();
        Ok(Slot::Spilled { offset, bytes })
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

/// A block that goes back to its store.
#[derive(Debug)]
pub(crate) struct Lent<'a> {
    block: Arc<Block>,
    /// What it takes besides the store; 0 if it is in the store's memory.
    bytes: usize,
    store: &'a Store,
}

impl Deref for Lent<'_> {
    type Target = Block;

    fn deref(&self) -> &Block {
        &self.block
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        if self.bytes > 0 {
            self.block = Arc::default();
            pages::give_back_after(self.bytes);
            let lent = self.store.lent.lock();
            *lent.unwrap_or_else(PoisonError::into_inner) -= self.bytes;
            self.store.returned.notify_all();
        }
    }
}

/// Reads one block of a store after another: those in memory are borrowed, another one is
/// loaded and kept until the next is asked for.
#[derive(Debug)]
pub(crate) struct BlockReader<'a> {
    store: &'a Store,
    read: Option<(usize, Arc<Block>)>,
}

impl<'a> BlockReader<'a> {
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
    use rayon::prelude::*;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    #[test]
    fn spilled_blocks_that_are_lent_take_half_of_the_budget() {
        let budget = 10_000;
        let mut store = Store::new(budget, &Settings::default());
        for number in 0..60u32 {
            let mut block = Block::default();
            // One is larger than all that may be lent.
            let features = if number == 33 { 2_000 } else { 150 };
            block.values.extend(0..features);
            block.end_document(number, 1.0);
            store.push(block).expect("there is room");
        }
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(8).build();
        pool.expect("a pool").install(|| {
            (0..store.len()).into_par_iter().for_each(|index| {
                let block = store.lend(index).expect("it was pushed");
                assert_eq!(block.docs, [index as u32]);
                // Blocks in memory take nothing of it.
                let bytes = store.spilled_block(index);
                let sum = now.fetch_add(bytes, SeqCst) + bytes;
                let is_within = bytes == 0 || sum <= budget / 2 || sum == bytes;
                assert!(is_within, "{sum} with {bytes}");
                most.fetch_max(sum, SeqCst);
                std::thread::yield_now();
                now.fetch_sub(bytes, SeqCst);
            });
        });
        assert!(most.into_inner() >= 16_000, "the large one was lent too");
    }

    #[test]
    fn blocks_come_back_from_memory_and_from_disk() {
        for budget in [0, 200, usize::MAX] {
            let mut store = Store::new(budget, &Settings::default());
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
