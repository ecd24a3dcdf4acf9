//! How good is a method?
//!
//! A [`Trial`] is a labelled collection. It runs a recipe on it and scores what
//! was found: pairs as they are, averaged over documents, and as groups; the
//! whole curve over thresholds; how sure the figures are; and the mistakes.
//!
//! ```
//! use twinsift_eval::{Gold, Trial};
//! use twinsift::{Document, Recipe, Settings};
//!
//! let documents = [
//!     Document::new("1", "The council approved the new bridge over the river."),
//!     Document::new("2", "The council approved the new bridge over the river!"),
//!     Document::new("3", "A storm is expected to reach the coast by tomorrow."),
//! ];
//! let gold = Gold::from_clusters(&[Some("bridge"), Some("bridge"), Some("storm")], &[]);
//! let settings = Settings::default();
//! let trial = Trial::new(&documents, &gold, &settings);
//!
//! let recipe = Recipe::default();
//! let matches = trial.find(&recipe)?;
//! let evaluation = trial.score(&matches)?;
//! assert_eq!(evaluation.scores.f1, 1.0);
//! # Ok::<(), twinsift::Error>(())
//! ```
//!
//! | file | answers |
//! |---|---|
//! | [`gold`] | what is true? |
//! | [`curve`] | precision and recall at every threshold |
//! | [`queries`] | the same, averaged over documents; utility |
//! | [`partition`] | how well do groups agree with clusters? |
//! | [`bootstrap`] | how sure are the figures? |
//! | [`mistakes`] | which pairs went wrong? |
//! | [`split`] | what to choose on, and what to report on? |
//! | [`cohesion`] | how much do the documents of a cluster have in common? |
//! | [`paired`] | is one method better than another? |

pub mod bootstrap;
pub mod cohesion;
mod components;
pub mod curve;
pub mod gold;
pub mod judge;
pub mod mistakes;
pub mod paired;
pub mod partition;
pub mod queries;
pub mod split;

pub use bootstrap::{Interval, Intervals};
pub use cohesion::Cohesion;
pub use curve::{Curve, Point, Scores};
pub use gold::Gold;
pub use mistakes::Mistake;
pub use paired::{PairedTest, paired_test};
pub use partition::GroupScores;
pub use queries::{PRICE, TargetClasses, Utility};
pub use split::{Cut, Split};

use bootstrap::Bootstrap;
use curve::ScoredPairs;
use mistakes::Mistakes;
use queries::{Queries, UtilityCount};
use std::iter::Peekable;
use std::slice::Iter;
use std::sync::Arc;
use twinsift::Choices;
use twinsift::collection::feature_counts::FeatureCounts;
use twinsift::document::{Document, Item};
use twinsift::error::Result;
use twinsift::matches::{Group, Matches, Pair};
use twinsift::matching::edges::Edge;
use twinsift::matching::judged::JudgedPairs;
use twinsift::recipe::{Method, Recipe};
use twinsift::settings::Settings;
use twinsift::sifter::Sifter;

/// A labelled collection to try methods on.
#[derive(Clone, Debug)]
pub struct Trial<'a> {
    documents: &'a [Document<'a>],
    gold: &'a Gold,
    settings: &'a Settings,
    /// The lowest score that the curve covers.
    pub floor: f64,
    /// How often the collection is resampled for intervals; 0 for none.
    pub resamples: u32,
    /// Seed of the resampling.
    pub seed: u64,
    /// Mistakes of either kind that are kept.
    pub mistakes: usize,
    /// Classes of documents, for utility.
    pub classes: Option<&'a TargetClasses>,
    /// What a document of another class costs there.
    pub price: f64,
    /// Only so many documents, drawn at random, are queries; all if left out.
    pub queries: Option<usize>,
}

