//! Sixteen signatures are compared with another at a time, with instructions that most
//! processors of the x86-64 family have.

use super::{CHUNK, Hits, OnPair, for_each_chunk};
use std::arch::x86_64::*;
use std::ops::Range;

/// Whether this processor has the instructions.
pub(super) fn are_there() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt")
}

/// As [`super::near`].
#[target_feature(enable = "avx2")]
pub(super) fn near<const HALVES: usize>(
    columns: [&[u64]; HALVES],
    range: Range<usize>,
    end: usize,
    most: u32,
    hits: &mut Hits,
) {
    for column in columns {
        assert!(range.end <= end && end + CHUNK <= column.len());
    }
    let ones_of_four_bits = _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    let ones_of_four_bits = _mm256_broadcastsi128_si256(ones_of_four_bits);
    let limit = _mm256_set1_epi16(most as i16 + 1);
    let zero = _mm256_setzero_si256();
    for_each_chunk(range, end, hits, |at, from| {
        // How many bits differ, in 16 bits for each of the chunk: the first four are the
        // lowest of each 64 bits, and the last four, which come first, the highest.
        let mut apart = zero;
        for part in (0..CHUNK / 4).rev() {
            let mut ones = zero;
            for column in columns {
                // SAFETY: `at` is before `end`, and there are `CHUNK` words from each place
                // before `end` on, so four from each of its quarters.
                let own = unsafe { _mm256_set1_epi64x(*column.get_unchecked(at) as i64) };
                let others = unsafe { column.as_ptr().add(from + part * 4) };
                let others = unsafe { _mm256_loadu_si256(others.cast()) };
                let differing = _mm256_xor_si256(own, others);
                let more = _mm256_shuffle_epi8(ones_of_four_bits, differing);
                ones = _mm256_add_epi8(ones, more);
            }
            let of_part = _mm256_sad_epu8(ones, zero);
            apart = _mm256_or_si256(_mm256_slli_epi64::<16>(apart), of_part);
        }
        _mm256_movemask_epi8(_mm256_cmpgt_epi16(limit, apart)) as u32
    });
}

/// As [`super::report_near`].
#[target_feature(enable = "avx2,popcnt")]
pub(super) fn report_near(
    signatures: &[u64],
    width: usize,
    pairs: &[(u32, u32)],
    most: u32,
    on_pair: OnPair<'_>,
) {
    super::report_near(signatures, width, pairs, most, on_pair);
}
