//! Where pairs go whose signatures are near each other: to the sink with the cosine that
//! their bits tell, or first to be compared by their vectors.

use super::estimate;
use crate::collection::store::Store;
use crate::error::Result;
use crate::matching::edges::{Edge, EdgeSink};
use crate::matching::lsh::{Check, Whereabouts, compare};
use crate::matching::{Job, similarity::Similarity};
use std::sync::{Mutex, PoisonError};

/// Two documents, and in how many bits they differ.
pub(super) type Near = (u32, u32, u32);

/// Pairs that are handed on at a time.
const HANDFUL: usize = 1 << 14;

/// Where pairs of signatures go: to the sink, or first to be compared in full.
pub(super) struct Outlet<'a> {
    sink: &'a EdgeSink,
    bits: u32,
    second_look: Option<SecondLook<'a>>,
}

struct SecondLook<'a> {
    check: Check,
    store: &'a Store,
    whereabouts: Whereabouts,
    waiting: Mutex<Vec<(u32, u32)>>,
    limit: usize,
}

impl<'a> Outlet<'a> {
    pub fn new(
        job: &Job<'_>,
        threshold: f64,
        vectors: Option<&'a Store>,
        bits: u32,
        sink: &'a EdgeSink,
    ) -> Result<Self> {
        let lists = rayon::current_num_threads() + 1;
        let second_look = match vectors {
            None => None,
            Some(store) => Some(SecondLook {
                check: Check {
                    require: 1,
                    lanes: 1,
                    similarity: Similarity::Cosine,
                    threshold,
                },
                store,
                whereabouts: Whereabouts::new(store, job.classes.len())?,
                waiting: Mutex::new(Vec::new()),
                limit: (job.budget.candidates() / size_of::<(u32, u32)>() / lists).max(1),
            }),
        };
        Ok(Self {
            sink,
            bits,
            second_look,
        })
    }

    /// Takes the pairs, if there are many by now.
    pub fn take_if_many(&self, found: &mut Vec<Near>) -> Result<()> {
        match found.len() >= HANDFUL {
            true => self.take(found),
            false => Ok(()),
        }
    }

    /// Takes pairs and in how many bits they differ.
    pub fn take(&self, found: &mut Vec<Near>) -> Result<()> {
        let Some(look) = &self.second_look else {
            let edge = |(a, b, apart)| Edge::new(a, b, estimate(apart, self.bits));
            let mut edges = found.drain(..).map(edge).collect();
            return self.sink.extend(&mut edges);
        };
        let mut waiting = look.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.extend(found.drain(..).map(|(a, b, _)| (a, b)));
        if waiting.len() < look.limit {
            return Ok(());
        }
        let full = std::mem::take(&mut *waiting);
        drop(waiting);
        compare(look.check, look.store, &look.whereabouts, full, self.sink)
    }

    pub fn finish(self) -> Result<()> {
        let Some(look) = self.second_look else {
            return Ok(());
        };
        let rest = look.waiting.into_inner();
        let rest = rest.unwrap_or_else(PoisonError::into_inner);
        compare(look.check, look.store, &look.whereabouts, rest, self.sink)
    }
}
