//! The pairs that a matcher found, and the graph that they make.
//!
//! Matchers hand in edges from many threads in any order ([`EdgeSink`]); sorted
//! by document they become an [`Adjacency`]. Beyond a budget, sorted runs go to
//! disk and are merged there, and neighbours are read from the file.

use super::Job;
use super::confirm::Confirmer;
use super::connections::Connections;
use super::judged::{Judge, JudgedPairs, JudgingSink};
use super::wanted::Wanted;
use crate::error::{Error, Result};
use crate::observer::{Observer, Stage};
use crate::settings::Settings;
use bytemuck::{Pod, Zeroable, cast_slice, cast_slice_mut};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Two similar documents.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Edge {
    /// One document.
    pub a: u32,
    /// The other.
    pub b: u32,
    /// How similar they are, in the method's own measure.
    pub score: f64,
}

impl Edge {
    /// An edge; the smaller number comes first.
    pub fn new(a: u32, b: u32, score: f64) -> Self {
        Self {
            a: a.min(b),
            b: a.max(b),
            score,
        }
    }

    fn key(&self) -> (u32, u32) {
        (self.a, self.b)
    }

    fn reversed(&self) -> Self {
        Self {
            a: self.b,
            b: self.a,
            score: self.score,
        }
    }
}

const EDGE_BYTES: usize = size_of::<Edge>();

/// Takes edges from all threads.
#[derive(Debug)]
pub struct EdgeSink {
    inner: Mutex<Runs>,
    folder: PathBuf,
    observer: Observer,
    /// Where only what is connected is wanted, keeps edges that connect something.
    connections: Option<Connections>,
    /// Judges edges in place of keeping them.
    judging: Option<JudgingSink>,
    /// Decides about edges that are only candidates.
    confirmer: OnceLock<Confirmer>,
    /// How many edges were taken.
    taken: AtomicU64,
}

#[derive(Debug)]
struct Runs {
    /// Both directions of every edge.
    buffer: Vec<Edge>,
    capacity: usize,
    file: Option<File>,
    /// Lengths of the sorted runs in the file, in edges.
    runs: Vec<u64>,
    count: u64,
}

impl EdgeSink {
    /// A sink that holds up to `budget` bytes in memory and the rest in the folder of the
    /// settings.
    pub fn new(budget: usize, settings: &Settings) -> Self {
        Self {
            inner: Mutex::new(Runs {
                buffer: Vec::new(),
                capacity: (budget / EDGE_BYTES).max(1024),
                file: None,
                runs: Vec::new(),
                count: 0,
            }),
            folder: settings.tmp.clone(),
            observer: settings.observer.clone(),
            connections: None,
            judging: None,
            confirmer: OnceLock::new(),
            taken: AtomicU64::new(0),
        }
    }

    /// A sink of only those edges that the job wants.
    pub(crate) fn of(job: &Job<'_>) -> Self {
        Self {
            connections: match &job.wanted {
                Wanted::Connections => Some(Connections::new(job.classes, job.old_from)),
                _ => None,
            },
            ..Self::new(job.budget.edges(), job.settings)
        }
    }

    /// A sink that keeps no edges: they are judged.
    pub(crate) fn judging(job: &Job<'_>, judge: Arc<Judge>) -> Self {
        Self {
            judging: Some(JudgingSink::new(job.classes, judge)),
            ..Self::of(job)
        }
    }

    /// The edges that were judged.
    pub(crate) fn judged(self) -> JudgedPairs {
        self.judging
            .as_ref()
            .map(JudgingSink::judged)
            .unwrap_or_default()
    }

    /// What follows the run.
    pub(crate) fn observer(&self) -> &Observer {
        &self.observer
    }

    /// How many edges it has taken so far.
    pub(crate) fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    /// From now on, edges are only candidates that `confirmer` decides about.
    pub(crate) fn confirm_by(&self, confirmer: Confirmer) {
        let set = self.confirmer.set(confirmer);
        debug_assert!(set.is_ok(), "a matcher has one confirmer");
    }

    /// Leaves the edges that are no mere candidates, with their scores.
    pub(crate) fn confirm(&self, edges: &mut Vec<Edge>) -> Result<()> {
        match self.confirmer.get() {
            Some(confirmer) => confirmer.confirm(edges),
            None => Ok(()),
        }
    }

