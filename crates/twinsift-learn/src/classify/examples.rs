//! Labelled pairs with their signals: what classifiers learn from.

use crate::signals::Signal;

/// Pairs with their signals and labels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Examples {
    signals: Vec<Signal>,
    /// Row after row; a missing signal is not a number.
    values: Vec<f64>,
    labels: Vec<bool>,
    weights: Vec<f64>,
}

impl Examples {
    /// No examples yet.
    pub fn new(signals: &[Signal]) -> Self {
        Self {
            signals: signals.to_vec(),
            ..Self::default()
        }
    }

    /// Adds a pair.
    pub fn push(&mut self, row: &[Option<f64>], is_duplicate: bool) {
        debug_assert_eq!(row.len(), self.signals.len());
        self.values.extend(super::values(row));
        self.labels.push(is_duplicate);
        self.weights.push(1.0);
    }

    /// The signals.
    pub fn signals(&self) -> &[Signal] {
        &self.signals
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The signals of a pair.
    pub fn row(&self, at: usize) -> &[f64] {
        let width = self.signals.len();
        &self.values[at * width..(at + 1) * width]
    }

    /// Whether a pair is a duplicate.
    pub fn label(&self, at: usize) -> bool {
        self.labels[at]
    }

    /// How much a pair counts.
    pub fn weight(&self, at: usize) -> f64 {
        self.weights[at]
    }

    /// How many duplicates there are.
    pub fn duplicates(&self) -> usize {
        self.labels.iter().filter(|&&label| label).count()
    }

    /// Lets duplicates count `weight` times as much as other pairs, for sets in which
    /// they are rare.
    pub fn weigh_duplicates(&mut self, weight: f64) {
        for (known, &label) in self.weights.iter_mut().zip(&self.labels) {
            *known = if label { weight } else { 1.0 };
        }
    }

    /// Some of the pairs.
    pub fn subset(&self, picked: &[usize]) -> Self {
        Self {
            signals: self.signals.clone(),
            values: picked
                .iter()
                .flat_map(|&at| self.row(at))
                .copied()
                .collect(),
            labels: picked.iter().map(|&at| self.labels[at]).collect(),
            weights: picked.iter().map(|&at| self.weights[at]).collect(),
        }
    }

    /// The same pairs with some of the signals; those that are not there are left
    /// out.
    pub fn with_signals(&self, wanted: &[Signal]) -> Self {
        let places: Vec<usize> = (0..self.signals.len())
            .filter(|&at| wanted.contains(&self.signals[at]))
            .collect();
        let row = |at: usize| places.iter().map(move |&place| (at, place));
        Self {
            signals: places.iter().map(|&place| self.signals[place]).collect(),
            values: (0..self.len())
                .flat_map(row)
                .map(|(at, place)| self.row(at)[place])
                .collect(),
            labels: self.labels.clone(),
            weights: self.weights.clone(),
        }
    }

    /// For each signal, the pairs that have it, by rising value. Equal values stand in
    /// the order of the pairs.
    pub(super) fn orders(&self) -> Vec<Vec<u32>> {
        (0..self.signals.len())
            .map(|signal| {
                let value = |at: u32| self.row(at as usize)[signal];
                let mut order: Vec<u32> = (0..self.len() as u32)
                    .filter(|&at| !value(at).is_nan())
                    .collect();
                order.sort_by(|&x, &y| value(x).total_cmp(&value(y)));
                order
            })
            .collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use twinsift::hash::Stream;

    /// A number from 0 to 1.
    pub(in crate::classify) fn uniform(stream: &mut Stream) -> f64 {
        (stream.next_value() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Pairs with random signals, labelled by `is_duplicate`; a share of `missing`
    /// values is taken away after that.
    pub(in crate::classify) fn random(
        pairs: usize,
        signals: &[&str],
        missing: f64,
        seed: u64,
        is_duplicate: impl Fn(&[f64]) -> bool,
    ) -> Examples {
        let mut stream = Stream::new(seed);
        let mut examples = Examples::new(&Signal::of_names(signals).expect("known"));
        for _ in 0..pairs {
            let row: Vec<f64> = signals.iter().map(|_| uniform(&mut stream)).collect();
            let label = is_duplicate(&row);
            let row: Vec<Option<f64>> = row
                .into_iter()
                .map(|value| (uniform(&mut stream) >= missing).then_some(value))
                .collect();
            examples.push(&row, label);
        }
        examples
    }

    #[test]
    fn parts_keep_what_belongs_together() {
        let examples = random(
            10,
            &["same_title", "tfidf_distance", "mcd"],
            0.0,
            1,
            |row| row[2] < 0.5,
        );
        let part = examples.subset(&[3, 7]);
        assert_eq!(
            (part.row(1), part.label(1)),
            (examples.row(7), examples.label(7))
        );
        let narrow =
            examples.with_signals(&Signal::of_names(&["mcd", "same_title"]).expect("known"));
        assert_eq!(narrow.row(4), [examples.row(4)[0], examples.row(4)[2]]);
        let order = &examples.orders()[1];
        assert!(order.is_sorted_by_key(|&at| examples.row(at as usize)[1]));
    }
}
