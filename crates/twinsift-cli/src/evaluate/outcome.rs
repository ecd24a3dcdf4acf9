//! What an evaluation says, as it is stored, written as JSON and drawn.
//!
//! These are plain values: the tables on the terminal, the CSV and JSON files and
//! the HTML report are all made of an [`Outcome`] and nothing else, so they
//! cannot disagree.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use twinsift::collection::feature_counts::FeatureCounts;
use twinsift_eval::{Cohesion, GroupScores, Intervals, PairedTest, Scores, Utility};

/// A whole evaluation: methods tried on labelled collections.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// What it is about; the title of the report.
    pub title: String,
    /// The version that made it.
    pub version: String,
    /// The collections.
    pub data: Vec<DataOutcome>,
    /// Every method on every collection, collections in order.
    pub methods: Vec<MethodOutcome>,
    /// Methods against the best one of their collection, where there are splits.
    pub comparisons: Vec<MethodComparison>,
}

/// A labelled collection.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct DataOutcome {
    pub name: String,
    /// Where the labels come from, in words.
    pub gold: String,
    pub documents: u64,
    pub labelled: u64,
    /// Number of true clusters, where labels are clusters.
    pub clusters: Option<u64>,
    pub true_pairs: u64,
    pub judged_pairs: u64,
    /// How alike the documents of a cluster are, where labels are clusters.
    pub cohesion: Option<Cohesion>,
    /// Reading and turning pages and mails to text, for all methods at once.
    pub reading_seconds: f64,
    /// What was odd about the labels, one sentence each.
    pub notes: Vec<String>,
}

/// A method on a collection.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct MethodOutcome {
    /// Which collection: [`DataOutcome::name`].
    pub data: String,
    /// What the method is called in tables.
    pub name: String,
    /// The preset.
    pub method: String,
    /// The recipe in words.
    pub description: String,
    /// The recipe's id.
    pub recipe: String,
    /// What a suite varies, where it is a number: `k`, `random_lexicons`, …
    pub parameters: BTreeMap<String, f64>,
    /// Missing for methods without one.
    pub threshold: Option<f64>,
    /// Precision, recall and F1 over all judged pairs, at the threshold.
    #[serde(flatten)]
    pub scores: Scores,
    /// Where 95 % of resampled scores lie.
    pub intervals: Option<Intervals>,
    /// Judged pairs that were found, and the true ones among them.
    pub found_pairs: u64,
    pub correct_pairs: u64,
    /// Pairs that were found and are not judged.
    pub unjudged_pairs: u64,
    /// The best F1 of all thresholds, chosen in hindsight.
    pub max_f1: f64,
    /// Missing if no judged pair was scored.
    pub max_f1_threshold: Option<f64>,
    pub max_f1_precision: f64,
    pub max_f1_recall: f64,
    pub average_precision: f64,
    /// The lowest score that the curve covers.
    pub floor: f64,
    /// Averages over documents as queries.
    pub per_query: Scores,
    pub groups: GroupScores,
    pub utility: Option<Utility>,
    /// Tokenising, features and matching at the threshold; reading is apart.
    pub seconds: f64,
    pub cpu_seconds: Option<f64>,
    /// Memory that the method took beside the documents.
    pub peak_mb: Option<f64>,
    /// Bytes that are kept of a document to match it.
    pub signature_bytes: f64,
    /// Pairs that were compared in full.
    pub candidates: u64,
    /// How many features documents have, where the method keeps features.
    pub features: Option<FeatureCounts>,
    /// From the highest threshold to the lowest.
    pub curve: Vec<CurvePoint>,
    /// The wrong pairs with the highest scores.
    pub false_positives: Vec<MistakeOutcome>,
    /// The missed pairs with the lowest scores.
    pub false_negatives: Vec<MistakeOutcome>,
    /// Scores on parts of the collection that the threshold was not chosen on.
    pub splits: Vec<SplitOutcome>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    pub threshold: f64,
    #[serde(flatten)]
    pub scores: Scores,
}

/// A pair that the method got wrong, with the beginnings of both documents.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct MistakeOutcome {
    pub a: Excerpt,
    pub b: Excerpt,
    /// Missing if it is below the method's floor.
    pub score: Option<f64>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Excerpt {
    pub id: String,
    pub title: Option<String>,
    pub url: Option<String>,
    /// The true cluster, where labels are clusters.
    pub cluster: Option<String>,
    /// The beginning of the text.
    pub text: String,
}

/// The threshold was chosen on one part of the clusters, and these are the scores
/// on the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SplitOutcome {
    pub seed: u64,
    pub train_documents: u64,
    pub test_documents: u64,
    pub threshold: Option<f64>,
    #[serde(flatten)]
    pub scores: Scores,
    /// What the best threshold would have reached on this part.
    pub max_f1: f64,
    pub max_f1_precision: f64,
    pub max_f1_recall: f64,
}

/// A method against the best one of its collection, by F1 over splits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MethodComparison {
    pub data: String,
    /// The best one.
    pub best: String,
    pub other: String,
    #[serde(flatten)]
    pub test: PairedTest,
}

impl Outcome {
    /// An outcome without any trial.
    pub fn new(title: String) -> Self {
        Self {
            title,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            ..Self::default()
        }
    }

    /// What was tried on a collection.
    pub fn methods_on(
        &self,
        data: &DataOutcome,
    ) -> impl DoubleEndedIterator<Item = &MethodOutcome> {
        let name = data.name.clone();
        let all = self.methods.iter();
        all.filter(move |method| method.data == name)
    }
}

impl MethodOutcome {
    /// The mean over splits of the best F1 of all thresholds on the part that was held
    /// back, and of precision and recall there.
    pub fn split_max_f1(&self) -> Option<Scores> {
        let count = self.splits.len() as f64;
        let mean = |of: fn(&SplitOutcome) -> f64| self.splits.iter().map(of).sum::<f64>() / count;
        (count > 0.0).then(|| Scores {
            precision: mean(|split| split.max_f1_precision),
            recall: mean(|split| split.max_f1_recall),
            f1: mean(|split| split.max_f1),
        })
    }

    /// Mean and standard deviation of F1 over splits.
    pub fn split_f1(&self) -> Option<(f64, f64)> {
        let count = self.splits.len() as f64;
        let values = || self.splits.iter().map(|split| split.scores.f1);
        (count > 0.0).then(|| {
            let mean = values().sum::<f64>() / count;
            let squares: f64 = values().map(|f1| (f1 - mean).powi(2)).sum();
            (mean, (squares / (count - 1.0).max(1.0)).sqrt())
        })
    }
}
