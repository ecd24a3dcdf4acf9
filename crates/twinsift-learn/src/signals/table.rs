//! The signals of many pairs.

use super::prepared::{Prepared, Signals, Snippets};
use super::snippet::Query;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Two pages, by number, and the query by whose results they were met, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryPair {
    /// One page.
    pub a: u32,
    /// The other.
    pub b: u32,
    /// The number of the query.
    pub query: Option<u32>,
}

/// The signals of a pair; `None` where one is missing.
pub type Row = Vec<Option<f64>>;

impl Signals {
    /// The rows of many pairs, on all threads, in the order of the pairs.
    pub fn rows(&self, pages: &[Prepared], pairs: &[QueryPair], queries: &[Query]) -> Vec<Row> {
        self.each_pair(pages, pairs, queries, |a, b, snippets| {
            self.row(a, b, snippets)
        })
    }

    /// What `of` makes of each pair. Snippets are cut once for each page and query.
    pub(crate) fn each_pair<T: Send>(
        &self,
        pages: &[Prepared],
        pairs: &[QueryPair],
        queries: &[Query],
        of: impl Fn(&Prepared, &Prepared, Option<(&Snippets, &Snippets)>) -> T + Sync,
    ) -> Vec<T> {
        let met = pairs.iter().filter_map(|pair| Some((pair, pair.query?)));
        let mut wanted: Vec<(u32, u32)> = met
            .flat_map(|(pair, query)| [(pair.a, query), (pair.b, query)])
            .collect();
        wanted.sort_unstable();
        wanted.dedup();
        let snippets: BTreeMap<(u32, u32), Snippets> = wanted
            .into_par_iter()
            .map(|(page, query)| {
                let cut = self.snippets(&pages[page as usize], &queries[query as usize]);
                ((page, query), cut)
            })
            .collect();
        pairs
            .par_iter()
            .map(|pair| {
                let cut = |page: u32| snippets.get(&(page, pair.query?));
                let snippets = cut(pair.a).zip(cut(pair.b));
                of(&pages[pair.a as usize], &pages[pair.b as usize], snippets)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::{Background, Signal};
    use twinsift::page::Page;

    #[test]
    fn many_pairs_are_pair_by_pair() {
        let texts = ["one two three", "one two four", "five two six"];
        let signals = Signals::new(&Signal::all(), Background::of(&texts));
        let pages = texts.map(|text| signals.prepare(Page::plain(text)));
        let queries = ["two", "one"].map(Query::new);
        let pair = |a, b, query| QueryPair { a, b, query };
        let pairs = [pair(0, 1, None), pair(0, 2, Some(0)), pair(1, 2, Some(1))];
        let rows = signals.rows(&pages, &pairs, &queries);
        assert_eq!(rows[0], signals.row(&pages[0], &pages[1], None));
        let cut = |page: usize| signals.snippets(&pages[page], &queries[0]);
        let with = signals.row(&pages[0], &pages[2], Some((&cut(0), &cut(2))));
        assert_eq!(rows[1], with);
        assert_ne!(rows[1], signals.row(&pages[0], &pages[2], None));
        // The second query's word is not on the third page.
        assert_eq!(rows[2], signals.row(&pages[1], &pages[2], None));
    }
}
