//! The documents of a run: their names, where they stand, how long they are.
//!
//! This stays in memory, whatever the budget: about 60 bytes and the name for
//! each document.

use crate::document::{Document, Id, Place, Rank};
use crate::error::{Error, Result};
use crate::hash;
use std::collections::HashMap;

/// The names and other small facts of all documents, in input order.
#[derive(Clone, Debug, Default)]
pub struct Documents {
    names: String,
    name_ends: Vec<u64>,
    numbers: Vec<bool>,
    places: Vec<Place>,
    lengths: Vec<u32>,
    ranks: Vec<Option<Rank>>,
    by_name: HashMap<u64, u32, hash::OfHashes>,
    old_from: Option<u32>,
}

/// What [`Documents`] keeps of a document.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// Its name.
    pub id: Id<'a>,
    /// Its second name, should the first be taken.
    pub second_id: Option<&'a str>,
    /// Where it stands.
    pub place: Place,
    /// Characters of text.
    pub length: u32,
    /// The value that a keep rule looks at.
    pub rank: Option<Rank>,
}

impl<'a> Entry<'a> {
    /// The entry of a document.
    pub fn of(document: &'a Document<'_>) -> Self {
        Self {
            id: Id {
                text: document.id.text.as_ref().into(),
                is_number: document.id.is_number,
            },
            second_id: document.second_id.as_deref(),
            place: document.place,
            length: u32::try_from(document.text.chars().count()).unwrap_or(u32::MAX),
            rank: document.rank.clone(),
        }
    }
}

/// Entries for [`Documents`], their names in one string.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    names: String,
    rows: Vec<Row>,
}

/// One of the [`Entries`].
#[derive(Debug)]
struct Row {
    /// Where its name ends, and where its second one does if it has one.
    name_end: usize,
    second_end: Option<usize>,
    is_number: bool,
    place: Place,
    length: u32,
    rank: Option<Rank>,
}

impl Entries {
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn push(&mut self, entry: Entry<'_>) {
        self.names.push_str(&entry.id.text);
        let name_end = self.names.len();
        let second_end = entry.second_id.map(|second| {
            self.names.push_str(second);
            self.names.len()
        });
        self.rows.push(Row {
            name_end,
            second_end,
            is_number: entry.id.is_number,
            place: entry.place,
            length: entry.length,
            rank: entry.rank,
        });
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Entry<'_>> {
        let mut start = 0;
        self.rows.iter().map(move |row| {
            let text = &self.names[start..row.name_end];
            start = row.second_end.unwrap_or(row.name_end);
            Entry {
                id: Id {
                    text: text.into(),
                    is_number: row.is_number,
                },
                second_id: row.second_end.map(|end| &self.names[row.name_end..end]),
                place: row.place,
                length: row.length,
                rank: row.rank.clone(),
            }
        })
    }
}

impl Documents {
    /// Number of documents.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Adds a document and gives its index. Names must differ by their spelling:
    /// `7` and `"7"` are one name.
    pub fn push(&mut self, entry: Entry<'_>) -> Result<u32> {
        let index = u32::try_from(self.len()).map_err(|_| Error::TooManyDocuments)?;
        let mut name = entry.id.text.as_ref();
        let mut vacant = self.vacant(name);
        if let (Err(_), Some(second)) = (vacant, entry.second_id) {
            name = second;
            vacant = self.vacant(name);
        }
        let key = vacant.map_err(|first| Error::DuplicateId {
            id: name.to_owned(),
            first: self.places[first as usize],
            second: entry.place,
        })?;
        self.by_name.insert(key, index);
        self.names.push_str(name);
        self.name_ends.push(self.names.len() as u64);
        self.numbers.push(entry.id.is_number);
        self.places.push(entry.place);
        self.lengths.push(entry.length);
        if entry.rank.is_some() || !self.ranks.is_empty() {
            self.ranks.resize(index as usize, None);
            self.ranks.push(entry.rank);
        }
        Ok(index)
    }

