//! Three engines and what they return.

use super::super::chance::Chance;
use super::pages::{Page, Topic};

/// An engine's results.
pub struct Run {
    pub name: &'static str,
    /// By query, the pages in order.
    pub rankings: Vec<(String, Vec<String>)>,
}

/// Results to a query.
const RESULTS: usize = 10;

/// The engines, and how much each likes relevant pages: the more, the more copies of
/// one page it returns. The last drops most copies.
const ENGINES: [(&str, usize, bool); 3] = [
    ("west", 60, false),
    ("north", 25, false),
    ("east", 40, true),
];

pub(super) fn runs(topics: &[Topic], chance: &mut Chance) -> Vec<Run> {
    ENGINES
        .iter()
        .map(|&(name, liking, drops)| Run {
            name,
            rankings: topics
                .iter()
                .map(|topic| {
                    let ranked = ranked(&topic.pages, liking, drops, chance);
                    (topic.query.clone(), ranked)
                })
                .collect(),
        })
        .collect()
}

fn ranked(pages: &[Page], liking: usize, drops: bool, chance: &mut Chance) -> Vec<String> {
    let mut scored: Vec<(usize, &Page)> = pages
        .iter()
        .map(|page| {
            let score = usize::from(page.relevance) * liking + chance.below(100);
            (score, page)
        })
        .collect();
    scored.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.id.cmp(&b.1.id)));
    let mut seen = Vec::new();
    scored.retain(|(_, page)| {
        let is_copy = seen.contains(&page.class);
        seen.push(page.class);
        !(drops && is_copy && chance.percent(70))
    });
    let ids = scored.iter().map(|(_, page)| page.id.clone());
    ids.take(RESULTS).collect()
}
