//! What a detector learns from answers, and what it asks next.

use crate::label_file::Why;
use crate::spool::Texts;
use std::collections::{HashMap, HashSet};
use twinsift::detector::{COUNT, Row};
use twinsift::{Detector, Recipe, Settings};
use twinsift_learn::detect::{
    Answer, Chooser, Estimate, Example, Fit, Question, Sampled, Training, Verdict, estimate,
    sampled,
};

/// Candidates that are kept in memory at most.
pub(crate) const MOST_PAIRS: usize = 200_000;

/// Points of the curve at most.
const MOST_POINTS: usize = 16;

/// Answers between two points of the curve at least: one of four is drawn at random.
const LEAST_STEP: usize = 4;

/// What was said of a pair of documents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Said {
    pub(crate) pair: (u32, u32),
    pub(crate) verdict: Verdict,
    pub(crate) why: Why,
}

/// A detector that learns, and the candidates that it can be asked about.
#[derive(Debug)]
pub(crate) struct Teacher {
    pub(crate) sampled: Sampled,
    pub(crate) first: Detector,
    pub(crate) current: Detector,
    chooser: Chooser,
    fit: Fit,
    mean: Row,
    recipe: Recipe,
    settings: Settings,
    seed: u64,
    /// The signals of labelled pairs that are no candidates.
    others: HashMap<(u32, u32), Row>,
    said: Vec<Said>,
    estimated: Option<Estimate>,
    curve: Vec<(usize, Estimate)>,
}

/// A reason for a score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reason {
    /// The number of the signal.
    pub(crate) signal: usize,
    /// Its value.
    pub(crate) value: f64,
    /// What it is for the candidates on average.
    pub(crate) usual: f64,
    /// How much it adds to the log-odds, beside an average candidate.
    pub(crate) adds: f64,
}

impl Teacher {
    /// Finds the candidates among documents; those with the same text are looked at once.
    pub(crate) fn new(
        texts: &Texts,
        first: Detector,
        settings: Settings,
        seed: u64,
    ) -> twinsift::Result<Self> {
        let mut known = HashSet::new();
        let docs: Vec<u32> = (0..texts.documents())
            .filter(|&doc| known.insert(texts.digest(doc)))
            .collect();
        drop(known);
        let sampled = sampled::sampled(&docs, texts, &first, &settings, MOST_PAIRS, seed)?;
        let rows = &sampled.pool.rows;
        let count = rows.len().max(1) as f64;
        let mean = std::array::from_fn(|at| rows.iter().map(|row| row[at]).sum::<f64>() / count);
        Ok(Self {
            chooser: Chooser::new(&sampled.pool, &first, seed),
            fit: Fit::from_labels(first, rows),
            current: first,
            recipe: Recipe::detector().detector(first.into()).resolve()?,
            sampled,
            first,
            mean,
            settings,
            seed,
            others: HashMap::new(),
            said: Vec::new(),
            estimated: None,
            curve: Vec::new(),
        })
    }

    /// Learns from all that was said.
    pub(crate) fn learn(&mut self, said: Vec<Said>, texts: &Texts) -> twinsift::Result<()> {
        let is_other =
            |said: &&Said| self.place(said.pair).is_none() && !self.others.contains_key(&said.pair);
        let new: Vec<(u32, u32)> = said.iter().filter(is_other).map(|said| said.pair).collect();
        let rows = sampled::rows(&new, texts, &self.recipe, &self.settings)?;
        self.others.extend(new.into_iter().zip(rows));
        let same = said
            .iter()
            .zip(&self.said)
            .take_while(|(x, y)| x == y)
            .count();
        self.curve.retain(|&(answers, _)| answers <= same);
        self.said = said;
        self.current = self.after(self.said.len());
        self.estimated = None;
        Ok(())
    }

    fn place(&self, pair: (u32, u32)) -> Option<usize> {
        self.sampled.pool.pairs.binary_search(&pair).ok()
    }

    /// The signals of a pair.
    pub(crate) fn row(&mut self, pair: (u32, u32), texts: &Texts) -> twinsift::Result<Row> {
        if let Some(at) = self.place(pair) {
            return Ok(self.sampled.pool.rows[at]);
        }
        if let Some(row) = self.others.get(&pair) {
            return Ok(*row);
        }
        let rows = sampled::rows(&[pair], texts, &self.recipe, &self.settings)?;
        self.others.insert(pair, rows[0]);
        Ok(rows[0])
    }

