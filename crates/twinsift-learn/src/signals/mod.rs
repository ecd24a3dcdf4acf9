//! How alike are two pages, in many ways at once?
//!
//! From *Multiple-Signal Duplicate Detection for Search Evaluation* (Huffman et al.
//! 2007), section 3.2. No single measure tells duplicates from pages that are merely
//! very similar; several together do, and a classifier
//! learns how. A [`Signal`] is one such measure of one of the two bodies that a page
//! has: as it was fetched, and as a browser showed it. Each is in a file of its own,
//! with its definition in its `ABOUT`; all are from 0 to 1, and a signal that cannot be
//! computed is missing, never guessed.
//!
//! ```
//! use twinsift::page::Page;
//! use twinsift_learn::signals::{Background, Signal, Signals};
//!
//! let texts = ["The council approved the bridge.", "The council approved a bridge."];
//! let signals = Signals::new(&Signal::of_names(&["tfidf_distance", "mcd"])?, Background::of(&texts));
//! let [a, b] = texts.map(|text| signals.prepare(Page::plain(text)));
//! let row = signals.row(&a, &b, None);
//! assert!(row[0].is_some_and(|distance| distance > 0.0));
//! assert_eq!(signals.row(&a, &a, None), [Some(0.0), Some(0.0)]);
//! # Ok::<(), twinsift_learn::signals::UnknownSignal>(())
//! ```
//!
//! | file | signal | from |
//! |---|---|---|
//! | `domain.rs` | same host | paper |
//! | `registered_domain.rs`, `path.rs` | same owner, similar paths | "more sophisticated URL-matching" |
//! | `title.rs` | same title | paper |
//! | `length.rs` | body-length distance | paper |
//! | `simhash.rs` | similarity-hash distance | paper |
//! | `tfidf.rs` | tf-idf distance | paper |
//! | `compression.rs` | modified compression distance | paper; of main content: ours |
//! | `snippet.rs` | the same of the text around the query | paper |
//! | `shingles.rs`, `containment.rs`, `spots.rs` | main content | "removing boilerplate" |
//! | `language.rs` | same language | ours |

pub mod about;
pub mod address;
pub mod background;
pub mod compression;
pub mod containment;
pub mod content;
pub mod domain;
pub mod language;
pub mod length;
mod names;
pub mod path;
mod prepared;
pub mod registered_domain;
pub mod shingles;
pub mod simhash;
pub mod snippet;
pub mod spots;
mod table;
pub mod terms;
pub mod tfidf;
pub mod title;

pub use about::{About, Cost, Large};
pub use background::Background;
pub use names::{UnknownSignal, sets};
pub use prepared::{Prepared, Signals};
pub use snippet::Query;
pub use table::{QueryPair, Row};

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Measure {
    /// [`domain`]
    SameDomain,
    /// [`registered_domain`]
    SameRegisteredDomain,
    /// [`path`]
    PathSimilarity,
    /// [`title`]
    SameTitle,
    /// [`length`]
    LengthDistance,
    /// [`language`]
    SameLanguage,
    /// [`simhash`]
    SimHashDistance,
    /// [`tfidf`]
    TfIdfDistance,
    /// [`shingles`]
    MainShingles,
    /// [`containment`]
    MainContainment,
    /// [`spots`]
    MainSpots,
    /// [`snippet`]
    SnippetMcd,
    /// [`compression`] of main content
    MainMcd,
    /// [`compression`]
    Mcd,
}

impl Measure {
    /// Every measure, by rising cost.
    pub const ALL: [Measure; 14] = [
        Measure::SameDomain,
        Measure::SameRegisteredDomain,
        Measure::PathSimilarity,
        Measure::SameTitle,
        Measure::LengthDistance,
        Measure::SameLanguage,
        Measure::SimHashDistance,
        Measure::TfIdfDistance,
        Measure::MainShingles,
        Measure::MainContainment,
        Measure::MainSpots,
        Measure::SnippetMcd,
        Measure::MainMcd,
        Measure::Mcd,
    ];

    /// Whether it looks at main content, without what surrounds it.
    pub fn is_of_main_content(self) -> bool {
        matches!(
            self,
            Measure::MainShingles
                | Measure::MainContainment
                | Measure::MainSpots
                | Measure::MainMcd
        )
    }

    /// Its definition and cost.
    pub fn about(self) -> About {
        match self {
            Measure::SameDomain => domain::ABOUT,
            Measure::SameRegisteredDomain => registered_domain::ABOUT,
            Measure::PathSimilarity => path::ABOUT,
            Measure::SameTitle => title::ABOUT,
            Measure::LengthDistance => length::ABOUT,
            Measure::SameLanguage => language::ABOUT,
            Measure::SimHashDistance => simhash::ABOUT,
            Measure::TfIdfDistance => tfidf::ABOUT,
            Measure::MainShingles => shingles::ABOUT,
            Measure::MainContainment => containment::ABOUT,
            Measure::MainSpots => spots::ABOUT,
            Measure::SnippetMcd => snippet::ABOUT,
            Measure::MainMcd => compression::ABOUT_MAIN,
            Measure::Mcd => compression::ABOUT,
        }
    }
}

/// Which body of a page is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Source {
    /// The one that was fetched.
    Fetched,
    /// The one that a browser showed.
    Rendered,
}

/// A measure of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signal {
    /// Which body.
    pub source: Source,
    /// What of it.
    pub measure: Measure,
}

impl Signal {
    /// Every signal: those of fetched bodies, then those of rendered ones, either by
    /// rising cost.
    pub fn all() -> Vec<Signal> {
        let of = |source| move |measure| Signal { source, measure };
        let fetched = Measure::ALL.map(of(Source::Fetched));
        let rendered = Measure::ALL.map(of(Source::Rendered));
        fetched.into_iter().chain(rendered).collect()
    }
}
