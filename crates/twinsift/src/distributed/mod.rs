//! The join of a collection that lies on many machines.
//!
//! An engine such as Spark moves blobs of bytes between tasks; what is in them, and what a task
//! does with them, is here. Every step is a function of its input alone, so that a task that is
//! run again gives the same bytes.
//!
//! ```text
//! documents ──extract──▶ segments ──▶ classes        equal documents, of which one stands for all
//!                            │           │
//!                            ▼           ▼
//!                 sample ─▶ plan ─▶ postings ──▶ candidates ──▶ requests
//!                                   (shuffled)                     │
//!                            segments ──signatures of candidates───┴──▶ edges
//! ```
//!
//! | step | module | a task is given | and makes of it |
//! |---|---|---|---|
//! | extract | [`segment`] | documents | segments: the signatures of some documents, and a sample |
//! | collapse | [`classes`] | digests of a range | which documents are copies of which |
//! | plan | [`plan`] | the sample, on the driver | an order of features, and which task joins which keys |
//! | route | [`route`] | a segment | the postings of its documents, for each task that joins |
//! | join | [`join`] | the postings of a task | pairs that share keys, and how much they share there |
//! | merge | [`candidates`] | what tasks have found of some pairs | candidates: pairs that share enough |
//! | request | [`candidates`] | candidates | for each task that verifies, pairs and the documents it needs |
//! | fetch | [`fetch`] | a segment, requests | the signatures that were asked for |
//! | verify | [`verify`] | pairs, signatures | edges: the pairs that are near duplicates, with scores |
//! | group | [`groups`] | edges | parts of groups, and which documents are kept |
//!
//! [`preference`] puts documents into the order in which they are kept.
//!
//! Together they find what a [`Sifter`](crate::Sifter) finds, whatever the partitions, tasks and
//! plan: a plan decides only where work is done. Documents are known by [numbers](number).

use crate::error::{Result, refuse};
use crate::recipe::{Matching, Recipe};

pub mod candidates;
pub mod classes;
mod codec;
pub mod fetch;
pub mod groups;
pub mod join;
pub mod number;
pub mod order;
mod parity;
pub mod plan;
pub mod postings;
pub mod preference;
pub mod route;
pub mod sample;
pub mod segment;
pub mod verify;

/// Refuses a recipe by which these steps would not find what a [`Sifter`](crate::Sifter) finds:
/// one with a classifier, which looks at pages, and one that compares bits of learned vectors,
/// where a `Sifter` may miss a pair that these steps find.
pub fn check(recipe: &Recipe) -> Result<()> {
    recipe.refuse_classifier()?;
    match recipe.matching {
        Matching::Hyperplanes(_) => refuse(
            "bits of learned vectors are compared by chance, so that another run may find other pairs: leave ‹match› out, for an exact join",
        ),
        _ => Ok(()),
    }
}
