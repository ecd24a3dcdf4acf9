//! The signatures that tasks ask for.

use super::candidates::requested;
use super::codec::put;
use super::segment::signatures;
use crate::error::Result;
use std::collections::BTreeMap;

/// For each task that asks for documents of a segment, their signatures.
pub fn fetch<'a>(
    segment: u64,
    stored: &[u8],
    requests: impl Iterator<Item = &'a [u8]>,
) -> Result<Vec<(u32, Vec<u8>)>> {
    let requested = requested(requests)?;
    let mut out: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
    let mut next = 0;
    signatures(stored, |row, bytes| {
        next += requested[next..].partition_point(|&(asked, _)| asked < row);
        while let Some(&(_, task)) = requested.get(next).filter(|(asked, _)| *asked == row) {
            let out = out.entry(task).or_default();
            out.extend((segment + u64::from(row)).to_le_bytes());
            put(out, bytes.len() as u64);
            out.extend(bytes);
            next += 1;
        }
        Ok(())
    })?;
    Ok(out.into_iter().collect())
}
