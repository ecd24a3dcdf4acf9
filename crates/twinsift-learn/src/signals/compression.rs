//! The modified normalised compression distance (mcd) of two texts.
//!
//! ```text
//! mcd(A, B) = max{ |c(AB) - c(AA)|, |c(AB) - c(BB)| } / max{ c(AA), c(BB) }
//! ```
//!
//! where `c` is the compressed size. It is exactly 0 for a text and itself. A
//! compressor does not care for symmetry, so the shorter text always comes first (of
//! equally long ones, the one whose bytes come first), and the distance is the same
//! both ways.
//!
//! The paper compresses with gzip, whose deflate looks back 32 KiB less the longest
//! match and what it reads ahead: what is further back is compressed as if it were
//! new. Then two unrelated texts come out alike, as `AA` is as large as `AB`, and a
//! text with its paragraphs moved comes out unlike itself. So gzip is taken only where
//! it sees both texts at once; any longer pair goes through zstd with a window that
//! spans both, all three sizes alike. [`Compressor::of`] says which one made a score.
//! Both are used with fixed settings; sizes are those of the versions that this program
//! was built with.

use super::about::{About, Cost, Large};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::cell::RefCell;
use std::io::{self, Write};
use std::sync::OnceLock;
use zstd::bulk;
use zstd::zstd_safe::CParameter;

/// Of the bodies as they came.
pub const ABOUT: About = About {
    name: "mcd",
    definition: "modified compression distance of the bodies: what one adds to the other, over both",
    cost: Cost::Compression,
    large: Large::Apart,
};

/// Of what is left when boilerplate is removed.
pub const ABOUT_MAIN: About = About {
    name: "main_mcd",
    definition: "modified compression distance of the main content",
    cost: Cost::Compression,
    large: Large::Apart,
};

/// How far back gzip sees: zlib keeps 262 bytes of its window for what is ahead.
pub(super) const GZIP_REACH: usize = 32 * 1024 - 262;

/// The binary logarithm of the largest window for zstd: 1 GiB.
const LONGEST_WINDOW: u32 = 30;

/// What compresses the texts of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compressor {
    /// gzip, level 6.
    Gzip,
    /// zstd, level 3, with long-distance matching.
    Zstd,
}

impl Compressor {
    /// The compressor for two texts of these lengths.
    pub fn of(a: usize, b: usize) -> Self {
        match a.saturating_add(b) <= GZIP_REACH {
            true => Self::Gzip,
            false => Self::Zstd,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }

    /// The compressed size of two texts after one another.
    fn size(self, first: &[u8], second: &[u8]) -> usize {
        match self {
            Self::Gzip => gzip(first, second),
            Self::Zstd => zstd(first, second),
        }
    }
}

/// A text, and the compressed size of it doubled, computed when first asked for.
#[derive(Clone, Debug, Default)]
pub struct Doubled {
    text: String,
    gzip: OnceLock<usize>,
    zstd: OnceLock<usize>,
}

impl Doubled {
    /// A text to be compared.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// Its length in bytes.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether there is nothing to compress.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// `c(AA)`.
    fn doubled(&self, compressor: Compressor) -> usize {
        let known = match compressor {
            Compressor::Gzip => &self.gzip,
            Compressor::Zstd => &self.zstd,
        };
        let text = self.text.as_bytes();
        *known.get_or_init(|| compressor.size(text, text))
    }

    /// The modified compression distance, from 0 to 1.
    pub fn mcd(&self, other: &Self) -> f64 {
        let (first, second) = match (self.len(), &self.text) <= (other.len(), &other.text) {
            true => (self, other),
            false => (other, self),
        };
        let compressor = Compressor::of(first.len(), second.len());
        let together = compressor.size(first.text.as_bytes(), second.text.as_bytes());
        let (aa, bb) = (first.doubled(compressor), second.doubled(compressor));
        let apart = together.abs_diff(aa).max(together.abs_diff(bb));
        (apart as f64 / aa.max(bb) as f64).min(1.0)
    }
}

/// Counts bytes and forgets them.
#[derive(Default)]
struct Counter(usize);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn gzip(first: &[u8], second: &[u8]) -> usize {
    let mut encoder = GzEncoder::new(Counter::default(), Compression::new(6));
    let written = encoder
        .write_all(first)
        .and_then(|()| encoder.write_all(second))
        .and_then(|()| encoder.finish());
    // Nothing can fail where nothing is written.
    written.map_or(0, |counter| counter.0)
}

struct LongWindow {
    compressor: bulk::Compressor<'static>,
    together: Vec<u8>,
    out: Vec<u8>,
}

impl LongWindow {
    fn new() -> io::Result<Self> {
        let mut compressor = bulk::Compressor::new(3)?;
        compressor.set_parameter(CParameter::EnableLongDistanceMatching(true))?;
        Ok(Self {
            compressor,
            together: Vec::new(),
            out: Vec::new(),
        })
    }

