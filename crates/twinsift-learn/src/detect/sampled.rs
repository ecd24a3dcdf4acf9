//! The candidates of a collection that is too large to be kept in memory.
//!
//! Documents are read as they are needed, and of all candidates a bounded number is kept: by a
//! fixed hash, so that the same collection gives the same pairs, and from strata of scores, so
//! that the pairs on which a detector is in doubt stay as far as there is room.

use super::active::STRATA;
use super::pool::{self, Pool};
use rayon::prelude::*;
use std::collections::{BTreeMap, BinaryHeap};
use twinsift::detector::Row;
use twinsift::{
    Detector, Document, Extractor, Item, Recipe, Result, Settings, Sifter, Signature, Statistics,
    hash,
};

/// The share of what is kept that each stratum without doubt may count on.
const SURE_SHARE: usize = 10;

/// Candidates that are looked at at most; so many are met where thousands of documents are alike.
const MOST_SEEN: u64 = 200_000_000;

/// Bytes of text whose signatures are in memory at once.
const TOGETHER_BYTES: usize = 32 << 20;

/// Documents that are read together.
const BATCH_BYTES: usize = 1 << 20;

/// Documents that are kept elsewhere.
pub trait Reader: Sync {
    /// Bytes of a document.
    fn bytes(&self, doc: u32) -> usize;

    /// Reads a document.
    fn read(&self, doc: u32) -> Result<Document<'static>>;
}

/// Some of the candidates of a collection.
#[derive(Debug)]
pub struct Sampled {
    /// The candidates, without signatures.
    pub pool: Pool,
    /// How many candidates there are.
    pub seen: u64,
    /// Whether there are more that were not looked at.
    pub is_cut: bool,
}

/// Adds documents to a sifter, read on all threads.
pub fn add(sifter: &mut Sifter, docs: &[u32], reader: &dyn Reader) -> Result<()> {
    let bytes = |batch: &&[u32]| batch.iter().map(|&doc| reader.bytes(doc)).sum();
    let mut failed = Ok(());
    let unreadable = std::sync::Mutex::new(None);
    let added = sifter.add_sized_batches(
        batches(docs, BATCH_BYTES, |&doc| reader.bytes(doc)),
        bytes,
        |batch, sink| {
            for &doc in *batch {
                match reader.read(doc) {
                    Ok(document) => sink(Item::Document(document)),
                    Err(error) => {
                        let mut first = unreadable.lock().unwrap_or_else(|held| held.into_inner());
                        first.get_or_insert(error);
                    }
                }
            }
        },
        |_| Ok(()),
    );
    if let Some(error) = unreadable
        .into_inner()
        .unwrap_or_else(|held| held.into_inner())
    {
        failed = Err(error);
    }
    added.and(failed)
}

/// A list in parts of about so many bytes.
fn batches<T>(list: &[T], most: usize, bytes: impl Fn(&T) -> usize) -> impl Iterator<Item = &[T]> {
    let mut rest = list;
    std::iter::from_fn(move || {
        let mut sum = 0;
        let fits = |one: &&T| {
            let before = sum;
            sum += bytes(one);
            before < most
        };
        let taken = rest.iter().take_while(fits).count();
        let (part, later) = rest.split_at(taken);
        rest = later;
        (!part.is_empty()).then_some(part)
    })
}

/// The candidates among some documents as a detector finds them, at most `most` of them.
pub fn sampled(
    docs: &[u32],
    reader: &dyn Reader,
    detector: &Detector,
    settings: &Settings,
    most: usize,
    seed: u64,
) -> Result<Sampled> {
    let recipe = pool::every_candidate(detector)?;
    let mut sifter = Sifter::new(recipe.clone(), settings.clone())?;
    add(&mut sifter, docs, reader)?;
    let matches = sifter.finish()?;
    let mut strata = Strata::new(most);
    let mut is_cut = false;
    for pair in matches.pairs() {
        let pair = pair?;
        if strata.seen() >= MOST_SEEN {
            is_cut = true;
            break;
        }
        if strata.seen().is_multiple_of(1 << 12) {
            settings.observer.check()?;
        }
        let (a, b) = (docs[pair.a as usize], docs[pair.b as usize]);
        let key = hash::pair(seed, hash::pair(a.into(), b.into()));
        strata.add(pair.score, key, (a.min(b), a.max(b)));
    }
    drop(matches);
    let seen = strata.seen();
    let (pairs, weights) = strata.kept(most);
    let rows = rows(&pairs, reader, &recipe, settings)?;
    Ok(Sampled {
        pool: Pool {
            signatures: Vec::new(),
            pairs,
            rows,
            weights,
        },
        seen,
        is_cut,
    })
}

/// The signals of pairs of documents that are read for it, a part of them at a time.
pub fn rows(
    pairs: &[(u32, u32)],
    reader: &dyn Reader,
    recipe: &Recipe,
    settings: &Settings,
) -> Result<Vec<Row>> {
    let extractor = Extractor::new(recipe, &Statistics::default())?;
    let threads = settings.pool()?;
    let bytes = |&(a, b): &(u32, u32)| reader.bytes(a) + reader.bytes(b);
    let mut rows = Vec::with_capacity(pairs.len());
    for part in batches(pairs, TOGETHER_BYTES, bytes) {
        settings.observer.check()?;
        let mut docs: Vec<u32> = part.iter().flat_map(|&(a, b)| [a, b]).collect();
        docs.sort_unstable();
        docs.dedup();
        let extract = |&doc: &u32| Ok((doc, extractor.extract(&reader.read(doc)?)));
        let known: BTreeMap<u32, Signature> =
            threads.install(|| docs.par_iter().map(extract).collect::<Result<_>>())?;
        rows.extend(
            part.iter()
                .map(|(a, b)| twinsift::detector::row(&known[a], &known[b])),
        );
    }
    Ok(rows)
}

