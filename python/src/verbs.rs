//! The three steps, for one document or a batch at a time: extract, keys, verify.

mod extractor;
mod keys;
mod signature;
mod statistics;
mod verifier;

pub(crate) use extractor::Extractor;
pub(crate) use keys::Keys;
pub(crate) use signature::Signature;
pub(crate) use statistics::Statistics;
pub(crate) use verifier::Verifier;
