//! The features of some documents, in flat arrays.
//!
//! One allocation per array rather than one per document: less memory, and a
//! block can be written to disk and read back as it is.

use crate::vector::Vector;
use bytemuck::{Pod, cast_slice, cast_slice_mut};
use std::io::{self, Read, Write};

/// Documents with their feature values, ascending within each document, and
/// their weights.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Which document of the collection each one is.
    pub docs: Vec<u32>,
    /// Each document's whole mass, including features that are no longer here.
    pub totals: Vec<f64>,
    /// Where each document's features end.
    pub ends: Vec<u32>,
    /// The feature values of all documents.
    pub values: Vec<u64>,
    /// The weights beside the values; empty if every weight is 1.
    pub weights: Vec<f32>,
}

impl Block {
    /// Number of documents.
    pub fn len(&self) -> usize {
        self.docs.len()
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.docs.is_empty()
    }

    /// Where the features of the document at `index` stand.
    #[inline]
    pub fn range(&self, index: usize) -> std::ops::Range<usize> {
        let start = match index {
            0 => 0,
            _ => self.ends[index - 1],
        };
        start as usize..self.ends[index] as usize
    }

    /// The features of the document at `index`.
    #[inline]
    pub fn vector(&self, index: usize) -> Vector<'_> {
        let range = self.range(index);
        Vector {
            total: self.totals[index],
            weights: match self.weights.is_empty() {
                true => &[],
                false => &self.weights[range.clone()],
            },
            values: &self.values[range],
        }
    }

    /// Closes a document whose values (and weights) have been pushed.
    pub fn end_document(&mut self, doc: u32, total: f64) {
        self.docs.push(doc);
        self.totals.push(total);
        self.ends.push(self.values.len() as u32);
    }

    /// Appends a document.
    pub fn push(&mut self, doc: u32, vector: Vector<'_>) {
        self.values.extend_from_slice(vector.values);
        self.weights.extend_from_slice(vector.weights);
        self.end_document(doc, vector.total);
    }

    /// Gives back what the arrays hold in reserve.
    pub fn shrink_to_fit(&mut self) {
        self.docs.shrink_to_fit();
        self.totals.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.values.shrink_to_fit();
        self.weights.shrink_to_fit();
    }

    /// Bytes that the arrays take.
    pub fn bytes(&self) -> usize {
        self.len() * 16 + self.values.len() * 8 + self.weights.len() * 4
    }

    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let lengths = [self.len(), self.values.len(), self.weights.len()].map(|n| n as u64);
        out.write_all(cast_slice(&lengths))?;
        out.write_all(cast_slice(&self.docs))?;
        out.write_all(cast_slice(&self.totals))?;
        out.write_all(cast_slice(&self.ends))?;
        out.write_all(cast_slice(&self.values))?;
        out.write_all(cast_slice(&self.weights))
    }

    pub(super) fn read(input: &mut impl Read) -> io::Result<Self> {
        let mut lengths = [0u64; 3];
        input.read_exact(cast_slice_mut(&mut lengths))?;
        let [documents, values, weights] = lengths.map(|n| n as usize);
        Ok(Self {
            docs: array(input, documents)?,
            totals: array(input, documents)?,
            ends: array(input, documents)?,
            values: array(input, values)?,
            weights: array(input, weights)?,
        })
    }
}

fn array<T: Pod>(input: &mut impl Read, length: usize) -> io::Result<Vec<T>> {
    let mut items = vec![T::zeroed(); length];
    input.read_exact(cast_slice_mut(&mut items))?;
    Ok(items)
}
