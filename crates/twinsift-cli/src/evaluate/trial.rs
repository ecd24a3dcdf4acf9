//! One method on one collection.

use super::collection::{Collection, Task};
use super::gold_source::GoldSource;
use super::labels::Labels;
use super::meter::{Cost, Meter};
use super::outcome::{CurvePoint, Excerpt, MethodOutcome, MistakeOutcome, SplitOutcome};
use super::splits::Splits;
use super::variants::Variant;
use crate::exit::bad_input;
use crate::pages::PagePairs;
use crate::plan::Run;
use crate::threads;
use std::collections::{BTreeMap, HashMap};
use twinsift::recipe::FeatureKind;
use twinsift::{Document, Pair, Recipe, Settings};
use twinsift_eval::{Curve, Evaluation, Mistake, Point, Scores, Trial};
use twinsift_learn::classify::Model;

/// How methods are tried.
#[derive(Clone, Debug)]
pub struct Options {
    pub settings: Settings,
    /// The lowest score that curves cover.
    pub floor: f64,
    /// How often the collection is drawn anew for intervals.
    pub resamples: u32,
    /// How often a method runs; its cost is that of the quickest run.
    pub repeat: u32,
    pub seed: u64,
    /// Only so many random documents are queries.
    pub query_sample: Option<usize>,
    pub splits: Option<Splits>,
}

/// Points of a curve that are stored and drawn.
const POINTS: usize = 200;

/// Characters of a document that are shown beside another.
const EXCERPT: usize = 1500;

/// Runs a method, scores it and measures it. One that is trained learns from the first
/// part of the first split, and all but the figures over splits are those of the
/// second part.
pub fn run(
    collection: &Collection,
    variant: &Variant,
    options: &Options,
) -> anyhow::Result<MethodOutcome> {
    let splits = match &options.splits {
        None => Vec::new(),
        Some(splits) => splits
            .seeds
            .iter()
            .map(|&seed| split(collection, variant, options, splits, seed))
            .collect::<anyhow::Result<_>>()?,
    };
    let outcome = match &variant.training {
        None => run_whole(collection, variant, &variant.recipe, options)?,
        Some(training) => {
            let Some(by) = &options.splits else {
                return Err(bad_input(format!(
                    "{} is trained on a part of the clusters: try it in a suite with [split], or name a trained model with --model",
                    variant.name
                )));
            };
            let parts = collection.split(by, by.seeds[0])?;
            let settings = &options.settings;
            let recipe = training.recipe(collection, &parts.train, by.seeds[0], settings)?;
            run_whole(&collection.part(&parts.test)?, variant, &recipe, options)?
        }
    };
    Ok(MethodOutcome { splits, ..outcome })
}

/// Runs a recipe on a collection.
fn run_whole(
    collection: &Collection,
    variant: &Variant,
    recipe: &Recipe,
    options: &Options,
) -> anyhow::Result<MethodOutcome> {
    let documents = &collection.documents;
    let mut trial = Trial::new(documents, &collection.gold, &options.settings);
    trial.floor = options.floor;
    trial.resamples = options.resamples;
    trial.seed = options.seed;
    trial.classes = collection.classes.as_ref();
    trial.price = collection.cost;
    trial.queries = options.query_sample;
    let measured = || -> anyhow::Result<_> {
        let meter = Meter::start();
        let matches = trial.find(recipe)?;
        Ok((meter.stop(), matches))
    };
    let (mut cost, matches) = measured()?;
    for _ in 1..options.repeat {
        let (again, _) = measured()?;
        if again.seconds < cost.seconds {
            cost = again;
        }
    }
    let report = *matches.report();
    let evaluation = trial.score(&matches)?;
    drop(matches);
    Ok(MethodOutcome {
        signature_bytes: report.signature_bytes as f64 / (documents.len() as f64).max(1.0),
        candidates: report.compared,
        // Learned k-grams take long to weigh, and are as many as the words.
        features: match recipe.features() {
            FeatureKind::Learned => None,
            _ => trial.features(recipe)?,
        },
        threshold: recipe.threshold(),
        ..outcome(collection, variant, evaluation, cost)
    })
}

/// Scores a classifier on exactly the judged pairs of a collection, and measures it.
pub fn run_classifier(
    run: &Run,
    task: &Task,
    collection: &Collection,
    variant: &Variant,
    model: &Model,
    options: &Options,
) -> anyhow::Result<MethodOutcome> {
    let (GoldSource::File(path), Labels::Pairs(_)) = (&task.gold, &collection.labels) else {
        return Err(bad_input(format!(
            "{} scores pairs one by one, so its truth must be a file of judged pairs with the columns a, b and label, and not {}",
            variant.name, collection.outcome.gold
        )));
    };
    let threshold = (variant.recipe.classifier()).map_or(model.threshold, |by| by.threshold);
    let (read, scores, cost) = threads::within(&run.settings, || -> anyhow::Result<_> {
        let queries = task.queries.as_deref();
        let mut read = PagePairs::read(run, &model.signals, &[], path, queries)?;
        let meter = Meter::start();
        let scores = read.score(model, run.quiet);
        Ok((read, scores, meter.stop()))
    })?;
    let by_id: HashMap<&str, u32> = (collection.documents.iter().zip(0..))
        .map(|(document, number)| (&*document.id.text, number))
        .collect();
    let ids = &read.collection.ids;
    let number = |page: u32| by_id.get(&*ids[page as usize].text).copied();
    // Judged for several queries, a pair has its highest score.
    let mut highest: BTreeMap<(u32, u32), f64> = BTreeMap::new();
    for (pair, score) in read.file.pairs.iter().zip(scores) {
        if let (Some(a), Some(b)) = (number(pair.a), number(pair.b))
            && a != b
        {
            let known = highest.entry((a.min(b), a.max(b))).or_default();
            *known = known.max(score);
        }
    }
    let judged: Vec<Pair> = (highest.into_iter())
        .map(|((a, b), score)| Pair { a, b, score })
        .collect();
    let mut trial = Trial::new(&collection.documents, &collection.gold, &options.settings);
    trial.resamples = options.resamples;
    trial.seed = options.seed;
    trial.classes = collection.classes.as_ref();
    let evaluation = trial.score_pairs(&judged, threshold)?;
    Ok(MethodOutcome {
        candidates: judged.len() as u64,
        threshold: Some(threshold),
        description: format!(
            "signals: {} ({}) on every judged pair, threshold {threshold}",
            model.classifier.learner().name(),
            model.id()
        ),
        ..outcome(collection, variant, evaluation, cost)
    })
}

