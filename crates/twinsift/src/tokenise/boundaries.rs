//! Word boundaries, eight bytes at a time.
//!
//! Plain 64-bit arithmetic instead of a loop over bytes: each byte of a `u64` is
//! classed at once, the classes are gathered into a bit mask of 64 bytes, and the
//! mask's edges are the boundaries. A loop over bytes mispredicts a branch at the
//! end of every word, which costs more than all of this.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Calls `found(start, end, ascii)` for every run of word characters. Bytes
/// beyond ASCII count as word characters here; `ascii` says that the run has none.
pub(super) fn runs(text: &[u8], mut found: impl FnMut(usize, usize, bool)) {
    let mut start = 0;
    // Whether the last byte of the chunk before belonged to a run, as bit 0.
    let mut inside = 0u64;
    let mut base = 0;
    let mut chunks = text.chunks_exact(64);
    let mut tail = [0u8; 64];
    let mut done = false;
    while !done {
        let chunk = match chunks.next() {
            Some(chunk) => chunk,
            None => {
                // The zero bytes behind the text close its last run.
                let rest = chunks.remainder();
                tail[..rest.len()].copy_from_slice(rest);
                done = true;
                &tail
            }
        };
        let (words, beyond) = masks(chunk);
        let mut edges = words ^ (words << 1 | inside);
        inside = words >> 63;
        while edges != 0 {
            let at = edges.trailing_zeros() as usize;
            edges &= edges - 1;
            if words >> at & 1 == 1 {
                start = base + at;
            } else {
                let end = base + at;
                let ascii = if beyond == 0 && start >= base {
                    true
                } else {
                    text[start..end].is_ascii()
                };
                found(start, end, ascii);
            }
        }
        base += 64;
    }
}

/// Bit masks of 64 bytes: which are word characters or beyond ASCII, and which
/// are beyond ASCII.
#[inline]
fn masks(chunk: &[u8]) -> (u64, u64) {
    let mut words = 0;
    let mut beyond = 0;
    for (index, eight) in chunk.chunks_exact(8).enumerate() {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(eight);
        let raw = u64::from_le_bytes(bytes);
        let high = raw & HIGH;
        words |= gather(word_bytes(raw & !HIGH) | high) << (8 * index);
        beyond |= high;
    }
    (words, beyond)
}

/// The high bit of each byte that is a letter, a digit or an underscore. Every
/// byte of `x` is below 128, so that no addition carries into the next byte.
#[inline]
fn word_bytes(x: u64) -> u64 {
    let at_least = |x: u64, byte: u8| x + ONES * u64::from(128 - byte);
    let lower = x | (ONES * 0x20);
    let letter = at_least(lower, b'a') & !at_least(lower, b'z' + 1);
    let digit = at_least(x, b'0') & !at_least(x, b'9' + 1);
    let other_than_underscore = (x ^ (ONES * u64::from(b'_'))) + ONES * 0x7f;
    (letter | digit | !other_than_underscore) & HIGH
}

/// Gathers the high bits of eight bytes into the low byte, first byte lowest.
#[inline]
fn gather(high_bits: u64) -> u64 {
    (high_bits >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_classed_right() {
        for byte in 0..=255u8 {
            let (words, beyond) = masks(&[byte; 64]);
            let word = byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 128;
            assert_eq!(words, if word { u64::MAX } else { 0 }, "byte {byte}");
            assert_eq!(beyond != 0, byte >= 128, "byte {byte}");
        }
    }

    #[test]
    fn runs_at_every_offset() {
        for before in 0..70 {
            for length in 1..70 {
                let mut text = vec![b' '; before];
                text.extend(vec![b'x'; length]);
                let mut seen = Vec::new();
                runs(&text, |start, end, ascii| seen.push((start, end, ascii)));
                assert_eq!(seen, [(before, before + length, true)]);
            }
        }
    }
}
