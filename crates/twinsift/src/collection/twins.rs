//! Documents that say whose content they repeat, and who that is.
//!
//! A web archive names the original in up to three ways, and an original may be known by
//! only one of them. So a document lists all the keys it has: 24 bytes each, and only
//! where a source has such documents.

use crate::document::Twin;
use std::collections::HashMap;

/// For each document that repeats another one's content, that other one: the first that
/// holds the first of its keys that anybody holds. `twins` has the keys of each document
/// one after another.
pub fn originals(twins: &[(u32, Twin)]) -> impl Iterator<Item = (u32, Option<u32>)> + '_ {
    let mut holders = HashMap::new();
    for &(doc, twin) in twins {
        if let Twin::Holds(key) = twin {
            holders.entry(key).or_insert(doc);
        }
    }
    twins
        .chunk_by(|(x, _), (y, _)| x == y)
        .filter(|keys| matches!(keys, [(_, Twin::Repeats(_)), ..]))
        .map(move |keys| {
            let holder = |&(_, twin): &(u32, Twin)| match twin {
                Twin::Repeats(key) => holders.get(&key).copied(),
                Twin::Holds(_) => None,
            };
            (keys[0].0, keys.iter().find_map(holder))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use Twin::{Holds, Repeats};

    #[test]
    fn the_first_key_that_somebody_holds_wins() {
        let twins = [
            (0, Repeats(9)),
            (0, Repeats(2)),
            (0, Repeats(1)),
            (1, Holds(1)),
            (3, Holds(7)),
            (3, Holds(2)),
            (4, Repeats(8)),
            (5, Holds(1)),
            (6, Repeats(1)),
        ];
        let found: Vec<_> = originals(&twins).collect();
        assert_eq!(found, [(0, Some(3)), (4, None), (6, Some(1))]);
    }
}
