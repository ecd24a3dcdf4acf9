//! What people say of pairs, and which of the things they said stands.
//!
//! Labels are kept as rows that are only ever added. A later row of a pair replaces what was
//! said before, and a row with [`Verdict::Undone`] takes back the row of its pair that stood
//! until then, so that the one before it stands again.

use std::collections::HashMap;
use std::hash::Hash;

/// What is said of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The two are the same.
    Same,
    /// They are not.
    Different,
    /// They must never be taken for the same, however alike they look.
    Never,
    /// Who was asked could not tell.
    Unsure,
    /// What was said last is taken back.
    Undone,
}

impl Verdict {
    const NAMES: [(Self, &str); 5] = [
        (Self::Same, "1"),
        (Self::Different, "0"),
        (Self::Never, "never"),
        (Self::Unsure, "unsure"),
        (Self::Undone, "undone"),
    ];

    /// The verdict that a label spells.
    pub fn parse(label: &str) -> Option<Self> {
        match label.trim().to_ascii_lowercase().as_str() {
            "1.0" | "true" | "yes" => Some(Self::Same),
            "0.0" | "false" | "no" => Some(Self::Different),
            name => Self::NAMES
                .iter()
                .find(|(_, known)| *known == name)
                .map(|(verdict, _)| *verdict),
        }
    }

    /// How it is spelled in a file.
    pub fn name(self) -> &'static str {
        Self::NAMES
            .iter()
            .find(|(verdict, _)| *verdict == self)
            .map_or("", |(_, name)| name)
    }

    /// Whether the two are the same, if that is said.
    pub fn same(self) -> Option<bool> {
        match self {
            Self::Same => Some(true),
            Self::Different | Self::Never => Some(false),
            Self::Unsure | Self::Undone => None,
        }
    }
}

/// A pair by its two ids, whichever comes first.
pub fn pair_key<'a>(a: &'a str, b: &'a str) -> (&'a str, &'a str) {
    if a <= b { (a, b) } else { (b, a) }
}

/// The places of the rows that stand, ascending: of each pair the last that is not taken back.
pub fn standing<K: Hash + Eq>(rows: impl IntoIterator<Item = (K, Verdict)>) -> Vec<usize> {
    let mut by_pair: HashMap<K, Vec<usize>> = HashMap::new();
    for (at, (key, verdict)) in rows.into_iter().enumerate() {
        let said = by_pair.entry(key).or_default();
        match verdict {
            Verdict::Undone => _ = said.pop(),
            _ => said.push(at),
        }
    }
    let mut standing: Vec<usize> = by_pair
        .values()
        .filter_map(|said| said.last().copied())
        .collect();
    standing.sort_unstable();
    standing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_read_as_they_are_spelled() {
        for (verdict, name) in Verdict::NAMES {
            assert_eq!(Verdict::parse(name), Some(verdict));
            assert_eq!(verdict.name(), name);
        }
        assert_eq!(Verdict::parse(" TRUE "), Some(Verdict::Same));
        assert_eq!(Verdict::parse("un"), None);
        assert_eq!(Verdict::Never.same(), Some(false));
    }

    #[test]
    fn later_rows_win_and_what_is_undone_is_as_before() {
        use Verdict::{Different, Same, Undone, Unsure};
        let rows = [
            (pair_key("a", "b"), Same),
            (pair_key("c", "d"), Same),
            (pair_key("b", "a"), Different),
            (pair_key("c", "d"), Undone),
            (pair_key("e", "f"), Unsure),
        ];
        assert_eq!(standing(rows), [2, 4]);
        let undone = rows.into_iter().chain([(pair_key("a", "b"), Undone)]);
        assert_eq!(standing(undone), [0, 4]);
        let twice = rows.into_iter().chain([(pair_key("c", "d"), Undone); 2]);
        assert_eq!(standing(twice), [2, 4]);
    }
}
