//! The engine for Python: what `import twinsift._twinsift` gives.
//!
//! The package `twinsift` is a friendly face over this module. Here is what needs the engine:
//! recipes, runs and the steps extract, keys and verify. What needs pandas, polars or a notebook
//! is Python.

mod arrow;
mod choices;
mod columns;
mod command;
mod compare;
mod counting;
mod distributed;
mod errors;
mod index;
mod lexicon;
mod matches;
mod model;
mod read;
mod reading;
mod recipe;
mod rows;
mod run;
mod settings;
mod source;
mod verbs;
mod worker;

use pyo3::prelude::*;

/// The compiled half of the package `twinsift`.
#[pymodule]
mod _twinsift {
    #[pymodule_export]
    use super::choices::parameters;
    #[pymodule_export]
    use super::columns::ArrowArray;
    #[pymodule_export]
    use super::command::command;
    #[pymodule_export]
    use super::compare::{compare, texts};
    #[pymodule_export]
    use super::counting::{count_lexicon, count_statistics};
    #[pymodule_export]
    use super::distributed::{
        CandidateMerger, CandidateVerifier, Contraction, Decision, FeatureCounter, Joiner, Router,
        SegmentWriter, candidate_pairs, check_distributed, class_members, collapse,
        concatenate_statistics, digests, fetch_signatures, merge_statistics, passed_over,
        plan_join, plan_verification, request_signatures, trim_sample,
    };
    #[pymodule_export]
    use super::index::{OpenIndex, check_index};
    #[pymodule_export]
    use super::lexicon::Lexicon;
    #[pymodule_export]
    use super::matches::Matches;
    #[pymodule_export]
    use super::model::Model;
    #[pymodule_export]
    use super::recipe::{Recipe, usual_recipe, usual_recipe_of_files};
    #[pymodule_export]
    use super::run::run;
    #[pymodule_export]
    use super::source::Source;
    #[pymodule_export]
    use super::verbs::{Extractor, Keys, Signature, Statistics, Verifier};

    /// A document that is near so many earlier ones that look for near duplicates looks for none.
    #[pymodule_export]
    const ENOUGH: u32 = twinsift::cluster::representatives::ENOUGH;

    /// The version of the package.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
