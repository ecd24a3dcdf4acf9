//! Which bits are compared, how often, and what that costs.
//!
//! A *pass* groups all signatures by a bit sample; its groups fit in the cache. Each group
//! is then searched several times: a *subpass* groups it once more by another sample, and
//! compares the signatures that agree in both. So most of the work never waits for memory.
//!
//! A subpass counts the differing bits of a few half words only, and is strict: it rejects a
//! pair whose halves differ a little more than they should, because another subpass will count
//! other halves. At the same cost, that rejects more unrelated pairs than a longer sample.
//!
//! Samples and words are drawn at random, so that the chance to find a pair is known. There
//! are as many passes as a pair needs that is only just near enough.

use super::bit_samples::BitSample;
use super::group::{MOST_HALVES, Sieve};
use crate::chance::Binomial;
use crate::hash::Stream;

/// Which bits bring signatures together.
#[derive(Debug)]
pub(super) struct Plan {
    pub passes: Vec<Pass>,
    pub sieve: Sieve,
}

/// A bit sample that groups all signatures, and the subpasses over each of its groups.
#[derive(Debug)]
pub(super) struct Pass {
    pub sample: BitSample,
    pub subpasses: Vec<Subpass>,
}

/// A bit sample that groups a group once more, and the first of the words that are counted.
#[derive(Debug)]
pub(super) struct Subpass {
    pub sample: BitSample,
    pub from: usize,
}

impl Subpass {
    /// A subpass that compares all with all, by their first words.
    pub(super) fn over_all() -> Self {
        Self {
            sample: BitSample::all(),
            from: 0,
        }
    }
}

impl Plan {
    /// The cheapest plan with which a pair that differs in `most` of `bits` bits is found with
    /// a chance of `recall`, or `None` if it is cheaper to compare all pairs.
    pub(super) fn cheapest(bits: u32, most: u32, documents: usize, recall: f64) -> Option<Self> {
        let n = documents as f64;
        let exact = Sieve::exact(bits as usize / 64, most);
        let mut least = n * n / 2.0 * cost_of_comparison(exact, bits, 0);
        if least < NOT_WORTH_A_PLAN {
            return None;
        }
        let mut cheapest = None;
        for (sieve, chance) in sieves(bits, most, recall) {
            for subpass in 1..=(LONGEST - SHORTEST).min(bits / 4) {
                for pass in SHORTEST..=(LONGEST - subpass).min(bits / 4) {
                    let comparison = cost_of_comparison(sieve, bits, pass + subpass);
                    for subpasses in SUBPASSES {
                        let shape = Shape {
                            bits,
                            pass,
                            subpass,
                            subpasses,
                            sieve,
                        };
                        let passes = shape.passes(chance, recall);
                        let cost = passes * shape.cost_of_pass(n, comparison);
                        if passes <= MOST_PASSES && shape.has_room() && cost < least {
                            least = cost;
                            cheapest = Some((shape, passes));
                        }
                    }
                }
            }
        }
        cheapest.map(|(shape, passes)| shape.draw(passes as u32))
    }

    /// Whether a pair is found by one of the first `passes`, or by one of the first `subpasses` of
    /// the next pass.
    pub(super) fn finds(&self, x: &[u64], y: &[u64], passes: usize, subpasses: usize) -> bool {
        let found_by = |pass: &Pass, subpasses: &[Subpass]| {
            let found = |subpass: &Subpass| {
                subpass.sample.group(x) == subpass.sample.group(y)
                    && self.sieve.passes(x, y, subpass.from)
            };
            pass.sample.group(x) == pass.sample.group(y) && subpasses.iter().any(found)
        };
        let (before, rest) = self.passes.split_at(passes);
        before.iter().any(|pass| found_by(pass, &pass.subpasses))
            || rest
                .first()
                .is_some_and(|pass| found_by(pass, &pass.subpasses[..subpasses]))
    }
}

/// So few half words of signatures are compared in less time than it takes to plan.
const NOT_WORTH_A_PLAN: f64 = 2e8;

