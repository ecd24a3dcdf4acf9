//! Labelled collections and the candidate pairs among them.

use std::collections::HashMap;
use std::path::Path;
use twinsift::hash;
use twinsift::{Detector, Document, Item, Settings};
use twinsift_io::{Content, Inputs, ReadOptions};
use twinsift_learn::detect::{Example, Pool, pool};

/// Folds of cross-validation.
pub(crate) const FOLDS: u64 = 5;

/// Whether titles are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Titles {
    Shown,
    Hidden,
}

/// A collection whose pairs are known to be the same or not.
pub(crate) struct Labelled {
    pub(crate) name: &'static str,
    pub(crate) titles: Titles,
    pub(crate) examples: Vec<Example>,
    /// The documents of each pair.
    pub(crate) pairs: Vec<(u32, u32)>,
    /// The folds of the clusters of each pair.
    pub(crate) folds: Vec<[u64; 2]>,
    /// Pairs that are the same, candidates or not.
    pub(crate) same: usize,
    /// The cluster of each document, as a hash.
    clusters: Vec<u64>,
    /// Whether only some pairs are labelled, in a file.
    is_listed: bool,
}

impl Labelled {
    /// Where its documents come from: the two news sets tell the same stories.
    pub(crate) fn origin(&self) -> &str {
        self.name.split('-').next().unwrap_or(self.name)
    }

    /// Pairs that are the same, candidates or not, of some clusters.
    pub(crate) fn same_in(&self, holds: impl Fn(u64) -> bool) -> usize {
        if self.is_listed {
            let listed = (0..self.pairs.len()).filter(|&pair| self.is_within(pair, &holds));
            return listed.filter(|&pair| self.examples[pair].same).count();
        }
        let some: Vec<u64> = (self.clusters.iter().copied())
            .filter(|&cluster| holds(cluster))
            .collect();
        same_pairs(&some)
    }

    /// Whether both documents of a pair are of some clusters.
    pub(crate) fn is_within(&self, pair: usize, holds: impl Fn(u64) -> bool) -> bool {
        let (a, b) = self.pairs[pair];
        [a, b].iter().all(|&doc| holds(self.clusters[doc as usize]))
    }

    pub(crate) fn read(
        data: &Path,
        name: &'static str,
        titles: Titles,
        detector: &Detector,
    ) -> Result<Self, Box<dyn std::error::Error>> {
        let (mut documents, clusters) = documents(&data.join(format!("{name}.jsonl")))?;
        if titles == Titles::Hidden {
            documents
                .iter_mut()
                .for_each(|document| document.title = None);
        }
        let settings = Settings::default();
        let found = Pool::of(&documents, detector, &settings)?;
        let fold = |doc: u32| fold_of(clusters[doc as usize]);
        let label_file = data.join(format!("{}-pairs.csv", name.trim_end_matches("-pages")));
        let (pairs, labels, same) = match label_file.exists() {
            true => labelled_pairs(&label_file, &documents)?,
            false => {
                let is_same = |&(a, b): &(u32, u32)| clusters[a as usize] == clusters[b as usize];
                let labels = found.pairs.iter().map(is_same).collect();
                (found.pairs, labels, same_pairs(&clusters))
            }
        };
        let rows = pool::rows(&found.signatures, &pairs);
        let examples = rows.into_iter().zip(labels);
        Ok(Self {
            name,
            titles,
            examples: examples
                .map(|(row, same)| Example {
                    row,
                    same,
                    weight: 1.0,
                })
                .collect(),
            folds: pairs.iter().map(|&(a, b)| [fold(a), fold(b)]).collect(),
            is_listed: label_file.exists(),
            clusters,
            pairs,
            same,
        })
    }
}

/// The fold of a cluster.
pub(crate) fn fold_of(cluster: u64) -> u64 {
    cluster % FOLDS
}

type Documents = (Vec<Document<'static>>, Vec<u64>);

/// The documents of a file with their clusters; one without is a cluster of its own.
fn documents(path: &Path) -> Result<Documents, Box<dyn std::error::Error>> {
    let mut options = ReadOptions {
        content: Content::Main,
        ..ReadOptions::default()
    };
    options.fields.extra = vec!["cluster".to_owned()];
    let inputs = Inputs::open(&[path.to_owned()], options)?;
    let (mut documents, mut clusters) = (Vec::new(), Vec::new());
    for batch in inputs.batches() {
        inputs.expand(&batch, &mut |item| {
            if let Item::Document(document) = item {
                let document = document.into_owned();
                let alone = || format!("alone {}", documents.len());
                let cluster = document.extra[0]
                    .as_deref()
                    .map_or_else(alone, str::to_owned);
                clusters.push(hash::bytes(cluster.as_bytes()));
                documents.push(document);
            }
        });
    }
    Ok((documents, clusters))
}

fn same_pairs(clusters: &[u64]) -> usize {
    let mut sizes: HashMap<u64, usize> = HashMap::new();
    for &cluster in clusters {
        *sizes.entry(cluster).or_default() += 1;
    }
    sizes.values().map(|size| size * (size - 1) / 2).sum()
}

type Pairs = (Vec<(u32, u32)>, Vec<bool>, usize);

/// The pairs of a file with the columns a, b and label.
fn labelled_pairs(
    path: &Path,
    documents: &[Document<'_>],
) -> Result<Pairs, Box<dyn std::error::Error>> {
    let by_id: HashMap<&str, u32> = (documents.iter().map(|document| &*document.id.text))
        .zip(0..)
        .collect();
    let (mut pairs, mut labels) = (Vec::new(), Vec::new());
    for line in std::fs::read_to_string(path)?.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        pairs.push((by_id[cells[0]], by_id[cells[1]]));
        labels.push(cells[2] == "1");
    }
    let same = labels.iter().filter(|&&same| same).count();
    Ok((pairs, labels, same))
}
