//! ANDD: how much k-grams should count, from clusters of near duplicates.
//!
//! After Hajishirzi, Yih and Kołcz, *Adaptive Near-Duplicate Detection via Similarity
//! Learning* (SIGIR 2010). Documents of one cluster are near duplicates, others are not;
//! the weights λ of a k-gram's features are chosen so that pairs of the first kind
//! score higher than pairs of the second.
//!
//! | file | answers |
//! |---|---|
//! | [`sample`] | from which pairs is it learnt? |
//! | [`loss`] | how wrong are some weights, and which way is better? |
//! | [`mod@minimise`] | how is the least loss found? |
//! | `fit` | which of its steps is taken? |
//! | `few` | what if there are few documents? |
//! | `threshold` | from which similarity on are two documents near duplicates? |
//!
//! A fifth of the clusters is set apart. The loss on these tells when to stop: as soon as
//! it has not fallen for some steps, the weights of the best step are taken. They also tell
//! how good the model is. Few documents are all fitted to (`few`), and so are many where no
//! cluster can be set apart.
//!
//! The start is a weight of 1 for every k-gram, which is the unlearned measure.

mod few;
mod fit;
pub mod loss;
pub mod minimise;
pub mod sample;
#[cfg(test)]
mod tests;
mod threshold;

pub use fit::Step;
use fit::{Best, fit};
use loss::{Loss, Penalty, Shape};
use rayon::prelude::*;
use sample::Sample;
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use twinsift::Stage;
use twinsift::document::Document;
use twinsift::error::{Result, out_of_range, refuse};
use twinsift::features::learned::described::Described;
use twinsift::features::learned::model::{Held, Model, Training, rounded};
use twinsift::features::learned::phi::{Queries, names};
use twinsift::features::learned::{Describer, LONGEST, Scratch};
use twinsift::lexicon::Lexicon;
use twinsift::settings::Settings;
use twinsift::similarity::Similarity;
use twinsift_eval::split::by_cluster;

/// The share of clusters that weights are fitted to.
const FITTED: f64 = 0.8;

/// Documents that are described at a time.
const TOGETHER: usize = 16;

/// How to train.
#[derive(Clone, Debug)]
pub struct Options {
    /// Words to a k-gram, 1 to 5.
    pub k: u32,
    /// The measure to learn for: cosine or extended Jaccard.
    pub similarity: Similarity,
    /// Whether words are read without their disguises.
    pub fold: bool,
    /// Where document frequencies come from; without one they are left out.
    pub lexicon: Option<Arc<Lexicon>>,
    /// A query log and the file that it is in.
    pub queries: Option<(Queries, PathBuf)>,
    /// Features that get no weight, by name or by what stands before the `-`.
    pub without: Vec<String>,
    /// How much it costs weights to be large. Learnt from few documents, the most that it
    /// costs to be far from the unlearned ones; a tenth of it, a hundredth and a
    /// thousandth are tried too.
    pub alpha: f64,
    /// How steep the loss is.
    pub gamma: f64,
    /// The most steps.
    pub steps: u32,
    /// The threshold is chosen among those with at least this precision on the labelled
    /// documents; without it, by the highest F1.
    pub min_precision: Option<f64>,
    /// Seed of everything random.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            k: 1,
            similarity: Similarity::Cosine,
            fold: false,
            lexicon: None,
            queries: None,
            without: Vec::new(),
            alpha: 0.01,
            gamma: 30.0,
            steps: 100,
            min_precision: None,
            seed: 0,
        }
    }
}

