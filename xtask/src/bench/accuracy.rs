//! How right an answer is: its pairs held against the exact ones.

use std::collections::HashSet;
use std::fs::{self, File};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// The pairs that a tool reported, in no order, each once. Names are kept as
/// hashes; with 64 bits, a clash among millions of names is out of the way.
pub struct Answers(HashSet<(u64, u64)>);

/// How an answer compares with the exact one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// The share of the exact pairs that were found.
    pub recall: f64,
    /// The share of the reported pairs that are exact ones.
    pub precision: f64,
}

impl Answers {
    /// Reads pairs from JSON lines with `a` and `b`, or from CSV lines `a,b`.
    pub fn read(path: &Path) -> Result<Self> {
        let shown = path.display();
        let file = File::open(path).with_context(|| format!("cannot read {shown}"))?;
        let is_csv = path.extension().is_some_and(|extension| extension == "csv");
        let mut pairs = HashSet::new();
        for (at, line) in BufReader::new(file).lines().enumerate() {
            let line = line?;
            let pair = if is_csv {
                if at == 0 {
                    continue;
                }
                line.split_once(',').map(|(a, b)| (key(a), key(b)))
            } else {
                from_json(&line)
            };
            let Some((a, b)) = pair else {
                bail!("{shown}, line {}: not a pair", at + 1);
            };
            pairs.insert((a.min(b), a.max(b)));
        }
        Ok(Self(pairs))
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Compares with the exact answer.
    pub fn against(&self, exact: &Self) -> Accuracy {
        let both = self.0.intersection(&exact.0).count() as f64;
        let share = |of: usize| if of == 0 { 1.0 } else { both / of as f64 };
        Accuracy {
            recall: share(exact.len()),
            precision: share(self.len()),
        }
    }
}

fn from_json(line: &str) -> Option<(u64, u64)> {
    let row: Value = serde_json::from_str(line).ok()?;
    let name = |value: &Value| match value {
        Value::String(text) => Some(key(text)),
        Value::Number(number) => Some(key(&number.to_string())),
        _ => None,
    };
    Some((name(&row["a"])?, name(&row["b"])?))
}

fn key(name: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(name)
}

/// Whether two files are the same, byte for byte.
pub fn same_bytes(a: &Path, b: &Path) -> Result<bool> {
    let read =
        |path: &Path| fs::read(path).with_context(|| format!("cannot read {}", path.display()));
    Ok(read(a)? == read(b)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_compared_whatever_their_form() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).expect("written");
            path
        };
        let exact = write(
            "x.jsonl",
            "{\"a\":1,\"b\":2,\"score\":0.9}\n{\"a\":\"x\",\"b\":\"y\"}\n",
        );
        let rival = write("x.csv", "a,b\n2,1\n1,2\n7,8\nq,r\n");
        let exact = Answers::read(&exact).expect("pairs");
        let rival = Answers::read(&rival).expect("pairs");
        assert_eq!((exact.len(), rival.len()), (2, 3));
        let accuracy = rival.against(&exact);
        assert_eq!(accuracy.recall, 0.5);
        assert!((accuracy.precision - 1.0 / 3.0).abs() < 1e-9);

        let broken = write("y.jsonl", "{\"a\":1}\n");
        assert!(Answers::read(&broken).is_err());
    }

    #[test]
    fn files_are_compared_by_bytes() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, byte: u8| {
            let path = folder.path().join(name);
            let mut bytes = vec![7; 200_000];
            bytes[199_999] = byte;
            fs::write(&path, bytes).expect("written");
            path
        };
        let (a, b, c) = (write("a", 1), write("b", 1), write("c", 2));
        assert!(same_bytes(&a, &b).expect("read"));
        assert!(!same_bytes(&a, &c).expect("read"));
    }
}