/// What a trial says about a method.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// Over all judged pairs, at the method's own threshold.
    pub scores: Scores,
    /// How sure they are.
    pub intervals: Option<Intervals>,
    /// Judged pairs that were found.
    pub found: u64,
    /// True pairs among them.
    pub correct: u64,
    /// Pairs that were found and are not judged.
    pub unjudged: u64,
    /// Averages over documents as queries.
    pub per_query: Scores,
    /// The groups that the pairs make.
    pub groups: GroupScores,
    /// What queries of the target class are worth.
    pub utility: Option<Utility>,
    /// Precision and recall at every threshold down to the floor.
    pub curve: Curve,
    /// The lowest score that the curve covers.
    pub floor: f64,
    /// The wrong pairs with the highest scores.
    pub wrong: Vec<Mistake>,
    /// The missed pairs with the lowest scores.
    pub missed: Vec<Mistake>,
}

/// The lowest score that curves cover, unless told otherwise.
pub const FLOOR: f64 = 0.05;

/// How often collections are resampled for intervals, unless told otherwise.
pub const RESAMPLES: u32 = 1000;

/// Documents that go to a thread at a time.
const TOGETHER: usize = 32;

impl<'a> Trial<'a> {
    /// A trial with the usual settings: [`FLOOR`], [`RESAMPLES`], ten mistakes of
    /// either kind.
    pub fn new(documents: &'a [Document<'a>], gold: &'a Gold, settings: &'a Settings) -> Self {
        Self {
            documents,
            gold,
            settings,
            floor: FLOOR,
            resamples: RESAMPLES,
            seed: 0,
            mistakes: 10,
            classes: None,
            price: PRICE,
            queries: None,
        }
    }

    /// Runs a recipe on the documents.
    pub fn find(&self, recipe: &Recipe) -> Result<Matches> {
        self.read(recipe)?.finish()
    }

    /// How many features the documents have, for recipes that keep features.
    pub fn features(&self, recipe: &Recipe) -> Result<Option<FeatureCounts>> {
        self.read(recipe)?.feature_counts()
    }

    /// Reads the documents for a recipe.
    fn read(&self, recipe: &Recipe) -> Result<Sifter> {
        let mut sifter = Sifter::new(recipe.clone(), self.settings.clone())?;
        sifter.add_batches(
            self.documents.chunks(TOGETHER),
            |chunk, sink| {
                chunk
                    .iter()
                    .for_each(|document| sink(Item::Document(document.view())));
            },
            |_| Ok(()),
        )?;
        Ok(sifter)
    }

    /// Runs a recipe and judges every pair that it finds.
    fn judged(&self, recipe: &Recipe) -> Result<JudgedPairs> {
        let gold = self.gold.clone();
        let judge = move |a, b| gold.judge(a, b);
        self.read(recipe)?.finish_judged(Arc::new(judge))
    }

    /// The curve of a recipe, down to the floor.
    pub fn curve(&self, recipe: &Recipe) -> Result<Curve> {
        let wide = recipe.widened(self.floor);
        self.curve_of(self.judged(&wide)?)
    }

    fn curve_of(&self, judged: JudgedPairs) -> Result<Curve> {
        let scored = ScoredPairs {
            of_true: judged.of_true.iter().map(|pair| pair.score).collect(),
            of_false: judged.of_false,
        };
        let pool = self.settings.pool()?;
        Ok(pool.install(|| scored.curve(self.gold.positives())))
    }

    /// Scores what a recipe found at its own threshold, and runs it once more for
    /// the curve.
    pub fn score(&self, matches: &Matches) -> Result<Evaluation> {
        let wide = matches.recipe().widened(self.floor);
        let swept = match wide == *matches.recipe() {
            true => None,
            false => Some(self.judged(&wide)?),
        };
        self.score_with(matches, swept, wide.lowest_score())
    }

    /// Scores pairs that were judged one by one, each of them once, as by a classifier:
    /// those with a score of at least `threshold` are found, and all of them make the
    /// curve.
    pub fn score_pairs(&self, judged: &[Pair], threshold: f64) -> Result<Evaluation> {
        let choices = Choices {
            method: Some(Method::Exact),
            ..Choices::default()
        };
        let recipe = choices.resolve()?;
        let mut swept = JudgedPairs::default();
        for pair in judged {
            let (a, b) = (pair.a, pair.b);
            swept.add(Edge::new(a, b, pair.score), self.gold.judge(a, b));
        }
        let found: Vec<Pair> = (judged.iter().copied())
            .filter(|pair| pair.score >= threshold)
            .collect();
        let matches = self.find(&recipe)?.with_pairs(&found, self.settings)?;
        self.score_with(&matches, Some(swept), recipe.lowest_score())
    }

    /// Scores what was found, with the curve of what was found at scores down to `floor`
    /// too.
    fn score_with(
        &self,
        matches: &Matches,
        mut swept: Option<JudgedPairs>,
        floor: f64,
    ) -> Result<Evaluation> {
        let gold = self.gold;
        let is_query = queries::sample(gold.documents(), self.queries, self.seed);
        let mut queries = Queries::new(&is_query);
        let groups = matches.clusters(Group::default())?;
        let mut within_groups = 0;
        let mut own = JudgedPairs::default();
        let mut bootstrap = Bootstrap::new(gold);
        let mut mistakes = Mistakes::new(gold, self.mistakes);
        let mut utility = self
            .classes
            .map(|classes| UtilityCount::new(classes, &is_query, self.price));
        let (mut found, mut correct, mut unjudged) = (0, 0, 0);
        for pair in matches.pairs() {
            let pair = pair?;
            let (a, b, score) = (pair.a, pair.b, Some(pair.score));
            if let Some(utility) = &mut utility {
                utility.add(a, b);
            }
            within_groups += u64::from(groups.first(a) == groups.first(b));
            let truth = gold.judge(a, b);
            own.add(Edge::new(a, b, pair.score), truth);
            let Some(is_true) = truth else {
                unjudged += 1;
                continue;
            };
            found += 1;
            correct += u64::from(is_true);
            queries.add(a, b, is_true);
            bootstrap.add(gold, a, b, is_true);
            if !is_true {
                mistakes.wrong(Mistake { a, b, score });
            }
        }
        if let Some(swept) = &mut swept {
            swept.of_true.sort_unstable_by_key(|pair| (pair.a, pair.b));
        }
        let scored = swept.as_ref().unwrap_or(&own);
        self.note_missed(&own.of_true, &scored.of_true, &mut mistakes);
        let counts = [found, correct, gold.positives()].map(|number| number as f64);
        let [wrong, missed] = mistakes.worst();
        Ok(Evaluation {
            scores: Scores::of(counts[0], counts[1], counts[2]),
            intervals: bootstrap.intervals(self.resamples, self.seed),
            found,
            correct,
            unjudged,
            per_query: queries.scores(gold),
            groups: partition::score(&groups, within_groups, gold),
            utility: utility.map(|count| count.utility()),
            curve: self.curve_of(swept.unwrap_or(own))?,
            floor,
            wrong,
            missed,
        })
    }

    /// Walks the true pairs beside those of them that were found and those that were
    /// scored; all three come in the same order.
    fn note_missed(&self, found: &[Edge], scored: &[Edge], mistakes: &mut Mistakes<'_>) {
        let (mut found, mut scored) = (found.iter().peekable(), scored.iter().peekable());
        for (a, b) in self.gold.each_positive() {
            let score = score_of(&mut scored, (a, b));
            if score_of(&mut found, (a, b)).is_none() {
                mistakes.missed(Mistake { a, b, score });
            }
        }
    }
}

/// Looks a pair up in a list of pairs, in ascending order.
fn score_of(pairs: &mut Peekable<Iter<'_, Edge>>, pair: (u32, u32)) -> Option<f64> {
    while pairs.next_if(|other| (other.a, other.b) < pair).is_some() {}
    let found = pairs.next_if(|other| (other.a, other.b) == pair);
    found.map(|found| found.score)
}
