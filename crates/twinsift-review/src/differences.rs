//! What two texts have in common, word by word.
//!
//! Of long texts a part is compared: from a little before the first difference on. So the work
//! and the page stay small, whatever the documents.

use crate::spool::Texts;
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};
use std::time::{Duration, Instant};

/// Bytes of each text that are compared.
const WINDOW: usize = 96 << 10;

/// Bytes before the first difference that are compared too.
const BEFORE: u64 = 400;

/// Bytes that are read at once to find the first difference.
const STEP: usize = 1 << 20;

/// How long words are compared; what is not yet matched then is taken for different.
const PATIENCE: Duration = Duration::from_millis(300);

/// A run of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The text.
    pub text: String,
    /// Whether the other document has it too, at this place.
    pub is_shared: bool,
    /// How many words it has.
    pub words: usize,
}

/// Two texts, or parts of them, as runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// The runs of each text.
    pub sides: [Vec<Run>; 2],
    /// Bytes of each text before what is compared, which are the same.
    pub before: u64,
    /// Bytes of each text behind what is compared.
    pub after: [u64; 2],
    /// Whether the two texts are the same to the last byte.
    pub is_equal: bool,
}

impl Differences {
    /// Compares two documents.
    pub fn of(texts: &Texts, a: u32, b: u32) -> Self {
        let lengths = [a, b].map(|doc| texts.len(doc));
        let same = same_bytes(texts, a, b, lengths[0].min(lengths[1]));
        let is_short = lengths.iter().all(|&length| length <= WINDOW as u64);
        let before = if is_short {
            0
        } else {
            same.saturating_sub(BEFORE)
        };
        // The same bytes before, so one beginning for both.
        let part = texts.part(a, before, BEFORE as usize);
        let cut = match before {
            0 => 0,
            _ => part.find(char::is_whitespace).map_or(0, |at| at as u64 + 1),
        };
        let start = before + cut;
        let [x, y] = [a, b].map(|doc| texts.part(doc, start, WINDOW));
        let mut compared = Self::of_texts(&x, &y);
        compared.before = start;
        compared.after = [0, 1].map(|side| {
            let shown = start + [&x, &y][side].len() as u64;
            lengths[side].saturating_sub(shown)
        });
        compared.is_equal = same == lengths[0] && same == lengths[1];
        compared
    }

    /// Compares two short texts.
    pub fn of_texts(a: &str, b: &str) -> Self {
        let [x, y] = [a, b].map(tokens);
        let [keys_x, keys_y] = [&x, &y].map(|tokens| {
            let keys = tokens.iter().map(|token| token.trim_end());
            keys.collect::<Vec<&str>>()
        });
        let deadline = Some(Instant::now() + PATIENCE);
        let steps = capture_diff_slices_deadline(Algorithm::Myers, &keys_x, &keys_y, deadline);
        let mut sides = [Vec::new(), Vec::new()];
        for step in steps {
            let is_shared = matches!(step, DiffOp::Equal { .. });
            for (side, (tokens, range)) in sides
                .iter_mut()
                .zip([(&x, step.old_range()), (&y, step.new_range())])
            {
                if !range.is_empty() {
                    side.push(Run {
                        words: range.len(),
                        text: tokens[range].concat(),
                        is_shared,
                    });
                }
            }
        }
        Self {
            sides,
            is_equal: a == b,
            ..Self::default()
        }
    }
}

/// How many bytes two texts begin with alike.
fn same_bytes(texts: &Texts, a: u32, b: u32, least: u64) -> u64 {
    let mut at = 0;
    while at < least {
        let length = STEP.min((least - at) as usize);
        let (Ok(x), Ok(y)) = (texts.raw(a, at, length), texts.raw(b, at, length)) else {
            return at;
        };
        if let Some(differs) = x.iter().zip(&y).position(|(x, y)| x != y) {
            return at + differs as u64;
        }
        at += length as u64;
    }
    at
}

/// Words, and single characters between them; white space belongs to what it follows.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let (mut start, mut last) = (0, Kind::Space);
    for (at, c) in text.char_indices() {
        let kind = Kind::of(c);
        let goes_on = kind == Kind::Space || (kind == Kind::Word && last == Kind::Word);
        if at > start && !goes_on {
            tokens.push(&text[start..at]);
            start = at;
        }
        last = kind;
    }
    tokens.extend((start < text.len()).then(|| &text[start..]));
    tokens
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Space,
    Word,
    Alone,
}

impl Kind {
    fn of(c: char) -> Self {
        match c {
            c if c.is_whitespace() => Self::Space,
            // Scripts without spaces between words.
            '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'.. => Self::Alone,
            c if c.is_alphanumeric() || c == '_' => Self::Word,
            _ => Self::Alone,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn marked(runs: &[Run]) -> String {
        let mark = |run: &Run| match run.is_shared {
            true => run.text.clone(),
            false => format!("[{}]", run.text),
        };
        runs.iter().map(mark).collect()
    }

    #[test]
    fn words_that_differ_are_marked() {
        let [a, b] =
            Differences::of_texts("The bridge, closed today.", "The old bridge closed  today!")
                .sides;
        assert_eq!(marked(&a), "The bridge[, ]closed today[.]");
        assert_eq!(marked(&b), "The [old ]bridge closed  today[!]");
        let [a, b] = Differences::of_texts("東京都", "東都").sides;
        assert_eq!((marked(&a), marked(&b)), ("東[京]都".into(), "東都".into()));
    }

    proptest! {
        #[test]
        fn nothing_is_lost(a in "\\PC{0,80}", b in "[a-c \n.]{0,80}") {
            let compared = Differences::of_texts(&a, &b);
            for (side, text) in compared.sides.iter().zip([&a, &b]) {
                let whole: String = side.iter().map(|run| &*run.text).collect();
                prop_assert_eq!(&whole, text);
            }
            let shared = |side: usize| -> usize {
                let runs = compared.sides[side].iter();
                runs.filter(|run| run.is_shared).map(|run| run.words).sum()
            };
            prop_assert_eq!(shared(0), shared(1));
        }
    }
}
