//! How methods are told apart in pictures.
//!
//! A method looks the same wherever it is drawn: one colour, one dash, one mark.
//! The three say the same thing, so that a reader who cannot tell the colours,
//! or has printed them in grey, still can tell the methods. Nobody tells thirty
//! lines apart: the best eight stand out, and the others are drawn in grey.

use super::escape;
use super::numbers::things;
use crate::evaluate::outcome::{MethodOutcome, Outcome};
use std::collections::BTreeMap;

/// How many looks there are; `style.css` has their colours and dashes.
pub const LOOKS: usize = 8;

/// One of the looks, or none: grey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look(pub Option<usize>);

/// The methods that stand out.
pub struct Looks {
    names: Vec<String>,
}

impl Looks {
    /// The methods that come out best on any of the collections.
    pub fn of(outcome: &Outcome) -> Self {
        let mut ranks: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for data in &outcome.data {
            let methods = || outcome.methods_on(data);
            for method in methods() {
                let better = |of: fn(&MethodOutcome) -> f64| {
                    methods().filter(|m| of(m) > of(method)).count()
                };
                let rank = better(|m| m.scores.f1).min(better(|m| m.max_f1));
                let order = ranks.len();
                let place = ranks.entry(&method.name).or_insert((rank, order));
                place.0 = place.0.min(rank);
            }
        }
        let mut best: Vec<_> = ranks.into_iter().collect();
        best.sort_by_key(|&(_, place)| place);
        best.truncate(LOOKS);
        best.sort_by_key(|&(_, (_, order))| order);
        let names = best.into_iter().map(|(name, _)| name.to_owned()).collect();
        Self { names }
    }

    pub fn get(&self, name: &str) -> Look {
        Look(self.names.iter().position(|known| known == name))
    }

    /// `methods` in the order of drawing: grey ones at the bottom, the first on top.
    pub fn layered<'a>(
        &self,
        methods: &[&'a MethodOutcome],
    ) -> impl Iterator<Item = (Look, &'a MethodOutcome)> {
        let mut layers: Vec<_> = methods.iter().map(|&m| (self.get(&m.name), m)).collect();
        layers.sort_by_key(|(look, _)| look.0.map_or(0, |at| LOOKS - at));
        layers.into_iter()
    }

    /// The legend below a chart of `methods`.
    pub fn legend(&self, methods: &[&MethodOutcome]) -> String {
        let known: Vec<_> = methods
            .iter()
            .map(|method| (self.get(&method.name), method.name.as_str()))
            .filter(|(look, _)| look.0.is_some())
            .collect();
        let others = methods.len() - known.len();
        let mut items = known;
        let more = format!("{}, in grey", things(others as u64, "other", "others"));
        if others > 0 {
            items.push((Look(None), &more));
        }
        legend(&items)
    }
}

/// A legend of anything.
pub fn legend(items: &[(Look, &str)]) -> String {
    let items: String = items
        .iter()
        .map(|(look, name)| format!("<li>{}{}</li>", look.swatch(), escape::inline(name)))
        .collect();
    format!("<ul class=\"legend\">{items}</ul>\n")
}

impl Look {
    /// The class that `style.css` knows it by.
    pub fn class(self) -> String {
        match self.0 {
            Some(at) => format!("s{}", at % LOOKS),
            None => "rest".to_owned(),
        }
    }

    /// A short piece of line with its mark, beside a name.
    pub fn swatch(self) -> String {
        format!(
            "<svg class=\"swatch {}\" viewBox=\"0 0 30 14\" aria-hidden=\"true\">\
             <path class=\"line\" d=\"M1 7H29\"/>{}</svg>",
            self.class(),
            self.mark(15.0, 7.0, "")
        )
    }

    /// The mark at a place, with words that show when it is pointed at.
    pub fn mark(self, x: f64, y: f64, words: &str) -> String {
        let shape = match self.0.map(|at| at % LOOKS) {
            None => "M-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0z",
            Some(0) => "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",
            Some(1) => "M-4 -4h8v8h-8z",
            Some(2) => "M0 -5L5 4H-5z",
            Some(3) => "M0 -5.5L5.5 0L0 5.5L-5.5 0z",
            Some(4) => "M0 5L5 -4H-5z",
            Some(5) => "M-1.7 -5h3.4v3.3h3.3v3.4h-3.3v3.3h-3.4v-3.3h-3.3v-3.4h3.3z",
            Some(6) => "M-5 -3L-3 -5L0 -2L3 -5L5 -3L2 0L5 3L3 5L0 2L-3 5L-5 3L-2 0z",
            Some(_) => "M-5 -1.5L0 -5.5L5 -1.5L3 4.5H-3z",
        };
        let title = match words {
            "" => String::new(),
            words => format!("<title>{}</title>", escape::text(words)),
        };
        format!(
            "<g transform=\"translate({x:.1} {y:.1})\">\
             <path class=\"mark\" d=\"{shape}\">{title}</path></g>"
        )
    }
}
