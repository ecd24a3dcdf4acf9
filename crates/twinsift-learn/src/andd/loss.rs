//! How far a set of weights is from putting near duplicates before unrelated pairs.
//!
//! The paper's Eq. 4 over preferences, with its L2 term:
//!
//! > L(λ) = mean of ln(1 + exp(-γ Δ)) + α/2 |λ - c|²,  Δ = sim(near duplicates) - sim(unrelated)
//!
//! where c is 0 as in the paper, or the weights to stay close to ([`Held`]). Similarities are the same at
//! any scale of λ. So with c = 0 the penalty sets the scale and no direction: the weights
//! are free. With c elsewhere they are held.
//!
//! It is a mean rather than a sum, so that α means the same for few and many
//! preferences. γ is 1 in the paper; similarities are at most 1 apart, where the
//! logistic function is nearly a straight line, so that easy preferences count as
//! much as hard ones. A larger γ turns the loss to those that are still wrong.
//!
//! Both similarities have gradients of one form. With x and y the weights of two
//! documents, p = x·y, a = |x|², b = |y|²:
//!
//! | | similarity | derivative by xᵢ |
//! |---|---|---|
//! | cosine (Eq. 2) | p / √(ab) | (yᵢ - p/a · xᵢ) / √(ab) |
//! | extended Jaccard (Eq. 3) | p / (a + b - p) | ((a + b) yᵢ - 2p · xᵢ) / (a + b - p)² |
//!
//! that is, *u·yᵢ - v·xᵢ*. So each document gathers a number for each of its k-grams,
//! and features come in once, at the end: a step costs what its pairs share, not
//! that times the number of features. Every sum is made in one order, whatever the
//! number of threads.

use super::sample::Sample;
use rayon::prelude::*;
use twinsift::Observer;
use twinsift::features::learned::described::Described;
use twinsift::features::learned::model::Held;
use twinsift::features::learned::phi::unlearned;
use twinsift::similarity::Similarity;

/// What shapes a loss, besides the pairs.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The measure.
    pub similarity: Similarity,
    /// What keeps the weights.
    pub penalty: Penalty,
    /// γ: how steep the logistic function is.
    pub gamma: f64,
}

/// What it costs weights to be away from somewhere.
#[derive(Clone, Copy, Debug)]
pub struct Penalty {
    /// Where it costs nothing.
    pub held: Held,
    /// α: how much it costs to be elsewhere.
    pub alpha: f64,
}

/// The loss on some labelled pairs.
#[derive(Debug)]
pub struct Loss<'a> {
    described: &'a Described,
    shape: Shape,
    /// c: where the penalty is nothing.
    centre: Vec<f64>,
    pairs: Vec<Shared>,
    /// (near duplicates, unrelated), as places in `pairs`.
    preferences: Vec<(u32, u32)>,
    /// By document: the pairs that it is in.
    pairs_of: Vec<Vec<u32>>,
    /// Once it is cancelled, values are of no use.
    observer: Observer,
}

/// A pair of documents, and the k-grams that both have.
#[derive(Debug)]
struct Shared {
    a: u32,
    b: u32,
    /// Places among all k-grams, in the one and in the other.
    grams: Vec<(u32, u32)>,
}

impl Shared {
    fn new(described: &Described, a: u32, b: u32) -> Self {
        let (x, y) = (described.range(a as usize), described.range(b as usize));
        let values = described.values();
        let (mut i, mut j) = (x.start, y.start);
        let mut grams = Vec::new();
        while i < x.end && j < y.end {
            let (left, right) = (values[i], values[j]);
            if left == right {
                grams.push((i as u32, j as u32));
            }
            i += usize::from(left <= right);
            j += usize::from(right <= left);
        }
        Self { a, b, grams }
    }
}

/// The weight of a k-gram: Σ λφ, or nothing where that is below zero.
#[inline]
pub fn weight(lambda: &[f64], phi: &[f32]) -> f64 {
    let sum: f64 = lambda
        .iter()
        .zip(phi)
        .map(|(l, &value)| l * f64::from(value))
        .sum();
    sum.max(0.0)
}

impl<'a> Loss<'a> {
    /// The loss on a sample of pairs.
    pub fn new(
        described: &'a Described,
        sample: &Sample,
        shape: Shape,
        observer: &Observer,
    ) -> Self {
        let pairs: Vec<Shared> = sample
            .pairs
            .par_iter()
            .take_any_while(|_| !observer.is_cancelled())
            .map(|&(a, b)| Shared::new(described, a, b))
            .collect();
        let mut pairs_of = vec![Vec::new(); described.len()];
        for (at, pair) in (0u32..).zip(&pairs) {
            pairs_of[pair.a as usize].push(at);
            pairs_of[pair.b as usize].push(at);
        }
        let centre = match shape.penalty.held {
            Held::Free => vec![0.0; described.width],
            Held::Unlearned => unlearned(described.width),
        };
        Self {
            described,
            shape,
            centre,
            pairs,
            preferences: sample.preferences.clone(),
            pairs_of,
            observer: observer.clone(),
        }
    }

    /// The weights of the unlearned measure.
    pub fn start(&self) -> Vec<f64> {
        unlearned(self.described.width)
    }

    /// What is wrong with some weights, without the penalty.
    pub fn unpenalised(&self, lambda: &[f64]) -> f64 {
        self.preferred(&self.scored(lambda).1).0
    }

