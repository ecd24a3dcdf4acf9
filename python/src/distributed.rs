//! What the tasks of a distributed join do with the blobs that they are given.
//!
//! The package `twinsift.spark` calls these, on the driver and on the executors; what is in the
//! blobs is the business of [`twinsift::distributed`].

mod groups;
mod join;
mod segments;
mod statistics;

pub(crate) use groups::{Contraction, Decision, passed_over};
pub(crate) use join::{
    CandidateMerger, CandidateVerifier, Joiner, Router, candidate_pairs, fetch_signatures,
    plan_join, plan_verification, request_signatures,
};
pub(crate) use segments::{
    SegmentWriter, check_distributed, class_members, collapse, digests, trim_sample,
};
pub(crate) use statistics::{FeatureCounter, concatenate_statistics, merge_statistics};

use crate::columns::{ArrowArray, bytes, chunks};
use crate::errors::input;
use arrow_array::builder::BinaryBuilder;
use arrow_array::{Array, ArrayRef, BinaryArray, Int64Array};
use pyo3::prelude::*;
use std::sync::Arc;

/// A column of blobs, which tasks are given.
struct Blobs(Vec<ArrayRef>);

impl Blobs {
    fn new(column: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, blobs) = (column.py(), Self(chunks(column)?));
        let wrong = blobs.0.iter().find_map(|chunk| match chunk.len() {
            0 => None,
            _ => bytes(chunk.as_ref(), 0).err(),
        });
        match wrong {
            Some(why) => Err(input(py, why)),
            None => Ok(blobs),
        }
    }

    /// The blobs that are there.
    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.0.iter().flat_map(|chunk| {
            let chunk: &dyn Array = chunk.as_ref();
            (0..chunk.len()).filter_map(move |row| bytes(chunk, row).ok().flatten())
        })
    }
}

/// Blobs, and where each goes.
type Addressed = (ArrowArray, ArrowArray);

fn addressed<K: Into<i64>>(blobs: impl IntoIterator<Item = (K, Vec<u8>)>) -> Addressed {
    let (mut to, mut packed) = (Vec::new(), BinaryBuilder::new());
    for (address, blob) in blobs {
        to.push(address.into());
        packed.append_value(blob);
    }
    (
        column(Int64Array::from(to)),
        column::<BinaryArray>(packed.finish()),
    )
}

fn column<A: Array + 'static>(array: A) -> ArrowArray {
    ArrowArray {
        array: Arc::new(array),
    }
}

/// A number of a document or segment: it has 63 bits.
fn signed(number: u64) -> i64 {
    number as i64
}
