//! Labelled pairs and pairs of pairs to learn from, as in the paper's 4.1.1.
//!
//! Every pair within a cluster is a positive one. As many negative ones are drawn
//! at random from different clusters, so that the classes are balanced; more, where there
//! are few, for hard ones are rare. Of both,
//! pairs of a positive and a negative one are drawn: the first should score higher.
//! Where there are no more of these than would be drawn, all are taken.

use std::collections::HashSet;
use twinsift::hash::{Stream, pair};

/// Pairs of pairs, at most: as many as in the paper.
pub const PREFERENCES: usize = 80_000;

/// Positive pairs beyond this are drawn from rather than all taken.
pub const MOST_POSITIVES: usize = 20_000;

/// What is learnt from.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// Pairs of documents: `positives` positive ones, then the negative ones.
    pub pairs: Vec<(u32, u32)>,
    /// How many are positive.
    pub positives: usize,
    /// (a positive pair, a negative one), as places in `pairs`.
    pub preferences: Vec<(u32, u32)>,
}

/// Draws a sample from documents `docs`, where `cluster` has the cluster of every
/// document, with at least so many `negatives` if there are. `None` if there is no pair of
/// one kind.
pub fn draw(
    docs: &[u32],
    cluster: &[u32],
    judged: impl Fn(u32, u32) -> bool,
    negatives: usize,
    seed: u64,
) -> Option<Sample> {
    let mut stream = Stream::new(pair(seed, SAMPLE));
    let mut pairs = positives(docs, cluster);
    if pairs.len() > MOST_POSITIVES {
        for at in 0..MOST_POSITIVES {
            let other = at + stream.below(pairs.len() - at);
            pairs.swap(at, other);
        }
        pairs.truncate(MOST_POSITIVES);
        pairs.sort_unstable();
    }
    let positives = pairs.len();
    if positives == 0 {
        return None;
    }
    let wanted = positives.max(negatives);
    let mut known: HashSet<(u32, u32)> = HashSet::new();
    // Where nearly every pair is a positive one there may be few others.
    for _ in 0..wanted * 20 {
        if known.len() == wanted {
            break;
        }
        let (a, b) = (
            docs[stream.below(docs.len())],
            docs[stream.below(docs.len())],
        );
        let key = (a.min(b), a.max(b));
        let apart = cluster[a as usize] != cluster[b as usize];
        if a != b && apart && judged(a, b) && known.insert(key) {
            pairs.push(key);
        }
    }
    let negatives = pairs.len() - positives;
    if negatives == 0 {
        return None;
    }
    let preferences = match positives * negatives <= PREFERENCES {
        true => (0..positives * negatives)
            .map(|at| (at / negatives, positives + at % negatives))
            .map(|(near, far)| (near as u32, far as u32))
            .collect(),
        false => (0..PREFERENCES)
            .map(|_| {
                let near = stream.below(positives);
                let far = positives + stream.below(negatives);
                (near as u32, far as u32)
            })
            .collect(),
    };
    Some(Sample {
        pairs,
        positives,
        preferences,
    })
}

/// Whether there is a positive pair among `docs`.
pub(super) fn has_positives(docs: &[u32], cluster: &[u32]) -> bool {
    let mut clusters: Vec<u32> = docs.iter().map(|&doc| cluster[doc as usize]).collect();
    clusters.sort_unstable();
    clusters.windows(2).any(|pair| pair[0] == pair[1])
}

/// Every pair within a cluster, in order.
fn positives(docs: &[u32], cluster: &[u32]) -> Vec<(u32, u32)> {
    let mut by_cluster: Vec<(u32, u32)> = docs
        .iter()
        .map(|&doc| (cluster[doc as usize], doc))
        .collect();
    by_cluster.sort_unstable();
    let mut pairs = Vec::new();
    for members in by_cluster.chunk_by(|x, y| x.0 == y.0) {
        for (at, &(_, a)) in members.iter().enumerate() {
            pairs.extend(members[at + 1..].iter().map(|&(_, b)| (a, b)));
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Sets the numbers drawn here apart from others of the same seed.
const SAMPLE: u64 = 0x414e_4444;