/// With more passes it would take long to find out whether an earlier one has found a pair.
const MOST_PASSES: f64 = 5000.0;

/// The most bits of a pass and a subpass. More would make more groups than there are documents.
const LONGEST: u32 = 20;

/// The fewest bits of a pass, so that threads can share its groups.
const SHORTEST: u32 = 4;

/// How many subpasses a pass may have.
const SUBPASSES: [u32; 10] = [1, 2, 3, 4, 5, 6, 8, 12, 16, 24];

/// What it costs to group a signature in a pass and to copy it beside others of its group, in
/// half words compared, for each of its words. This and the other costs were measured with 384
/// bits.
const GROUPING: f64 = 50.0;

/// What it costs to group it in a subpass, within the cache.
const GROUPING_IN_CACHE: f64 = 65.0;

/// What a pair costs that passes the sieve.
const VERIFYING: f64 = 120.0;

/// Signatures that are compared for nothing at the end of a group, because several are
/// compared at once.
const WASTED: f64 = 8.0;

/// Words of signatures that the cache has room for.
const FITS: f64 = 36_000.0;

/// Bits of a pass and of a subpass, and how many subpasses there are.
#[derive(Clone, Copy, Debug)]
struct Shape {
    /// Bits of a signature.
    bits: u32,
    pass: u32,
    subpass: u32,
    subpasses: u32,
    sieve: Sieve,
}

impl Shape {
    /// The passes that are needed to find a pair with a chance of `recall`, if it has the given
    /// chance to pass the sieve.
    fn passes(&self, chance: f64, recall: f64) -> f64 {
        let most = self.sieve.most;
        // A subpass draws none of the bits of its pass, so all that differ are among the others.
        let by_subpass = agree(self.bits - self.pass, most, self.subpass) * chance;
        let subpasses = 1.0 - (1.0 - by_subpass).powi(self.subpasses as i32);
        let by_pass = agree(self.bits, most, self.pass) * subpasses;
        ((1.0 - recall).ln() / (-by_pass).ln_1p()).ceil().max(1.0)
    }

    /// What a pass over `n` signatures costs, if it costs `comparison` to compare two.
    fn cost_of_pass(&self, n: f64, comparison: f64) -> f64 {
        let group = n / f64::from(self.pass).exp2();
        let others = group / f64::from(self.subpass).exp2() / 2.0;
        let width = f64::from(self.bits / 64);
        let grouping = GROUPING * width;
        let regrouping = if group * width <= FITS {
            GROUPING_IN_CACHE
        } else {
            grouping
        };
        let of_subpass =
            regrouping + f64::from(self.subpass).exp2() / group + (others + WASTED) * comparison;
        n * (grouping + f64::from(self.subpasses) * of_subpass)
    }

    /// Whether the bit samples of a pass can be drawn apart from each other.
    fn has_room(&self) -> bool {
        self.pass + self.subpass * self.subpasses <= self.bits / 2
    }

    /// A plan of this shape.
    fn draw(&self, passes: u32) -> Plan {
        let width = self.bits as usize / 64;
        let mut stream = Stream::new(u64::from(self.bits));
        let passes = (0..passes).map(|_| {
            let mut taken = Vec::new();
            let sample = BitSample::draw(width, self.pass, &mut taken, &mut stream);
            let subpasses = (0..self.subpasses).map(|_| Subpass {
                sample: BitSample::draw(width, self.subpass, &mut taken, &mut stream),
                from: stream.below(width),
            });
            Pass {
                sample,
                subpasses: subpasses.collect(),
            }
        });
        Plan {
            passes: passes.collect(),
            sieve: self.sieve,
        }
    }
}

/// What it costs to compare two unrelated signatures that agree in `agreeing` bits, some of
/// which are counted.
fn cost_of_comparison(sieve: Sieve, bits: u32, agreeing: u32) -> f64 {
    let counted = sieve.halves as u32 * 32;
    let apart = Binomial::new(0.5, counted - agreeing * counted / bits);
    let pass = apart.at_most(sieve.most_of_halves);
    sieve.halves as f64 + pass * VERIFYING
}