    /// The detector after so many labels.
    fn after(&self, labels: usize) -> Detector {
        let example = |said: &Said| {
            let row = match self.place(said.pair) {
                Some(at) => Some(&self.sampled.pool.rows[at]),
                None => self.others.get(&said.pair),
            };
            Some(Example {
                row: *row?,
                same: said.verdict.same()?,
                weight: 1.0,
            })
        };
        let examples: Vec<Example> = self.said[..labels].iter().filter_map(example).collect();
        self.fit.learn(&examples)
    }

    fn answers(&self, labels: usize) -> Vec<Answer> {
        let answer = |said: &Said| {
            Some(Answer {
                pair: self.place(said.pair)?,
                same: said.verdict.same(),
                is_random: said.why == Why::Random,
            })
        };
        self.said[..labels].iter().filter_map(answer).collect()
    }

    /// The next question; `None` if every candidate was asked about.
    pub(crate) fn next(&self) -> Option<((u32, u32), Why)> {
        let pool = &self.sampled.pool;
        let answers = self.answers(self.said.len());
        let Question { pair, is_random } = self.chooser.next(pool, &self.current, &answers)?;
        let why = if is_random {
            Why::Random
        } else {
            Why::Teaching
        };
        Some((pool.pairs[pair], why))
    }

    fn estimate_after(&self, labels: usize) -> Estimate {
        let (pool, detector) = (&self.sampled.pool, self.after(labels));
        estimate(
            pool,
            &self.chooser,
            &detector,
            &self.answers(labels),
            self.seed,
        )
    }

    /// How good the detector is, as far as answers can tell.
    pub(crate) fn estimate(&mut self) -> Estimate {
        let known = self
            .estimated
            .unwrap_or_else(|| self.estimate_after(self.said.len()));
        *self.estimated.insert(known)
    }

    /// How good it was after fewer labels, and is now.
    pub(crate) fn curve(&mut self) -> Vec<(usize, Estimate)> {
        let all = self.said.len();
        let step = all
            .div_ceil(MOST_POINTS)
            .next_multiple_of(LEAST_STEP)
            .max(LEAST_STEP);
        for labels in (0..all).step_by(step) {
            if let Err(at) = self.curve.binary_search_by_key(&labels, |point| point.0) {
                let point = (labels, self.estimate_after(labels));
                self.curve.insert(at, point);
            }
        }
        let mut shown: Vec<(usize, Estimate)> = self.curve.clone();
        shown.retain(|(labels, _)| labels % step == 0 && *labels < all);
        shown.push((all, self.estimate()));
        shown
    }

    /// The signals that move a score most, the greatest first.
    pub(crate) fn reasons(&self, row: &Row, most: usize) -> Vec<Reason> {
        let reason = |signal: usize| {
            let parts = [signal, signal + COUNT]
                .map(|at| f64::from(self.current.weights.0[at]) * (row[at] - self.mean[at]));
            Reason {
                signal,
                value: row[signal],
                usual: self.mean[signal],
                adds: parts.iter().sum(),
            }
        };
        let mut reasons: Vec<Reason> = (0..COUNT).map(reason).collect();
        reasons.sort_by(|x, y| y.adds.abs().total_cmp(&x.adds.abs()));
        reasons.truncate(most);
        reasons.retain(|reason| reason.adds.abs() >= 0.05);
        reasons
    }

    /// The candidates of which the detector now says something else than at first, by their
    /// place, the surest first.
    pub(crate) fn changed(&self) -> Vec<(usize, f64)> {
        let rows = self.sampled.pool.rows.iter().enumerate();
        let mut changed: Vec<(usize, f64)> = rows
            .filter_map(|(at, row)| {
                let (before, now) = (self.first.score_of(row), self.current.score_of(row));
                let is_same = |detector: &Detector, score| score >= detector.threshold;
                (is_same(&self.first, before) != is_same(&self.current, now)).then_some((at, now))
            })
            .collect();
        let sure = |score: f64| (score - self.current.threshold).abs();
        changed.sort_by(|x, y| sure(y.1).total_cmp(&sure(x.1)));
        changed
    }

    /// How many candidates have a score this near to the threshold.
    pub(crate) fn near_threshold(&self, distance: f64) -> f64 {
        let scored = self
            .sampled
            .pool
            .rows
            .iter()
            .zip(&self.sampled.pool.weights);
        let near = scored.filter(|(row, _)| {
            (self.current.score_of(row) - self.current.threshold).abs() <= distance
        });
        near.map(|(_, weight)| weight).sum()
    }

    /// What the detector was trained on.
    pub(crate) fn training(&self) -> Training {
        let said = || self.said.iter().filter_map(|said| said.verdict.same());
        Training {
            pairs: said().count() as u64,
            same: said().filter(|&same| same).count() as u64,
        }
    }
}
