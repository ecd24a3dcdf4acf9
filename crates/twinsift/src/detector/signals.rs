//! How alike two profiles are, in many ways at once.

use crate::features::profile::Kind;
use crate::vector::Vector;

/// What a detector looks at, each from 0 to 1, by the names that stand in its file.
pub const NAMES: [&str; COUNT] = [
    "word_cosine",
    "word_containment",
    "word_jaccard",
    "gram_cosine",
    "gram_containment",
    "gram_jaccard",
    "folded_word_cosine",
    "folded_word_containment",
    "folded_word_jaccard",
    "folded_gram_cosine",
    "folded_gram_containment",
    "folded_gram_jaccard",
    "title_containment",
    "title_jaccard",
    "titles",
    "length_ratio",
    "length",
];

/// Number of signals.
pub const COUNT: usize = 17;

/// Words of a text that is as long as it matters.
const LONG: f64 = 10_000.0;

/// The signals of two profiles, in the order of [`NAMES`]. The order of the two does not matter.
pub(crate) fn of(a: Vector<'_>, b: Vector<'_>) -> [f64; COUNT] {
    let mut signals = [0.0; COUNT];
    for (kind, three) in Kind::ALL[..4].iter().zip(signals.as_chunks_mut::<3>().0) {
        let overlap = Overlap::of(kind.of(a).values, kind.of(b).values);
        *three = [overlap.cosine(), overlap.containment(), overlap.jaccard()];
    }
    let titles = Overlap::of(Kind::Title.of(a).values, Kind::Title.of(b).values);
    let words = [a, b].map(|profile| Kind::Words.range(profile.values).len() as f64);
    let (fewer, more) = (words[0].min(words[1]), words[0].max(words[1]));
    signals[12..].copy_from_slice(&[
        titles.containment(),
        titles.jaccard(),
        f64::from(titles.smaller > 0.0),
        fewer / more.max(1.0),
        ((1.0 + fewer).ln() / (1.0 + LONG).ln()).min(1.0),
    ]);
    signals
}

/// How much two sets share.
struct Overlap {
    shared: f64,
    smaller: f64,
    larger: f64,
}

impl Overlap {
    fn of(a: &[u64], b: &[u64]) -> Self {
        let (smaller, larger) = (a.len().min(b.len()), a.len().max(b.len()));
        Self {
            shared: shared(a, b) as f64,
            smaller: smaller as f64,
            larger: larger as f64,
        }
    }

    fn cosine(&self) -> f64 {
        self.shared / (self.smaller * self.larger).sqrt().max(1.0)
    }

    fn containment(&self) -> f64 {
        self.shared / self.smaller.max(1.0)
    }

    fn jaccard(&self) -> f64 {
        self.shared / (self.smaller + self.larger - self.shared).max(1.0)
    }
}

/// How many values two ascending lists share.
fn shared(a: &[u64], b: &[u64]) -> usize {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        shared += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    shared
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::features::{Features, profile};
    use crate::tokenise::Tokens;
    use proptest::prelude::*;

    /// The signals of two texts with titles.
    pub(in crate::detector) fn signals(a: (&str, &str), b: (&str, &str)) -> [f64; COUNT] {
        let [a, b] = [a, b].map(|(title, text)| {
            let mut features = Features::new();
            profile::read(text, Some(title), &mut Tokens::new(), &mut features);
            features.values().to_vec()
        });
        let vector = |values| Vector {
            total: 0.0,
            values,
            weights: &[],
        };
        of(vector(&a), vector(&b))
    }

    fn value(signals: &[f64; COUNT], name: &str) -> f64 {
        signals[NAMES
            .iter()
            .position(|known| *known == name)
            .expect("a signal")]
    }

    #[test]
    fn signals_are_shares_of_what_is_there() {
        let of = signals(("Great news", "a b c d"), ("News", "a b c e f g"));
        assert_eq!(value(&of, "word_containment"), 3.0 / 4.0);
        assert_eq!(value(&of, "word_jaccard"), 3.0 / 7.0);
        assert_eq!(value(&of, "word_cosine"), 3.0 / 24f64.sqrt());
        assert_eq!(value(&of, "gram_containment"), 1.0 / 2.0);
        assert_eq!(value(&of, "title_jaccard"), 1.0 / 2.0);
        assert_eq!(value(&of, "titles"), 1.0);
        assert_eq!(value(&of, "length_ratio"), 4.0 / 6.0);
        assert_eq!(value(&signals(("", "a b"), ("", "a b")), "titles"), 0.0);
    }

    proptest! {
        #[test]
        fn signals_are_symmetric_and_in_range(
            a in "[a-d ]{0,60}", b in "[a-d ]{0,60}", title in "[a-d ]{0,9}",
        ) {
            let ab = signals((&title, &a), ("a b", &b));
            prop_assert_eq!(ab, signals(("a b", &b), (&title, &a)));
            prop_assert!(ab.iter().all(|value| (0.0..=1.0).contains(value)), "{:?}", ab);
        }
    }
}
