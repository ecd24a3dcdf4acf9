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
//! | `threshold` | from which similarity on are two documents near duplicates? |
//!
//! A fifth of the clusters is set apart. The loss on these tells when to stop: as soon as
//! it has not fallen for some steps, the weights of the best step are taken. They also tell
//! how good the model is. Where there are too few clusters to set some apart, all of them are
//! fitted to, and the model says so.
//!
//! The start is a weight of 1 for every k-gram, which is the unlearned measure.

pub mod loss;
pub mod minimise;
pub mod sample;
#[cfg(test)]
mod tests;
mod threshold;

use crate::document::Document;
use crate::error::{Error, Result};
use crate::eval::split::by_cluster;
use crate::features::learned::described::Described;
use crate::features::learned::model::{Model, Training, rounded};
use crate::features::learned::phi::{Queries, names};
use crate::features::learned::{Describer, LONGEST, Scratch};
use crate::lexicon::Lexicon;
use crate::matching::similarity::Similarity;
use crate::settings::Settings;
use loss::Loss;
use minimise::{Go, minimise};
use rayon::prelude::*;
use sample::Sample;
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

/// The share of clusters that weights are fitted to.
const FITTED: f64 = 0.8;

/// So many steps without a lower loss on the clusters set apart end the training.
const PATIENCE: u32 = 12;

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
    /// How much large weights cost.
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

/// A step of the training, for whoever watches.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Its number, from 0 for the start.
    pub number: u32,
    /// The loss on what is fitted.
    pub loss: f64,
    /// The loss on what was set apart, if anything was.
    pub validation: Option<f64>,
}

/// Learns a model from documents and their clusters, by name; documents without a
/// cluster are left aside. Pairs of one group but different clusters are not learnt from.
///
/// ```
/// use twinsift::learn::andd::{Options, train};
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
    watch: impl FnMut(Step) + Send,
) -> Result<Model> {
    check(options)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(settings.threads.max(1))
        .build()
        .map_err(|error| Error::Threads(error.to_string()))?;
    pool.install(|| {
        let task = Task::new(documents, clusters, groups, options, settings)?;
        task.run(watch)
    })
}

