//! One order of features for all documents, the rare ones first.
//!
//! Documents that match share a feature of their prefixes in whatever order, as long as it is
//! the same for all. If frequent features come last, they are in few prefixes, and few documents
//! meet that have nothing else in common. Which ones are frequent is told by a sample; a feature
//! that it misses counts as rare, which costs time and nothing else.

use super::codec::{Input, put};
use crate::error::Result;
use crate::hash::OfHashes;
use crate::signature::Signature;
use std::collections::HashMap;

/// Features of fewer documents of the sample are rare.
const FREQUENT: u32 = 4;

/// The most features that are listed as frequent.
const MOST_LISTED: usize = 1 << 18;

/// Which features are frequent, by powers of two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeatureOrder {
    classes: HashMap<u64, u8, OfHashes>,
}

impl FeatureOrder {
    /// The order by the frequencies in a sample.
    pub(super) fn of(sample: &[Signature]) -> Self {
        let mut values: Vec<u64> = sample
            .iter()
            .filter(|signature| !signature.is_fallback)
            .flat_map(|signature| signature.values.iter().copied())
            .collect();
        values.sort_unstable();
        let counted = values.chunk_by(|a, b| a == b);
        let mut frequent: Vec<(u32, u64)> = counted
            .map(|equal| (equal.len() as u32, equal[0]))
            .filter(|&(count, _)| count >= FREQUENT)
            .collect();
        frequent.sort_unstable_by_key(|&(count, value)| (std::cmp::Reverse(count), value));
        frequent.truncate(MOST_LISTED);
        let class = |(count, value): (u32, u64)| (value, count.ilog2() as u8);
        Self {
            classes: frequent.into_iter().map(class).collect(),
        }
    }

    /// Replaces `order` by the places of a document's features, in this order. `values` ascend.
    pub(super) fn sort(&self, values: &[u64], order: &mut Vec<u32>) {
        order.clear();
        if self.classes.is_empty() {
            order.extend(0..values.len() as u32);
            return;
        }
        let mut frequent = Vec::new();
        for (at, value) in (0u32..).zip(values) {
            match self.classes.get(value) {
                None => order.push(at),
                Some(&class) => frequent.push((class, at)),
            }
        }
        frequent.sort_unstable();
        order.extend(frequent.iter().map(|&(_, at)| at));
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let mut listed: Vec<(u64, u8)> = self.classes.iter().map(|(&v, &c)| (v, c)).collect();
        listed.sort_unstable();
        put(out, listed.len() as u64);
        let mut last = 0;
        for (value, class) in listed {
            put(out, value - last);
            out.push(class);
            last = value;
        }
    }

    pub(super) fn read(input: &mut Input<'_>) -> Result<Self> {
        let count = input.number()?;
        let (mut classes, mut value) = (HashMap::default(), 0u64);
        for _ in 0..count {
            value = value.wrapping_add(input.number()?);
            let [class] = input.array()?;
            classes.insert(value, class);
        }
        Ok(Self { classes })
    }
}
