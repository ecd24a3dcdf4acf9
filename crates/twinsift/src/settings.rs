//! How a run may use the machine. Nothing here changes a result.

use crate::error::{Error, Result};
use crate::observer::Observer;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Threads, memory and temporary space of a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Worker threads.
    pub threads: usize,
    /// Bytes of memory to work in; beyond that, data goes to `tmp`. `None`:
    /// everything stays in memory.
    pub memory: Option<u64>,
    /// The folder for temporary data.
    pub tmp: PathBuf,
    /// The algorithm of the exact join; `None`: the faster one.
    pub join: Option<Join>,
    /// A collection with more pairs than this to a document, on average, is crowded. Then
    /// [`Purpose::Dedup`](crate::Purpose::Dedup) is served without finding all of them.
    pub crowd: u32,
    /// What follows the run and can cancel it.
    pub observer: Observer,
}

/// An algorithm that finds every pair at or above a similarity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Join {
    /// Prefix filtering, as in [`matching::join`](crate::matching::join).
    Prefix,
    /// Algorithm 1 of the SpotSigs paper, as in
    /// [`matching::spotsigs`](crate::matching::spotsigs): Jaccard only, in memory.
    SpotSigs,
    /// The same without partitions by length (the paper's NoPart), to measure what
    /// they are worth; by the library alone.
    #[serde(skip)]
    NoPart,
    /// The same without partitions and without pruning (NoPrune).
    #[serde(skip)]
    NoPrune,
}

impl Join {
    /// Whether it is Algorithm 1, whole or in part.
    pub(crate) fn is_spotsigs(self) -> bool {
        self != Join::Prefix
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            memory: None,
            tmp: std::env::temp_dir(),
            join: None,
            crowd: 32,
            observer: Observer::default(),
        }
    }
}

impl Settings {
    /// A pool of as many threads as the settings say.
    pub fn pool(&self) -> Result<rayon::ThreadPool> {
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.max(1))
            .build()
            .map_err(|error| Error::Threads(error.to_string()))
    }
}

/// Memory that is free for use right now, in bytes, where the system tells: the
/// machine's, or a container's limit if that is lower.
pub fn available_memory() -> Option<u64> {
    let meminfo = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    let read = |path: &str| {
        let text = std::fs::read_to_string(path).ok()?;
        text.trim().parse::<u64>().ok()
    };
    let container = read("/sys/fs/cgroup/memory.max")
        .map(|limit| limit.saturating_sub(read("/sys/fs/cgroup/memory.current").unwrap_or(0)));
    Some((kib * 1024).min(container.unwrap_or(u64::MAX)))
}

/// The memory of a run, cut into shares for its stages. At most a few of them
/// are in use at the same time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    memory: Option<u64>,
}

impl Budget {
    pub(crate) fn new(memory: Option<u64>) -> Self {
        Self { memory }
    }

    /// `percent` of the whole; without a limit, everything.
    fn share(&self, percent: u64) -> usize {
        match self.memory {
            None => usize::MAX,
            Some(bytes) => usize::try_from(bytes / 100 * percent).unwrap_or(usize::MAX),
        }
    }

    /// Features as they are read.
    pub(crate) fn features(&self) -> usize {
        self.share(30)
    }

    /// Documents that are being read, as they stand in their files: what is made of them
    /// takes several times as much.
    pub(crate) fn reading(&self) -> usize {
        self.share(10).max(1 << 20)
    }

    /// Texts that are remembered, should they come again.
    pub(crate) fn repeats(&self) -> usize {
        self.share(3).min(128 << 20)
    }

    /// Features that are partitioned into ranges.
    pub(crate) fn streams(&self) -> usize {
        self.share(25)
    }

    /// Features as they are after a second look: weighted, or those of a window.
    pub(crate) fn weighted(&self) -> usize {
        self.share(20)
    }

    /// Features in size bands.
    pub(crate) fn size_bands(&self) -> usize {
        self.share(15)
    }

    /// One size band of documents; two of them with what is known of their features are
    /// in memory at once.
    pub(crate) fn size_band(&self) -> usize {
        self.share(10).max(1 << 10)
    }

    /// What a size band gathers before it goes to the store.
    pub(crate) fn size_band_buffer(&self, bands: usize) -> usize {
        (self.share(6) / bands.max(1)).clamp(1 << 12, 1 << 20)
    }

    /// Edges before they are sorted to disk.
    pub(crate) fn edges(&self) -> usize {
        self.share(10)
    }

    /// Candidate pairs that wait for being compared.
    pub(crate) fn candidates(&self) -> usize {
        self.share(10).min(256 << 20)
    }

    /// Counters of document frequency.
    pub(crate) fn frequencies(&self) -> usize {
        self.share(25).max(1 << 20)
    }
}
