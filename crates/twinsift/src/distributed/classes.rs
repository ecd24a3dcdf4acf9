//! Equal documents, of which one stands for all.
//!
//! Each segment has already taken its own copies together. Digests of what is left go to as many
//! buckets as there are tasks; in a bucket, equal digests are a class, and the document with the
//! lowest number represents it. The others are *redirected* to it: they take no further part in
//! the join. Ids go the same way, to find any that occurs twice.

use super::codec::{Input, damaged, put};
use super::number;
use super::segment::{State, documents};
use crate::error::Result;
use crate::hash;
use std::collections::BTreeMap;

/// A document of a class has this number, or is of this side.
const NEW: u8 = 1;
const OLD: u8 = 2;
/// The class has several documents, of whatever segments.
const REPEATED: u8 = 4;
/// The document is represented by another one.
const REDIRECTED: u8 = 8;

/// The digests and ids of a segment's documents, a blob for each bucket.
pub fn digests(segment: u64, stored: &[u8], buckets: usize) -> Result<Vec<Vec<u8>>> {
    let mut digested: Vec<Vec<(u128, u64)>> = vec![Vec::new(); buckets];
    let mut named: Vec<Vec<(u64, u64)>> = vec![Vec::new(); buckets];
    let bucket = |high: u64| hash::range(high, buckets);
    for (document, stored) in (segment..).zip(documents(stored)?) {
        named[bucket(stored.id)].push((stored.id, document));
        if let State::First(digest) = stored.state {
            digested[bucket((digest >> 64) as u64)].push((digest, document));
        }
    }
    let blobs = digested.into_iter().zip(named).map(|(digested, named)| {
        let mut out = Vec::with_capacity(8 + 24 * digested.len() + 16 * named.len());
        put(&mut out, digested.len() as u64);
        for (digest, document) in digested {
            out.extend(digest.to_le_bytes());
            out.extend(document.to_le_bytes());
        }
        for (id, document) in named {
            out.extend(id.to_le_bytes());
            out.extend(document.to_le_bytes());
        }
        out
    });
    Ok(blobs.collect())
}

/// The classes of a bucket.
#[derive(Clone, Debug, Default)]
pub struct Classes {
    /// For each segment that has a document of a class of several, what it is to know of them.
    pub redirects: Vec<(u64, Vec<u8>)>,
    /// Documents whose ids have the same hash.
    pub same_id: Vec<(u64, u64)>,
    /// Documents that were redirected.
    pub copies: u64,
}

/// Finds the classes of a bucket, given all of its blobs.
pub fn collapse<'a>(blobs: impl Iterator<Item = &'a [u8]>) -> Result<Classes> {
    let (mut digested, mut named) = (Vec::new(), Vec::new());
    for blob in blobs {
        let mut input = Input(blob);
        for _ in 0..input.number()? {
            let digest = u128::from_le_bytes(input.array()?);
            digested.push((digest, u64::from_le_bytes(input.array()?)));
        }
        while !input.is_empty() {
            let id = u64::from_le_bytes(input.array()?);
            named.push((id, u64::from_le_bytes(input.array()?)));
        }
    }
    digested.sort_unstable();
    named.sort_unstable();
    let mut classes = Classes::default();
    // A new document and an old one may have the same id.
    let side = |document: u64| number::is_old(document);
    let same = named.windows(2).filter(|two| two[0].0 == two[1].0);
    classes.same_id = same
        .map(|two| (two[0].1, two[1].1))
        .filter(|&(a, b)| side(a) == side(b))
        .collect();
    let mut redirects: BTreeMap<u64, Vec<u8>> = BTreeMap::new();
    for class in digested.chunk_by(|a, b| a.0 == b.0).filter(|c| c.len() > 1) {
        let representative = class[0].1;
        let sides = class.iter().fold(REPEATED, |sides, &(_, document)| {
            sides | if side(document) { OLD } else { NEW }
        });
        for &(_, document) in class {
            let out = redirects.entry(number::segment(document)).or_default();
            put(out, u64::from(number::row(document)));
            if document == representative {
                out.push(sides);
            } else {
                out.push(REDIRECTED);
                put(out, representative);
                classes.copies += 1;
            }
        }
    }
    classes.redirects = redirects.into_iter().collect();
    Ok(classes)
}

/// What a segment knows of the classes of its documents.
#[derive(Clone, Debug, Default)]
pub(super) struct Redirects(BTreeMap<u32, Redirect>);

#[derive(Clone, Copy, Debug)]
enum Redirect {
    To(u64),
    /// It represents a class with documents on these sides.
    Represents(u8),
}

impl Redirects {
    /// From the blobs of all buckets for a segment.
    pub(super) fn new<'a>(blobs: impl Iterator<Item = &'a [u8]>) -> Result<Self> {
        let mut redirects = BTreeMap::new();
        for blob in blobs {
            let mut input = Input(blob);
            while !input.is_empty() {
                let Ok(row) = u32::try_from(input.number()?) else {
                    return damaged();
                };
                let redirect = match input.array()? {
                    [REDIRECTED] => Redirect::To(input.number()?),
                    [sides] => Redirect::Represents(sides & (NEW | OLD)),
                };
                redirects.insert(row, redirect);
            }
        }
        Ok(Self(redirects))
    }

    /// The sides on which the class of a document has some, if the document represents it.
    pub(super) fn sides(&self, document: u64) -> Option<u8> {
        match self.0.get(&number::row(document)) {
            Some(Redirect::To(_)) => None,
            Some(&Redirect::Represents(sides)) => Some(sides),
            None if number::is_old(document) => Some(OLD),
            None => Some(NEW),
        }
    }
}

/// Whether documents of two classes are to be compared: of a collection with itself all are, of
/// a new one with an old one those on different sides.
pub(super) fn may_pair(against: bool, x: u8, y: u8) -> bool {
    !against || (x & NEW != 0 && y & OLD != 0) || (x & OLD != 0 && y & NEW != 0)
}

/// The documents of a segment that are in classes of several documents, or represent one of
/// `ends`, in ascending order of rows: the row of each, and the document that represents it.
pub fn members<'a>(
    segment: u64,
    stored: &[u8],
    redirects: impl Iterator<Item = &'a [u8]>,
    ends: &[u64],
) -> Result<Vec<(u32, u64)>> {
    let documents = documents(stored)?;
    let Redirects(redirects) = Redirects::new(redirects)?;
    // The document of a row that stands for each row, before redirection.
    let first = |row: u32| match documents[row as usize].state {
        State::NotJudged => None,
        State::First(_) => Some(row),
        State::Copy(first) => Some(first),
    };
    let mut wanted = vec![false; documents.len()];
    let rows = || 0..documents.len() as u32;
    for row in rows().filter(|&row| first(row).is_some_and(|first| first != row)) {
        wanted[row as usize] = true;
        wanted[first(row).unwrap_or(row) as usize] = true;
    }
    let ends = ends.iter().map(|&end| number::row(end));
    for row in ends.chain(redirects.keys().copied()) {
        match wanted.get_mut(row as usize) {
            Some(wanted) => *wanted = true,
            None => return damaged(),
        }
    }
    let representative = |row: u32| match redirects.get(&row) {
        Some(&Redirect::To(other)) => other,
        _ => segment + u64::from(row),
    };
    let member = |row: u32| {
        let first = first(row)?;
        // Copies of an end are its class.
        (wanted[row as usize] || wanted[first as usize]).then(|| (row, representative(first)))
    };
    Ok(rows().filter_map(member).collect())
}
