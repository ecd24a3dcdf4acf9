//! The numbers of documents.
//!
//! ```text
//! bit 63   62    42..62      20..42             0..20
//!      0   old   partition   segment of it      row of that
//! ```
//!
//! So a document is found by its number alone, and numbers are given without asking anyone.

use crate::error::{Result, refuse};

const ROW_BITS: u32 = 20;
const SEGMENT_BITS: u32 = 22;
const PARTITION_BITS: u32 = 20;
const OLD: u64 = 1 << (ROW_BITS + SEGMENT_BITS + PARTITION_BITS);

/// The most documents of a segment.
pub const MOST_ROWS: usize = 1 << ROW_BITS;

/// The number of the first document of a segment.
pub fn first_of_segment(old: bool, partition: u64, segment: u64) -> Result<u64> {
    if partition >> PARTITION_BITS != 0 || segment >> SEGMENT_BITS != 0 {
        return refuse("there are more than 1,048,576 partitions: coalesce them first");
    }
    let side = u64::from(old) * OLD;
    Ok(side | partition << (ROW_BITS + SEGMENT_BITS) | segment << ROW_BITS)
}

/// The segment of a document, named by the number of its first document.
pub fn segment(document: u64) -> u64 {
    document & !(MOST_ROWS as u64 - 1)
}

/// The row of a document in its segment.
pub fn row(document: u64) -> u32 {
    (document & (MOST_ROWS as u64 - 1)) as u32
}

/// Whether a document belongs to the old collection.
pub fn is_old(document: u64) -> bool {
    document & OLD != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_tell_where_documents_are() {
        for old in [false, true] {
            let first = first_of_segment(old, (1 << 20) - 1, (1 << 22) - 1).expect("in range");
            let document = first + 77;
            assert_eq!((segment(document), row(document)), (first, 77));
            assert_eq!(is_old(document), old);
            assert!(i64::try_from(document).is_ok());
        }
        assert!(first_of_segment(false, 1 << 20, 0).is_err());
        assert!(first_of_segment(false, 0, 1 << 22).is_err());
    }
}
