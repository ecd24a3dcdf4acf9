//! Documents of the log, in memory until they are written to a segment.
//!
//! A map leads from a key to the newest document with it, and each document leads on to the one
//! before it, so that a key takes a few bytes.

use crate::record::{Record, Time};
use std::collections::HashMap;
use twinsift::hash;

/// The documents of the log.
#[derive(Debug, Default)]
pub(crate) struct Memtable {
    documents: Vec<Slot>,
    /// Documents that were not removed.
    live: usize,
    by_id: HashMap<String, u32>,
    newest_with: HashMap<u64, u32, hash::OfHashes>,
    bytes: u64,
}

/// A document, and where those before it with the same keys are.
#[derive(Debug)]
struct Slot {
    /// `None` once it was removed.
    record: Option<Record>,
    expires: Option<Time>,
    /// Ascending.
    keys: Box<[u64]>,
    /// For each key, the document before this one with the same.
    before: Box<[u32]>,
}

/// There is no document before.
const NONE: u32 = u32::MAX;

impl Memtable {
    /// Documents that were not removed.
    pub(crate) fn live(&self) -> usize {
        self.live
    }

    /// Memory that it takes, in bytes, about.
    pub(crate) fn memory(&self) -> u64 {
        self.bytes
    }

    /// Adds a document, in place of another one with its id.
    pub(crate) fn insert(&mut self, record: Record, expires: Option<Time>, keys: Vec<u64>) {
        self.remove(&record.id.text);
        let number = self.documents.len() as u32;
        let before = keys.iter().map(|&key| self.newest_with.insert(key, number));
        let before = before.map(|before| before.unwrap_or(NONE)).collect();
        self.by_id.insert(record.id.text.to_string(), number);
        let signature = &record.signature;
        let numbers = 2 * signature.features().len() + signature.sketch().len();
        self.bytes += 200 + 2 * record.id.text.len() as u64 + 8 * numbers as u64;
        self.bytes += 32 * keys.len() as u64;
        self.live += 1;
        self.documents.push(Slot {
            record: Some(record),
            expires,
            keys: keys.into(),
            before,
        });
    }

    /// Removes the document with an id. Returns whether there was one.
    pub(crate) fn remove(&mut self, id: &str) -> bool {
        match self.by_id.remove(id) {
            None => false,
            Some(number) => {
                self.documents[number as usize].record = None;
                self.live -= 1;
                true
            }
        }
    }

    /// The document with an id, and when it expires.
    pub(crate) fn get(&self, id: &str) -> Option<(&Record, Option<Time>)> {
        let slot = &self.documents[*self.by_id.get(id)? as usize];
        slot.record.as_ref().map(|record| (record, slot.expires))
    }

    /// The document with a number, unless it was removed.
    pub(crate) fn at(&self, number: u32) -> Option<&Record> {
        self.documents.get(number as usize)?.record.as_ref()
    }

    /// Has a document expire at another time. Returns whether it is there.
    pub(crate) fn renew(&mut self, id: &str, expires: Time) -> bool {
        let number = self.by_id.get(id).copied();
        number.is_some_and(|number| {
            self.documents[number as usize].expires = Some(expires);
            true
        })
    }

    /// The documents that were not removed, in order, with their keys.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Record, Option<Time>, &[u64])> {
        self.documents.iter().filter_map(|slot| {
            let record = slot.record.as_ref()?;
            Some((record, slot.expires, &*slot.keys))
        })
    }

    /// The documents that have one of some keys, with their numbers, in order.
    pub(crate) fn candidates(&self, keys: &[u64]) -> Vec<(u32, &Record, Option<Time>)> {
        let mut found = Vec::new();
        for &key in keys {
            let mut number = self.newest_with.get(&key).copied().unwrap_or(NONE);
            while number != NONE {
                found.push(number);
                let slot = &self.documents[number as usize];
                let place = slot.keys.binary_search(&key);
                number = place.map_or(NONE, |place| slot.before[place]);
            }
        }
        found.sort_unstable();
        found.dedup();
        let slots = found.iter().filter_map(|&number| {
            let slot = &self.documents[number as usize];
            Some((number, slot.record.as_ref()?, slot.expires))
        });
        slots.collect()
    }
}
