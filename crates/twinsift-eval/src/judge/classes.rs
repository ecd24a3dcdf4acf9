//! The classes of duplicates among the results for a query.

use crate::components::connected;
use std::collections::BTreeMap;

/// Which results are the same page. A document that is in no class is its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DuplicateClasses {
    first: BTreeMap<String, String>,
}

/// Members of one class whose relevance was judged differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The judged members in order, with their relevance.
    pub members: Vec<(String, i64)>,
}

impl DuplicateClasses {
    /// The classes of `docs` that the duplicates among them connect, given by number.
    /// A class is named by its first member.
    pub fn of(docs: &[String], duplicates: &[(u32, u32)]) -> Self {
        let component = connected(docs.len(), duplicates.iter().copied());
        let first = docs
            .iter()
            .zip(component)
            .map(|(doc, first)| (doc.clone(), docs[first as usize].clone()))
            .collect();
        Self { first }
    }

    /// The class of a document.
    pub fn class<'a>(&'a self, doc: &'a str) -> &'a str {
        self.first.get(doc).map_or(doc, String::as_str)
    }

    /// How many documents are in the class of one.
    pub fn size(&self, doc: &str) -> usize {
        let class = self.class(doc);
        let members = self.first.values().filter(|first| *first == class);
        members.count().max(1)
    }

    /// The sizes of all classes, in no order that means anything.
    pub fn sizes(&self) -> Vec<usize> {
        let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
        for first in self.first.values() {
            *sizes.entry(first).or_default() += 1;
        }
        sizes.into_values().collect()
    }

    /// The classes whose members were judged differently.
    pub fn contradictions(&self, judgements: &BTreeMap<String, i64>) -> Vec<Contradiction> {
        let mut members: BTreeMap<&str, Vec<(String, i64)>> = BTreeMap::new();
        for (doc, &relevance) in judgements {
            let class = members.entry(self.class(doc)).or_default();
            class.push((doc.clone(), relevance));
        }
        let differs = |class: &Vec<(String, i64)>| {
            class.iter().any(|(_, relevance)| *relevance != class[0].1)
        };
        let classes = members.into_values().filter(differs);
        classes.map(|members| Contradiction { members }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_of_duplicates_are_one_class() {
        let docs: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        let classes = DuplicateClasses::of(&docs, &[(2, 0), (3, 2)]);
        assert_eq!(classes.class("d"), "a");
        assert_eq!(classes.class("b"), "b");
        assert_eq!(classes.class("elsewhere"), "elsewhere");
        assert_eq!(
            (classes.size("c"), classes.size("b"), classes.size("x")),
            (3, 1, 1)
        );
    }

    #[test]
    fn judges_who_disagree_about_one_page_are_told() {
        let docs: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        let classes = DuplicateClasses::of(&docs, &[(0, 1), (2, 3)]);
        let judged = |list: &[(&str, i64)]| -> BTreeMap<String, i64> {
            list.iter().map(|&(doc, r)| (doc.to_owned(), r)).collect()
        };
        let found = classes.contradictions(&judged(&[("a", 2), ("b", 0), ("c", 1), ("d", 1)]));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].members, [("a".to_owned(), 2), ("b".to_owned(), 0)]);
        assert_eq!(classes.contradictions(&judged(&[("a", 2), ("c", 1)])), []);
    }
}