/// Pairs by how sure a detector is, of each stratum those with the least hashes.
struct Strata {
    most: usize,
    seen: [u64; STRATA.len()],
    least: [BinaryHeap<(u64, (u32, u32))>; STRATA.len()],
}

impl Strata {
    fn new(most: usize) -> Self {
        Self {
            most,
            seen: Default::default(),
            least: Default::default(),
        }
    }

    fn seen(&self) -> u64 {
        self.seen.iter().sum()
    }

    fn add(&mut self, score: f64, key: u64, pair: (u32, u32)) {
        let at = STRATA.partition_point(|&from| from <= score).max(1) - 1;
        self.seen[at] += 1;
        let least = &mut self.least[at];
        if least.len() < self.most {
            least.push((key, pair));
        } else if least.peek().is_some_and(|greatest| (key, pair) < *greatest) {
            least.pop();
            least.push((key, pair));
        }
    }

    /// So many pairs in all, in order, each with how many it stands for.
    fn kept(self, most: usize) -> (Vec<(u32, u32)>, Vec<f64>) {
        let quotas = quotas(self.least.each_ref().map(BinaryHeap::len), most);
        let mut kept: Vec<((u32, u32), f64)> = Vec::new();
        for ((least, quota), seen) in self.least.into_iter().zip(quotas).zip(self.seen) {
            let weight = seen as f64 / quota.max(1) as f64;
            let pairs = least.into_sorted_vec().into_iter().take(quota);
            kept.extend(pairs.map(|(_, pair)| (pair, weight)));
        }
        kept.sort_unstable_by_key(|&(pair, _)| pair);
        kept.into_iter().unzip()
    }
}

/// How many of each stratum are kept: a share of those without doubt, then those in doubt as
/// far as there is room, then more of the others.
fn quotas(there: [usize; STRATA.len()], most: usize) -> [usize; STRATA.len()] {
    let sure = [0, STRATA.len() - 1];
    let mut quotas = [0; STRATA.len()];
    for at in sure {
        quotas[at] = there[at].min(most / SURE_SHARE);
    }
    let mut give = |order: &mut [usize]| {
        // The smallest first: what it leaves is for the others.
        order.sort_by_key(|&at| there[at]);
        for (done, &at) in order.iter().enumerate() {
            let room = most - quotas.iter().sum::<usize>();
            let share = quotas[at] + room / (order.len() - done);
            quotas[at] = there[at].min(share);
        }
    };
    give(&mut [1, 2, 3, 4]);
    give(&mut sure.clone());
    quotas
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubtful_pairs_are_kept_first() {
        assert_eq!(quotas([5, 4, 3, 2, 1, 0], 100), [5, 4, 3, 2, 1, 0]);
        let quotas = quotas([1_000_000, 300, 200, 100, 50, 1_000_000], 1_000);
        assert_eq!(quotas[1..5], [300, 200, 100, 50]);
        assert_eq!(quotas.iter().sum::<usize>(), 1_000);
        assert!(quotas[0] >= 100 && quotas[5] >= 100);
        let crowded = super::quotas([1_000; 6], 600);
        assert_eq!(crowded, [60, 120, 120, 120, 120, 60]);
    }

    #[test]
    fn what_is_kept_stands_for_all_and_is_the_same_whatever_the_order() {
        let pairs: Vec<(u32, u32)> = (0..5_000).map(|a| (a, a + 1)).collect();
        let kept = |pairs: &mut dyn Iterator<Item = &(u32, u32)>| {
            let mut strata = Strata::new(300);
            for &(a, b) in pairs {
                let score = f64::from(a % 100) / 100.0;
                strata.add(score, hash::pair(a.into(), b.into()), (a, b));
            }
            strata.kept(300)
        };
        let (one, weights) = kept(&mut pairs.iter());
        assert_eq!(one.len(), 300);
        assert!(one.is_sorted());
        assert!((weights.iter().sum::<f64>() - 5_000.0).abs() < 1e-6);
        assert_eq!(kept(&mut pairs.iter().rev()).0, one);
    }

    struct Texts(Vec<String>);

    impl Reader for Texts {
        fn bytes(&self, doc: u32) -> usize {
            self.0[doc as usize].len()
        }

        fn read(&self, doc: u32) -> Result<Document<'static>> {
            Ok(Document::new(doc.to_string(), self.0[doc as usize].clone()))
        }
    }

    #[test]
    fn with_room_for_all_it_is_the_whole_pool() {
        let words = "the bridge over the river was closed after the storm and opened again";
        let texts =
            (0..12).map(|at| format!("{words} {} day {at} {words}", "early late ".repeat(at % 4)));
        let texts = Texts(texts.collect());
        let documents: Vec<Document<'_>> =
            (0..12).map(|doc| texts.read(doc).expect("text")).collect();
        let detector = Detector::built_in(twinsift::Find::Stories).expect("built in");
        let settings = Settings::default();
        let whole = Pool::of(&documents, &detector, &settings).expect("a pool");
        let docs: Vec<u32> = (0..12).collect();
        let all = sampled(&docs, &texts, &detector, &settings, 1_000, 0).expect("a pool");
        assert!(!whole.pairs.is_empty());
        assert_eq!(
            (all.pool.pairs, all.pool.rows),
            (whole.pairs.clone(), whole.rows)
        );
        assert_eq!(all.seen, whole.pairs.len() as u64);
        let some = sampled(&docs, &texts, &detector, &settings, 5, 0).expect("a pool");
        assert_eq!(some.pool.pairs.len(), 5);
        assert_eq!(some.seen, all.seen);
    }
}
