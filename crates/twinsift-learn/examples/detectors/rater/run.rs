//! One rater.

use super::{Start, Strategy};
use twinsift::Detector;
use twinsift::hash::{self, Stream};
use twinsift_learn::detect::{Answer, Chooser, Estimate, Example, Fit, Interval, Pool, estimate};

/// Labels of a run.
pub(super) const LABELS: usize = 200;

/// F1 is measured after each so many labels.
pub(super) const EACH: usize = 5;

/// Estimates are made after each so many labels.
pub(super) const ESTIMATED: usize = 10;

/// What a run came to.
pub(super) struct Outcome {
    /// F1 after each fifth label, from none on.
    pub(super) f1: Vec<f64>,
    /// What was estimated after each tenth label.
    pub(super) said: Vec<Said>,
}

/// An estimate beside the truth.
pub(super) struct Said {
    /// Whether the intervals of precision and recall hold the truth.
    pub(super) held: [bool; 2],
    /// How wide they are.
    pub(super) width: [f64; 2],
    pub(super) is_settled: bool,
}

/// Pairs of one half of the clusters.
struct Half {
    pairs: Vec<(u32, u32)>,
    examples: Vec<Example>,
    /// Pairs that are the same and no candidates.
    missed: usize,
}

impl Half {
    fn of(start: &Start<'_>, seed: u64, which: u64) -> Self {
        let set = start.set;
        let holds = |cluster| (start.is_unseen)(cluster) && hash::pair(cluster, seed) % 2 == which;
        let within: Vec<usize> = (0..set.pairs.len())
            .filter(|&pair| set.is_within(pair, holds))
            .collect();
        let examples: Vec<Example> = within.iter().map(|&pair| set.examples[pair]).collect();
        Self {
            pairs: within.iter().map(|&pair| set.pairs[pair]).collect(),
            missed: set.same_in(holds) - examples.iter().filter(|one| one.same).count(),
            examples,
        }
    }

    /// Precision and recall among candidates, and F1 over all pairs.
    fn truth(&self, detector: &Detector) -> [f64; 3] {
        let (mut taken, mut right, mut same) = (0.0, 0.0, 0.0);
        for one in &self.examples {
            let is_taken = detector.score_of(&one.row) >= detector.threshold;
            taken += f64::from(u8::from(is_taken));
            right += f64::from(u8::from(is_taken && one.same));
            same += f64::from(u8::from(one.same));
        }
        let f1 = 2.0 * right / f64::max(taken + same + self.missed as f64, 1.0);
        [
            right / f64::max(taken, 1.0),
            right / f64::max(same, 1.0),
            f1,
        ]
    }
}

/// One rater, who is asked about one half of the clusters; F1 is that on the other half.
pub(super) fn run(start: &Start<'_>, strategy: Strategy, seed: u64) -> Outcome {
    let (asked, judged) = (Half::of(start, seed, 0), Half::of(start, seed, 1));
    let pool = Pool {
        signatures: Vec::new(),
        pairs: asked.pairs.clone(),
        weights: vec![1.0; asked.pairs.len()],
        rows: asked.examples.iter().map(|example| example.row).collect(),
    };
    let chooser = Chooser::new(&pool, &start.detector, seed);
    let fit = Fit::from_labels(start.detector, &pool.rows);
    let (mut f1, mut said) = (Vec::new(), Vec::new());
    let mut answers: Vec<Answer> = Vec::new();
    for number in 0..=LABELS {
        let labelled: Vec<Example> =
            (answers.iter().map(|answer| asked.examples[answer.pair])).collect();
        let current = fit.learn(&labelled);
        if number % EACH == 0 {
            f1.push(judged.truth(&current)[2]);
        }
        if number > 0 && number % ESTIMATED == 0 && strategy == Strategy::Ours {
            let estimate = estimate(&pool, &chooser, &current, &answers, seed);
            said.push(against_truth(&asked, &current, &estimate));
        }
        let question = match strategy {
            Strategy::Ours => chooser
                .next(&pool, &current, &answers)
                .map(|question| (question.pair, question.is_random)),
            Strategy::Uncertainty => uncertain(&pool, &current, &answers).map(|pair| (pair, false)),
            Strategy::Random => drawn(&pool, seed, &answers).map(|pair| (pair, true)),
        };
        if let Some((pair, is_random)) = question {
            answers.push(Answer {
                pair,
                same: Some(asked.examples[pair].same),
                is_random,
            });
        }
    }
    Outcome { f1, said }
}

/// The pairs that were not asked about.
fn left<'a>(pool: &Pool, answers: &'a [Answer]) -> impl Iterator<Item = usize> + 'a {
    let is_asked = |pair: usize| answers.iter().any(|answer| answer.pair == pair);
    (0..pool.pairs.len()).filter(move |&pair| !is_asked(pair))
}

fn uncertain(pool: &Pool, current: &Detector, answers: &[Answer]) -> Option<usize> {
    let doubt = |pair: &usize| (current.score_of(&pool.rows[*pair]) - current.threshold).abs();
    left(pool, answers).min_by(|x, y| doubt(x).total_cmp(&doubt(y)))
}

fn drawn(pool: &Pool, seed: u64, answers: &[Answer]) -> Option<usize> {
    let mut stream = Stream::new(hash::pair(seed, answers.len() as u64));
    let left: Vec<usize> = left(pool, answers).collect();
    (!left.is_empty()).then(|| left[stream.below(left.len())])
}

fn against_truth(asked: &Half, detector: &Detector, said: &Estimate) -> Said {
    let [precision, recall, _] = asked.truth(detector);
    let holds = |interval: Interval, value: f64| {
        // Ends are rounded as they are shown.
        (interval.low - 0.005..=interval.high + 0.005).contains(&value)
    };
    let width = |interval: Interval| interval.high - interval.low;
    Said {
        held: [holds(said.precision, precision), holds(said.recall, recall)],
        width: [width(said.precision), width(said.recall)],
        is_settled: said.is_settled(),
    }
}
