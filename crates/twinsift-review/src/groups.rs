//! The groups of a collection, and the orders in which people look at them.

use crate::spool::Texts;
use std::cmp::Reverse;
use twinsift::collection::documents::Documents;
use twinsift::{Group, Matches, Purpose};

/// What matches are found for, so that [`Groups::of`] can be made of them.
pub const PURPOSE: Purpose = Purpose::Groups(Group::Representative);

/// Groups that are found at most by one search.
pub const MOST_FOUND: usize = 1_000;

/// Bytes of titles that are looked through at most by one search.
const MOST_SEARCHED: u64 = 256 << 20;

/// An order of groups.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// The largest first.
    #[default]
    Size,
    /// Those first whose members are least alike.
    Score,
    /// By the id of the representative.
    Id,
}

/// The groups of a collection: each has a representative, of which every other member is a near
/// duplicate.
#[derive(Debug, Default)]
pub struct Groups {
    /// The representative of each document, itself if it is one or alone.
    representative: Vec<u32>,
    /// How much alike each document and its representative are.
    score: Vec<f32>,
    /// The members of all groups, and where those of each begin.
    members: Vec<u32>,
    starts: Vec<u32>,
    /// Groups by their number, in each order.
    orders: [Vec<u32>; 3],
}

impl Groups {
    /// The groups of matches that were found for [`PURPOSE`].
    pub fn of(matches: &Matches) -> twinsift::Result<Self> {
        Self::grouped_by(matches, Group::Representative)
    }

    /// The groups of matches, made in some way that they were found for. Where documents are
    /// grouped that were not compared, scores are no numbers.
    pub fn grouped_by(matches: &Matches, group: Group) -> twinsift::Result<Self> {
        let (representative, score) = represented(matches, group)?;
        let mut groups = Self::collected(representative, score);
        groups.sort(matches.documents());
        Ok(groups)
    }

    fn collected(representative: Vec<u32>, score: Vec<f32>) -> Self {
        let mut size = vec![0u32; representative.len()];
        for &first in &representative {
            size[first as usize] += 1;
        }
        let grouped = |&doc: &u32| size[representative[doc as usize] as usize] > 1;
        let mut members: Vec<u32> = (0..representative.len() as u32).filter(grouped).collect();
        let of = |doc: u32| representative[doc as usize];
        members.sort_unstable_by_key(|&doc| (of(doc), doc != of(doc), doc));
        let is_first = |at: &u32| {
            let at = *at as usize;
            at == 0 || of(members[at]) != of(members[at - 1])
        };
        let mut starts: Vec<u32> = (0..members.len() as u32).filter(is_first).collect();
        starts.push(members.len() as u32);
        Self {
            representative,
            score,
            members,
            starts,
            orders: Default::default(),
        }
    }

    fn sort(&mut self, documents: &Documents) {
        let numbers = || (0..self.len() as u32).collect::<Vec<u32>>();
        let [mut by_size, mut by_score, mut by_id] = [(); 3].map(|()| numbers());
        by_size.sort_by_key(|&group| Reverse(self.members(group).len()));
        let lowest: Vec<f32> = numbers()
            .into_iter()
            .map(|group| self.lowest(group))
            .collect();
        by_score.sort_by(|&x, &y| lowest[x as usize].total_cmp(&lowest[y as usize]));
        if documents.all_integers() {
            let number = |&group: &u32| documents.id(self.first(group)).text.parse::<i64>().ok();
            by_id.sort_by_cached_key(number);
        } else {
            by_id.sort_by(|&x, &y| {
                let [x, y] = [x, y].map(|group| documents.id(self.first(group)).text);
                x.cmp(&y)
            });
        }
        self.orders = [by_size, by_score, by_id];
    }

    /// How many groups there are.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether no two documents are near duplicates.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many documents are in groups.
    pub fn grouped(&self) -> usize {
        self.members.len()
    }

