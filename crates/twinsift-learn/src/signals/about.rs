//! What there is to know about a signal without computing it.

/// A signal's definition. Every signal is from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// Its name, which is also that of its column.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub definition: &'static str,
    /// What it costs.
    pub cost: Cost,
    /// What a large value means.
    pub large: Large,
}

/// What a large value of a signal means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Large {
    /// The pages are alike.
    Alike,
    /// The pages are apart.
    Apart,
}

/// What a signal costs, the cheapest first: the rungs of the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Cost {
    /// A look at two addresses.
    Address,
    /// A look at two titles.
    Title,
    /// A look at two numbers.
    Length,
    /// A pass over the words of each page; next to nothing for a pair.
    Terms,
    /// Main content found in each page; two sorted lists walked for a pair.
    Content,
    /// The text around the words of a query compressed, for each pair.
    Snippet,
    /// Whole bodies compressed, for each pair.
    Compression,
}
