//! Which spots to take: `a an the:2:3`.

use crate::tokenise::Tokens;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The paper's *a(d, c)*: wherever an antecedent stands, a chain of `chain` words,
/// each `distance` words after the one before, or the next one that is no stop word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Specification {
    /// The antecedents; empty: those of the document's language.
    pub antecedents: Vec<String>,
    /// Words from one to the next.
    pub distance: u32,
    /// Words to a chain.
    pub chain: u32,
}

impl Default for Specification {
    /// The paper's best: the language's antecedents, distance 2, chains of 3.
    fn default() -> Self {
        Self {
            antecedents: Vec::new(),
            distance: 2,
            chain: 3,
        }
    }
}

impl Specification {
    /// What is wrong with one that was put together by hand, if anything.
    pub(crate) fn check(&self) -> Option<String> {
        self.to_string().parse::<Self>().err()
    }
}

const FORM: &str = "write \"ANTECEDENTS:DISTANCE:CHAIN\", such as \"a an the:2:3\", or \"2:3\" for the language's antecedents";

impl FromStr for Specification {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = |why: &str| format!("the spots \"{text}\" {why}: {FORM}");
        let mut parts = text.rsplitn(3, ':');
        let mut number = |name: &str, most: u32| {
            let part = parts.next().unwrap_or_default().trim();
            let found: u32 = part
                .parse()
                .map_err(|_| wrong(&format!("have no {name}")))?;
            match (1..=most).contains(&found) {
                true => Ok(found),
                false => Err(wrong(&format!("have a {name} outside 1 to {most}"))),
            }
        };
        let chain = number("chain length", 100)?;
        let distance = number("distance", 1000)?;
        let antecedents = parts
            .next()
            .unwrap_or_default()
            .split(|c: char| c.is_whitespace() || c == ',')
            .filter(|word| !word.is_empty())
            .map(one_word)
            .collect::<Result<_, _>>()
            .map_err(|word| wrong(&format!("have an antecedent, {word}, that is not one word")))?;
        Ok(Self {
            antecedents,
            distance,
            chain,
        })
    }
}

/// `word` as the tokeniser sees it, if it is one token.
pub(super) fn one_word(word: &str) -> Result<String, String> {
    let mut tokens = Tokens::new();
    tokens.read(word);
    match tokens.words().next() {
        Some(token) if tokens.len() == 1 => Ok(token.to_owned()),
        _ => Err(word.to_owned()),
    }
}

impl fmt::Display for Specification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.antecedents.is_empty() {
            write!(f, "{}:", self.antecedents.join(" "))?;
        }
        write!(f, "{}:{}", self.distance, self.chain)
    }
}

impl From<Specification> for String {
    fn from(specification: Specification) -> Self {
        specification.to_string()
    }
}

impl TryFrom<String> for Specification {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_what_is_read() {
        for text in ["a an the:2:3", "1:2", "что:5:1", "的:1:1"] {
            let read: Specification = text.parse().expect(text);
            assert_eq!(read.to_string(), text);
        }
        let read: Specification = "The, A : 1 : 2".parse().expect("words and numbers");
        assert_eq!(read.to_string(), "the a:1:2");
    }

    #[test]
    fn a_mistake_is_reported_with_the_form() {
        for (text, why) in [
            ("the", "no chain length"),
            ("the:2", "no distance"),
            ("the:0:2", "distance outside 1 to 1000"),
            ("the:1:200", "chain length outside 1 to 100"),
            ("don't:1:2", "don't, that is not one word"),
        ] {
            let message = text.parse::<Specification>().expect_err(text);
            assert!(
                message.contains(why) && message.contains("a an the:2:3"),
                "{message}"
            );
        }
    }
}
