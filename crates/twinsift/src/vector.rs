//! The features of one document with their weights.

/// One document's features.
#[derive(Clone, Copy, Debug)]
pub struct Vector<'a> {
    /// The document's whole mass: of all features, also of those left out here.
    pub total: f64,
    /// Feature values, ascending.
    pub values: &'a [u64],
    /// Their weights; empty if every weight is 1.
    pub weights: &'a [f32],
}

impl Vector<'_> {
    /// The weight of the feature at `index`.
    #[inline]
    pub fn weight(&self, index: usize) -> f64 {
        match self.weights.is_empty() {
            true => 1.0,
            false => f64::from(self.weights[index]),
        }
    }
}