    /// The loss of some weights of features, and its gradient; no number once the training is
    /// cancelled.
    pub fn at(&self, lambda: &[f64]) -> (f64, Vec<f64>) {
        if self.observer.is_cancelled() {
            return (f64::NAN, vec![0.0; lambda.len()]);
        }
        let (weights, scored) = self.scored(lambda);
        let (loss, pull) = self.preferred(&scored);
        let parts: Vec<Vec<f64>> = (0..self.described.len())
            .into_par_iter()
            .filter(|&doc| !self.pairs_of[doc].is_empty())
            .take_any_while(|_| !self.observer.is_cancelled())
            .map(|doc| self.gradient_of(doc, &weights, &scored, &pull))
            .collect();
        let alpha = self.shape.penalty.alpha;
        let away = |(l, c): (&f64, &f64)| l - c;
        let away = lambda.iter().zip(&self.centre).map(away);
        let mut gradient: Vec<f64> = away.clone().map(|l| alpha * l).collect();
        for part in parts {
            gradient.iter_mut().zip(part).for_each(|(sum, g)| *sum += g);
        }
        let squares: f64 = away.map(|l| l * l).sum();
        (loss + alpha / 2.0 * squares, gradient)
    }

    /// The weights of all k-grams, and how similar they make each pair.
    fn scored(&self, lambda: &[f64]) -> (Vec<f64>, Vec<Scored>) {
        let weights: Vec<f64> = (0..self.described.values().len())
            .into_par_iter()
            .with_min_len(1 << 12)
            .map(|at| weight(lambda, self.described.phi(at)))
            .collect();
        let norms: Vec<f64> = (0..self.described.len())
            .into_par_iter()
            .map(|doc| {
                weights[self.described.range(doc)]
                    .iter()
                    .map(|w| w * w)
                    .sum()
            })
            .collect();
        let scored: Vec<Scored> = self
            .pairs
            .par_iter()
            .with_min_len(64)
            .map(|pair| {
                if self.observer.is_cancelled() {
                    return Scored::default();
                }
                let dot = |&(i, j): &(u32, u32)| weights[i as usize] * weights[j as usize];
                let p: f64 = pair.grams.iter().map(dot).sum();
                Scored::new(
                    self.shape.similarity,
                    p,
                    norms[pair.a as usize],
                    norms[pair.b as usize],
                )
            })
            .collect();
        (weights, scored)
    }

    /// The loss over all preferences, and how it changes with each pair's
    /// similarity.
    fn preferred(&self, scored: &[Scored]) -> (f64, Vec<f64>) {
        let share = 1.0 / self.preferences.len().max(1) as f64;
        let mut loss = 0.0;
        let mut pull = vec![0.0; scored.len()];
        if self.observer.is_cancelled() {
            return (f64::NAN, pull);
        }
        for &(near, far) in &self.preferences {
            let z = self.shape.gamma * (scored[near as usize].score - scored[far as usize].score);
            // ln(1 + exp(-z)), without overflow.
            loss += share * ((-z.abs()).exp().ln_1p() + (-z).max(0.0));
            let slope = -share * self.shape.gamma / (1.0 + z.exp());
            pull[near as usize] += slope;
            pull[far as usize] -= slope;
        }
        (loss, pull)
    }

    /// What one document adds to the gradient.
    fn gradient_of(
        &self,
        doc: usize,
        weights: &[f64],
        scored: &[Scored],
        pull: &[f64],
    ) -> Vec<f64> {
        let range = self.described.range(doc);
        let mut by_gram = vec![0.0; range.len()];
        let mut by_itself = 0.0;
        for &at in &self.pairs_of[doc] {
            let (pair, scored, pull) = (
                &self.pairs[at as usize],
                &scored[at as usize],
                pull[at as usize],
            );
            let is_a = pair.a as usize == doc;
            by_itself += pull * if is_a { scored.v_a } else { scored.v_b };
            let u = pull * scored.u;
            for &(i, j) in &pair.grams {
                let (own, other) = if is_a { (i, j) } else { (j, i) };
                by_gram[own as usize - range.start] += u * weights[other as usize];
            }
        }
        let mut gradient = vec![0.0; self.described.width];
        for (at, by_gram) in range.zip(by_gram) {
            if weights[at] > 0.0 {
                let slope = by_gram - by_itself * weights[at];
                for (sum, &phi) in gradient.iter_mut().zip(self.described.phi(at)) {
                    *sum += slope * f64::from(phi);
                }
            }
        }
        gradient
    }
}

/// A pair's similarity and its derivatives: by a k-gram of the one it is *u* times
/// the other's weight there, less *v* times its own.
#[derive(Clone, Copy, Debug, Default)]
struct Scored {
    score: f64,
    u: f64,
    v_a: f64,
    v_b: f64,
}

impl Scored {
    fn new(similarity: Similarity, p: f64, a: f64, b: f64) -> Self {
        if a <= 0.0 || b <= 0.0 {
            return Self::default();
        }
        match similarity {
            Similarity::ExtendedJaccard => {
                let d = a + b - p;
                let v = 2.0 * p / (d * d);
                Self {
                    score: p / d,
                    u: (a + b) / (d * d),
                    v_a: v,
                    v_b: v,
                }
            }
            _ => {
                let root = (a * b).sqrt();
                Self {
                    score: p / root,
                    u: 1.0 / root,
                    v_a: p / (a * root),
                    v_b: p / (b * root),
                }
            }
        }
    }
}
