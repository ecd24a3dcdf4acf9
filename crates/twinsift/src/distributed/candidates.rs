//! Which pairs are candidates, which task verifies them, and the signatures that it needs for it.
//!
//! Tasks that [join](super::join) tell of each pair which part of what a match must share at keys
//! they have found. These parts are added up by pair: where they are less than the whole, the pair
//! is no match, and its signatures are not looked at.
//!
//! Documents are spread over blocks by a hash; two blocks, or one with itself, are a unit of
//! work. So each signature travels to as many tasks as there are blocks, at most, and work is
//! spread evenly whatever the documents are. A document with so many candidates that they would
//! weigh on its block is spread over all tasks.

use super::codec::{Input, damaged, put};
use super::number;
use crate::error::Result;
use crate::hash;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Candidates of one blob that make a document worth telling the driver of.
const MANY: usize = 1 << 10;

/// Candidates of a blob, at most.
const MOST_PACKED: usize = 1 << 20;

/// A document is spread over all tasks if its candidates are more than this part of a task's.
const HOT: u64 = 8;

/// The whole of what a match must share at keys.
pub(super) const WHOLE: u32 = 1000;

/// Gathers pairs for the tasks that merge them.
#[derive(Debug)]
pub(super) struct CandidateWriter {
    of_tasks: Vec<Vec<(u64, u64, u32)>>,
    pairs: usize,
}

impl CandidateWriter {
    pub(super) fn new(tasks: usize) -> Self {
        Self {
            of_tasks: vec![Vec::new(); tasks.max(1)],
            pairs: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.pairs
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pairs == 0
    }

    /// Adds a pair, and which part of the whole it shares.
    pub(super) fn push(&mut self, x: u64, y: u64, part: u32) {
        let (x, y) = (x.min(y), x.max(y));
        let task = hash::range(hash::pair(x, y), self.of_tasks.len());
        self.of_tasks[task].push((x, y, part.min(WHOLE)));
        self.pairs += 1;
    }

    /// The pairs since the last call, a blob for each task that gets some.
    pub(super) fn take(&mut self) -> Vec<(u32, Vec<u8>)> {
        self.pairs = 0;
        let filled = (0..)
            .zip(&mut self.of_tasks)
            .filter(|(_, pairs)| !pairs.is_empty());
        filled
            .map(|(task, pairs)| {
                pairs.sort_unstable();
                let blob = pack(
                    pairs,
                    |&(x, y, _)| (x, y),
                    |&(_, _, part), out| put(out, part.into()),
                );
                pairs.clear();
                (task, blob)
            })
            .collect()
    }
}

/// Adds up what tasks that join have found of pairs.
#[derive(Debug, Default)]
pub struct CandidateMerger {
    pairs: Vec<(u64, u64, u32)>,
}

impl CandidateMerger {
    /// Adds a blob of a task that joins.
    pub fn add(&mut self, blob: &[u8]) -> Result<()> {
        let pairs = &mut self.pairs;
        unpack(blob, |x, y, input| {
            let part = input.number()?.min(WHOLE.into());
            pairs.push((x, y, part as u32));
            Ok(())
        })
    }

