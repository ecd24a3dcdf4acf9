//! Scores of judged pairs.
//!
//! A curve over all thresholds takes the scores of nearly all pairs of a collection, and
//! only whether each pair is true or not. So pairs are judged as they are found, and those
//! that are not true are not listed: their scores are counted.

use super::edges::Edge;
use super::score_buckets::ScoreBuckets;
use crate::collection::classes::Classes;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Whether two documents, the first one first, are true near duplicates; `None` if that is
/// not known.
pub type Judge = dyn Fn(u32, u32) -> Option<bool> + Send + Sync;

/// Pairs that were judged.
#[derive(Debug, Default)]
pub struct JudgedPairs {
    /// The true ones.
    pub of_true: Vec<Edge>,
    /// The scores of the others.
    pub of_false: ScoreBuckets,
}

impl JudgedPairs {
    /// Adds a pair of documents.
    pub fn add(&mut self, edge: Edge, is_true: Option<bool>) {
        match is_true {
            Some(true) => self.of_true.push(edge),
            Some(false) => self.of_false.push(edge.score),
            None => {}
        }
    }
}

/// Judges pairs as they are found.
pub(crate) struct JudgingSink {
    classes: Classes,
    judge: Arc<Judge>,
    judged: Mutex<JudgedPairs>,
}

impl fmt::Debug for JudgingSink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JudgingSink").finish_non_exhaustive()
    }
}

impl JudgingSink {
    /// Pairs of equal documents are judged at once.
    pub(crate) fn new(classes: &Classes, judge: Arc<Judge>) -> Self {
        let mut judged = JudgedPairs::default();
        for class in 0..classes.len() as u32 {
            let members = classes.members(class);
            for (at, &a) in members.iter().enumerate() {
                for &b in &members[at + 1..] {
                    judged.add(Edge::new(a, b, 1.0), judge(a, b));
                }
            }
        }
        Self {
            classes: classes.clone(),
            judge,
            judged: Mutex::new(judged),
        }
    }

    /// Judges the pairs of all documents that the edges' ends stand for.
    pub(crate) fn take(&self, edges: &mut Vec<Edge>) {
        let mut judged = JudgedPairs::default();
        for edge in edges.drain(..) {
            for &a in self.classes.all_members(&edge.a) {
                for &b in self.classes.all_members(&edge.b) {
                    let pair = Edge::new(a, b, edge.score);
                    judged.add(pair, (self.judge)(pair.a, pair.b));
                }
            }
        }
        let mut all = self.lock();
        all.of_true.append(&mut judged.of_true);
        all.of_false.append(&mut judged.of_false);
    }

    /// Everything that was judged so far.
    pub(crate) fn judged(&self) -> JudgedPairs {
        std::mem::take(&mut self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, JudgedPairs> {
        self.judged.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
