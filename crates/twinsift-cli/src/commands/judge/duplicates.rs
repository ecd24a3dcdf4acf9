//! The duplicates among each query's results: all pairs, by a model or by what the
//! default method compares.

use super::files::Files;
use crate::complaints::Complaints;
use crate::pages::queries::Found;
use crate::pages::{Collection, Queries};
use crate::plan::Run;
use crate::progress;
use std::collections::{BTreeMap, BTreeSet};
use twinsift::recipe::THRESHOLD;
use twinsift_eval::judge::{Contradiction, DuplicateClasses, Qrels};
use twinsift_io::Content;
use twinsift_learn::classify::Model;
use twinsift_learn::signals::{Measure, QueryPair, Signal, Signals, Source};

/// Tells duplicates.
pub struct Judge {
    model: Option<Model>,
    threshold: f64,
    content: Content,
}

/// What is compared where there is no model: the only body of the pages, whichever it is.
const SHINGLES: [Signal; 1] = [Signal {
    source: Source::Fetched,
    measure: Measure::MainShingles,
}];

impl Judge {
    pub fn new(model: Option<Model>, threshold: Option<f64>, content: Content) -> Self {
        let own = model.as_ref().map_or(THRESHOLD, |model| model.threshold);
        Self {
            threshold: threshold.unwrap_or(own),
            model,
            content,
        }
    }

    /// Reads what it looks at: both bodies for a model, and without one the texts that
    /// the other commands compare.
    pub fn read(&self, run: &Run) -> anyhow::Result<Collection> {
        match &self.model {
            Some(model) => Collection::read(run, &model.signals, &[]),
            None => Collection::read_texts(run),
        }
    }

    fn signals(&self) -> &[Signal] {
        self.model
            .as_ref()
            .map_or(&SHINGLES, |model| &model.signals)
    }

    pub fn in_words(&self) -> String {
        match &self.model {
            Some(model) => format!(
                "{} ({}), duplicates from a score of {}",
                model.classifier.learner().name(),
                model.id(),
                self.threshold
            ),
            None => format!(
                "word 5-grams of {}, duplicates from a Jaccard similarity of {} (no --model)",
                match self.content {
                    Content::Main => "main content",
                    _ => "all text",
                },
                self.threshold
            ),
        }
    }

    /// The classes of each query's results.
    pub fn classes(
        &self,
        pools: &Pools,
        collection: &mut Collection,
        queries: &Queries,
        quiet: bool,
    ) -> QueryClasses {
        let background = match &self.model {
            Some(model) => model.background.clone(),
            None => Default::default(),
        };
        let signals = Signals::new(self.signals(), background);
        let compared = collection.prepare(signals, quiet);
        let spinner = progress::working("comparing results", quiet);
        let pairs: Vec<QueryPair> = pools.pools.iter().flat_map(Pool::pairs).collect();
        let scores = match &self.model {
            Some(model) => model.scores(&compared.signals, &compared.pages, &pairs, &queries.list),
            None => compared
                .signals
                .rows(&compared.pages, &pairs, &queries.list)
                .into_iter()
                .map(|row| row[0].unwrap_or(0.0))
                .collect(),
        };
        spinner.finish_and_clear();
        let mut next = scores.iter();
        let by_query = pools.pools.iter().map(|pool| {
            let mut duplicates = Vec::new();
            for (a, b) in pool.known_pairs() {
                if next.next().is_some_and(|&score| score >= self.threshold) {
                    duplicates.push((a, b));
                }
            }
            (
                pool.query.clone(),
                DuplicateClasses::of(&pool.docs, &duplicates),
            )
        });
        QueryClasses {
            by_query: by_query.collect(),
        }
    }
}

/// All engines' results for a query.
pub struct Pool {
    pub query: String,
    /// Each document once, in the order of the runs.
    pub docs: Vec<String>,
    /// Their pages, where the collection has them.
    pages: Vec<Option<u32>>,
    /// The query's number, if its text is known.
    number: Option<u32>,
}

