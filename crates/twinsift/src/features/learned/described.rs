//! Documents as the learner sees them: k-grams, each with the values of its
//! features φ, not yet weighed.

/// The k-grams of many documents in flat arrays.
#[derive(Clone, Debug, Default)]
pub struct Described {
    /// Features of a k-gram.
    pub width: usize,
    /// Where each document's k-grams end.
    ends: Vec<u32>,
    /// The k-grams, ascending within each document.
    values: Vec<u64>,
    /// `width` numbers for each k-gram.
    phi: Vec<f32>,
}

impl Described {
    /// No documents; k-grams will have `width` features.
    pub fn new(width: usize) -> Self {
        Self {
            width,
            ..Self::default()
        }
    }

    /// Appends a document: its k-grams, ascending, and `width` numbers for each.
    pub fn push(&mut self, values: &[u64], phi: &[f32]) {
        debug_assert_eq!(values.len() * self.width, phi.len());
        self.values.extend_from_slice(values);
        self.phi.extend_from_slice(phi);
        self.ends.push(self.values.len() as u32);
    }

    /// Appends the documents of `other`.
    pub fn append(&mut self, other: Described) {
        let before = self.values.len() as u32;
        self.ends.extend(other.ends.iter().map(|end| before + end));
        self.values.extend(other.values);
        self.phi.extend(other.phi);
    }

    /// Sets every feature to zero that is not `kept`.
    pub fn blank(&mut self, kept: &[bool]) {
        if kept.iter().all(|&kept| kept) {
            return;
        }
        for row in self.phi.chunks_exact_mut(self.width) {
            for (value, kept) in row.iter_mut().zip(kept) {
                *value *= f32::from(u8::from(*kept));
            }
        }
    }

    /// Number of documents.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Where a document's k-grams stand among all.
    pub fn range(&self, doc: usize) -> std::ops::Range<usize> {
        let start = match doc {
            0 => 0,
            _ => self.ends[doc - 1],
        };
        start as usize..self.ends[doc] as usize
    }

    /// All k-grams, document after document.
    pub fn values(&self) -> &[u64] {
        &self.values
    }

    /// The features of the k-gram at a place among all.
    pub fn phi(&self, at: usize) -> &[f32] {
        &self.phi[at * self.width..(at + 1) * self.width]
    }
}
