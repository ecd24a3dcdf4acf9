//! Why a recipe was refused, in words that every front end can use.

use crate::error::{Error, Result};
use std::fmt;

/// A sentence that says what is wrong with a recipe and what to do. It names parameters
/// without saying how they are written: a command has flags for them, a library has arguments.
///
/// ```
/// use twinsift::{Error, Recipe};
///
/// let Err(Error::Recipe(refusal)) = Recipe::shingles().top_terms(0).resolve() else {
///     unreachable!()
/// };
/// assert_eq!(refusal.parameter(), Some("top_terms"));
/// assert_eq!(refusal.to_string(), "`top_terms` must be at least 1");
/// let argument = |name: &str| format!("{name}=");
/// assert_eq!(refusal.spelled(argument), "top_terms= must be at least 1");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Names of parameters stand between ‹ and ›.
    marked: String,
}

impl Refusal {
    /// The parameter that is named first, which is mostly the one at fault.
    pub fn parameter(&self) -> Option<&str> {
        let (_, rest) = self.marked.split_once('‹')?;
        rest.split_once('›').map(|(name, _)| name)
    }

    /// The sentence, with each parameter as `spell` writes it.
    pub fn spelled(&self, spell: impl Fn(&str) -> String) -> String {
        spelled(&self.marked, spell)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spelled(|name| format!("`{name}`")))
    }
}

impl<T: Into<String>> From<T> for Refusal {
    fn from(marked: T) -> Self {
        Self {
            marked: marked.into(),
        }
    }
}

/// A text in which names of parameters stand between ‹ and ›, with each as `spell` writes it.
pub(crate) fn spelled(marked: &str, spell: impl Fn(&str) -> String) -> String {
    let mut parts = marked.split('‹');
    let mut said = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('›') {
            Some((name, rest)) => said += &(spell(name) + rest),
            None => said += part,
        }
    }
    said
}

/// Refuses a recipe.
pub fn refuse<T>(why: impl Into<Refusal>) -> Result<T> {
    Err(Error::Recipe(why.into()))
}