/// Learns a model from documents and their clusters, by name; documents without a
/// cluster are left aside. Pairs of one group but different clusters are not learnt from.
///
/// ```
/// use twinsift_learn::andd::{Options, train};
/// use twinsift::{Document, Settings};
///
/// // Every site has a menu of its own, every story words of its own.
/// let text = |story: usize, site: usize| {
///     format!("Menu{site} Home{site} bridge{story} river{story} council{story} vote{story} harbour{story}")
/// };
/// let pairs: Vec<(usize, usize)> = (0..8).flat_map(|s| (0..3).map(move |t| (s, t))).collect();
/// let documents: Vec<Document> = pairs.iter()
///     .map(|&(s, t)| Document::new(format!("{s}-{t}"), text(s, t)))
///     .collect();
/// let names: Vec<String> = pairs.iter().map(|(s, _)| format!("story {s}")).collect();
/// let clusters: Vec<Option<&str>> = names.iter().map(|name| Some(name.as_str())).collect();
///
/// let model = train(&documents, &clusters, &[], &Options::default(), &Settings::default(), |_| {})?;
/// assert!(model.training.last_loss < model.training.first_loss);
/// # Ok::<(), twinsift::Error>(())
/// ```
pub fn train(
    documents: &[Document<'_>],
    clusters: &[Option<&str>],
    groups: &[Option<&str>],
    options: &Options,
    settings: &Settings,
    mut watch: impl FnMut(Step) + Send,
) -> Result<Model> {
    check(options)?;
    settings.pool()?.install(|| {
        let task = Task::new(documents, clusters, groups, options, settings)?;
        let described = task.describe();
        settings.observer.check()?;
        match task.labelled.len() < few::FEW {
            true => few::learn(&task, &described, &mut watch),
            false => task.stop_early(&described, &mut watch),
        }
    })
}

fn check(options: &Options) -> Result<()> {
    if !(1..=LONGEST).contains(&options.k) {
        return out_of_range(format!(
            "‹k› {} is out of range: 1 to {LONGEST} words",
            options.k
        ));
    }
    if options.similarity == Similarity::Jaccard {
        return refuse(
            "‹similarity› jaccard cannot be learnt for: use cosine or extended-jaccard".to_owned(),
        );
    }
    for (flag, value, fits) in [
        ("‹alpha›", options.alpha, options.alpha >= 0.0),
        ("‹gamma›", options.gamma, options.gamma > 0.0),
    ] {
        if !fits || !value.is_finite() {
            return out_of_range(format!(
                "{flag} {value} is out of range: it must be a positive number"
            ));
        }
    }
    if let Some(least) = options.min_precision
        && !(0.0..=1.0).contains(&least)
    {
        return out_of_range(format!("‹min_precision› {least} is out of range: 0 to 1"));
    }
    // Plain words are undisguised as the lexicon is read.
    if let Some(lexicon) = options
        .lexicon
        .as_ref()
        .filter(|lexicon| lexicon.is_folded())
    {
        lexicon.check_folding(options.fold)?;
    }
    let known = names(options.k as usize, options.queries.is_some());
    for name in &options.without {
        if !known.iter().any(|known| is_feature(name, known)) {
            return refuse(format!(
                "‹without› {name}: there is no such feature; there are {}",
                known.join(", ")
            ));
        }
    }
    Ok(())
}

/// Whether `given` names the feature, or all knots of it.
fn is_feature(given: &str, feature: &str) -> bool {
    let knot = feature
        .strip_prefix(given)
        .and_then(|rest| rest.strip_prefix('-'));
    given == feature || knot.is_some_and(|knot| knot.parse::<f32>().is_ok())
}

/// Labelled documents, and what is asked of them.
struct Task<'a> {
    documents: &'a [Document<'a>],
    clusters: &'a [Option<&'a str>],
    groups: &'a [Option<&'a str>],
    options: &'a Options,
    settings: &'a Settings,
    /// Clusters and groups by number; `u32::MAX` where there is none.
    cluster: Vec<u32>,
    group: Vec<u32>,
    /// The documents with a label.
    labelled: Vec<u32>,
}

