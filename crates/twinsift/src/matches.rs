//! The results of a run: pairs, groups and verdicts.

mod raised;

use crate::cluster::components::components;
use crate::cluster::graph::Graph;
use crate::cluster::representatives::representatives;
pub use crate::cluster::stars::Keep;
use crate::cluster::stars::{Order, Verdict, stars};
use crate::collection::classes::Classes;
use crate::collection::documents::Documents;
use crate::error::{Error, Result};
use crate::matching::edges::{Adjacency, Edge, EdgeSink};
use crate::recipe::Recipe;
use crate::settings::{Budget, Settings};

pub use crate::cluster::clustering::Clustering;
pub use crate::cluster::graph::{Pair, Pairs};

/// Numbers about a run, for its summary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Words read.
    pub words: u64,
    /// Records that could not be read.
    pub skipped: u64,
    /// Documents without anything to compare, for no other reason given here.
    pub unjudged: u64,
    /// Documents with fewer words than a feature takes, compared as a whole.
    pub short: u64,
    /// Documents with too few spots to be judged by them.
    pub unsigned: u64,
    /// Documents that had no feature left in the range of idf.
    pub emptied: u64,
    /// Revisit records whose original is not in the input.
    pub orphan_revisits: u64,
    /// Documents that could have had a partner, for the exact join.
    pub indexed: u64,
    /// Pairs that were compared in full. Where some need not be, how many are is a matter of
    /// chance.
    pub compared: u64,
    /// Size bands that the exact join worked in; more than one where memory was short.
    pub size_bands: u64,
    /// Bytes that are kept of all documents to match them: sketches where the
    /// method makes some, else features, else a digest.
    pub signature_bytes: u64,
    /// Bytes of features that went to disk.
    pub spilled_bytes: u64,
}

/// How documents are grouped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Group {
    /// Every member is a near duplicate of its group's representative.
    #[default]
    Representative,
    /// Whatever is connected by pairs: a chain A~B~C is one group, whether or not C is anything
    /// like A.
    Connected,
}

/// What matches are going to be asked for. Where thousands of documents are all near
/// duplicates of each other, their pairs are millions, and most purposes need few of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Purpose {
    /// Anything: every pair is found.
    #[default]
    Pairs,
    /// [`Matches::clusters`] of this kind only.
    Groups(Group),
    /// [`Matches::dedup`] with this rule only.
    Dedup(Keep),
}

/// The near duplicates of a run.
#[derive(Debug)]
pub struct Matches {
    recipe: Recipe,
    documents: Documents,
    graph: Graph,
    /// What the pairs of the graph are enough for.
    purpose: Purpose,
    report: Report,
    unsigned: Vec<(u32, u32)>,
}

impl Matches {
    pub(crate) fn new(
        recipe: Recipe,
        documents: Documents,
        classes: Classes,
        adjacency: Adjacency,
        report: Report,
    ) -> Self {
        let graph = Graph::new(classes, adjacency, documents.old_from());
        Self {
            recipe,
            documents,
            graph,
            purpose: Purpose::Pairs,
            report,
            unsigned: Vec::new(),
        }
    }

    pub(crate) fn found_for(mut self, purpose: Purpose) -> Self {
        self.purpose = purpose;
        self
    }

    /// The same documents with other pairs, each of them once.
    pub fn with_pairs(self, pairs: &[Pair], settings: &Settings) -> Result<Self> {
        let documents = self.documents.len();
        // Every document for itself: scores of equal documents may differ.
        let digests: Vec<Option<u128>> = (0..documents as u128).map(Some).collect();
        let sink = EdgeSink::new(Budget::new(settings.memory).edges(), settings);
        let edges = pairs
            .iter()
            .map(|pair| Edge::new(pair.a, pair.b, pair.score));
        sink.extend(&mut edges.collect())?;
        let classes = Classes::new(&digests, |_| true);
        let adjacency = sink.finish(classes.len())?;
        let graph = Graph::new(classes, adjacency, self.documents.old_from());
        Ok(Self { graph, ..self })
    }

    pub(crate) fn with_unsigned(mut self, unsigned: Vec<(u32, u32)>) -> Self {
        self.unsigned = unsigned;
        self
    }

    /// The documents with too few spots to be judged by them, or none left in the
    /// range of idf, and how many each has, in the order of the input.
    pub fn unsigned(&self) -> &[(u32, u32)] {
        &self.unsigned
    }

    /// How they were found.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The documents, by index.
    pub fn documents(&self) -> &Documents {
        &self.documents
    }

    /// Numbers about the run.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Every pair once, ordered by `a`, then `b`. With an old collection, `a` is
    /// new and `b` is old.
    pub fn pairs(&self) -> Pairs<'_> {
        self.graph.pairs(self.serves(Purpose::Pairs).err())
    }

    /// The group of each document.
    pub fn clusters(&self, group: Group) -> Result<Clustering> {
        self.serves(Purpose::Groups(group))?;
        match group {
            Group::Representative => representatives(&self.graph),
            Group::Connected => components(&self.graph),
        }
    }

    /// Whether each document is kept, or which kept one it duplicates.
    ///
    /// Every removed document is a near duplicate of the very document that is
    /// named for it, and no two kept documents are near duplicates of each other
    /// (with an old collection: no kept new one of an old one).
    pub fn dedup(&self, keep: Keep) -> Result<Vec<Verdict>> {
        self.serves(Purpose::Dedup(keep))?;
        stars(&self.graph, &Order::of(&self.documents, keep))
    }

    /// Refuses to answer from pairs that were found for something else, or once cancelled.
    fn serves(&self, purpose: Purpose) -> Result<()> {
        self.graph.adjacency.check()?;
        match [Purpose::Pairs, purpose].contains(&self.purpose) {
            true => Ok(()),
            false => Err(Error::Purpose),
        }
    }
}
