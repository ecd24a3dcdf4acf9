//! From the postings of a task to pairs that share keys.
//!
//! A task has some of the keys of its documents. For each document it adds up what that one
//! shares with smaller ones at these keys, and tells which part of what a match must share that is.
//! All tasks together decide which pairs are [candidates](super::candidates).

use super::candidates::{CandidateWriter, WHOLE};
use super::classes::may_pair;
use super::plan::Side;
use super::postings::{Bounds, bounds};
use super::route::{RoutedDocument, RoutedPosting, unpack};
use crate::error::Result;
use crate::hash;
use crate::recipe::Recipe;

/// Pairs that are kept before they are handed on.
const FULL: usize = 1 << 22;

/// Cells of the table by which keys of one posting are found.
const CELLS_PER_POSTING: usize = 8;

/// Joins the postings of one task.
#[derive(Debug)]
pub struct Joiner {
    bounds: Option<Bounds>,
    against: bool,
    documents: Vec<RoutedDocument>,
    postings: Vec<RoutedPosting>,
}

/// Numbers about the work of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JoinReport {
    /// Postings that it was given.
    pub postings: u64,
    /// Pairs of postings that it has looked at.
    pub comparisons: u64,
    /// Pairs of documents that it has handed on.
    pub pairs: u64,
}

impl Joiner {
    /// A joiner for a recipe: of a collection with itself, or of a new one against an old one.
    pub fn new(recipe: &Recipe, against: bool) -> Result<Self> {
        Ok(Self {
            bounds: bounds(recipe)?,
            against,
            documents: Vec::new(),
            postings: Vec::new(),
        })
    }

    /// Adds a blob of a [`Router`](super::route::Router) for this task.
    pub fn add(&mut self, blob: &[u8]) -> Result<()> {
        unpack(blob, &mut self.documents, &mut self.postings)
    }

    /// Begins to join what was added. So many tasks will merge what is found.
    pub fn join(mut self, merging: usize) -> Joining {
        let given = self.postings.len() as u64;
        self.drop_single_postings();
        self.number_documents_by_size();
        self.postings.sort_unstable_by_key(RoutedPosting::place);
        let mut smaller = Vec::with_capacity(self.postings.len());
        for of_group in self.postings.chunk_by(|a, b| a.group == b.group) {
            let first = smaller.len() as u32;
            // Two units may have one number: then there are more sides than belong together.
            let left = of_group.partition_point(|posting| posting.side < Side::Left as u8) as u32;
            let right = of_group.partition_point(|posting| posting.side < Side::Right as u8) as u32;
            let of_posting = |(at, posting): (u32, &RoutedPosting)| match posting.side {
                side if side == Side::Left as u8 => (first, first),
                side if side == Side::Right as u8 => (first + left, first + right),
                _ => (first, at),
            };
            smaller.extend((first..).zip(of_group).map(of_posting));
        }
        Joining {
            report: JoinReport {
                postings: given,
                ..JoinReport::default()
            },
            shared: vec![0.0; self.documents.len()],
            touched: Vec::new(),
            writer: CandidateWriter::new(merging),
            by_document: self.postings_by_document(),
            joiner: self,
            smaller,
            next: 0,
        }
    }

    /// Drops most of the postings that are the only ones of their key. Most keys are rare, and
    /// sorting is what costs most.
    fn drop_single_postings(&mut self) {
        let cells = (CELLS_PER_POSTING * self.postings.len()).next_multiple_of(64);
        let (mut seen, mut repeated) = (vec![0u64; cells / 64], vec![0u64; cells / 64]);
        let cell = |posting: &RoutedPosting| hash::range(hash::spread(posting.group), cells);
        for posting in &self.postings {
            let (word, bit) = (cell(posting) / 64, 1 << (cell(posting) % 64));
            repeated[word] |= seen[word] & bit;
            seen[word] |= bit;
        }
        self.postings.retain(|posting| {
            let cell = cell(posting);
            repeated[cell / 64] >> (cell % 64) & 1 == 1
        });
    }

    /// Renumbers documents by size, so that those within reach of each other stand together when
    /// postings are sorted by number. Documents without postings are dropped.
    fn number_documents_by_size(&mut self) {
        let mut is_used = vec![false; self.documents.len()];
        for posting in &self.postings {
            is_used[posting.document as usize] = true;
        }
        let all = 0..self.documents.len() as u32;
        let mut by_size: Vec<u32> = all.filter(|&at| is_used[at as usize]).collect();
        by_size.sort_unstable_by(|&a, &b| {
            let size = |at: u32| self.documents[at as usize].size.total;
            size(a).total_cmp(&size(b)).then(a.cmp(&b))
        });
        let mut numbers = vec![0; self.documents.len()];
        for (number, &before) in (0u32..).zip(&by_size) {
            numbers[before as usize] = number;
        }
        let sorted = by_size.iter().map(|&at| self.documents[at as usize]);
        self.documents = sorted.collect();
        for posting in &mut self.postings {
            posting.document = numbers[posting.document as usize];
        }
    }