/// The chance that signatures agree in `drawn` bits, if they differ in `most` of `bits`.
pub(super) fn agree(bits: u32, most: u32, drawn: u32) -> f64 {
    (0..drawn)
        .map(|drawn| 1.0 - f64::from(most) / f64::from(bits - drawn))
        .map(|chance| chance.max(0.0))
        .product()
}

/// The least chance with which any plan finds a pair that differs in `apart` bits, if it finds
/// one that differs in `most` with a chance of `recall`.
///
/// A pass brings the nearer pair together as much more often as its sample is more likely to
/// agree; the samples of all passes have at least [`SHORTEST`] bits. Subpasses and sieve find it
/// more often still.
pub(super) fn least_chance(bits: u32, apart: u32, most: u32, recall: f64) -> f64 {
    let as_often = agree(bits, most, SHORTEST);
    match as_often > 0.0 {
        true => 1.0 - (1.0 - recall).powf(agree(bits, apart, SHORTEST) / as_often),
        false => recall,
    }
}

/// Pairs that are tried to see how many pass a sieve.
const TRIED: usize = 2000;

/// Beyond this chance to pass, a sieve need not be any wider.
const WIDE: f64 = 0.99;

/// Sieves from strict to wide, and the chance of a pair that differs in `most` bits to pass.
///
/// Subpasses count from the beginning of a word, of which there are few. So a pair that fails
/// in one fails in many. The chance returned is the one with which as many subpasses would find
/// as many pairs if each were a new draw.
fn sieves(bits: u32, most: u32, recall: f64) -> Vec<(Sieve, f64)> {
    let width = bits as usize / 64;
    let tried = differing_halves(bits, most);
    let mut sieves = Vec::new();
    for halves in 1..=(2 * width).min(MOST_HALVES) {
        // The bits that differ among those counted from each word on.
        let counted = |differing: &Vec<u32>| -> Vec<u32> {
            let from = |word: usize| 2 * word..2 * word + halves;
            let count = |word: usize| from(word).map(|at| differing[at % (2 * width)]).sum();
            (0..width).map(count).collect()
        };
        let counted: Vec<Vec<u32>> = tried.iter().map(counted).collect();
        let mean = most * halves as u32 / (2 * width) as u32;
        for most_of_halves in mean..=most.min(halves as u32 * 32) {
            let mut passing = vec![0; width + 1];
            for counted in &counted {
                passing[counted
                    .iter()
                    .filter(|&&apart| apart <= most_of_halves)
                    .count()] += 1;
            }
            let chance = even_chance(&passing, recall);
            let sieve = Sieve {
                most,
                halves,
                most_of_halves,
            };
            sieves.push((sieve, chance));
            if chance > WIDE {
                break;
            }
        }
    }
    sieves
}

/// In how many bits each half word differs, of pairs that differ in `most` of `bits` bits.
fn differing_halves(bits: u32, most: u32) -> Vec<Vec<u32>> {
    let mut stream = Stream::new(u64::from(most));
    let mut order: Vec<usize> = (0..bits as usize).collect();
    let mut pair = || {
        let mut differing = vec![0; bits as usize / 32];
        for at in 0..most as usize {
            let other = at + stream.below(order.len() - at);
            order.swap(at, other);
            differing[order[at] / 32] += 1;
        }
        differing
    };
    (0..TRIED).map(|_| pair()).collect()
}

