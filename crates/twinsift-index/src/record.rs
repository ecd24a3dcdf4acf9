//! What an index keeps of a document.

use crate::codec::{Reader, put_bytes, put_number};
use crate::error::{Error, Result};
use std::time::{SystemTime, UNIX_EPOCH};
use twinsift::{Id, Signature};

/// A moment, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(pub u64);

impl Time {
    /// The present moment, by the clock of the system.
    pub fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Self(since.map_or(0, |since| since.as_millis() as u64))
    }

    /// So many milliseconds later.
    #[must_use]
    pub fn after(self, milliseconds: u64) -> Self {
        Self(self.0.saturating_add(milliseconds))
    }
}

/// A document of an index: its id, what it is compared by, and what else is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its name, of which an index has one document at a time.
    pub id: Id<'static>,
    /// What it belongs to, such as a known campaign.
    pub label: Option<String>,
    /// When it was added.
    pub added: Time,
    /// How long it is to be known, in milliseconds from when it was added or last seen.
    pub time_to_live: Option<u64>,
    /// What it is compared by.
    pub signature: Signature,
}

/// Flags of the stored form.
const NUMBER: u8 = 1;
const LABEL: u8 = 2;
const TIME_TO_LIVE: u8 = 4;

/// The longest id and label that are kept.
const MOST_BYTES: usize = 1 << 16;

impl Record {
    /// A document that is known from now on.
    pub fn new(id: Id<'_>, signature: Signature, added: Time) -> Self {
        Self {
            id: Id {
                text: id.text.into_owned().into(),
                is_number: id.is_number,
            },
            label: None,
            added,
            time_to_live: None,
            signature,
        }
    }

    /// Until when it is known, if it is not seen again; `None` if for ever.
    pub fn expires(&self) -> Option<Time> {
        self.time_to_live.map(|ttl| self.added.after(ttl))
    }

    /// Refuses a document that cannot be stored.
    pub fn check(&self) -> Result<()> {
        let label = self.label.as_deref().unwrap_or("");
        let why = match (&*self.id.text, label) {
            ("", _) => "its id is empty",
            (id, _) if id.len() > MOST_BYTES => "its id is longer than 65,536 bytes",
            (_, label) if label.len() > MOST_BYTES => "its label is longer than 65,536 bytes",
            _ => return Ok(()),
        };
        let id = self.id.text.chars().take(80).collect();
        Err(Error::Document { id, why })
    }

    /// Appends the stored form.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        let flags = flag(self.id.is_number, NUMBER)
            | flag(self.label.is_some(), LABEL)
            | flag(self.time_to_live.is_some(), TIME_TO_LIVE);
        out.push(flags);
        put_bytes(out, self.id.text.as_bytes());
        if let Some(label) = &self.label {
            put_bytes(out, label.as_bytes());
        }
        put_number(out, self.added.0);
        if let Some(ttl) = self.time_to_live {
            put_number(out, ttl);
        }
        out.extend(self.signature.to_bytes());
    }

    /// Reads the stored form.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let flags = reader.byte()?;
        if flags & !(NUMBER | LABEL | TIME_TO_LIVE) != 0 {
            return None;
        }
        let id = reader.text()?.to_owned();
        let label = match flags & LABEL {
            0 => None,
            _ => Some(reader.text()?.to_owned()),
        };
        let added = Time(reader.number()?);
        let time_to_live = match flags & TIME_TO_LIVE {
            0 => None,
            _ => Some(reader.number()?),
        };
        Some(Self {
            id: Id {
                text: id.into(),
                is_number: flags & NUMBER != 0,
            },
            label,
            added,
            time_to_live,
            signature: Signature::from_bytes(reader.0)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_stored_comes_back(
            id in ".{1,20}",
            is_number: bool,
            label: Option<String>,
            added: u64,
            time_to_live: Option<u64>,
            row: Vec<u64>,
        ) {
            let record = Record {
                id: Id { text: id.into(), is_number },
                label,
                added: Time(added),
                time_to_live,
                signature: Signature::of_sketch(row),
            };
            let mut stored = Vec::new();
            record.write(&mut stored);
            prop_assert_eq!(Record::read(&stored), Some(record));
            prop_assert_eq!(Record::read(&stored[..stored.len() - 1]), None);
        }

        #[test]
        fn any_bytes_are_read_without_harm(bytes: Vec<u8>) {
            let _ = Record::read(&bytes);
        }
    }
}
