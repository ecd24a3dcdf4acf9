//! A classifier in a file, with all it needs to be used on other pairs.
//!
//! JSON that people can read. Beside the classifier it has the signals it looks at,
//! the threshold, the table behind the weights of words, so that a pair gets the same
//! score in whatever collection it is met, and what is known of how it was made.

use super::{Classifier, explain, values};
use crate::signals::{Background, Prepared, Query, QueryPair, Signal, Signals};
use serde::{Deserialize, Serialize};
use twinsift::hash;

/// What the files say they are.
pub const KIND: &str = "signals";

/// The version of the format, raised too when signals change: a classifier learnt its
/// thresholds on those of its time.
pub const VERSION: u32 = 2;

/// A trained classifier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// Which kind of model it is: [`KIND`].
    kind: String,
    /// The version of the format.
    version: u32,
    /// The program that made it.
    made_by: String,
    /// Pairs with at least this score are duplicates.
    pub threshold: f64,
    /// The signals that the classifier refers to by place.
    pub signals: Vec<Signal>,
    /// The classifier.
    pub classifier: Classifier,
    /// How it was made.
    pub training: Training,
    /// How rare words are.
    pub background: Background,
}

/// How a model was made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// Labelled pairs.
    pub pairs: u64,
    /// Duplicates among them.
    pub duplicates: u64,
    /// How much a duplicate counted beside another pair.
    pub duplicate_weight: f64,
    /// How the threshold was chosen.
    pub threshold_by: String,
    /// The seed.
    pub seed: u64,
    /// What cross-validation gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation: Option<Validated>,
}

/// Cross-validation in figures.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Validated {
    /// Folds of a run.
    pub folds: u64,
    /// Runs, of which the one with the median F is given.
    pub runs: u64,
    /// The field whose values were kept on one side, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Precision.
    pub precision: f64,
    /// Recall.
    pub recall: f64,
    /// F.
    pub f1: f64,
    /// The quartiles of F over the runs.
    pub quartiles: [f64; 2],
}

/// Why a file is no model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// Not JSON, or not of this shape.
    #[error("it is no model of signals: {0}")]
    Shape(String),
    /// Another kind of model.
    #[error("it is a model of the kind \"{0}\", where one of the kind \"signals\" is needed")]
    Kind(String),
    /// A version that this program does not know.
    #[error(
        "it has version {0} of the format, and this program knows version {VERSION}: train it anew"
    )]
    Version(u32),
    /// It refers to signals that it does not have.
    #[error("it refers to a signal that it does not list")]
    Signals,
}

#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    version: Option<u32>,
}

impl Model {
    /// A new model.
    pub fn new(
        signals: &[Signal],
        classifier: Classifier,
        threshold: f64,
        background: Background,
        training: Training,
    ) -> Self {
        Self {
            kind: KIND.to_owned(),
            version: VERSION,
            made_by: concat!("twinsift ", env!("CARGO_PKG_VERSION")).to_owned(),
            threshold,
            signals: signals.to_vec(),
            classifier,
            training,
            background,
        }
    }

    /// Reads a model.
    pub fn parse(text: &str) -> Result<Self, ModelError> {
        let shape = |error: serde_json::Error| ModelError::Shape(error.to_string());
        let head: Head = serde_json::from_str(text).map_err(shape)?;
        match (head.kind, head.version) {
            (Some(kind), _) if kind != KIND => return Err(ModelError::Kind(kind)),
            (Some(_), Some(version)) if version != VERSION => {
                return Err(ModelError::Version(version));
            }
            (None, _) => return Err(ModelError::Shape("it does not say its kind".to_owned())),
            _ => {}
        }
        let model: Self = serde_json::from_str(text).map_err(shape)?;
        match model.classifier.reach() < model.signals.len() || model.classifier.asks_nothing() {
            true => Ok(model),
            false => Err(ModelError::Signals),
        }
    }

