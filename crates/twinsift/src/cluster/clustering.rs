//! The group of each document.

/// The group of each document, named by its first member.
#[derive(Clone, Debug, PartialEq)]
pub struct Clustering {
    first: Vec<u32>,
    sizes: Vec<u32>,
    /// Which member each document was verified against, and their score; empty where groups are
    /// what pairs connect.
    representatives: Vec<(u32, f64)>,
    unverified: u64,
}

impl Clustering {
    /// Groups of documents that were verified against a representative each.
    pub(super) fn verified(representatives: Vec<(u32, f64)>) -> Self {
        let mut first_of = vec![u32::MAX; representatives.len()];
        for (doc, &(representative, _)) in (0..).zip(&representatives) {
            let first = &mut first_of[representative as usize];
            *first = doc.min(*first);
        }
        let first = representatives
            .iter()
            .map(|&(representative, _)| first_of[representative as usize])
            .collect();
        Self {
            representatives,
            unverified: 0,
            ..Self::connected(first, 0)
        }
    }

    /// Groups of connected documents, by the first member of each, of whose pairs so many were
    /// verified.
    pub(super) fn connected(first: Vec<u32>, verified: u64) -> Self {
        let mut sizes = vec![0; first.len()];
        for &group in &first {
            sizes[group as usize] += 1;
        }
        let pairs_of = |&size: &u32| u64::from(size) * u64::from(size).saturating_sub(1) / 2;
        let pairs: u64 = sizes.iter().map(pairs_of).sum();
        Self {
            first,
            sizes,
            representatives: Vec::new(),
            unverified: pairs.saturating_sub(verified),
        }
    }

    /// The first member of a document's group.
    pub fn first(&self, doc: u32) -> u32 {
        self.first[doc as usize]
    }

    /// How many documents its group has.
    pub fn size(&self, doc: u32) -> u32 {
        self.sizes[self.first[doc as usize] as usize]
    }

    /// The member that a document was verified against, with their score: 1 for that member
    /// itself. `None` where groups are whatever pairs connect.
    pub fn representative(&self, doc: u32) -> Option<(u32, f64)> {
        self.representatives.get(doc as usize).copied()
    }

    /// Pairs of members of one group that are not near duplicates, where groups are whatever
    /// pairs connect; else 0.
    pub fn unverified(&self) -> u64 {
        self.unverified
    }

    /// The documents, group by group: groups in the order of their first members; in a group the
    /// representative, then the others by score, then as they came. Where there are no
    /// representatives, members are as they came.
    pub fn grouped_order(&self) -> Vec<u32> {
        let mut docs: Vec<u32> = (0..self.first.len() as u32).collect();
        docs.sort_by(|&x, &y| {
            let rank = |doc: u32| match self.representative(doc) {
                Some((representative, score)) => (representative != doc, score),
                None => (false, 0.0),
            };
            let ((is_other_x, score_x), (is_other_y, score_y)) = (rank(x), rank(y));
            (self.first(x), is_other_x)
                .cmp(&(self.first(y), is_other_y))
                .then(score_y.total_cmp(&score_x))
        });
        docs
    }

    /// Number of groups with at least two members.
    pub fn groups(&self) -> usize {
        self.sizes.iter().filter(|&&size| size > 1).count()
    }

    /// Members of the largest group.
    pub fn largest(&self) -> u32 {
        self.sizes.iter().copied().max().unwrap_or(0)
    }

    /// Number of documents in groups of at least two.
    pub fn grouped(&self) -> usize {
        self.sizes
            .iter()
            .filter(|&&size| size > 1)
            .map(|&size| size as usize)
            .sum()
    }
}