impl<'a> Task<'a> {
    fn new(
        documents: &'a [Document<'a>],
        clusters: &'a [Option<&'a str>],
        groups: &'a [Option<&'a str>],
        options: &'a Options,
        settings: &'a Settings,
    ) -> Result<Self> {
        let names: BTreeSet<&str> = clusters.iter().copied().flatten().collect();
        match names.len() {
            0 => return refuse("no document has a label: there is nothing to learn from"),
            1 => {
                return refuse(
                    "all labelled documents are in one cluster: without documents that are not near duplicates there is nothing to learn",
                );
            }
            _ => {}
        }
        let labelled = (0u32..)
            .zip(clusters)
            .filter(|(_, cluster)| cluster.is_some());
        Ok(Self {
            documents,
            clusters,
            groups,
            options,
            settings,
            cluster: numbered(clusters),
            group: numbered(groups),
            labelled: labelled.map(|(doc, _)| doc).collect(),
        })
    }

    /// Pairs of some documents to learn from, with at least so many `negatives` if there are.
    fn draw(&self, docs: &[u32], negatives: usize) -> Option<Sample> {
        let group = |doc: u32| {
            let group = self.group.get(doc as usize).copied();
            group.filter(|&group| group != u32::MAX)
        };
        let judged = |a: u32, b: u32| group(a).is_none() || group(a) != group(b);
        sample::draw(docs, &self.cluster, judged, negatives, self.options.seed)
    }

    /// Pairs of all labelled documents.
    fn draw_all(&self, negatives: usize) -> Result<Sample> {
        match self.draw(&self.labelled, negatives) {
            Some(sample) => Ok(sample),
            None if sample::has_positives(&self.labelled, &self.cluster) => refuse(
                "no two labelled documents of different clusters may be compared: there are no strangers to learn from",
            ),
            None => refuse(
                "no cluster has two documents: without a pair of near duplicates there is nothing to learn",
            ),
        }
    }

    fn loss<'d>(&self, described: &'d Described, sample: &Sample, penalty: Penalty) -> Loss<'d> {
        let shape = Shape {
            similarity: self.options.similarity,
            penalty,
            gamma: self.options.gamma,
        };
        Loss::new(described, sample, shape, &self.settings.observer)
    }

    /// Learns from most clusters; the others tell when to stop.
    fn stop_early(&self, described: &Described, watch: &mut dyn FnMut(Step)) -> Result<Model> {
        let split = by_cluster(self.clusters, self.groups, FITTED, self.options.seed);
        let drawn = (self.draw(&split.train, 0), self.draw(&split.test, 0));
        let (fitted, apart, fit_on, stop_on) = match drawn {
            (Some(fit_on), Some(stop_on)) => (split.train, split.test, fit_on, Some(stop_on)),
            _ => (self.labelled.clone(), Vec::new(), self.draw_all(0)?, None),
        };
        let free = Penalty {
            held: Held::Free,
            alpha: self.options.alpha,
        };
        let fitting = self.loss(described, &fit_on, free);
        let stopping = stop_on.map(|sample| self.loss(described, &sample, free));
        self.settings
            .observer
            .begin(Stage::Learning, self.options.steps.into())?;
        let best = fit(&fitting, stopping.as_ref(), self.options.steps, watch);
        self.settings.observer.check()?;
        let mut model = self.model(&best, &self.labelled)?;
        model.training = self.training(&best, fitted.len(), &fit_on, free);
        if !apart.is_empty() {
            let validation = self.found(&model, &apart)?.validation(1);
            model.training.validation = Some(validation);
        }
        Ok(model)
    }

    /// What the learner sees of all documents; those without a label have no k-grams.
    fn describe(&self) -> Described {
        let options = self.options;
        let queries = options.queries.as_ref().map(|(queries, _)| queries.clone());
        let describer =
            Describer::new(options.k, options.lexicon.as_deref(), queries, options.fold);
        let names = names(options.k as usize, options.queries.is_some());
        let kept: Vec<bool> = names
            .iter()
            .map(|name| !options.without.iter().any(|given| is_feature(given, name)))
            .collect();
        let parts: Vec<Described> = self
            .documents
            .par_chunks(TOGETHER)
            .zip(self.clusters.par_chunks(TOGETHER))
            .map(|(documents, clusters)| {
                let mut scratch = Scratch::default();
                let mut part = Described::new(describer.width());
                for (document, cluster) in documents.iter().zip(clusters) {
                    match cluster {
                        _ if self.settings.observer.is_cancelled() => break,
                        Some(_) => describer.describe(document, &mut scratch, &mut part),
                        None => part.push(&[], &[]),
                    }
                }
                part
            })
            .collect();
        let mut described = Described::new(describer.width());
        parts.into_iter().for_each(|part| described.append(part));
        described.blank(&kept);
        described
    }

    /// A model of these weights, with a threshold chosen on these documents.
    fn model(&self, best: &Best, docs: &[u32]) -> Result<Model> {
        let options = self.options;
        // Both measures are the same at any scale; the largest weight is made 1.
        let largest = best
            .lambda
            .iter()
            .fold(0.0, |most: f64, l| most.max(l.abs()));
        let lambda: Vec<f64> = best.lambda.iter().map(|l| l / largest).collect();
        let queries = options.queries.clone();
        let mut model = Model::new(
            options.k,
            options.similarity,
            options.fold,
            queries,
            &lambda,
        );
        model.lexicon = options
            .lexicon
            .as_ref()
            .map(|lexicon| lexicon.id().to_owned());
        model.threshold = self.threshold(&model, docs)?;
        Ok(model)
    }

    /// The training that a model records.
    fn training(&self, best: &Best, fitted: usize, fit_on: &Sample, penalty: Penalty) -> Training {
        let names: BTreeSet<&str> = self.clusters.iter().copied().flatten().collect();
        let positives = fit_on.positives as u64;
        Training {
            documents: self.labelled.len() as u64,
            clusters: names.len() as u64,
            fitted: fitted as u64,
            positive_pairs: positives,
            negative_pairs: fit_on.pairs.len() as u64 - positives,
            preferences: fit_on.preferences.len() as u64,
            steps: best.step,
            first_loss: rounded(best.first),
            last_loss: rounded(best.loss),
            held: penalty.held,
            alpha: penalty.alpha,
            gamma: self.options.gamma,
            seed: self.options.seed,
            validation: None,
        }
    }
}

/// Names as numbers; `u32::MAX` where there is none.
fn numbered(names: &[Option<&str>]) -> Vec<u32> {
    let mut known: HashMap<&str, u32> = HashMap::new();
    let mut numbers = Vec::with_capacity(names.len());
    for name in names {
        let next = known.len() as u32;
        numbers.push(name.map_or(u32::MAX, |name| *known.entry(name).or_insert(next)));
    }
    numbers
}
