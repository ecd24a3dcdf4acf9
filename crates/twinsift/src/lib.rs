//! Near-duplicate document detection: exact, fast, in bounded memory.
//!
//! Finds the texts, web pages and mails that are the same to a reader though not
//! byte for byte. A [`Sifter`] takes documents; [`Matches`] are what it found.
//!
//! ```
//! use twinsift::{Document, Keep, Recipe, Settings, Sifter, Verdict};
//!
//! let mut sifter = Sifter::new(Recipe::default(), Settings::default())?;
//! sifter.add(&Document::new("monday", "The council approved the new bridge over the river."))?;
//! sifter.add(&Document::new("tuesday", "A storm is expected to reach the coast by tomorrow."))?;
//! sifter.add(&Document::new("again", "The council approved the new bridge over the river!"))?;
//!
//! let matches = sifter.finish()?;
//! for pair in matches.pairs() {
//!     let pair = pair?;
//!     assert_eq!((pair.a, pair.b, pair.score), (0, 2, 1.0));
//! }
//! let verdicts = matches.dedup(Keep::First)?;
//! assert_eq!(verdicts[2], Verdict::DuplicateOf { doc: 0, score: 1.0 });
//! # Ok::<(), twinsift::Error>(())
//! ```
//!
//! The default [`Recipe`] compares word 5-grams and finds *every* pair with a
//! Jaccard similarity of at least 0.8: no sampling, no chance. Others start from a preset,
//! such as [`Recipe::spotsigs`], and [`Choices`]. [`Settings`] say how many threads and how much memory a run
//! may take; they never change a result.
//!
//! Data flows one way: [`tokenise`] → [`features`] → [`sketch`] → [`matching`] →
//! [`cluster`]. File formats are the business of the `twinsift-io` crate.
//! [`lexicon`] counts words, [`filter`] answers a stream, [`compare()`] explains a single pair. How good a recipe is on labelled
//! documents is the business of `twinsift-eval`, learning from them of `twinsift-learn`.

mod analyse;
mod candidates;
mod chance;
pub mod cluster;
pub mod collection;
pub mod compare;
pub mod detector;
pub mod distributed;
pub mod document;
pub mod error;
mod extract;
pub mod features;
pub mod filter;
pub mod hash;
mod keys;
pub mod lexicon;
mod matcher;
pub mod matches;
pub mod matching;
mod observer;
pub mod page;
mod parallel;
pub mod recipe;
mod refusal;
pub mod settings;
pub mod sifter;
mod signature;
pub mod similarity;
pub mod sketch;
pub mod statistics;
pub mod tokenise;
pub mod vector;
mod verifier;

pub use candidates::Candidates;
pub use cluster::stars::Verdict;
pub use compare::{compare, compare_in};
pub use detector::{Detector, Find};
pub use document::{ContentKey, Document, Id, Item, Place, Rank, Rendered, Skipped};
pub use error::{Error, Result};
pub use extract::Extractor;
pub use keys::Keys;
pub use lexicon::Lexicon;
pub use matches::{Clustering, Group, Keep, Matches, Pair, Purpose, Report};
pub use observer::{Observer, Progress, Stage};
pub use recipe::{Choices, Recipe};
pub use refusal::{Refusal, RefusalKind};
pub use settings::Settings;
pub use sifter::Sifter;
pub use signature::Signature;
pub use statistics::Statistics;
pub use verifier::Verifier;

/// The examples that README and guide lead to, run as documentation tests.
#[cfg(doctest)]
mod examples {
    #[doc = include_str!("../README.md")]
    mod readme {}
    #[doc = concat!("```\n", include_str!("../examples/compare_two_texts.rs"), "```")]
    mod compare_two_texts {}
    #[doc = concat!("```\n", include_str!("../examples/extract_signatures.rs"), "```")]
    mod extract_signatures {}
    #[doc = concat!("```\n", include_str!("../examples/block_by_keys.rs"), "```")]
    mod block_by_keys {}
    #[doc = concat!("```\n", include_str!("../examples/verify_pairs.rs"), "```")]
    mod verify_pairs {}
    #[doc = concat!("```\n", include_str!("../examples/deduplicate_iterator.rs"), "```")]
    mod deduplicate_iterator {}
    #[doc = concat!("```\n", include_str!("../examples/join_by_keys.rs"), "```")]
    mod join_by_keys {}
    #[doc = concat!("```\n", include_str!("../examples/own_features.rs"), "```")]
    mod own_features {}
    #[doc = concat!("```\n", include_str!("../examples/stream_pairs.rs"), "```")]
    mod stream_pairs {}
}
