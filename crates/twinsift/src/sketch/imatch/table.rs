//! The table in which the words of a document are looked up.
//!
//! Most words of a text are in no lexicon, and a table of many words does not fit
//! into the processor's caches. So a [sieve](Table::may_be_primary) of some bits to a
//! word sorts out nearly all others first. What is left is looked up once for each
//! distinct word; as documents come with their words in the order of their hashes, and
//! the table has them in that order too, lookups go through it from front to back.

/// Bits of the sieve for each word of the primary lexicon: one word in eight or
/// sixteen that is not in it passes.
const SIEVE_BITS: usize = 8;

#[derive(Debug)]
pub(super) struct Table {
    /// A bit for each word of the primary lexicon, by the lower bits of its hash.
    sieve: Vec<u64>,
    /// By the upper bits of the hash; a word whose place is taken has the next free one.
    slots: Vec<Slot>,
}

/// A word of the table.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slot {
    hash: u64,
    /// The lexicons that have the word, as bits. The original has all, so that no
    /// bit at all means an empty slot.
    pub bags: u64,
    /// 0 for the primary lexicon, else the rank in the secondary one.
    pub rank: u32,
}

impl Table {
    /// The table of the primary and of the secondary lexicon, the latter by rank; a
    /// word comes with the lexicons that have it.
    pub(super) fn new(primary: &[(u64, u64)], secondary: &[(u64, u64)]) -> Self {
        let count = primary.len() + secondary.len();
        let mut table = Self {
            sieve: vec![0; (primary.len() * SIEVE_BITS).next_power_of_two().max(64) / 64],
            slots: vec![Slot::default(); ((count + 1) * 2).next_power_of_two()],
        };
        for &(hash, bags) in primary {
            let (at, bit) = table.place_in_sieve(hash);
            table.sieve[at] |= bit;
            table.insert(Slot {
                hash,
                bags,
                rank: 0,
            });
        }
        for (&(hash, bags), rank) in secondary.iter().zip(1..) {
            table.insert(Slot { hash, bags, rank });
        }
        table
    }

    fn insert(&mut self, slot: Slot) {
        let mut at = self.place(slot.hash);
        while self.slots[at].bags != 0 {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = slot;
    }

    #[inline]
    fn place(&self, hash: u64) -> usize {
        (hash >> (64 - self.slots.len().trailing_zeros())) as usize
    }

    #[inline]
    fn place_in_sieve(&self, hash: u64) -> (usize, u64) {
        let at = (hash >> 6) as usize & (self.sieve.len() - 1);
        (at, 1 << (hash & 63))
    }

    /// False only for words that are not in the primary lexicon.
    #[inline]
    pub(super) fn may_be_primary(&self, hash: u64) -> bool {
        let (at, bit) = self.place_in_sieve(hash);
        self.sieve[at] & bit != 0
    }

    /// The word with this hash, if there is one.
    #[inline]
    pub(super) fn find(&self, hash: u64) -> Option<&Slot> {
        let mut at = self.place(hash);
        loop {
            let slot = &self.slots[at];
            if slot.bags == 0 {
                return None;
            }
            if slot.hash == hash {
                return Some(slot);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }
}
