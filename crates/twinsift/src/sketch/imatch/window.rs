//! The primary and the secondary lexicon.

use crate::features::lexicon::counts;
use crate::lexicon::Lexicon;

/// A range of normalised idf, and what a lexicon has in it and above it.
#[derive(Clone, Copy, Debug)]
pub struct Window<'a> {
    lexicon: &'a Lexicon,
    range: [f64; 2],
}

impl<'a> Window<'a> {
    /// The words of `lexicon` with a normalised idf in `range`.
    pub fn new(lexicon: &'a Lexicon, range: [f64; 2]) -> Self {
        Self { lexicon, range }
    }

    /// The primary lexicon: words within the range, as places in
    /// [`Lexicon::hashes`], in that order.
    pub fn primary(self) -> impl Iterator<Item = usize> + 'a {
        let [least, most] = self.range;
        self.terms()
            .filter(move |&(_, idf)| least <= idf && idf <= most)
            .map(|(at, _)| at)
    }

    /// The secondary lexicon: words above the range, the most frequent first, at most
    /// `limit` of them.
    pub fn secondary(self, limit: usize) -> impl Iterator<Item = usize> + 'a {
        let mut ranked: Vec<usize> = match limit {
            0 => Vec::new(),
            _ => self
                .terms()
                .filter(|&(_, idf)| idf > self.range[1])
                .map(|(at, _)| at)
                .collect(),
        };
        let frequencies = self.lexicon.frequencies();
        // Stable: equally frequent words stay in the order of their hashes.
        ranked.sort_by_key(|&at| std::cmp::Reverse(frequencies[at]));
        ranked.into_iter().take(limit)
    }

    /// Words that can be in a document as I-Match sees it, with their idf. Words
    /// known by their hashes alone have been looked at before they were counted.
    fn terms(self) -> impl Iterator<Item = (usize, f64)> + 'a {
        let lexicon = self.lexicon;
        let frequencies = lexicon.frequencies().iter().enumerate();
        frequencies.filter_map(move |(at, &frequency)| {
            let word = lexicon.word(at);
            let fits = word.is_empty() || counts(word.as_bytes());
            fits.then(|| (at, lexicon.normalised_idf(frequency)))
        })
    }
}
