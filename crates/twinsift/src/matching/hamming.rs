//! Bit signatures within some Hamming distance, without comparing all pairs.
//!
//! Cut the bits into blocks. If two signatures differ in at most `d` bits and
//! there are enough blocks, some block differs in at most `r` of its own bits
//! (pigeonhole). So for every block, signatures are grouped by that block, and
//! each looks into its own group and the groups within `r` bits. With `r = 0` and
//! four blocks this is the classic table scheme for 3 of 64 bits; larger
//! distances take larger `r`, whichever is estimated to be cheapest, and the largest are
//! left to a comparison of all pairs. The answer is exact for every distance.

use super::Job;
use super::edges::{Edge, EdgeSink};
use crate::error::Result;
use crate::hash;
use crate::parallel;
use crate::sketch::Rows;
use rayon::prelude::*;
use std::ops::Range;

/// Finds every pair of representatives that differ in at most `distance` bits.
/// The score is the share of bits that are equal.
pub(crate) fn within(job: &Job<'_>, rows: &Rows, distance: u32, sink: &EdgeSink) -> Result<u64> {
    let bits = rows.width() as u32 * 64;
    let docs: Vec<u32> = rows
        .docs()
        .filter(|&doc| job.classes.is_representative(doc))
        .collect();
    let Some(plan) = Plan::cheapest(bits, distance, docs.len() as f64) else {
        return all_pairs(job, rows, &docs, distance, sink);
    };
    let mut compared = 0;
    job.begin(plan.blocks.len())?;
    for (number, block) in plan.blocks.iter().enumerate() {
        let key = |doc: u32, block: &Range<u32>| slice(rows.row(doc), block);
        let mut keyed: Vec<(u64, u32)> =
            docs.par_iter().map(|&doc| (key(doc, block), doc)).collect();
        keyed.par_sort_unstable();
        let groups = Groups::new(&keyed);
        let masks = flips(block.len() as u32, plan.radius);
        compared += parallel::share_out(
            &job.settings.observer,
            docs.len(),
            256,
            || (0, Vec::new()),
            |(compared, found), range| {
                for &a in &docs[range] {
                    job.check()?;
                    let own = key(a, block);
                    let row = rows.row(a);
                    for mask in &masks {
                        for &(_, b) in groups.of(own ^ mask, &keyed) {
                            if b <= a {
                                continue;
                            }
                            *compared += 1;
                            let apart = differing(row, rows.row(b));
                            let met_before = || {
                                plan.blocks[..number].iter().any(|earlier| {
                                    let apart = (key(a, earlier) ^ key(b, earlier)).count_ones();
                                    apart <= plan.radius
                                })
                            };
                            if apart <= distance && job.may_pair(a, b) && !met_before() {
                                let score = 1.0 - f64::from(apart) / f64::from(bits);
                                found.push(Edge::new(a, b, score));
                            }
                        }
                    }
                }
                sink.extend(found)
            },
            |(compared, _)| compared,
        )?;
        job.advance(1)?;
    }
    Ok(compared)
}

/// Compares all signatures with all.
fn all_pairs(
    job: &Job<'_>,
    rows: &Rows,
    docs: &[u32],
    distance: u32,
    sink: &EdgeSink,
) -> Result<u64> {
    let bits = f64::from(rows.width() as u32 * 64);
    job.begin(docs.len())?;
    parallel::share_out(
        &job.settings.observer,
        docs.len(),
        16,
        Vec::new,
        |found, range| {
            for at in range {
                job.advance(1)?;
                for &b in &docs[at + 1..] {
                    let a = docs[at];
                    let apart = differing(rows.row(a), rows.row(b));
                    if apart <= distance && job.may_pair(a, b) {
                        found.push(Edge::new(a, b, 1.0 - f64::from(apart) / bits));
                    }
                }
            }
            sink.extend(found)
        },
        |_| 0,
    )?;
    let documents = docs.len() as u64;
    Ok(documents * documents.saturating_sub(1) / 2)
}

/// Bits in which two rows differ.
#[inline]
pub fn differing(x: &[u64], y: &[u64]) -> u32 {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "popcnt")]
        fn differing_by_popcnt(x: &[u64], y: &[u64]) -> u32 {
            count_differing(x, y)
        }
        if is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { differing_by_popcnt(x, y) };
        }
    }
    count_differing(x, y)
}

#[inline(always)]
pub(super) fn count_differing(x: &[u64], y: &[u64]) -> u32 {
    x.iter().zip(y).map(|(a, b)| (a ^ b).count_ones()).sum()
}

/// The bits of `block`, at most 64 of them.
pub(crate) fn slice(row: &[u64], block: &Range<u32>) -> u64 {
    let (word, bit) = ((block.start / 64) as usize, block.start % 64);
    let low = row[word] >> bit;
    let high = match row.get(word + 1) {
        Some(next) if bit > 0 => next << (64 - bit),
        _ => 0,
    };
    let length = block.end - block.start;
    match length {
        64 => low | high,
        _ => (low | high) & ((1 << length) - 1),
    }
}