    /// The members of a group, the representative first.
    pub fn members(&self, group: u32) -> &[u32] {
        let [from, to] = [group, group + 1].map(|at| self.starts[at as usize] as usize);
        &self.members[from..to]
    }

    /// The representative of a group.
    pub fn first(&self, group: u32) -> u32 {
        self.members(group)[0]
    }

    /// The group of a document, unless it is alone.
    pub fn group_of(&self, doc: u32) -> Option<u32> {
        let first = *self.representative.get(doc as usize)?;
        let at = self.starts[..self.len()]
            .binary_search_by_key(&first, |&start| self.members[start as usize]);
        at.ok().map(|at| at as u32)
    }

    /// How much alike a document and its representative are.
    pub fn score(&self, doc: u32) -> f32 {
        self.score[doc as usize]
    }

    /// How much alike the member of a group that is least alike is.
    pub fn lowest(&self, group: u32) -> f32 {
        let scores = self.members(group).iter().map(|&doc| self.score(doc));
        let lower = |lowest: f32, score: f32| match score.is_nan() {
            true => score,
            false => lowest.min(score),
        };
        scores.fold(1.0, lower)
    }

    /// Groups in an order.
    pub fn sorted(&self, sort: Sort) -> &[u32] {
        &self.orders[sort as usize]
    }

    /// How many groups have 2, 3, 4, 5 to 9, 10 to 99 and more members.
    pub fn sizes(&self) -> [(&'static str, u64); 6] {
        let mut sizes = ["2", "3", "4", "5–9", "10–99", "100 and more"].map(|name| (name, 0));
        for group in 0..self.len() as u32 {
            let size = self.members(group).len();
            sizes[[3, 4, 5, 10, 100].partition_point(|&from| from <= size)].1 += 1;
        }
        sizes
    }

    /// The groups with a member whose id or title holds some words, and whether these are all:
    /// a search ends with [`MOST_FOUND`] groups, or after 256 MiB of titles.
    pub fn search(&self, words: &str, documents: &Documents, texts: &Texts) -> (Vec<u32>, bool) {
        let mut found = std::collections::BTreeSet::new();
        let finder = memchr::memmem::Finder::new(words.as_bytes());
        let mut add = |doc: u32| {
            found.extend(self.group_of(doc));
            found.len() < MOST_FOUND
        };
        let has = |&&doc: &&u32| finder.find(documents.id(doc).text.as_bytes()).is_some();
        let mut is_whole = self.members.iter().filter(has).all(|&doc| add(doc));
        if is_whole {
            is_whole = texts
                .search_titles(words, MOST_SEARCHED, add)
                .unwrap_or(false);
        }
        (found.into_iter().collect(), is_whole)
    }
}

/// The representative of each document, and how much alike the two are.
fn represented(matches: &Matches, group: Group) -> twinsift::Result<(Vec<u32>, Vec<f32>)> {
    let clusters = matches.clusters(group)?;
    let of = |doc: u32| match (clusters.representative(doc), clusters.first(doc)) {
        (Some((representative, score)), _) => (representative, score as f32),
        (None, first) if first == doc => (doc, 1.0),
        (None, first) => (first, f32::NAN),
    };
    Ok((0..matches.documents().len() as u32).map(of).unzip())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_stand_by_their_representative() {
        let groups = Groups::collected(
            vec![0, 1, 0, 3, 3, 0, 6],
            vec![1.0, 1.0, 0.7, 1.0, 0.9, 0.8, 1.0],
        );
        assert_eq!(groups.len(), 2);
        assert_eq!(groups.members(0), [0, 2, 5]);
        assert_eq!(groups.members(1), [3, 4]);
        assert_eq!(groups.group_of(5), Some(0));
        assert_eq!(groups.group_of(6), None);
        assert_eq!(groups.lowest(0), 0.7);
        assert_eq!(groups.sizes()[..2], [("2", 1), ("3", 1)]);
        assert!(Groups::collected(vec![0, 1], vec![1.0; 2]).is_empty());
    }
}
