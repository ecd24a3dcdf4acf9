//! The ranges of parameters that several matchers have.

use crate::error::{Result, out_of_range};

/// The most bits of a signature of learned k-grams, and of a similarity hash.
const MOST_BITS: u32 = 4096;

/// Refuses a similarity that a parameter cannot ask for.
pub(crate) fn check_similarity(parameter: &str, threshold: f64) -> Result<()> {
    match threshold > 0.0 && threshold <= 1.0 {
        true => Ok(()),
        false => out_of_range(format!(
            "‹{parameter}› {threshold} is out of range: it must be above 0 and at most 1"
        )),
    }
}

/// Refuses a range of normalised idf that no feature can be in.
pub(crate) fn check_idf([least, most]: [f64; 2]) -> Result<()> {
    match 0.0 <= least && least <= most && most <= 1.0 {
        true => Ok(()),
        false => out_of_range(format!(
            "‹idf› {least},{most} is out of range: both must be from 0 to 1, the smaller one first"
        )),
    }
}

/// Refuses signatures of bits that are no whole words, and of far too many.
pub(super) fn check_bits(bits: u32) -> Result<()> {
    match bits.is_multiple_of(64) && (64..=MOST_BITS).contains(&bits) {
        true => Ok(()),
        false => out_of_range(format!(
            "‹bits› {bits} is not offered: use a multiple of 64, up to {MOST_BITS}"
        )),
    }
}

/// Refuses to ask for more equal signatures than there are.
pub(super) fn check_require(require: u32, signatures: u32) -> Result<()> {
    match (1..=signatures).contains(&require) {
        true => Ok(()),
        false => out_of_range(format!(
            "‹require› {require} cannot be met: there are {signatures} signatures"
        )),
    }
}

/// Refuses signatures of no min-hash, and of far too many.
pub(super) fn check_bands(bands: u32, rows: u32) -> Result<()> {
    match (bands, rows) {
        (1.., 1..) if u64::from(bands) * u64::from(rows) <= 1 << 16 => Ok(()),
        _ => out_of_range(
            "‹bands› times ‹rows› must be between 1 and 65,536 (one of them alone divides 128)",
        ),
    }
}
