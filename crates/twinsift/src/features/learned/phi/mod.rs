//! What is known of a k-gram in a document: the features φ of the ANDD paper's Table 1,
//! and one more.
//!
//! Every value is from 0 to 1, so that the weights λ of features compare.
//!
//! | name | paper | value |
//! |---|---|---|
//! | `bias` | Bias | 1 |
//! | `tf` | TF | log₂(1 + occurrences) / 4, at most 1 |
//! | `df-0` … `df-1` | DF | the normalised idf of the rarest word, spread over knots |
//! | `df-avg`, `df-med` | DF-Avg, DF-Med | mean and median of its words' normalised idf; for k > 1 |
//! | `qf` | QF | ln(1 + queries) / ln(1 + most queries); with a file of queries |
//! | `loc-0` … `loc-1` | Loc | where it stands first, as a share of the document, spread over knots |
//! | `len` | Len | log₁₀(words of the document) / 5, at most 1 |
//! | `cap` | Cap | 1 if its first word is ever capitalised |
//! | `in-title` | InTitle | 1 if all its words are in the title or mail subject |
//! | `in-url` | InURL | 1 if all its words are in the document's address |
//! | `in-link` | – | 1 if it ever stands in a web address within the text |
//!
//! A value that is *spread over knots* (`knots`) can be weighed by any curve: words of
//! the middle range can count more than rare and common ones.
//!
//! Document frequencies come from a lexicon; without one, the DF features are 0. They are
//! never those of the collection at hand. There, a word of a story is as common as the
//! story has copies, and a model would learn how many these are: it would be at a loss on
//! a collection with more or fewer copies. The document frequency of a k-gram is that of its rarest word, which bounds it from
//! above: a lexicon counts words, so that it stays small and can come from elsewhere.
//!
//! **Negative weights.** Σ λφ can fall below zero. Such a k-gram is left out, as if its
//! weight were zero, in training as in use: the similarities then stay between 0
//! and 1, and what speaks against a k-gram removes it.

mod df;
mod fields;
mod knots;
mod loc;
mod qf;
mod shape;

pub use df::Rarity;
pub use qf::Queries;
pub(super) use shape::len as length;

use super::reading::ReadDocument;

/// A k-gram of a document.
#[derive(Clone, Copy, Debug)]
pub struct Gram {
    /// Its value.
    pub value: u64,
    /// Where it stands first: the number of its first word.
    pub first: u32,
    /// How often it occurs.
    pub count: u32,
    /// Whether its first word is ever capitalised.
    pub capital: bool,
    /// Whether it ever stands in a web address.
    pub linked: bool,
}

/// The features of k-grams of some length.
#[derive(Clone, Debug)]
pub struct Phi {
    k: usize,
    rarity: Option<Rarity>,
    queries: Option<Queries>,
    /// `tf` by the number of occurrences.
    tf: [f32; shape::MOST_COUNTED + 1],
}

impl Phi {
    /// Features of k-grams of `k` words, with the statistics that they need.
    pub fn new(k: usize, rarity: Option<Rarity>, queries: Option<Queries>) -> Self {
        Self {
            k,
            rarity,
            queries,
            tf: std::array::from_fn(shape::tf),
        }
    }

    /// Words to a k-gram.
    pub fn k(&self) -> usize {
        self.k
    }

    /// Replaces `idf` by the normalised idf of each word that a k-gram asks about, or by
    /// nothing if they are not known. They are looked up together, so that the processor
    /// need not wait for each.
    pub fn look_up(&self, reading: &ReadDocument, idf: &mut Vec<f32>) {
        idf.clear();
        match &self.rarity {
            None => {}
            Some(rarity) if self.k == 1 => {
                idf.resize(reading.words.len(), 0.0);
                for word in &reading.grams {
                    idf[word.first as usize] = rarity.of(word.value);
                }
            }
            Some(rarity) => idf.extend(reading.words.iter().map(|&word| rarity.of(word))),
        }
    }

    /// Emits the features of a k-gram that are not 0, by their place among [`names`];
    /// `idf` is what [`look_up`](Self::look_up) gave for the document.
    #[inline]
    pub fn emit_values(
        &self,
        gram: &Gram,
        reading: &ReadDocument,
        idf: &[f32],
        scratch: &mut Vec<f32>,
        mut emit: impl FnMut(usize, f32),
    ) {
        let first = gram.first as usize;
        let last = (first + self.k).min(reading.words.len());
        let words = &reading.words[first..last];
        emit(0, 1.0);
        emit(1, self.tf[(gram.count as usize).min(shape::MOST_COUNTED)]);
        let mut from = 2;
        if let Some(idf) = idf.get(first..last) {
            df::emit_values(idf, self.k, scratch, |at, value| emit(from + at, value));
        }
        from += df::width(self.k);
        if let Some(queries) = &self.queries {
            emit(from, queries.of(gram.value));
            from += 1;
        }
        loc::emit_values(first, reading.words.len(), |at, value| {
            emit(from + at, value)
        });
        from += loc::WIDTH;
        emit(from, reading.length);
        let title = fields::all_in(words, &reading.title);
        let url = fields::all_in(words, &reading.url);
        for (at, is_so) in [gram.capital, title, url, gram.linked]
            .into_iter()
            .enumerate()
        {
            if is_so {
                emit(from + 1 + at, 1.0);
            }
        }
    }
}

/// The weights of `width` features that make every k-gram count the same.
pub fn unlearned(width: usize) -> Vec<f64> {
    let mut lambda = vec![0.0; width];
    lambda[0] = 1.0;
    lambda
}

/// The names of the features of k-grams, in order.
pub fn names(k: usize, queries: bool) -> Vec<String> {
    let mut names = vec!["bias".to_owned(), "tf".to_owned()];
    names.extend(df::names(k));
    if queries {
        names.push("qf".to_owned());
    }
    names.extend(loc::names());
    names.extend(["len", "cap", "in-title", "in-url", "in-link"].map(str::to_owned));
    names
}
