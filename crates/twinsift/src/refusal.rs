//! Why a recipe was refused, in words that every front end can use.

use std::fmt;

/// Says what is wrong with a recipe and what to do. It names parameters without saying how
/// they are written: a command has flags for them, a library has arguments.
///
/// ```
/// use twinsift::{Error, Recipe, RefusalKind};
///
/// let Err(Error::Recipe(refusal)) = Recipe::shingles().top_terms(0).resolve() else {
///     unreachable!()
/// };
/// assert_eq!(refusal.kind(), RefusalKind::OutOfRange);
/// assert_eq!(refusal.parameter(), Some("top_terms"));
/// assert_eq!(refusal.to_string(), "`top_terms` must be at least 1");
/// let argument = |name: &str| format!("{name}=");
/// assert_eq!(refusal.spelled(argument), "top_terms= must be at least 1");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    kind: RefusalKind,
    /// Names of parameters stand between ‹ and ›.
    marked: String,
}

/// What is wrong with a recipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RefusalKind {
    /// A parameter that belongs to other recipes.
    Misplaced,
    /// A value that a parameter cannot have.
    OutOfRange,
    /// Something that the recipe needs.
    Missing,
    /// Parts that do not go together.
    Conflict,
}

impl Refusal {
    /// A refusal by a sentence in which names of parameters stand between ‹ and ›.
    pub fn new(kind: RefusalKind, marked: impl Into<String>) -> Self {
        Self {
            kind,
            marked: marked.into(),
        }
    }

    /// What is wrong.
    pub fn kind(&self) -> RefusalKind {
        self.kind
    }

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
        Self::new(RefusalKind::Conflict, marked)
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