fn check(options: &Options) -> Result<()> {
    let refuse = |why: String| Err(Error::Recipe(why));
    if !(1..=LONGEST).contains(&options.k) {
        return refuse(format!(
            "--k {} is out of range: 1 to {LONGEST} words",
            options.k
        ));
    }
    if options.similarity == Similarity::Jaccard {
        return refuse(
            "--similarity jaccard cannot be learnt for: use cosine or extended-jaccard".to_owned(),
        );
    }
    for (flag, value, fits) in [
        ("--alpha", options.alpha, options.alpha >= 0.0),
        ("--gamma", options.gamma, options.gamma > 0.0),
    ] {
        if !fits || !value.is_finite() {
            return refuse(format!(
                "{flag} {value} is out of range: it must be a positive number"
            ));
        }
    }
    if let Some(least) = options.min_precision
        && !(0.0..=1.0).contains(&least)
    {
        return refuse(format!("--min-precision {least} is out of range: 0 to 1"));
    }
    let known = names(options.k as usize, options.queries.is_some());
    for name in &options.without {
        if !known.iter().any(|known| is_feature(name, known)) {
            return refuse(format!(
                "--without {name}: there is no such feature; there are {}",
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

struct Task<'a> {
    documents: &'a [Document<'a>],
    clusters: &'a [Option<&'a str>],
    groups: &'a [Option<&'a str>],
    options: &'a Options,
    settings: &'a Settings,
    /// Labelled documents to fit to, and those set apart.
    fitted: Vec<u32>,
    apart: Vec<u32>,
    fit_on: Sample,
    stop_on: Option<Sample>,
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
        let numbers = numbered(clusters);
        let groups_of = numbered(groups);
        let group = |doc: u32| {
            groups_of
                .get(doc as usize)
                .copied()
                .filter(|&g| g != u32::MAX)
        };
        let judged = |a: u32, b: u32| group(a).is_none() || group(a) != group(b);
        let draw = |docs: &[u32]| sample::draw(docs, &numbers, judged, options.seed);
        let split = by_cluster(clusters, groups, FITTED, options.seed);
        let all = || -> Vec<u32> {
            let labelled = (0u32..)
                .zip(clusters)
                .filter(|(_, cluster)| cluster.is_some());
            labelled.map(|(doc, _)| doc).collect()
        };
        let (fitted, apart, fit_on, stop_on) = match (draw(&split.train), draw(&split.test)) {
            (Some(fit_on), Some(stop_on)) => (split.train, split.test, fit_on, Some(stop_on)),
            _ => {
                let all = all();
                let Some(fit_on) = draw(&all) else {
                    return refuse(match sample::has_positives(&all, &numbers) {
                        true => {
                            "no two labelled documents of different clusters may be compared: there are no strangers to learn from"
                        }
                        false => {
                            "no cluster has two documents: without a pair of near duplicates there is nothing to learn"
                        }
                    });
                };
                (all, Vec::new(), fit_on, None)
            }
        };
        Ok(Self {
            documents,
            clusters,
            groups,
            options,
            settings,
            fitted,
            apart,
            fit_on,
            stop_on,
        })
    }

    fn run(&self, mut watch: impl FnMut(Step)) -> Result<Model> {
        let options = self.options;
        let described = self.describe()?;
        let loss = |sample: &Sample| {
            Loss::new(
                &described,
                sample,
                options.similarity,
                options.alpha,
                options.gamma,
            )
        };
        let fitting = loss(&self.fit_on);
        let stopping = self.stop_on.as_ref().map(loss);
        let mut start = vec![0.0; described.width];
        start[0] = 1.0;
        let mut best = Best::new(start.clone());
        minimise(&fitting, start, options.steps, |number, point, loss| {
            let validation = stopping.as_ref().map(|stopping| stopping.at(point).0);
            watch(Step {
                number,
                loss,
                validation,
            });
            best.take(number, point, loss, validation.unwrap_or(loss))
        });
        // Both measures are the same at any scale; the largest weight is made 1.
        let largest = best
            .lambda
            .iter()
            .fold(0.0, |most: f64, l| most.max(l.abs()));
        best.lambda.iter_mut().for_each(|l| *l /= largest);
        let queries = options.queries.clone();
        let mut model = Model::new(
            options.k,
            options.similarity,
            options.fold,
            queries,
            &best.lambda,
        );
        model.lexicon = options
            .lexicon
            .as_ref()
            .map(|lexicon| lexicon.id().to_owned());
        model.training = self.told(&best);
        self.choose_threshold(&mut model)?;
        Ok(model)
    }

    /// What the learner sees of all documents; those without a label have no k-grams.
    fn describe(&self) -> Result<Described> {
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
        Ok(described)
    }

    fn told(&self, best: &Best) -> Training {
        let names: BTreeSet<&str> = self.clusters.iter().copied().flatten().collect();
        let positives = self.fit_on.positives as u64;
        Training {
            documents: (self.fitted.len() + self.apart.len()) as u64,
            clusters: names.len() as u64,
            fitted: self.fitted.len() as u64,
            positive_pairs: positives,
            negative_pairs: self.fit_on.pairs.len() as u64 - positives,
            preferences: self.fit_on.preferences.len() as u64,
            steps: best.step,
            first_loss: rounded(best.first),
            last_loss: rounded(best.loss),
            alpha: self.options.alpha,
            gamma: self.options.gamma,
            seed: self.options.seed,
            validation: None,
        }
    }
}

/// The best point so far.
struct Best {
    lambda: Vec<f64>,
    step: u32,
    first: f64,
    loss: f64,
    watched: f64,
}

impl Best {
    fn new(lambda: Vec<f64>) -> Self {
        Self {
            lambda,
            step: 0,
            first: 0.0,
            loss: 0.0,
            watched: f64::INFINITY,
        }
    }

    fn take(&mut self, step: u32, lambda: &[f64], loss: f64, watched: f64) -> Go {
        if step == 0 {
            self.first = loss;
        }
        if watched < self.watched {
            self.lambda = lambda.to_vec();
            self.step = step;
            self.loss = loss;
            self.watched = watched;
        }
        match step - self.step < PATIENCE {
            true => Go::On,
            false => Go::Stop,
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

fn refuse<T>(why: &str) -> Result<T> {
    Err(Error::Recipe(why.to_owned()))
}