    /// The model as text.
    pub fn spelled(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// A short name that changes whenever anything in the model does.
    pub fn id(&self) -> String {
        format!("{:016x}", hash::bytes(self.spelled().as_bytes()))
    }

    /// The score of a pair whose signals stand in the order of [`signals`](Self::signals).
    pub fn score(&self, row: &[Option<f64>]) -> f64 {
        self.classifier.score(&values(row))
    }

    /// The scores of many pairs, on all threads, in the order of the pairs. Only the
    /// signals that the classifier asks for are computed, each once for a pair.
    /// `signals` must compute [those of the model](Self::signals), in their order.
    pub fn scores(
        &self,
        signals: &Signals,
        pages: &[Prepared],
        pairs: &[QueryPair],
        queries: &[Query],
    ) -> Vec<f64> {
        debug_assert_eq!(signals.signals(), self.signals);
        signals.each_pair(pages, pairs, queries, |a, b, snippets| {
            let mut computed: Vec<Option<f64>> = vec![None; self.signals.len()];
            self.classifier.score_asking(&mut |at| {
                let value = || signals.value(at, a, b, snippets).unwrap_or(f64::NAN);
                *computed[at].get_or_insert_with(value)
            })
        })
    }

    /// Why a pair gets its score, line by line.
    pub fn decision(&self, row: &[Option<f64>]) -> Vec<String> {
        explain::decision(&self.classifier, &self.signals, &values(row))
    }

    /// The whole model in words.
    pub fn in_words(&self) -> String {
        explain::in_words(&self.classifier, &self.signals)
    }
}

impl Classifier {
    /// The highest place of a signal that it refers to; 0 if none.
    fn reach(&self) -> usize {
        use super::boosted::BoostedNode;
        use super::tree::Node;
        fn of(node: &Node) -> usize {
            match node {
                Node::Leaf(_) => 0,
                Node::Split(split) => split.signal.max(of(&split.low)).max(of(&split.high)),
            }
        }
        match self {
            Classifier::Tree(tree) => of(tree),
            Classifier::Rules(list) => {
                let conditions = list.rules.iter().flat_map(|rule| &rule.conditions);
                conditions
                    .map(|condition| condition.signal)
                    .max()
                    .unwrap_or(0)
            }
            Classifier::Boosted(boosted) => {
                let signals = boosted
                    .trees
                    .iter()
                    .flatten()
                    .filter_map(|step| match step {
                        BoostedNode::Ask { signal, .. } => Some(*signal),
                        BoostedNode::Add { .. } => None,
                    });
                signals.max().unwrap_or(0)
            }
        }
    }

    fn asks_nothing(&self) -> bool {
        match self {
            Classifier::Tree(tree) => tree.leaves() == 1,
            Classifier::Rules(list) => list.rules.iter().all(|rule| rule.conditions.is_empty()),
            Classifier::Boosted(boosted) => boosted.trees.is_empty(),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::Learner;
    use super::super::examples::tests::random;
    use super::*;
    use twinsift::page::Page;

    fn model(learner: Learner) -> Model {
        let examples = random(500, &["tfidf_distance", "mcd"], 0.1, 1, |row| row[0] < 0.3);
        Model::new(
            examples.signals(),
            learner.learn(&examples, 0),
            0.5,
            Background::of(&["one two", "two three"]),
            Training::default(),
        )
    }

    #[test]
    fn a_stored_model_says_the_same() {
        for learner in Learner::ALL {
            let model = model(learner);
            let read = Model::parse(&model.spelled()).expect("it can be read");
            assert_eq!(read, model);
            assert_eq!(read.id(), model.id());
            let row = [Some(0.2), None];
            assert_eq!(read.score(&row), model.score(&row));
        }
    }

    /// A model for tests elsewhere.
    pub(crate) fn small() -> Model {
        model(Learner::Tree)
    }

    /// Signals that are computed when asked for make the same scores.
    #[test]
    fn scores_on_demand_are_scores_of_whole_rows() {
        let texts = ["one two three four", "one two three five", "six seven", ""];
        for learner in Learner::ALL {
            let model = model(learner);
            let signals = Signals::new(&model.signals, model.background.clone());
            let pages = texts.map(|text| signals.prepare(Page::plain(text)));
            let pair = |a, b| QueryPair { a, b, query: None };
            let pairs = [pair(0, 1), pair(0, 2), pair(0, 3), pair(1, 1)];
            let rows = signals.rows(&pages, &pairs, &[]);
            let whole: Vec<f64> = rows.iter().map(|row| model.score(row)).collect();
            assert_eq!(model.scores(&signals, &pages, &pairs, &[]), whole);
        }
    }

    #[test]
    fn what_is_no_model_is_refused_with_a_reason() {
        let error = |text: &str| Model::parse(text).expect_err("refused").to_string();
        assert!(error("{}").contains("kind"));
        assert!(error("nonsense").contains("no model"));
        assert!(error(r#"{"kind": "andd"}"#).contains("\"andd\""));
        assert!(error(r#"{"kind": "signals", "version": 9}"#).contains("version 9"));
        assert!(error(r#"{"kind": "signals", "version": 2}"#).contains("missing field"));
        let mut broken = model(Learner::Tree);
        broken.signals.clear();
        assert!(error(&broken.spelled()).contains("does not list"));
        let unknown = model(Learner::Tree).spelled().replace("\"mcd\"", "\"mcb\"");
        assert!(error(&unknown).contains("no signal \"mcb\""));
    }
}
