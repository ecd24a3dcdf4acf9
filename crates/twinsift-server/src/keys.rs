//! Who may do what: keys, of which the service knows only hashes.
//!
//! A line of the key file is a name, a right, collections, and the SHA-256 of the key in hex:
//!
//! ```text
//! # the mail gateway
//! gateway write mail,newsletters 5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8
//! ```
//!
//! Keys are 256 random bits, so a fast hash is as good as a slow one: there is nothing to guess.

use crate::error::Error;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::Path;
use subtle::ConstantTimeEq;

/// What a key lets its holder do; each right includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Right {
    /// Ask what documents duplicate, and look at them.
    Read,
    /// Add and remove documents.
    Write,
    /// Make and remove collections.
    Admin,
}

impl Right {
    /// The right of a name: read, write or admin.
    pub fn of_name(name: &str) -> Option<Self> {
        let all = [Self::Read, Self::Write, Self::Admin];
        all.into_iter().find(|right| right.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Admin => "admin",
        }
    }
}

/// A key as the service knows it.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) name: String,
    pub(crate) right: Right,
    /// The collections that it is for; `None` for all of them.
    collections: Option<Vec<String>>,
    hash: [u8; 32],
}

impl Key {
    /// Whether it is for a collection; without one, whether it is for all of them.
    pub(crate) fn is_for(&self, collection: Option<&str>) -> bool {
        match (&self.collections, collection) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(own), Some(name)) => own.iter().any(|own| own == name),
        }
    }
}

/// The keys of a service.
#[derive(Clone, Debug)]
pub struct Keys(Vec<Key>);

impl Keys {
    /// Reads a key file.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path).map_err(|source| Error::Io {
            what: "read",
            path: path.to_owned(),
            source,
        })?;
        let mut keys = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let key = parse(line).map_err(|why| Error::Keys {
                path: path.to_owned(),
                line: at + 1,
                why,
            })?;
            keys.push(key);
        }
        Ok(Self(keys))
    }

    /// The key that was presented. Takes the same time whichever it is, and if it is none.
    pub(crate) fn find(&self, presented: &str) -> Option<&Key> {
        let hash: [u8; 32] = Sha256::digest(presented.as_bytes()).into();
        let mut found = None;
        for key in &self.0 {
            if bool::from(key.hash.ct_eq(&hash)) {
                found = Some(key);
            }
        }
        found
    }
}

fn parse(line: &str) -> Result<Key, String> {
    let parts: Vec<&str> = line.split_whitespace().collect();
    let [name, right, collections, hash] = parts[..] else {
        return Err("a key has a name, a right, collections and a hash".to_owned());
    };
    let right = Right::of_name(right)
        .ok_or_else(|| format!("the right \"{right}\" is unknown: use read, write or admin"))?;
    let collections = match collections {
        "*" => None,
        names => Some(names.split(',').map(str::to_owned).collect()),
    };
    let hash = unhex(hash).ok_or("the hash is not 64 digits of hexadecimal")?;
    Ok(Key {
        name: name.to_owned(),
        right,
        collections,
        hash,
    })
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(bytes)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Makes a key: what its holder presents, and the line of the key file. Without collections it
/// is for all of them.
pub fn make_key(
    name: &str,
    right: Right,
    collections: &[String],
) -> Result<(String, String), Error> {
    let mut random = [0; 32];
    getrandom::fill(&mut random).map_err(|error| Error::Random(error.to_string()))?;
    let key = format!("ts_{}", hex(&random));
    let hash = hex(&Sha256::digest(key.as_bytes()));
    let collections = match collections {
        [] => "*".to_owned(),
        names => names.join(","),
    };
    let right = right.name();
    Ok((key, format!("{name} {right} {collections} {hash}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_known_by_its_line() {
        let (key, line) = make_key("gateway", Right::Write, &["mail".to_owned()]).expect("random");
        let keys = Keys(vec![parse(&line).expect("a key")]);
        let found = keys.find(&key).expect("known");
        assert_eq!((&*found.name, found.right), ("gateway", Right::Write));
        assert!(found.is_for(Some("mail")));
        assert!(!found.is_for(Some("news")) && !found.is_for(None));
        assert!(keys.find("ts_0").is_none());
        assert!(!line.contains(&key[3..]));
    }

    #[test]
    fn lines_that_are_no_keys_are_refused() {
        let hash = "0".repeat(64);
        for line in [
            "a read *".to_owned(),
            format!("a all * {hash}"),
            format!("a read * {hash}0"),
            format!("a read * {}", "é".repeat(32)),
        ] {
            assert!(parse(&line).is_err(), "{line}");
        }
    }
}