    /// The places of the postings of each document after those of the one before.
    fn postings_by_document(&self) -> Vec<u32> {
        let mut next = vec![0u32; self.documents.len() + 1];
        for posting in &self.postings {
            next[posting.document as usize + 1] += 1;
        }
        for document in 1..next.len() {
            next[document] += next[document - 1];
        }
        let mut places = vec![0; self.postings.len()];
        for (at, posting) in (0u32..).zip(&self.postings) {
            let place = &mut next[posting.document as usize];
            places[*place as usize] = at;
            *place += 1;
        }
        places
    }
}

/// A join that is under way.
#[derive(Debug)]
pub struct Joining {
    joiner: Joiner,
    /// For each posting those of smaller documents that it is compared with, from one to the next:
    /// in its own group, or on the left side of a unit.
    smaller: Vec<(u32, u32)>,
    /// The postings of each document after those of the one before, and which of them is next.
    by_document: Vec<u32>,
    next: usize,
    /// What the document at hand shares with each other one, and which ones those are.
    shared: Vec<f32>,
    touched: Vec<u32>,
    writer: CandidateWriter,
    report: JoinReport,
}

impl Joining {
    /// Numbers about what was done so far.
    pub fn report(&self) -> JoinReport {
        self.report
    }

    /// The next pairs, a blob for each task that merges some of them; `None` at the end.
    pub fn next_blobs(&mut self) -> Option<Vec<(u32, Vec<u8>)>> {
        while self.writer.len() < FULL && self.next < self.by_document.len() {
            self.next_document();
        }
        (!self.writer.is_empty()).then(|| self.writer.take())
    }

    /// Adds the pairs of the next document with those before it in the order of sizes.
    fn next_document(&mut self) {
        let document = |joining: &Self, at: u32| joining.joiner.postings[at as usize].document;
        let number = document(self, self.by_document[self.next]);
        while let Some(&at) = self.by_document.get(self.next) {
            if document(self, at) != number {
                break;
            }
            self.next += 1;
            self.add_shared(at);
        }
        self.emit(number);
    }

    /// Adds what a document shares with smaller ones at one of its postings.
    fn add_shared(&mut self, at: u32) {
        let Joiner {
            documents,
            postings,
            against,
            bounds,
        } = &self.joiner;
        let own = postings[at as usize];
        let larger = documents[own.document as usize];
        let least = Bounds::least_total(*bounds, larger.size.total);
        let size = |posting: &RoutedPosting| documents[posting.document as usize].size.total;
        let (first, end) = self.smaller[at as usize];
        let smaller = &postings[first as usize..end as usize];
        let within_reach = &smaller[smaller.partition_point(|posting| size(posting) < least)..];
        self.report.comparisons += within_reach.len() as u64;
        for other in within_reach {
            let smaller = documents[other.document as usize];
            if other.document == own.document || !may_pair(*against, smaller.sides, larger.sides) {
                continue;
            }
            let shared = match bounds {
                Some(bounds) if smaller.size.total > 0.0 && larger.size.total > 0.0 => {
                    bounds.shared_at((smaller.size, other.mark), (larger.size, own.mark))
                }
                _ => Some(1.0),
            };
            let Some(shared) = shared else { continue };
            let sum = &mut self.shared[other.document as usize];
            if *sum == 0.0 {
                self.touched.push(other.document);
            }
            *sum += (shared as f32).max(f32::MIN_POSITIVE);
        }
    }

    /// Hands on the pairs of a document.
    fn emit(&mut self, number: u32) {
        let documents = &self.joiner.documents;
        let larger = documents[number as usize];
        for other in self.touched.drain(..) {
            let shared = std::mem::take(&mut self.shared[other as usize]);
            let smaller = documents[other as usize];
            let least = match self.joiner.bounds {
                Some(bounds) if smaller.size.total > 0.0 && larger.size.total > 0.0 => {
                    if differ_too_much(bounds, smaller, larger) {
                        continue;
                    }
                    bounds.least_shared_by_keys(smaller.size, larger.size)
                }
                _ => 0.0,
            };
            // At most the true part, also after rounding.
            let part = match f64::from(shared) * (1.0 + 1e-4) / least {
                part if part.is_finite() && (0.0..1.0).contains(&part) => {
                    (part * f64::from(WHOLE)).ceil() as u32
                }
                _ => WHOLE,
            };
            if smaller.number != larger.number {
                self.writer.push(smaller.number, larger.number, part);
                self.report.pairs += 1;
            }
        }
    }
}

/// Whether two documents differ in more features than a match can.
fn differ_too_much(bounds: Bounds, x: RoutedDocument, y: RoutedDocument) -> bool {
    match (x.parities, y.parities) {
        (Some(of_x), Some(of_y)) => {
            f64::from(of_x.differences(of_y)) > bounds.most_differences(x.size, y.size)
        }
        _ => false,
    }
}
