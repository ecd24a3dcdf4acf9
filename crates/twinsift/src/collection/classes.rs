//! Documents with the very same features, taken together.
//!
//! Ten thousand copies of one text are one vector to the matchers and one entry
//! here. They are spread out again only when pairs are written.

use super::revisits::originals;
use crate::document::ContentKey;
use crate::hash;
use rayon::prelude::*;
use std::collections::HashMap;

/// Which documents are equal to which. Each class is named by its first member
/// that has content of its own, its representative.
#[derive(Clone, Debug, Default)]
pub struct Classes {
    representative: Vec<u32>,
    /// Members of the classes that have several, grouped, ascending.
    members: Vec<u32>,
    /// Where a representative's members stand; only for classes that have several.
    ranges: HashMap<u32, (u32, u32), hash::OfHashes>,
    /// Which documents represent such a class: most do not, and need no look at a map.
    several: Vec<bool>,
    judged: Vec<bool>,
}

impl Classes {
    /// Groups documents by digest; those without one (`None`) have nothing to
    /// compare and are equal to no other. A document of which `has_content` is
    /// false borrowed its digest and cannot stand for its class.
    pub fn new(digests: &[Option<u128>], has_content: impl Fn(u32) -> bool) -> Self {
        // Sorted rather than filed in a hash map: all threads sort, and a map of
        // millions of digests misses the cache at every step. Half of a digest is
        // enough to bring equal ones together, and few others.
        let mut sorted: Vec<(u64, u32)> = (0u32..)
            .zip(digests)
            .filter_map(|(doc, digest)| Some(((*digest)? as u64, doc)))
            .collect();
        sorted.par_sort_unstable();
        let mut representative: Vec<u32> = (0..digests.len() as u32).collect();
        let mut members = Vec::new();
        let mut ranges = HashMap::default();
        let mut several = vec![false; digests.len()];
        let whole = |&(_, doc): &(u64, u32)| (digests[doc as usize], !has_content(doc), doc);
        for alike in sorted.chunk_by_mut(|(x, _), (y, _)| x == y) {
            alike.sort_unstable_by_key(whole);
            for class in alike.chunk_by(|x, y| whole(x).0 == whole(y).0) {
                let [(_, first), _, ..] = *class else {
                    continue;
                };
                let start = members.len();
                members.extend(class.iter().map(|&(_, doc)| doc));
                members[start..].sort_unstable();
                for &doc in &members[start..] {
                    representative[doc as usize] = first;
                }
                ranges.insert(first, (start as u32, members.len() as u32));
                several[first as usize] = true;
            }
        }
        Self {
            representative,
            members,
            ranges,
            several,
            judged: digests.iter().map(Option::is_some).collect(),
        }
    }

    /// The representative of a document's class.
    pub fn representative(&self, doc: u32) -> u32 {
        self.representative[doc as usize]
    }

    /// Whether the document had anything to compare.
    pub fn is_judged(&self, doc: u32) -> bool {
        self.judged[doc as usize]
    }

    /// Whether the matchers are to look at this document: it stands for its class.
    pub fn is_representative(&self, doc: u32) -> bool {
        self.judged[doc as usize] && self.representative[doc as usize] == doc
    }

    /// The other members of the class that `representative` names, ascending.
    /// Empty if it has none; otherwise it includes `representative` itself.
    pub fn members(&self, representative: u32) -> &[u32] {
        if !self.several[representative as usize] {
            return &[];
        }
        let (start, end) = self.ranges[&representative];
        &self.members[start as usize..end as usize]
    }

    /// All members of the class that `representative` names, ascending.
    pub fn all_members<'a>(&'a self, representative: &'a u32) -> &'a [u32] {
        match self.members(*representative) {
            [] => std::slice::from_ref(representative),
            members => members,
        }
    }

    /// Number of documents.
    pub fn len(&self) -> usize {
        self.representative.len()
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.representative.is_empty()
    }
}

/// Gives each document that only repeats another one's content the digest of
/// that other one. Returns how many have no original.
pub fn resolve_revisits(content_keys: &[(u32, ContentKey)], digests: &mut [Option<u128>]) -> usize {
    let mut orphans = 0;
    for (doc, original) in originals(content_keys) {
        match original {
            Some(original) => digests[doc as usize] = digests[original as usize],
            None => orphans += 1,
        }
    }
    orphans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_digests_share_a_class_and_missing_ones_do_not() {
        let classes = Classes::new(&[Some(5), None, Some(6), Some(5), None, Some(5)], |_| true);
        assert_eq!(classes.members(0), [0, 3, 5]);
        assert!(classes.members(2).is_empty());
        assert_eq!(classes.representative(5), 0);
        assert!(classes.is_representative(2));
        assert!(!classes.is_representative(1));
        assert_eq!(classes.representative(4), 4);
    }

    #[test]
    fn a_revisit_takes_the_digest_of_what_it_repeats() {
        let content_keys = [
            (0, ContentKey::Repeats(1)),
            (1, ContentKey::Holds(1)),
            (2, ContentKey::Repeats(9)),
        ];
        let mut digests = [None, Some(77), None];
        assert_eq!(resolve_revisits(&content_keys, &mut digests), 1);
        assert_eq!(digests, [Some(77), Some(77), None]);
        let classes = Classes::new(&digests, |doc| doc == 1);
        assert_eq!(classes.representative(0), 1);
        assert_eq!(classes.members(1), [0, 1]);
    }
}