/// All masks of `width` bits with at most `radius` set.
fn flips(width: u32, radius: u32) -> Vec<u64> {
    let mut masks = vec![0u64];
    let mut from = 0;
    for _ in 0..radius {
        let upto = masks.len();
        for at in from..upto {
            let mask = masks[at];
            let above = 64 - mask.leading_zeros();
            masks.extend((above..width).map(|bit| mask | 1 << bit));
        }
        from = upto;
    }
    masks
}

struct Plan {
    blocks: Vec<Range<u32>>,
    radius: u32,
}

impl Plan {
    /// The cheapest plan, or `None` if it is cheaper to compare all pairs.
    fn cheapest(bits: u32, distance: u32, documents: f64) -> Option<Self> {
        let cost = |radius: u32| {
            let blocks = distance / (radius + 1) + 1;
            let width = (bits / blocks).min(64);
            let looks = flips(width, radius).len() as f64;
            let candidates = documents * looks / f64::from(width).exp2();
            f64::from(blocks) * documents * (looks * 4.0 + candidates)
        };
        let radius = (0..=3u32)
            .filter(|radius| (bits / (distance / (radius + 1) + 1)) <= 64)
            .min_by(|&a, &b| cost(a).total_cmp(&cost(b)))
            .unwrap_or(0);
        if distance >= bits || cost(radius) > documents * documents / 2.0 {
            return None;
        }
        let blocks = blocks(bits, distance / (radius + 1) + 1);
        Some(Self { blocks, radius })
    }
}

/// Cuts bits into at least `count` blocks of nearly one size, of at most 64 bits each.
pub(crate) fn blocks(bits: u32, count: u32) -> Vec<Range<u32>> {
    let count = count.max(bits.div_ceil(64));
    (0..count)
        .map(|at| at * bits / count..(at + 1) * bits / count)
        .collect()
}

/// Where each key's entries begin in a sorted list.
struct Groups {
    starts: Vec<u32>,
    shift: u32,
}

impl Groups {
    fn new(keyed: &[(u64, u32)]) -> Self {
        // A small table from the scrambled key to the group's start; chains of
        // equal slots are resolved by walking on.
        let bits = (keyed.len() * 2).max(2).ilog2() + 1;
        let mut groups = Self {
            starts: vec![u32::MAX; 1 << bits],
            shift: 64 - bits,
        };
        for (at, &(key, _)) in keyed.iter().enumerate() {
            if at == 0 || keyed[at - 1].0 != key {
                let mut slot = groups.slot(key);
                while groups.starts[slot] != u32::MAX {
                    slot = (slot + 1) % groups.starts.len();
                }
                groups.starts[slot] = at as u32;
            }
        }
        groups
    }

    fn slot(&self, key: u64) -> usize {
        (hash::mix(key) >> self.shift) as usize
    }

    fn of<'k>(&self, key: u64, keyed: &'k [(u64, u32)]) -> &'k [(u64, u32)] {
        let mut slot = self.slot(key);
        loop {
            match self.starts[slot] {
                u32::MAX => return &[],
                start if keyed[start as usize].0 == key => {
                    let from = &keyed[start as usize..];
                    let length = from.iter().take_while(|entry| entry.0 == key).count();
                    return &from[..length];
                }
                _ => slot = (slot + 1) % self.starts.len(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flips_are_all_masks_of_few_bits() {
        for width in [1, 5, 16] {
            for radius in 0..4 {
                let mut masks = flips(width, radius);
                let expected = (0u64..1 << width).filter(|mask| mask.count_ones() <= radius);
                masks.sort_unstable();
                assert_eq!(masks, expected.collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn blocks_cover_all_bits_and_obey_the_pigeonhole() {
        for bits in [64, 128, 384, 4096] {
            for distance in (0..bits).step_by(bits as usize / 64) {
                let Some(plan) = Plan::cheapest(bits, distance, 1e6) else {
                    assert!(distance > bits / 8, "{bits} {distance}");
                    continue;
                };
                assert_eq!(plan.blocks[0].start, 0);
                assert_eq!(plan.blocks.last().map(|last| last.end), Some(bits));
                assert!(plan.blocks.windows(2).all(|two| two[0].end == two[1].start));
                assert!(plan.blocks.iter().all(|block| block.len() <= 64));
                let worst = plan.blocks.len() as u32 * (plan.radius + 1);
                assert!(worst > distance, "{bits} {distance}");
            }
        }
    }

    #[test]
    fn slices_cross_words() {
        let row = [0xf000_0000_0000_0000, 0b101];
        assert_eq!(slice(&row, &(60..68)), 0b0101_1111);
        assert_eq!(slice(&row, &(64..128)), 0b101);
        assert_eq!(slice(&row, &(0..64)), row[0]);
    }
}
