//! A small set of words with flags, asked about every word of every document.

/// Flags by word hash: open addressing, sized to stay in the nearest cache.
#[derive(Clone, Debug)]
pub(super) struct WordTable {
    slots: Vec<(u64, u64)>,
    shift: u32,
}

impl WordTable {
    /// Words with their flags; flags of a word that is named twice are united.
    pub(super) fn new(words: &[(u64, u64)]) -> Self {
        let size = (words.len() * 3).next_power_of_two().max(16);
        let mut table = Self {
            slots: vec![(0, 0); size],
            shift: 64 - size.ilog2(),
        };
        for &(word, flags) in words {
            let at = table.find(word);
            table.slots[at].0 = word;
            table.slots[at].1 |= flags;
        }
        table
    }

    /// Where `word` stands or would stand. A slot without flags is free, and there
    /// always is one.
    #[inline]
    fn find(&self, word: u64) -> usize {
        let last = self.slots.len() - 1;
        let mut at = (word >> self.shift) as usize;
        while self.slots[at].1 != 0 && self.slots[at].0 != word {
            at = (at + 1) & last;
        }
        at
    }

    /// The flags of a word; 0 if it is not in the table.
    #[inline]
    pub(super) fn flags(&self, word: u64) -> u64 {
        self.slots[self.find(word)].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn agrees_with_a_hash_map(
            words in prop::collection::vec((any::<u64>(), 1u64..8), 0..60),
            crowded in any::<bool>(),
        ) {
            let place = |word: u64| if crowded { word % 64 } else { word };
            let words: Vec<_> = words.iter().map(|&(word, flags)| (place(word), flags)).collect();
            let table = WordTable::new(&words);
            let mut map: HashMap<u64, u64> = HashMap::new();
            words.iter().for_each(|&(word, flags)| *map.entry(word).or_default() |= flags);
            for word in (0..64).chain(words.iter().map(|&(word, _)| word)) {
                prop_assert_eq!(table.flags(word), map.get(&word).copied().unwrap_or(0));
            }
        }
    }
}
