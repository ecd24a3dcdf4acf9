//! UTF-16, as UTF-8 and back.
//!
//! Tables in UTF-16 are turned into UTF-8 as they are read, and what survives of them back
//! again. Nothing is lost on the way: half a surrogate pair becomes the three bytes that
//! UTF-8 would have for it (as in WTF-8), which no reader takes for a character.

/// The order of bytes in UTF-16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wide {
    Little,
    Big,
}

impl Wide {
    fn unit(self, bytes: [u8; 2]) -> u16 {
        match self {
            Self::Little => u16::from_le_bytes(bytes),
            Self::Big => u16::from_be_bytes(bytes),
        }
    }

    /// Appends whole characters that [`Narrowing`] has made, as they were before.
    pub(crate) fn widen(self, text: &[u8], out: &mut Vec<u8>) {
        let mut push = |unit: u32| {
            out.extend_from_slice(&match self {
                Self::Little => (unit as u16).to_le_bytes(),
                Self::Big => (unit as u16).to_be_bytes(),
            });
        };
        let mut rest = text;
        while let [first, tail @ ..] = rest {
            let length = match first {
                0..=0x7f => 0,
                0x80..=0xdf => 1,
                0xe0..=0xef => 2,
                0xf0.. => 3,
            }
            .min(tail.len());
            let lead = match length {
                0 => u32::from(*first),
                _ => u32::from(*first) & (0x3f >> length),
            };
            let (tail, after) = tail.split_at(length);
            let code = tail
                .iter()
                .fold(lead, |code, byte| code << 6 | u32::from(byte & 0x3f));
            match code.checked_sub(0x1_0000) {
                None => push(code),
                Some(code) => {
                    push(0xd800 | code >> 10);
                    push(0xdc00 | code & 0x3ff);
                }
            }
            rest = after;
        }
    }
}

/// Turns UTF-16 into UTF-8, piece by piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Narrowing {
    order: Wide,
    /// The first byte of a unit that is cut in two.
    odd: Option<u8>,
    /// The first half of a surrogate pair.
    high: Option<u32>,
}

impl Narrowing {
    pub(super) fn new(order: Wide) -> Self {
        Self {
            order,
            odd: None,
            high: None,
        }
    }

    /// Appends what `raw` says; at most three bytes for two, and three that were left.
    pub(super) fn push(&mut self, raw: &[u8], out: &mut Vec<u8>) {
        let mut raw = raw;
        if let (Some(odd), [first, rest @ ..]) = (self.odd, raw) {
            self.odd = None;
            self.unit(self.order.unit([odd, *first]), out);
            raw = rest;
        }
        let (units, odd) = raw.as_chunks::<2>();
        for unit in units {
            self.unit(self.order.unit(*unit), out);
        }
        if let [odd] = odd {
            self.odd = Some(*odd);
        }
    }

    /// Appends what is left at the end. A single byte there is part of no character.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        self.odd = None;
        if let Some(high) = self.high.take() {
            push(high, out);
        }
    }

    fn unit(&mut self, unit: u16, out: &mut Vec<u8>) {
        let unit = u32::from(unit);
        match (self.high.take(), unit) {
            (Some(high), 0xdc00..=0xdfff) => {
                push(0x1_0000 + ((high & 0x3ff) << 10) + (unit & 0x3ff), out);
                return;
            }
            (Some(high), _) => push(high, out),
            (None, _) => {}
        }
        match unit {
            0xd800..=0xdbff => self.high = Some(unit),
            _ => push(unit, out),
        }
    }
}

/// Appends a code as UTF-8, also one that is no character.
fn push(code: u32, out: &mut Vec<u8>) {
    match char::from_u32(code) {
        Some(character) => out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        None => out.extend_from_slice(&[
            0xe0 | (code >> 12) as u8,
            0x80 | (code >> 6 & 0x3f) as u8,
            0x80 | (code & 0x3f) as u8,
        ]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_comes_back_however_it_is_cut() {
        // All characters, and lone halves at every place.
        let text = "aé\u{7ff}\u{800}€\u{ffff}😀\u{10ffff}";
        let mut units: Vec<u16> = text.encode_utf16().collect();
        units.extend([0xd800, 0x41, 0xdc00, 0xd801, 0xd802, 0xdc03, 0xdfff, 0xdbff]);
        for order in [Wide::Little, Wide::Big] {
            let raw: Vec<u8> = (units.iter())
                .flat_map(|unit| match order {
                    Wide::Little => unit.to_le_bytes(),
                    Wide::Big => unit.to_be_bytes(),
                })
                .collect();
            for cut in 0..raw.len() {
                let mut narrowing = Narrowing::new(order);
                let (mut narrow, mut wide) = (Vec::new(), Vec::new());
                narrowing.push(&raw[..cut], &mut narrow);
                narrowing.push(&raw[cut..], &mut narrow);
                narrowing.finish(&mut narrow);
                assert!(narrow.starts_with(text.as_bytes()));
                order.widen(&narrow, &mut wide);
                assert_eq!(wide, raw, "{order:?} cut at {cut}");
            }
        }
    }
}
