//! Candidates whose signatures are near each other: they go to the sink with the cosine that
//! their bits estimate, or are first verified by their vectors.

use super::estimate;
use crate::collection::store::Store;
use crate::error::Result;
use crate::matching::Job;
use crate::matching::edges::{Edge, EdgeSink};
use crate::matching::lsh::{BlockPositions, Check, verify};
use crate::similarity::Similarity;
use std::sync::{Mutex, PoisonError};

/// Two documents, and in how many bits they differ.
pub(super) type NearPair = (u32, u32, u32);

/// Pairs that are handed on at a time.
const BATCH: usize = 1 << 14;

/// Takes candidates, and hands them to the sink, verified or not.
pub(super) struct CandidateSink<'a> {
    sink: &'a EdgeSink,
    bits: u32,
    verification: Option<Verification<'a>>,
}

struct Verification<'a> {
    check: Check,
    store: &'a Store,
    positions: BlockPositions,
    waiting: Mutex<Vec<(u32, u32)>>,
    limit: usize,
}

impl<'a> CandidateSink<'a> {
    pub(super) fn new(
        job: &Job<'_>,
        threshold: f64,
        vectors: Option<&'a Store>,
        bits: u32,
        sink: &'a EdgeSink,
    ) -> Result<Self> {
        let lists = rayon::current_num_threads() + 1;
        let verification = match vectors {
            None => None,
            Some(store) => Some(Verification {
                check: Check {
                    require: 1,
                    lanes: 1,
                    similarity: Similarity::Cosine,
                    threshold,
                },
                store,
                positions: BlockPositions::new(store, job.classes.len())?,
                waiting: Mutex::new(Vec::new()),
                limit: (job.budget.candidates() / size_of::<(u32, u32)>() / lists).max(1),
            }),
        };
        Ok(Self {
            sink,
            bits,
            verification,
        })
    }

    /// Takes the pairs, if there are many by now.
    pub(super) fn take_if_many(&self, found: &mut Vec<NearPair>) -> Result<()> {
        match found.len() >= BATCH {
            true => self.take(found),
            false => Ok(()),
        }
    }

    /// Takes pairs and in how many bits they differ.
    pub(super) fn take(&self, found: &mut Vec<NearPair>) -> Result<()> {
        let Some(verification) = &self.verification else {
            let edge = |(a, b, apart)| Edge::new(a, b, estimate(apart, self.bits));
            let mut edges = found.drain(..).map(edge).collect();
            return self.sink.extend(&mut edges);
        };
        let mut waiting = verification
            .waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        waiting.extend(found.drain(..).map(|(a, b, _)| (a, b)));
        if waiting.len() < verification.limit {
            return Ok(());
        }
        let full = std::mem::take(&mut *waiting);
        drop(waiting);
        verify(
            verification.check,
            verification.store,
            &verification.positions,
            full,
            self.sink,
        )
    }

    pub(super) fn finish(self) -> Result<()> {
        let Some(verification) = self.verification else {
            return Ok(());
        };
        let rest = verification.waiting.into_inner();
        let rest = rest.unwrap_or_else(PoisonError::into_inner);
        verify(
            verification.check,
            verification.store,
            &verification.positions,
            rest,
            self.sink,
        )
    }
}