    /// The candidates, in a few blobs, and how many they are.
    pub fn finish(mut self) -> (Vec<Vec<u8>>, u64) {
        self.pairs.sort_unstable();
        let of_pairs = self.pairs.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
        let candidates: Vec<(u64, u64)> = of_pairs
            .filter(|parts| parts.iter().map(|part| u64::from(part.2)).sum::<u64>() >= WHOLE.into())
            .map(|parts| (parts[0].0, parts[0].1))
            .collect();
        let blobs = candidates.chunks(MOST_PACKED).map(pack_pairs);
        (blobs.collect(), candidates.len() as u64)
    }
}

/// Packs pairs, which are sorted, and something of each.
fn pack<T>(
    pairs: &[T],
    ends: impl Fn(&T) -> (u64, u64),
    more: impl Fn(&T, &mut Vec<u8>),
) -> Vec<u8> {
    let mut out = Vec::with_capacity(8 * pairs.len());
    let mut last = 0;
    for group in pairs.chunk_by(|a, b| ends(a).0 == ends(b).0) {
        let x = ends(&group[0]).0;
        put(&mut out, x.wrapping_sub(last));
        put(&mut out, group.len() as u64);
        last = x;
        let mut other = x;
        for pair in group {
            let y = ends(pair).1;
            put(&mut out, y.wrapping_sub(other));
            other = y;
            more(pair, &mut out);
        }
    }
    out
}

/// Packs candidates, which are sorted, each once.
fn pack_pairs(pairs: &[(u64, u64)]) -> Vec<u8> {
    pack(pairs, |&pair| pair, |_, _| ())
}

/// Calls `show` with each pair of a blob; what follows it there is for `show` to read.
fn unpack<'a>(
    blob: &'a [u8],
    mut show: impl FnMut(u64, u64, &mut Input<'a>) -> Result<()>,
) -> Result<()> {
    let mut input = Input(blob);
    let mut x = 0u64;
    while !input.is_empty() {
        x = x.wrapping_add(input.number()?);
        let mut y = x;
        for _ in 0..input.number()? {
            y = y.wrapping_add(input.number()?);
            show(x, y, &mut input)?;
        }
    }
    Ok(())
}

/// Calls `show` with each candidate of a blob.
pub(super) fn unpack_pairs(blob: &[u8], mut show: impl FnMut(u64, u64)) -> Result<()> {
    unpack(blob, |x, y, _| {
        show(x, y);
        Ok(())
    })
}

/// The candidates of a blob: the lower of each two numbers, and the higher.
pub fn pairs(blob: &[u8]) -> Result<(Vec<u64>, Vec<u64>)> {
    let mut pairs = (Vec::new(), Vec::new());
    unpack_pairs(blob, |x, y| {
        pairs.0.push(x);
        pairs.1.push(y);
    })?;
    Ok(pairs)
}

/// The documents of a blob that have many candidates in it, and how many, for the
/// [`VerifyPlan`].
pub fn hot_documents(blob: &[u8]) -> Result<Vec<(u64, u64)>> {
    let mut ends = Vec::new();
    unpack_pairs(blob, |x, y| ends.extend([x, y]))?;
    ends.sort_unstable();
    let many = ends.chunk_by(|a, b| a == b).filter(|of| of.len() >= MANY);
    Ok(many.map(|of| (of[0], of.len() as u64)).collect())
}

/// Which task verifies a pair.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyPlan {
    tasks: u32,
    blocks: u32,
    /// The task of each pair of blocks.
    units: Vec<u32>,
    hot: HashSet<u64>,
}

impl VerifyPlan {
    /// A plan for so many candidates over so many tasks, and the documents that are known to
    /// have many.
    pub fn new(candidates: u64, tasks: usize, hot: &[(u64, u64)]) -> Self {
        let tasks = tasks.max(1);
        let mut degrees: HashMap<u64, u64> = HashMap::new();
        for &(document, degree) in hot {
            *degrees.entry(document).or_default() += degree;
        }
        let most = candidates / (tasks as u64 * HOT);
        degrees.retain(|_, degree| *degree > most);
        // Twice as many units as tasks, so that they can be shared out evenly.
        let blocks = (1u32..)
            .find(|&blocks| (blocks * (blocks + 1) / 2) as usize >= 2 * tasks)
            .unwrap_or(1);
        let mut loads = vec![0u32; tasks];
        let mut units = vec![0; (blocks * (blocks + 1) / 2) as usize];
        let all = || (0..blocks).flat_map(|y| (0..=y).map(move |x| (x, y)));
        // Two blocks have twice as many pairs as one has with itself: these fill the gaps.
        for (of_two, load) in [(true, 2), (false, 1)] {
            for (x, y) in all().filter(|(x, y)| (x != y) == of_two) {
                let least = (0..tasks).min_by_key(|&task| loads[task]).unwrap_or(0);
                loads[least] += load;
                units[unit(x, y)] = least as u32;
            }
        }
        Self {
            tasks: tasks as u32,
            blocks,
            units,
            hot: degrees.into_keys().collect(),
        }
    }

    /// How many tasks verify.
    pub fn tasks(&self) -> usize {
        self.tasks as usize
    }