/// What an evaluation says of a method, and what it cost.
fn outcome(
    collection: &Collection,
    variant: &Variant,
    evaluation: Evaluation,
    cost: Cost,
) -> MethodOutcome {
    let (best, best_scores) = in_hindsight(&evaluation.curve);
    let mistakes = |list: &[Mistake]| -> Vec<MistakeOutcome> {
        let mistake = |mistake: &Mistake| MistakeOutcome {
            a: excerpt(collection, mistake.a),
            b: excerpt(collection, mistake.b),
            score: mistake.score,
        };
        list.iter().map(mistake).collect()
    };
    MethodOutcome {
        scores: evaluation.scores,
        intervals: evaluation.intervals,
        found_pairs: evaluation.found,
        correct_pairs: evaluation.correct,
        unjudged_pairs: evaluation.unjudged,
        max_f1: best_scores.f1,
        max_f1_threshold: best.map(|point| point.threshold),
        max_f1_precision: best_scores.precision,
        max_f1_recall: best_scores.recall,
        average_precision: evaluation.curve.average_precision(),
        floor: evaluation.floor,
        per_query: evaluation.per_query,
        groups: evaluation.groups,
        utility: evaluation.utility,
        seconds: cost.seconds,
        cpu_seconds: cost.cpu_seconds,
        peak_mb: cost.peak_mb,
        curve: points(&evaluation.curve),
        false_positives: mistakes(&evaluation.wrong),
        false_negatives: mistakes(&evaluation.missed),
        ..variant.outcome(&collection.outcome.name)
    }
}

/// The point with the highest F1, and how good it is.
fn in_hindsight(curve: &Curve) -> (Option<Point>, Scores) {
    let best = curve.best();
    (
        best,
        best.map(|point| curve.scores(point)).unwrap_or_default(),
    )
}

fn points(curve: &Curve) -> Vec<CurvePoint> {
    let point = |&point: &Point| CurvePoint {
        threshold: point.threshold,
        scores: curve.scores(point),
    };
    curve.thinned(POINTS).iter().map(point).collect()
}

fn excerpt(collection: &Collection, doc: u32) -> Excerpt {
    let document = &collection.documents[doc as usize];
    let owned = |text: &Option<std::borrow::Cow<'_, str>>| text.as_deref().map(str::to_owned);
    Excerpt {
        id: document.id.to_string(),
        title: owned(&document.title),
        url: owned(&document.url),
        cluster: collection.cluster(doc).map(str::to_owned),
        text: beginning(&document.text),
    }
}

/// The first words of a text, with a sign where more follow.
fn beginning(text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(EXCERPT) else {
        return text.to_owned();
    };
    let cut = &text[..end];
    let whole_words = cut.rfind(char::is_whitespace).unwrap_or(end);
    format!("{} …", cut[..whole_words].trim_end())
}

/// Chooses the threshold on one part of the clusters and scores it on the rest.
/// The method runs on each part alone, so that nothing is learnt from the other.
fn split(
    collection: &Collection,
    variant: &Variant,
    options: &Options,
    splits: &Splits,
    seed: u64,
) -> anyhow::Result<SplitOutcome> {
    let parts = collection.split(splits, seed)?;
    let recipe = match &variant.training {
        None => variant.recipe.clone(),
        Some(training) => training.recipe(collection, &parts.train, seed, &options.settings)?,
    };
    let curve = |docs: &[u32]| -> anyhow::Result<Curve> {
        let documents: Vec<Document<'_>> = docs
            .iter()
            .map(|&doc| collection.documents[doc as usize].view())
            .collect();
        let labels = collection.labels.subset(docs);
        let gold = labels.gold(&documents, &mut Vec::new());
        let gold = gold.map_err(|error| {
            bad_input(format!(
                "{} is too small to be split with seed {seed}: {error}",
                collection.outcome.name
            ))
        })?;
        let mut trial = Trial::new(&documents, &gold, &options.settings);
        trial.floor = options.floor;
        Ok(trial.curve(&recipe)?)
    };
    let test = curve(&parts.test)?;
    // A model brings its own threshold, from clusters that it was not fitted to.
    let threshold = match (&variant.training, splits.min_precision) {
        (Some(_), _) => recipe.threshold(),
        (None, Some(least)) => {
            let best = curve(&parts.train)?.best_with_precision(least);
            best.map(|point| point.threshold)
        }
        (None, None) => curve(&parts.train)?.best().map(|point| point.threshold),
    };
    let scores = match threshold {
        Some(threshold) => test.scores(test.at(threshold)),
        None => Default::default(),
    };
    let (_, best) = in_hindsight(&test);
    Ok(SplitOutcome {
        seed,
        train_documents: parts.train.len() as u64,
        test_documents: parts.test.len() as u64,
        threshold,
        scores,
        max_f1: best.f1,
        max_f1_precision: best.precision,
        max_f1_recall: best.recall,
    })
}
