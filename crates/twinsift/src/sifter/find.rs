//! From everything that was read to its near duplicates.

use super::Sifter;
use super::by_statistics;
use super::collected::Collected;
use crate::cluster::representatives::ENOUGH;
use crate::cluster::stars::Order;
use crate::collection::classes::Classes;
use crate::collection::documents::Documents;
use crate::collection::feature_counts::FeatureCounts;
use crate::error::Result;
use crate::hash;
use crate::matcher::Search;
use crate::matches::{Group, Matches, Purpose, Report};
use crate::matching::edges::EdgeSink;
use crate::matching::join::Rule;
use crate::matching::judged::{Judge, JudgedPairs};
use crate::matching::wanted::{Preference, Wanted};
use crate::matching::{Job, Sides, join};
use crate::observer::Stage;
use crate::recipe::{Recipe, THRESHOLD};
use crate::settings::Budget;
use crate::similarity::Similarity;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// What the matchers leave for the matches or verdicts.
struct MatcherOutput {
    recipe: Recipe,
    documents: Documents,
    classes: Classes,
    sink: EdgeSink,
    report: Report,
    unsigned: Vec<(u32, u32)>,
}

impl Sifter {
    /// Finds the near duplicates, on the pool of threads that was entered.
    pub(super) fn find(self, purpose: Purpose) -> Result<Matches> {
        let found = self.find_into(purpose, EdgeSink::of)?;
        let adjacency = found.sink.finish(found.classes.len())?;
        let matches = Matches::new(
            found.recipe,
            found.documents,
            found.classes,
            adjacency,
            found.report,
        );
        Ok(matches.with_unsigned(found.unsigned).found_for(purpose))
    }

    /// Judges every pair; they come in no order.
    pub(super) fn judge(self, judge: Arc<Judge>) -> Result<JudgedPairs> {
        let sink = |job: &Job<'_>| EdgeSink::judging(job, judge);
        Ok(self.find_into(Purpose::Pairs, sink)?.sink.judged())
    }

    /// Has the matchers put what they find into a sink.
    fn find_into(
        self,
        purpose: Purpose,
        sink: impl FnOnce(&Job<'_>) -> EdgeSink,
    ) -> Result<MatcherOutput> {
        let Self {
            recipe,
            settings,
            analyser,
            mut collected,
            ..
        } = self;
        collected.report.unsigned = collected.unsigned.len() as u64;
        let documents = collected.documents.len() as u64;
        settings.observer.begin(Stage::Weighing, documents)?;
        if recipe.imatch_matcher().is_some() && analyser.row_width() == 0 {
            collected.sign_by_own_lexicon(&recipe, &settings)?;
        }
        collected.report.spilled_bytes =
            collected.store.spilled_bytes() + collected.fallback.spilled_bytes();
        if !analyser.takes_signatures() {
            collected = collected.by_statistics(&recipe, &settings)?;
        }
        collected.report.signature_bytes = collected.signature_bytes(&recipe);
        let classes = collected.classes();
        collected.report.unjudged = collected.count_unjudged(&classes);
        let Collected {
            documents,
            store,
            fallback,
            unsigned,
            rows,
            mut report,
            ..
        } = collected;
        let job = Job {
            classes: &classes,
            sides: Sides::new(&classes, documents.old_from()),
            old_from: documents.old_from(),
            wanted: wanted(purpose, &documents, &classes),
            settings: &settings,
            budget: Budget::new(settings.memory),
        };
        let sink = sink(&job);
        let found = recipe.matcher().find(Search {
            job: &job,
            store,
            rows: &rows,
            is_weighted: recipe.vectors().is_weighted(),
            sink: &sink,
        })?;
        report.compared = found.compared;
        report.size_bands = found.size_bands;
        report.indexed = found.indexed;
        if !fallback.is_empty() {
            let rule = Rule::new(Similarity::Jaccard, THRESHOLD, false);
            report.compared += join::join(&job, &rule, fallback, &sink)?.compared;
        }
        Ok(MatcherOutput {
            recipe,
            documents,
            classes,
            sink,
            report,
            unsigned,
        })
    }

    /// How many features each document has that is compared by features.
    pub(super) fn count(self) -> Result<Option<FeatureCounts>> {
        let Self {
            recipe,
            settings,
            collected,
            ..
        } = self;
        if collected.store.is_empty() {
            return Ok(None);
        }
        let documents = collected.documents.len();
        let mut counts: Vec<u64> = vec![0; documents];
        if recipe.spot_rules().is_some() {
            for &(doc, spots) in &collected.unsigned {
                counts[doc as usize] = u64::from(spots);
            }
        }
        // What repeats another's text is not in the store, but has its digest.
        let mut first: HashMap<u128, u32> = HashMap::new();
        let mut stands_for: Vec<u32> = (0..documents as u32).collect();
        let store = by_statistics::narrow(collected.store, &recipe, documents, &settings)?;
        let mut distinct: HashSet<u64, hash::OfHashes> = HashSet::default();
        for at in 0..store.len() {
            let block = store.load(at)?;
            for (at, &doc) in block.docs.iter().enumerate() {
                let values = block.vector(at).values;
                counts[doc as usize] = values.len() as u64;
                distinct.extend(values);
                if let Some(digest) = collected.digests[doc as usize] {
                    first.entry(digest).or_insert(doc);
                }
            }
        }
        for (doc, digest) in collected.digests.iter().enumerate() {
            if let Some(digest) = digest {
                stands_for[doc] = first.get(digest).copied().unwrap_or(doc as u32);
            }
        }
        let counted = stands_for.iter().map(|&doc| counts[doc as usize]);
        Ok(Some(FeatureCounts::of(distinct.len() as u64, counted)))
    }
}

/// Which pairs it takes for a purpose.
fn wanted(purpose: Purpose, documents: &Documents, classes: &Classes) -> Wanted {
    match purpose {
        Purpose::Groups(Group::Connected) => Wanted::Connections,
        // Old documents all stay, so every pair with them counts.
        _ if documents.old_from().is_some() => Wanted::All,
        Purpose::Dedup(keep) => {
            let order = Order::of(documents, keep);
            Wanted::Preferred(Preference::new(classes, |doc| order.position(doc)), 1)
        }
        Purpose::Groups(Group::Representative) => {
            Wanted::Preferred(Preference::by_first(classes), ENOUGH)
        }
        Purpose::Pairs => Wanted::All,
    }
}