    /// The task that verifies a pair.
    fn task(&self, x: u64, y: u64) -> u32 {
        let drawn =
            |document: u64, of: u32| hash::range(hash::spread(document), of as usize) as u32;
        match (self.hot.contains(&x), self.hot.contains(&y)) {
            (false, false) => {
                let (a, b) = (drawn(x, self.blocks), drawn(y, self.blocks));
                self.units[unit(a.min(b), a.max(b))]
            }
            (true, false) => drawn(y, self.tasks),
            (false, true) => drawn(x, self.tasks),
            (true, true) => drawn(hash::pair(x, y), self.tasks),
        }
    }

    /// The plan as bytes, for the tasks.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put(&mut out, self.tasks.into());
        put(&mut out, self.blocks.into());
        self.units
            .iter()
            .for_each(|&task| put(&mut out, task.into()));
        let mut hot: Vec<&u64> = self.hot.iter().collect();
        hot.sort_unstable();
        hot.iter().for_each(|document| put(&mut out, **document));
        out
    }

    /// A plan from its bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut input = Input(bytes);
        let (tasks, blocks) = (input.number()?, input.number()?);
        if tasks > u32::MAX.into() || blocks > 1 << 15 {
            return damaged();
        }
        let mut units = Vec::new();
        for _ in 0..blocks * (blocks + 1) / 2 {
            match input.number()? {
                task if task < tasks => units.push(task as u32),
                _ => return damaged(),
            }
        }
        let mut hot = HashSet::new();
        while !input.is_empty() {
            hot.insert(input.number()?);
        }
        Ok(Self {
            tasks: tasks as u32,
            blocks: blocks as u32,
            units,
            hot,
        })
    }
}

/// The number of two blocks, the first of them not above the second.
fn unit(x: u32, y: u32) -> usize {
    (y * (y + 1) / 2 + x) as usize
}

/// What a blob of candidates asks for.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    /// For each task that verifies some of them, these pairs.
    pub pairs: Vec<(u32, Vec<u8>)>,
    /// For each segment with some of their documents, which ones, and the tasks that need them.
    pub documents: Vec<(u64, Vec<u8>)>,
}

/// Shares candidates out.
pub fn request(blob: &[u8], plan: &VerifyPlan) -> Result<Requests> {
    let mut pairs: BTreeMap<u32, Vec<(u64, u64)>> = BTreeMap::new();
    unpack_pairs(blob, |x, y| {
        pairs.entry(plan.task(x, y)).or_default().push((x, y));
    })?;
    let mut wanted: Vec<(u64, u32)> = Vec::new();
    for (&task, pairs) in &pairs {
        let start = wanted.len();
        wanted.extend(pairs.iter().flat_map(|&(x, y)| [(x, task), (y, task)]));
        wanted[start..].sort_unstable();
        let mut kept = start;
        for at in start..wanted.len() {
            if at == start || wanted[at] != wanted[kept - 1] {
                wanted[kept] = wanted[at];
                kept += 1;
            }
        }
        wanted.truncate(kept);
    }
    wanted.sort_unstable();
    let of_segments = wanted.chunk_by(|a, b| number::segment(a.0) == number::segment(b.0));
    let documents = of_segments.map(|of_segment| {
        let mut out = Vec::new();
        for &(document, task) in of_segment {
            put(&mut out, number::row(document).into());
            put(&mut out, task.into());
        }
        (number::segment(of_segment[0].0), out)
    });
    Ok(Requests {
        documents: documents.collect(),
        pairs: pairs
            .into_iter()
            .map(|(task, pairs)| (task, pack_pairs(&pairs)))
            .collect(),
    })
}

/// The rows of a segment that were asked for, each with a task, from all of its requests.
pub(super) fn requested<'a>(blobs: impl Iterator<Item = &'a [u8]>) -> Result<Vec<(u32, u32)>> {
    let mut requested = Vec::new();
    for blob in blobs {
        let mut input = Input(blob);
        while !input.is_empty() {
            match (
                u32::try_from(input.number()?),
                u32::try_from(input.number()?),
            ) {
                (Ok(row), Ok(task)) => requested.push((row, task)),
                _ => return damaged(),
            }
        }
    }
    requested.sort_unstable();
    requested.dedup();
    Ok(requested)
}
