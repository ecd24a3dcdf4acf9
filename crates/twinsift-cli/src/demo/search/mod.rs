//! A search evaluation to try things on: queries, three engines' results for them, and
//! what a judge would say.
//!
//! For each query there is a story on some site, and the pages that make duplicates hard
//! to tell in search results, after sections 3.1 and 4 of *Multiple-Signal Duplicate
//! Detection for Search Evaluation*: copies that are mirrored, stripped for printing,
//! reached through a redirect, set into frames or written by a script; and pages that only
//! look like copies. Whether two pages are the same is a matter of the query, too: of two
//! round-ups with the same news but for the story asked for, none can stand for the other.
//!
//! Each page is given as it is fetched, and as a browser should end up showing it. Both
//! follow from a seed; no browser is needed. To see what a browser does show, the pages
//! are served on this machine, with redirects, frames and scripts that work.

mod engines;
mod files;
mod pages;
mod site;

use super::chance::Chance;
use super::grammar::Grammar;
pub use files::write;
pub use pages::Topic;
pub use site::Site;

/// A whole evaluation.
pub struct Evaluation {
    pub topics: Vec<Topic>,
    pub runs: Vec<engines::Run>,
}

/// Makes an evaluation of so many queries.
pub fn evaluation(seed: u64, queries: usize) -> Evaluation {
    let grammar = Grammar::new();
    let topics: Vec<Topic> = (0..queries)
        .map(|number| {
            let mut chance = Chance::of(&[seed, SEARCH, number as u64]);
            pages::topic(&grammar, number, &mut chance)
        })
        .collect();
    Evaluation {
        runs: engines::runs(&topics, &mut Chance::of(&[seed, ENGINES])),
        topics,
    }
}

/// Streams of chance for pages and for engines.
const SEARCH: u64 = 11;
const ENGINES: u64 = 12;

#[cfg(test)]
mod tests;