/// The chance for all pairs with which `recall` of them would be found by as many subpasses as
/// with the chances that each has. `passing` has the number of pairs that pass none of the
/// subpasses, one, and so on to all.
fn even_chance(passing: &[u32], recall: f64) -> f64 {
    let pairs = f64::from(passing.iter().sum::<u32>());
    let missed = |subpasses: f64| {
        let all = passing.len() as f64 - 1.0;
        let missed = (0..).zip(passing).map(|(passing, &pairs)| {
            let chance = f64::from(passing) / all;
            f64::from(pairs) * (-subpasses * chance).exp()
        });
        missed.sum::<f64>() / pairs
    };
    // More subpasses do not find those that pass none.
    if f64::from(passing[0]) > (1.0 - recall) * pairs {
        return 0.0;
    }
    let needed = -(1.0 - recall).ln();
    let (mut too_few, mut enough) = (needed, needed * 100.0);
    for _ in 0..30 {
        let subpasses = (too_few + enough) / 2.0;
        match missed(subpasses) > 1.0 - recall {
            true => too_few = subpasses,
            false => enough = subpasses,
        }
    }
    needed / enough
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two signatures that differ in `most` bits.
    fn pair(width: usize, most: u32, stream: &mut Stream) -> (Vec<u64>, Vec<u64>) {
        let x: Vec<u64> = (0..width).map(|_| stream.next_value()).collect();
        let mut y = x.clone();
        let mut changed = 0;
        while changed < most {
            let bit = stream.below(width * 64);
            let is_new = (x[bit / 64] ^ y[bit / 64]) >> (bit % 64) & 1 == 0;
            y[bit / 64] ^= u64::from(is_new) << (bit % 64);
            changed += u32::from(is_new);
        }
        (x, y)
    }

    #[test]
    fn a_plan_finds_as_many_as_it_should() {
        let mut stream = Stream::new(5);
        for (width, most, documents) in [
            (6, 136, 1_000_000),
            (6, 78, 1_000_000),
            (6, 119, 20_000),
            (1, 8, 100_000),
            (16, 300, 200_000),
        ] {
            let recall = 0.95;
            let plan = Plan::cheapest(width as u32 * 64, most, documents, recall);
            let plan = plan.unwrap_or_else(|| panic!("no plan for {width} words"));
            let pairs = 2000;
            let found = (0..pairs)
                .map(|_| pair(width, most, &mut stream))
                .filter(|(x, y)| plan.finds(x, y, plan.passes.len(), 0))
                .count();
            let share = found as f64 / f64::from(pairs);
            assert!(share > recall - 0.02, "{width} words: {share}");
            let (x, _) = pair(width, 0, &mut stream);
            assert!(plan.finds(&x, &x, 0, 1));
            // Nearer ones are found at least as often as promised.
            let apart = most * 9 / 10;
            let promised = least_chance(width as u32 * 64, apart, most, recall);
            let found = (0..pairs)
                .map(|_| pair(width, apart, &mut stream))
                .filter(|(x, y)| plan.finds(x, y, plan.passes.len(), 0))
                .count();
            let share = found as f64 / f64::from(pairs);
            assert!(
                share > promised - 0.02,
                "{width} words: {share} for {promised}"
            );
        }
    }

    #[test]
    fn extremes_can_be_planned_for() {
        for width in [1, 2, 7] {
            let bits = width * 64;
            for most in [0, 1, bits / 2, bits] {
                for documents in [20_000, 10_000_000] {
                    let plan = Plan::cheapest(bits, most, documents, 0.97);
                    assert_eq!(plan.is_some(), most <= 1, "{most} of {bits}, {documents}");
                }
            }
        }
    }

    #[test]
    fn small_collections_are_compared_pair_by_pair() {
        assert!(Plan::cheapest(384, 60, 50, 0.95).is_none());
        assert!(Plan::cheapest(384, 60, 1_000_000, 0.95).is_some());
    }

    #[test]
    fn a_pair_that_is_unlucky_everywhere_lowers_the_chance() {
        assert!((even_chance(&[0, 2, 0], 0.95) - 0.5).abs() < 1e-6);
        let uneven = even_chance(&[0, 1, 0, 0, 1, 0], 0.95);
        assert!((0.2..0.5).contains(&uneven), "{uneven}");
        assert_eq!(even_chance(&[1, 1], 0.95), 0.0);
    }
}