    fn size(&mut self, first: &[u8], second: &[u8]) -> io::Result<usize> {
        self.together.clear();
        self.together.extend_from_slice(first);
        self.together.extend_from_slice(second);
        let length = self.together.len().max(2);
        // The smallest window that spans the whole.
        let window = (usize::BITS - (length - 1).leading_zeros()).clamp(15, LONGEST_WINDOW);
        self.compressor
            .set_parameter(CParameter::WindowLog(window))?;
        self.out.clear();
        self.out.reserve(zstd::zstd_safe::compress_bound(length));
        self.compressor
            .compress_to_buffer(&self.together, &mut self.out)
    }
}

thread_local! {
    static LONG: RefCell<Option<LongWindow>> = const { RefCell::new(None) };
}

fn zstd(first: &[u8], second: &[u8]) -> usize {
    LONG.with_borrow_mut(|long| {
        if long.is_none() {
            *long = LongWindow::new().ok();
        }
        let size = long.as_mut().map(|long| long.size(first, second));
        // Only a lack of memory could fail here.
        size.and_then(Result::ok).unwrap_or(0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use twinsift::hash::Stream;

    /// Words without rhyme or reason, hard to compress.
    fn noise(words: usize, seed: u64) -> String {
        let mut stream = Stream::new(seed);
        (0..words)
            .map(|_| format!("{:08x} ", stream.next_value() as u32))
            .collect()
    }

    fn mcd(a: &str, b: &str) -> f64 {
        Doubled::new(a).mcd(&Doubled::new(b))
    }

    #[test]
    fn a_text_and_itself_are_not_apart_at_any_length() {
        for words in [0, 1, 10, 3_000, 4_000, 100_000, 500_000] {
            let text = noise(words, 1);
            assert_eq!(mcd(&text, &text), 0.0, "{words} words");
        }
    }

    /// The reason for a long window: gzip takes the second copy for new.
    #[test]
    fn a_long_text_doubled_is_no_larger() {
        let text = noise(100_000, 2);
        let bytes = text.as_bytes();
        let once = Compressor::Zstd.size(bytes, b"");
        let twice = Compressor::Zstd.size(bytes, bytes);
        assert!(twice < once + once / 50, "{once} and {twice}");
        assert!(Compressor::Gzip.size(bytes, bytes) > Compressor::Gzip.size(bytes, b"") * 19 / 10);
    }

    #[test]
    fn long_texts_that_differ_a_little_are_a_little_apart() {
        let text = noise(50_000, 3);
        let edited = format!("{}{}", &text[..400_000], noise(6_000, 4));
        let distance = mcd(&text, &edited);
        assert!((0.05..0.2).contains(&distance), "{distance}");
        assert!(mcd(&text, &noise(50_000, 5)) > 0.4);
    }

    /// Lengths around every place where a compressor loses sight of something.
    fn lengths() -> impl Iterator<Item = usize> {
        let around = |at: usize| (at - 300..=at + 300).step_by(20);
        around(16_253).chain(around(32_506)).chain(around(32_768))
    }

    #[test]
    fn at_every_length_unrelated_texts_are_apart_and_copies_are_not() {
        let (a, b) = (noise(5_000, 6), noise(5_000, 7));
        for length in lengths() {
            let (a, b) = (&a[..length], &b[..length]);
            assert_eq!(mcd(a, a), 0.0, "{length}");
            let apart = mcd(a, b);
            assert!(apart > 0.7, "{length}: {apart}");
            assert_eq!(apart, mcd(b, a), "{length}");
        }
    }

    #[test]
    fn at_every_length_a_light_edit_is_a_small_distance() {
        let (text, new) = (noise(5_000, 8), noise(40, 9));
        for length in lengths() {
            let text = &text[..length];
            // Something new at the start shifts all that follows.
            for edited in [
                format!("{new}{}", &text[..length - new.len()]),
                format!("{new}{text}"),
                text[new.len()..].to_owned(),
                format!("{}{}", &text[length / 2..], &text[..length / 2]),
            ] {
                let distance = mcd(text, &edited);
                assert!(distance < 0.1, "{length}: {distance}");
                assert_eq!(distance, mcd(&edited, text), "{length}");
            }
        }
    }

    #[test]
    fn texts_of_different_lengths_are_seen_whole() {
        let (a, b) = (noise(9_000, 10), noise(9_000, 11));
        for (short, long) in [
            (2_000, 30_500),
            (2_000, 30_510),
            (6_000, 26_500),
            (6_000, 26_510),
            (32_000, 33_000),
            (20_000, 60_000),
        ] {
            let (x, y) = (&a[..short], &b[..long]);
            assert!(mcd(x, y) > 0.7, "{short} and {long}: {}", mcd(x, y));
            assert_eq!(mcd(x, y), mcd(y, x), "{short} and {long}");
            // The end of the longer text is all that the shorter one has.
            let part = &b[long - short..long];
            let (within, without) = (mcd(part, y), mcd(x, y));
            assert!(
                within < without,
                "{short} in {long}: {within} and {without}"
            );
        }
    }

    #[test]
    fn gzip_is_taken_where_it_sees_both_texts() {
        assert_eq!(Compressor::of(10, GZIP_REACH - 10), Compressor::Gzip);
        assert_eq!(Compressor::of(GZIP_REACH - 10, 11), Compressor::Zstd);
        assert_eq!(Compressor::of(usize::MAX, 2), Compressor::Zstd);
    }

    proptest! {
        #[test]
        fn symmetric_and_in_range(a in "[a-c ]{0,400}", b in "[a-d ]{0,400}") {
            prop_assert_eq!(mcd(&a, &b), mcd(&b, &a));
            prop_assert!((0.0..=1.0).contains(&mcd(&a, &b)));
            prop_assert_eq!(mcd(&a, &a), 0.0);
        }
    }
}