    /// Takes the edges out of `edges`. Each edge must be handed in only once,
    /// unless edges are not listed later.
    pub fn extend(&self, edges: &mut Vec<Edge>) -> Result<()> {
        self.confirm(edges)?;
        self.take(edges)
    }

    /// As [`extend`](Self::extend), of edges that are confirmed.
    pub(crate) fn take(&self, edges: &mut Vec<Edge>) -> Result<()> {
        if let Some(connections) = &self.connections {
            connections.connect(edges);
        }
        if edges.is_empty() {
            return Ok(());
        }
        self.taken.fetch_add(edges.len() as u64, Ordering::Relaxed);
        if let Some(judging) = &self.judging {
            judging.take(edges);
            return Ok(());
        }
        let mut runs = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        for edge in edges.drain(..) {
            runs.buffer.extend([edge, edge.reversed()]);
            runs.count += 1;
            if runs.buffer.len() >= runs.capacity {
                runs.spill(&self.folder)
                    .map_err(|source| self.failed(source))?;
            }
        }
        Ok(())
    }

    /// The graph of all edges over `documents` documents.
    pub fn finish(self, documents: usize) -> Result<Adjacency> {
        let folder = self.folder;
        let failed = |source| Error::Spill {
            folder: folder.clone(),
            source,
        };
        let observer = self.observer;
        let connected_pairs = self.connections.as_ref().map(Connections::pairs);
        observer.begin(Stage::Sorting, 0)?;
        let runs = self.inner.into_inner();
        let mut runs = runs.unwrap_or_else(PoisonError::into_inner);
        let count = runs.count;
        let mut starts = vec![0u64; documents + 1];
        let edges = if runs.file.is_none() {
            let mut edges = runs.buffer;
            edges.par_sort_unstable_by_key(Edge::key);
            edges
                .iter()
                .for_each(|edge| starts[edge.a as usize + 1] += 1);
            Edges::Memory(edges)
        } else {
            runs.spill(&folder).map_err(failed)?;
            let file = runs.merge(&folder, &mut starts, &observer);
            observer.check()?;
            let file = file.map_err(failed)?;
            Edges::Disk(Mutex::new(file))
        };
        let mut total = 0;
        for start in &mut starts {
            total += *start;
            *start = total;
        }
        Ok(Adjacency {
            starts,
            edges,
            count,
            connected_pairs,
            folder: folder.clone(),
            observer,
        })
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::Spill {
            folder: self.folder.clone(),
            source,
        }
    }
}

impl Runs {
    fn spill(&mut self, folder: &Path) -> io::Result<()> {
        self.buffer.sort_unstable_by_key(Edge::key);
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(tempfile::tempfile_in(folder)?),
        };
        file.write_all(cast_slice(&self.buffer))?;
        self.runs.push(self.buffer.len() as u64);
        self.buffer.clear();
        Ok(())
    }

    /// Merges the sorted runs into one file and counts each document's edges.
    fn merge(mut self, folder: &Path, starts: &mut [u64], observer: &Observer) -> io::Result<File> {
        self.buffer = Vec::new();
        let Some(mut file) = self.file.take() else {
            return Err(io::Error::other("nothing was spilled"));
        };
        let piece = (self.capacity / (self.runs.len() + 1)).clamp(64, 1 << 14);
        let mut readers = Vec::new();
        let mut start = 0;
        for &length in &self.runs {
            readers.push(RunReader::new(start, length, piece));
            start += length;
        }
        let mut heap = BinaryHeap::new();
        for (number, reader) in readers.iter_mut().enumerate() {
            if let Some(edge) = reader.next(&mut file)? {
                heap.push(Reverse((edge.a, edge.b, number, edge.score.to_bits())));
            }
        }
        let mut out = BufWriter::with_capacity(1 << 18, tempfile::tempfile_in(folder)?);
        while let Some(Reverse((a, b, number, score))) = heap.pop() {
            if observer.is_cancelled() {
                break;
            }
            let score = f64::from_bits(score);
            out.write_all(cast_slice(&[Edge { a, b, score }]))?;
            starts[a as usize + 1] += 1;
            if let Some(edge) = readers[number].next(&mut file)? {
                heap.push(Reverse((edge.a, edge.b, number, edge.score.to_bits())));
            }
        }
        out.into_inner().map_err(|error| error.into_error())
    }
}

