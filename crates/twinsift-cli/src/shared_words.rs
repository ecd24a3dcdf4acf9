//! Which words of a text stand in the other text too, in the same company.
//!
//! Single words are in every text. So a word counts as shared only as part of a
//! run of k words that the other text has as well; the terminal shows what
//! differs, the report what is shared, and both mean the same by it.

use std::collections::HashSet;
use twinsift::features::shingles::spelled;
use twinsift::tokenise::Tokens;

/// What stands between white space.
pub struct Word<'a> {
    pub text: &'a str,
    /// Whether it is shared as a whole; missing for dashes and the like, which
    /// are not compared.
    pub shared: Option<bool>,
}

/// The words of `text`, seen from `other`.
pub fn words<'a>(text: &'a str, other: &str, k: usize) -> Vec<Word<'a>> {
    let grams = |text: &str| {
        let mut tokens = Tokens::new();
        tokens.read(text);
        let words: Vec<String> = tokens.words().map(str::to_owned).collect();
        (spelled(&tokens, &words, k), tokens.len())
    };
    let (own, count) = grams(text);
    let others: HashSet<u64> = grams(other).0.into_iter().map(|(value, _)| value).collect();
    let mut shared = vec![false; count];
    for (at, (value, _)) in own.iter().enumerate() {
        if others.contains(value) {
            shared[at..count.min(at + k)].fill(true);
        }
    }
    let mut next = 0;
    let mut tokens = Tokens::new();
    text.split_whitespace()
        .map(|word| {
            tokens.read(word);
            let mine = &shared[next.min(count)..count.min(next + tokens.len())];
            next += tokens.len();
            Word {
                text: word,
                shared: (!mine.is_empty()).then(|| !mine.contains(&false)),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(text: &str, other: &str, k: usize) -> String {
        let sign = |word: Word<'_>| match word.shared {
            Some(true) => 's',
            Some(false) => '-',
            None => '.',
        };
        words(text, other, k).into_iter().map(sign).collect()
    }

    #[test]
    fn only_whole_runs_are_shared() {
        let other = "the harbour opens on Monday, said the mayor";
        assert_eq!(shared("The harbour opens – on Friday", other, 3), "sss.s-");
        assert_eq!(shared("the mayor opens Monday", other, 3), "----");
        assert_eq!(shared("the mayor opens Monday", other, 1), "ssss");
    }

    #[test]
    fn short_and_empty_texts() {
        assert_eq!(shared("two words", "two words", 3), "ss");
        assert_eq!(shared("", "two words", 3), "");
        assert_eq!(shared("two words", "", 3), "--");
    }
}
