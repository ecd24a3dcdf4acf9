//! Documents that only repeat another one's content, such as WARC revisit records, and the
//! originals that they repeat.
//!
//! A web archive names the original in up to three ways, and an original may be known by
//! only one of them. So a document lists all the keys it has: 24 bytes each, and only
//! where a source has such documents.

use crate::document::ContentKey;
use std::collections::HashMap;

/// Returns for each document that repeats another one's content that other one: the first
/// that holds the first of its keys that any document holds. `content_keys` has the keys of
/// each document one after another.
pub fn originals(
    content_keys: &[(u32, ContentKey)],
) -> impl Iterator<Item = (u32, Option<u32>)> + '_ {
    let mut holders = HashMap::new();
    for &(doc, content_key) in content_keys {
        if let ContentKey::Holds(key) = content_key {
            holders.entry(key).or_insert(doc);
        }
    }
    content_keys
        .chunk_by(|(x, _), (y, _)| x == y)
        .filter(|keys| matches!(keys, [(_, ContentKey::Repeats(_)), ..]))
        .map(move |keys| {
            let holder = |&(_, content_key): &(u32, ContentKey)| match content_key {
                ContentKey::Repeats(key) => holders.get(&key).copied(),
                ContentKey::Holds(_) => None,
            };
            (keys[0].0, keys.iter().find_map(holder))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ContentKey::{Holds, Repeats};

    #[test]
    fn the_first_key_that_another_document_holds_wins() {
        let content_keys = [
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
        let found: Vec<_> = originals(&content_keys).collect();
        assert_eq!(found, [(0, Some(3)), (4, None), (6, Some(1))]);
    }
}
