//! Do two pages have the same title?
//!
//! Runs of white space count as one space; nothing else is evened out, for the
//! paper asks for an exact match.

use super::about::{About, Cost, Large};

/// Simple, and good at telling apart what other signals take for duplicates.
pub const ABOUT: About = About {
    name: "same_title",
    definition: "1 if the titles are equal, else 0; missing where a page has none",
    cost: Cost::Title,
    large: Large::Alike,
};

/// A title as it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Title(String);

impl Title {
    /// A title; `None` if there are no words in it.
    pub fn of(title: &str) -> Option<Self> {
        let words: Vec<&str> = title.split_whitespace().collect();
        (!words.is_empty()).then(|| Self(words.join(" ")))
    }

    /// 1 if the titles are equal, else 0.
    pub fn same(&self, other: &Self) -> f64 {
        f64::from(self == other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_match_exactly_or_not_at_all() {
        let title = |text| Title::of(text).expect("a title");
        assert_eq!(title(" Terms\n of use ").same(&title("Terms of use")), 1.0);
        assert_eq!(title("Terms of use").same(&title("terms of use")), 0.0);
        assert_eq!(Title::of(" \n"), None);
    }
}