impl Pool {
    /// Pairs of documents whose pages are known, by their places.
    fn known_pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        let known: Vec<u32> = (0..self.docs.len() as u32)
            .filter(|&at| self.pages[at as usize].is_some())
            .collect();
        let starts = 0..known.len();
        starts.flat_map(move |x| {
            let known = known.clone();
            (x + 1..known.len()).map(move |y| (known[x], known[y]))
        })
    }

    fn pairs(&self) -> impl Iterator<Item = QueryPair> {
        let page = |at: u32| self.pages[at as usize].unwrap_or_default();
        self.known_pairs().map(move |(a, b)| QueryPair {
            a: page(a),
            b: page(b),
            query: self.number,
        })
    }
}

/// The results of every query.
pub struct Pools {
    pub pools: Vec<Pool>,
}

impl Pools {
    /// Pools the first `cut` results of all runs. Documents that the collection does
    /// not have, and queries without words, are told with their places.
    pub fn new(
        files: &Files,
        collection: &Collection,
        queries: &mut Queries,
        has_queries: bool,
        cut: usize,
        complaints: &mut Complaints,
    ) -> anyhow::Result<Self> {
        let names: BTreeSet<&String> = (files.runs.iter())
            .flat_map(|run| run.rankings.keys())
            .collect();
        let mut pools = Vec::new();
        for query in names {
            let mut pool = Pool {
                query: query.clone(),
                docs: Vec::new(),
                pages: Vec::new(),
                number: None,
            };
            for (at, run) in files.runs.iter().enumerate() {
                let ranking = run.rankings.get(query).map_or(&[][..], Vec::as_slice);
                for doc in ranking.iter().take(cut) {
                    if pool.docs.contains(doc) {
                        continue;
                    }
                    let found = collection.find(doc);
                    let page = found.filter(|&page| collection.has_body(page));
                    if page.is_none() {
                        let place = files.place(at, query, doc);
                        let what = match found {
                            Some(_) => format!("the document \"{doc}\" has no body"),
                            None => format!("no document has the id \"{doc}\""),
                        };
                        complaints.note(&format!(
                            "{place}: {what}; it keeps its rank and counts as no duplicate"
                        ))?;
                    }
                    pool.docs.push(doc.clone());
                    pool.pages.push(page);
                }
            }
            if has_queries {
                pool.number = match queries.find(query) {
                    Found::Query(number) => Some(number),
                    // Told when the queries were read.
                    Found::Empty => None,
                    Found::Unknown => {
                        let first = pool.docs.first().map_or("", String::as_str);
                        let place = (0..files.runs.len())
                            .map(|run| files.place(run, query, first))
                            .find(|place| !place.is_empty());
                        complaints.note(&format!(
                            "{}: the query \"{query}\" has no text, so there are no snippets",
                            place.unwrap_or_default()
                        ))?;
                        None
                    }
                };
            }
            pools.push(pool);
        }
        Ok(Self { pools })
    }

    /// How many queries there are.
    pub fn len(&self) -> usize {
        self.pools.len()
    }

    /// Distinct results over all queries.
    pub fn results(&self) -> usize {
        self.pools.iter().map(|pool| pool.docs.len()).sum()
    }
}

/// The classes of each query's results.
pub struct QueryClasses {
    by_query: BTreeMap<String, DuplicateClasses>,
}

impl QueryClasses {
    pub fn of(&self, query: &str) -> Option<&DuplicateClasses> {
        self.by_query.get(query)
    }

    /// Classes with several members, and all their members beyond the first.
    pub fn duplicates(&self) -> (usize, usize) {
        let (mut groups, mut repeats) = (0, 0);
        for classes in self.by_query.values() {
            let sizes = classes.sizes();
            groups += sizes.iter().filter(|&&size| size > 1).count();
            repeats += sizes.iter().map(|size| size - 1).sum::<usize>();
        }
        (groups, repeats)
    }

    /// Judgements that contradict each other, with their queries.
    pub fn contradictions(&self, qrels: &Qrels) -> Vec<(String, Contradiction)> {
        let mut list = Vec::new();
        for (query, classes) in &self.by_query {
            let Some(judgements) = qrels.get(query) else {
                continue;
            };
            let found = classes.contradictions(judgements);
            list.extend(found.into_iter().map(|one| (query.clone(), one)));
        }
        list
    }
}
