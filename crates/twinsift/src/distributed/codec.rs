//! Numbers as few bytes.

use crate::error::{Result, refuse};

/// Appends a number, seven bits to a byte, the lowest first.
pub(super) fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Bytes that have not been read yet.
#[derive(Clone, Debug)]
pub(super) struct Input<'a>(pub(super) &'a [u8]);

impl<'a> Input<'a> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A number that [`put`] has written.
    #[inline]
    pub(super) fn number(&mut self) -> Result<u64> {
        let mut number = 0;
        for (at, &byte) in self.0.iter().enumerate().take(10) {
            number |= u64::from(byte & 0x7f) << (7 * at);
            if byte < 0x80 {
                self.0 = &self.0[at + 1..];
                return Ok(number);
            }
        }
        damaged()
    }

    /// The next bytes.
    #[inline]
    pub(super) fn bytes(&mut self, count: usize) -> Result<&'a [u8]> {
        match self.0.split_at_checked(count) {
            Some((taken, rest)) => {
                self.0 = rest;
                Ok(taken)
            }
            None => damaged(),
        }
    }

    #[inline]
    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.0.split_first_chunk() {
            Some((taken, rest)) => {
                self.0 = rest;
                Ok(*taken)
            }
            None => damaged(),
        }
    }
}

/// What is said of a blob that is none of this version.
pub(super) fn damaged<T>() -> Result<T> {
    refuse("these bytes are damaged, or were made by another version of twinsift")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back(numbers in prop::collection::vec(any::<u64>(), 0..40)) {
            let mut out = Vec::new();
            numbers.iter().for_each(|&number| put(&mut out, number >> (number % 64)));
            let mut input = Input(&out);
            for &number in &numbers {
                prop_assert_eq!(input.number().ok(), Some(number >> (number % 64)));
            }
            prop_assert!(input.is_empty());
            prop_assert!(input.number().is_err());
        }
    }
}
