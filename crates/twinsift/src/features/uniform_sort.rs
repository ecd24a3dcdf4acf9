//! Sorting hash values.
//!
//! Hash values are spread evenly, so their leading bits say almost exactly where
//! each belongs: one pass counts, one pass places, and an insertion sort mends
//! the few neighbours that are out of order. That is linear, and about twice as
//! fast as a comparison sort on a typical document. Values that turn out not to
//! be even (one phrase repeated all over) go to the standard library's sort.

/// A sort with buffers that are kept from one document to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sorter {
    places: Vec<u32>,
    sorted: Vec<u64>,
}

const SMALL: usize = 48;
const CROWDED: u32 = 24;

impl Sorter {
    /// Sorts in ascending order.
    pub(crate) fn sort(&mut self, values: &mut Vec<u64>) {
        let count = values.len();
        if count < SMALL || count > u32::MAX as usize {
            values.sort_unstable();
            return;
        }
        let bits = count.ilog2();
        let bucket = |value: u64| (value >> (64 - bits)) as usize;
        self.places.clear();
        self.places.resize((1 << bits) + 1, 0);
        for &value in values.iter() {
            self.places[bucket(value) + 1] += 1;
        }
        if self.places.iter().any(|&size| size > CROWDED) {
            values.sort_unstable();
            return;
        }
        let mut total = 0;
        for place in &mut self.places {
            total += *place;
            *place = total;
        }
        self.sorted.resize(count, 0);
        for &value in values.iter() {
            let place = &mut self.places[bucket(value)];
            self.sorted[*place as usize] = value;
            *place += 1;
        }
        std::mem::swap(values, &mut self.sorted);
        insertion_sort(values);
    }
}

fn insertion_sort(values: &mut [u64]) {
    for at in 1..values.len() {
        let value = values[at];
        let mut hole = at;
        while hole > 0 && values[hole - 1] > value {
            values[hole] = values[hole - 1];
            hole -= 1;
        }
        values[hole] = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts_like_the_standard_library(
            mut values in prop::collection::vec(any::<u64>(), 0..400),
            skewed in any::<bool>(),
        ) {
            if skewed {
                values.iter_mut().for_each(|value| *value %= 1000);
            }
            let mut expected = values.clone();
            expected.sort_unstable();
            Sorter::default().sort(&mut values);
            prop_assert_eq!(values, expected);
        }
    }
}