/// Reads one sorted run piece by piece.
struct RunReader {
    next: u64,
    end: u64,
    piece: usize,
    buffer: Vec<Edge>,
    at: usize,
}

impl RunReader {
    fn new(start: u64, length: u64, piece: usize) -> Self {
        Self {
            next: start,
            end: start + length,
            piece,
            buffer: Vec::new(),
            at: 0,
        }
    }

    fn next(&mut self, file: &mut File) -> io::Result<Option<Edge>> {
        if self.at == self.buffer.len() {
            let length = self.piece.min((self.end - self.next) as usize);
            self.buffer.resize(length, Edge::zeroed());
            file.seek(SeekFrom::Start(self.next * EDGE_BYTES as u64))?;
            file.read_exact(cast_slice_mut(&mut self.buffer))?;
            self.next += length as u64;
            self.at = 0;
        }
        let edge = self.buffer.get(self.at).copied();
        self.at += 1;
        Ok(edge)
    }
}

/// For each document the documents similar to it.
#[derive(Debug)]
pub struct Adjacency {
    starts: Vec<u64>,
    edges: Edges,
    count: u64,
    /// Where only edges that connect something were kept: how many pairs there were.
    connected_pairs: Option<u64>,
    folder: PathBuf,
    observer: Observer,
}

#[derive(Debug)]
enum Edges {
    Memory(Vec<Edge>),
    Disk(Mutex<File>),
}

impl Adjacency {
    /// Number of edges.
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How many pairs of documents the matcher found, where it kept only what connects them.
    pub(crate) fn connected_pairs(&self) -> Option<u64> {
        self.connected_pairs
    }

    /// Fails if the run was cancelled.
    pub(crate) fn check(&self) -> Result<()> {
        self.observer.check()
    }

    /// Replaces `out` by the edges of `doc`, as (document, score), ascending.
    pub fn neighbours(&self, doc: u32, out: &mut Vec<(u32, f64)>) -> Result<()> {
        self.check()?;
        out.clear();
        let (start, end) = (self.starts[doc as usize], self.starts[doc as usize + 1]);
        if start == end {
            return Ok(());
        }
        match &self.edges {
            Edges::Memory(edges) => {
                let edges = &edges[start as usize..end as usize];
                out.extend(edges.iter().map(|edge| (edge.b, edge.score)));
            }
            Edges::Disk(file) => {
                let mut edges = vec![Edge::zeroed(); (end - start) as usize];
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(start * EDGE_BYTES as u64))
                    .and_then(|_| file.read_exact(cast_slice_mut(&mut edges)))
                    .map_err(|source| Error::Spill {
                        folder: self.folder.clone(),
                        source,
                    })?;
                out.extend(edges.iter().map(|edge| (edge.b, edge.score)));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_the_same_from_memory_and_from_disk() {
        let mut all = Vec::new();
        for a in 0..100u32 {
            for b in a + 1..100 {
                if crate::hash::pair(a.into(), b.into()).is_multiple_of(2) {
                    all.push(Edge::new(b, a, f64::from(a) / f64::from(b)));
                }
            }
        }
        let build = |budget| {
            let sink = EdgeSink::new(budget, &Settings::default());
            sink.extend(&mut all.clone()).expect("there is room");
            sink.finish(100).expect("there is room")
        };
        let (memory, disk) = (build(usize::MAX), build(0));
        assert!(matches!(disk.edges, Edges::Disk(_)));
        assert_eq!(
            (memory.len(), disk.len()),
            (all.len() as u64, all.len() as u64)
        );
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for doc in 0..100 {
            memory.neighbours(doc, &mut left).expect("in memory");
            disk.neighbours(doc, &mut right).expect("on disk");
            assert_eq!(left, right);
            assert!(left.is_sorted_by_key(|&(other, _)| other));
            let expected = all.iter().filter(|edge| edge.a == doc || edge.b == doc);
            assert_eq!(left.len(), expected.count());
        }
    }
}
