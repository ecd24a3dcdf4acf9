//! How large the groups are that a method makes.
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
    let drawable: Vec<&MethodOutcome> = methods
        .iter()
        .copied()
        .filter(|method| looks.get(&method.name) != Look(None))
        .filter(|method| !bins(&method.groups.sizes).is_empty())
        .collect();
    let all: Vec<(&MethodOutcome, BTreeMap<usize, u64>)> = drawable
        .iter()
        .map(|&method| (method, bins(&method.groups.sizes)))
        .collect();
    let last = all
        .iter()
        .filter_map(|(_, bins)| bins.keys().last())
        .max()?;
    let most = all.iter().flat_map(|(_, bins)| bins.values()).max()?;
    let names: Vec<String> = (0..=*last).map(name).collect();
    let each = all.iter().map(|(method, bins)| {
        let parts = bins
            .iter()
            .map(|(&bin, &count)| format!("{} of {}", things(count, "group", "groups"), name(bin)));
        format!("{}: {}", method.name, parts.collect::<Vec<_>>().join(", "))
    });
    let chart = Chart {
        kind: "group-sizes".to_owned(),
        title: "Groups by size".to_owned(),
        description: format!(
            "How many groups of each size a method makes. {}.",
            each.collect::<Vec<_>>().join("; ")
        ),
        x: Axis::places("Documents in a group", &names),
        y: Axis::counts("Groups (logarithmic)", *most as f64),
    };
    let width = FILLED / all.len() as f64;
    let mut drawn = String::new();
    for (at, (method, bins)) in all.iter().enumerate() {
        let look = looks.get(&method.name);
        let _ = write!(drawn, "<g class=\"{}\">", look.class());
        for (&bin, &count) in bins {
            let from = bin as f64 - FILLED / 2.0 + at as f64 * width;
            let (left, y) = chart.place(from, count as f64);
            let (right, _) = chart.place(from + width * 0.86, count as f64);
            let words = format!(
                "{}: {} of {}",
                method.name,
                things(count, "group", "groups"),
                name(bin)
            );
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
    let note = format!("<p class=\"note\">Documents alone are left out.{left_out}</p>\n");
    Some(chart.figure(&drawn, &(looks.legend(&drawable) + &note)))
}

/// Groups of two or more by bin: 2, 3–4, 5–8, …
fn bins(sizes: &BTreeMap<u64, u64>) -> BTreeMap<usize, u64> {
    let mut bins = BTreeMap::new();
    for (&size, &count) in sizes
        .iter()
        .filter(|&(&size, &count)| size >= 2 && count > 0)
    {
        *bins.entry((size - 1).ilog2() as usize).or_insert(0) += count;
    }
    bins
}

/// The sizes in a bin.
fn name(bin: usize) -> String {
    let (low, high) = ((1u64 << bin) + 1, 1u64 << bin << 1);
    match low == high {
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
        let expected = BTreeMap::from([(0, 7), (1, 2), (2, 3), (3, 1)]);
        assert_eq!(bins(&sizes), expected);
        let names: Vec<_> = (0..4).map(name).collect();
        assert_eq!(names, ["2", "3–4", "5–8", "9–16"]);
    }
}
