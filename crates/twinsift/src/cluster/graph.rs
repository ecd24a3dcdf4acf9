//! All near-duplicate pairs of a run, without listing them.
//!
//! The matchers found edges between representatives; each representative stands
//! for a class of equal documents. Ten thousand copies of a text make fifty
//! million pairs and are still one class here: pairs are spread out one document
//! at a time, while they are read.

use crate::collection::classes::Classes;
use crate::error::{Error, Result};
use crate::matching::edges::Adjacency;

/// Two near duplicates, by their index in the input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The first in input order.
    pub a: u32,
    /// The second.
    pub b: u32,
    /// Their similarity, or the method's own score.
    pub score: f64,
}

/// The pairs of a run.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(super) classes: Classes,
    pub(crate) adjacency: Adjacency,
    pub(super) old_from: Option<u32>,
}

impl Graph {
    pub(crate) fn new(classes: Classes, adjacency: Adjacency, old_from: Option<u32>) -> Self {
        Self {
            classes,
            adjacency,
            old_from,
        }
    }

    pub(crate) fn classes(&self) -> &Classes {
        &self.classes
    }

    pub(crate) fn len(&self) -> usize {
        self.classes.len()
    }

    /// How many pairs of documents an edge between two classes, or within one, stands for.
    pub(super) fn pairs_between(&self, x: u32, y: u32) -> u64 {
        let sizes = |class: u32| {
            let members = self.classes.all_members(&class);
            let new = members.partition_point(|&member| !self.is_old(member));
            (new as u64, (members.len() - new) as u64)
        };
        let ((new_x, old_x), (new_y, old_y)) = (sizes(x), sizes(y));
        match (x == y, self.old_from) {
            (true, None) => new_x * (new_x - 1) / 2,
            (true, Some(_)) => new_x * old_x,
            (false, None) => new_x * new_y,
            (false, Some(_)) => new_x * old_y + old_x * new_y,
        }
    }

    pub(super) fn is_old(&self, doc: u32) -> bool {
        self.old_from.is_some_and(|from| doc >= from)
    }

    /// All pairs, or nothing but why there are none.
    pub(crate) fn pairs(&self, refused: Option<Error>) -> Pairs<'_> {
        Pairs {
            graph: self,
            refused,
            next: 0,
            partners: Vec::new(),
            at: 0,
            neighbours: Vec::new(),
        }
    }

    /// Replaces `partners` by the later documents that pair with `doc`,
    /// ascending, with their scores.
    fn later_partners(
        &self,
        doc: u32,
        neighbours: &mut Vec<(u32, f64)>,
        partners: &mut Vec<(u32, f64)>,
    ) -> Result<()> {
        partners.clear();
        if !self.classes.is_judged(doc) || self.is_old(doc) {
            return Ok(());
        }
        // With an old collection only its documents count, and they come last.
        let from = self.old_from.unwrap_or(0).max(doc + 1);
        let own = self.classes.representative(doc);
        self.adjacency.neighbours(own, neighbours)?;
        neighbours.push((own, 1.0));
        for &(other, score) in neighbours.iter() {
            match self.classes.members(other) {
                [] if other >= from => partners.push((other, score)),
                members => {
                    let later = members.partition_point(|&member| member < from);
                    partners.extend(members[later..].iter().map(|&member| (member, score)));
                }
            }
        }
        partners.sort_unstable_by_key(|&(partner, _)| partner);
        Ok(())
    }
}

/// Reads pairs as a stream, ordered by `a`, then `b`.
#[derive(Debug)]
pub struct Pairs<'a> {
    graph: &'a Graph,
    refused: Option<Error>,
    next: u32,
    partners: Vec<(u32, f64)>,
    at: usize,
    neighbours: Vec<(u32, f64)>,
}

impl Iterator for Pairs<'_> {
    type Item = Result<Pair>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(error) = self.refused.take() {
            self.next = self.graph.len() as u32;
            return Some(Err(error));
        }
        loop {
            if let Some(&(b, score)) = self.partners.get(self.at) {
                self.at += 1;
                let a = self.next - 1;
                return Some(Ok(Pair { a, b, score }));
            }
            if self.next as usize >= self.graph.len() {
                return None;
            }
            let (doc, graph) = (self.next, self.graph);
            self.next += 1;
            self.at = 0;
            let (neighbours, partners) = (&mut self.neighbours, &mut self.partners);
            if let Err(error) = graph.later_partners(doc, neighbours, partners) {
                return Some(Err(error));
            }
        }
    }
}