    /// The key of a new name, or the document that has that name already.
    fn vacant(&self, name: &str) -> std::result::Result<u64, u32> {
        let mut key = hash::bytes(name.as_bytes());
        loop {
            match self.by_name.get(&key) {
                None => return Ok(key),
                Some(&other) if self.name(other) == name => return Err(other),
                Some(_) => key = hash::mix(key),
            }
        }
    }

    fn name(&self, index: u32) -> &str {
        let index = index as usize;
        let start = match index {
            0 => 0,
            _ => self.name_ends[index - 1],
        };
        &self.names[start as usize..self.name_ends[index] as usize]
    }

    /// A document's id.
    pub fn id(&self, index: u32) -> Id<'_> {
        Id {
            text: self.name(index).into(),
            is_number: self.numbers[index as usize],
        }
    }

    /// Whether every id is a number without a fraction or exponent.
    pub fn all_integers(&self) -> bool {
        self.numbers.iter().all(|&number| number)
            && (0..self.len() as u32).all(|index| self.name(index).parse::<i64>().is_ok())
    }

    /// Where a document stands.
    pub fn place(&self, index: u32) -> Place {
        self.places[index as usize]
    }

    /// Its length in characters.
    pub fn length(&self, index: u32) -> u32 {
        self.lengths[index as usize]
    }

    /// The value that a keep rule looks at.
    pub fn rank(&self, index: u32) -> Option<&Rank> {
        self.ranks.get(index as usize)?.as_ref()
    }

    /// Everything added from now on belongs to the old collection. Its names may
    /// be those of new documents: a page keeps its address from one crawl to the
    /// next.
    pub fn begin_old(&mut self) {
        self.old_from = Some(self.len() as u32);
        self.by_name.clear();
    }

    /// The index of the first document of the old collection, if there is one.
    pub fn old_from(&self) -> Option<u32> {
        self.old_from
    }

    /// Whether a document belongs to the old collection.
    pub fn is_old(&self, index: u32) -> bool {
        self.old_from.is_some_and(|from| index >= from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(name: &str, record: u64) -> Document<'_> {
        let mut document = Document::new(name, "some text");
        document.place.record = record;
        document
    }

    #[test]
    fn a_repeated_name_is_an_error_that_knows_both_places() {
        let mut documents = Documents::default();
        let mut push = |document: &Document<'_>| documents.push(Entry::of(document));
        push(&document("a", 1)).expect("new");
        push(&document("b", 2)).expect("new");
        match push(&document("a", 9)) {
            Err(Error::DuplicateId { first, second, .. }) => {
                assert_eq!((first.record, second.record), (1, 9));
            }
            other => panic!("{other:?}"),
        }
        let mut again = document("a", 9);
        again.second_id = Some("a@later".into());
        let index = push(&again).expect("the second name is free");
        assert_eq!(documents.id(index).text, "a@later");
        documents.begin_old();
        let index = documents
            .push(Entry::of(&document("a", 1)))
            .expect("an old name may be a new one");
        assert!(documents.is_old(index));
    }

    #[test]
    fn entries_come_out_as_they_went_in() {
        let mut entries = Entries::default();
        let mut second = document("b", 2);
        second.second_id = Some("b@later".into());
        for document in [&document("a", 1), &second, &document("", 3)] {
            entries.push(Entry::of(document));
        }
        let names = |entry: Entry<'_>| {
            let second = entry.second_id.map(str::to_owned);
            (entry.id.text.into_owned(), second, entry.place.record)
        };
        let expected = [("a", None, 1), ("b", Some("b@later"), 2), ("", None, 3)];
        let expected = expected
            .map(|(name, second, record)| (name.to_owned(), second.map(str::to_owned), record));
        assert!(entries.iter().map(names).eq(expected));
        assert_eq!(entries.len(), 3);
    }
}
