//! How large the groups are that a method makes, and how many features documents have.
//!
//! Most groups are small and a few are huge, so both directions are
//! logarithmic: each bin holds sizes up to twice those of the one before. One
//! bin that a single method fills is a chain that ran away.

use super::chart::{Axis, Chart};
use super::numbers::{short, things};
use super::series::{Look, Looks};
use crate::evaluate::outcome::MethodOutcome;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The part of a bin's width that its bars take.
const FILLED: f64 = 0.8;

/// Groups of two or more by size; nothing if there are none.
pub fn group_sizes(methods: &[&MethodOutcome], looks: &Looks) -> Option<String> {
    let kind = Kind {
        name: "group-sizes",
        title: "Groups by size",
        counted: ("group", "groups"),
        size: "Documents in a group",
        first: 1,
        note: "Documents alone are left out.",
    };
    kind.chart(methods, looks, |method| Some(&method.groups.sizes))
}

/// Documents by how many features they have; nothing if no method keeps features.
pub fn features(methods: &[&MethodOutcome], looks: &Looks) -> Option<String> {
    let kind = Kind {
        name: "features",
        title: "Features per document",
        counted: ("document", "documents"),
        size: "Different features of a document",
        first: 0,
        note: "Documents without features are left out.",
    };
    kind.chart(methods, looks, |method| {
        Some(&method.features.as_ref()?.sizes)
    })
}

type Sizes = BTreeMap<u64, u64>;

/// What is counted by size.
struct Kind {
    name: &'static str,
    title: &'static str,
    /// One, and many.
    counted: (&'static str, &'static str),
    size: &'static str,
    /// The bin of the smallest size that is shown.
    first: usize,
    note: &'static str,
}

impl Kind {
    fn chart(
        &self,
        methods: &[&MethodOutcome],
        looks: &Looks,
        sizes: impl Fn(&MethodOutcome) -> Option<&Sizes>,
    ) -> Option<String> {
        let all: Vec<(&MethodOutcome, BTreeMap<usize, u64>)> = methods
            .iter()
            .copied()
            .filter(|method| looks.get(&method.name) != Look(None))
            .filter_map(|method| Some((method, bins(sizes(method)?, self.first))))
            .filter(|(_, bins)| !bins.is_empty())
            .collect();
        let drawable: Vec<&MethodOutcome> = all.iter().map(|&(method, _)| method).collect();
        let last = all
            .iter()
            .filter_map(|(_, bins)| bins.keys().last())
            .max()?;
        let most = all.iter().flat_map(|(_, bins)| bins.values()).max()?;
        let names: Vec<String> = (self.first..=*last).map(name).collect();
        let (one, many) = self.counted;
        let of_size =
            |count: u64, bin: usize| format!("{} of {}", things(count, one, many), name(bin));
        let each = all.iter().map(|(method, bins)| {
            let parts = bins.iter().map(|(&bin, &count)| of_size(count, bin));
            format!("{}: {}", method.name, parts.collect::<Vec<_>>().join(", "))
        });
        let chart = Chart {
            kind: self.name.to_owned(),
            title: self.title.to_owned(),
            description: format!(
                "How many {many} of each size there are. {}.",
                each.collect::<Vec<_>>().join("; ")
            ),
            x: Axis::places(self.size, &names),
            y: Axis::counts(&format!("Number of {many} (logarithmic)"), *most as f64),
        };
        let width = FILLED / all.len() as f64;
        let mut drawn = String::new();
        for (at, (method, bins)) in all.iter().enumerate() {
            let look = looks.get(&method.name);
            let _ = write!(drawn, "<g class=\"{}\">", look.class());
            for (&bin, &count) in bins {
                let place = (bin - self.first) as f64;
                let from = place - FILLED / 2.0 + at as f64 * width;
                let (left, y) = chart.place(from, count as f64);
                let (right, _) = chart.place(from + width * 0.86, count as f64);
                let words = format!("{}: {}", method.name, of_size(count, bin));
                let _ = write!(
                    drawn,
                    "<path class=\"bar\" d=\"M{left:.1} {:.1}V{y:.1}H{right:.1}V{0:.1}z\"/>{}",
                    chart.base(),
                    look.mark((left + right) / 2.0, y, &words)
                );
            }
            drawn.push_str("</g>\n");
        }
        let left_out = match methods.len() - drawable.len() {
            0 => String::new(),
            count => format!(
                " {} not shown.",
                things(count as u64, "other method is", "other methods are")
            ),
        };
        let note = format!("<p class=\"note\">{}{left_out}</p>\n", self.note);
        Some(chart.figure(&drawn, &(looks.legend(&drawable) + &note)))
    }
}

/// Sizes by bin, from the bin `first` on: 1, 2, 3–4, 5–8, …
fn bins(sizes: &Sizes, first: usize) -> BTreeMap<usize, u64> {
    let mut bins = BTreeMap::new();
    for (&size, &count) in sizes {
        let bin = match size {
            0 => continue,
            1 => 0,
            _ => (size - 1).ilog2() as usize + 1,
        };
        if bin >= first && count > 0 {
            *bins.entry(bin).or_insert(0) += count;
        }
    }
    bins
}

/// The sizes in a bin.
fn name(bin: usize) -> String {
    let high = 1u64 << bin;
    let low = high / 2 + 1;
    match low >= high {
        true => short(high as f64),
        false if high <= 1024 => format!("{low}–{high}"),
        false => format!("≤{}", short(high as f64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_double() {
        let sizes = BTreeMap::from([(1, 900), (2, 7), (3, 1), (4, 1), (5, 2), (8, 1), (9, 1)]);
        let expected = BTreeMap::from([(1, 7), (2, 2), (3, 3), (4, 1)]);
        assert_eq!(bins(&sizes, 1), expected);
        assert_eq!(bins(&sizes, 0)[&0], 900);
        let names: Vec<_> = (0..5).map(name).collect();
        assert_eq!(names, ["1", "2", "3–4", "5–8", "9–16"]);
    }
}
