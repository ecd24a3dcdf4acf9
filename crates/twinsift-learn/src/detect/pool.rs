//! The candidate pairs of a collection with their signals.

use rayon::prelude::*;
use twinsift::detector::{Row, row};
use twinsift::{
    Detector, Document, Extractor, Recipe, Result, Settings, Sifter, Signature, Statistics,
};

/// Scores are above this, so that every candidate is found.
const ANY_SCORE: f64 = f64::MIN_POSITIVE;

/// Documents as detectors see them, and the pairs of them that a detector looks at.
#[derive(Debug)]
pub struct Pool {
    /// What is compared of each document.
    pub signatures: Vec<Signature>,
    /// The candidates, ordered by the first document, then the second.
    pub pairs: Vec<(u32, u32)>,
    /// The signals of each candidate.
    pub rows: Vec<Row>,
    /// How many candidates each of them stands for: 1, unless they are a sample.
    pub weights: Vec<f64>,
}

impl Pool {
    /// The candidates among documents, as a detector finds them.
    pub fn of(
        documents: &[Document<'_>],
        detector: &Detector,
        settings: &Settings,
    ) -> Result<Self> {
        let recipe = every_candidate(detector)?;
        let extractor = Extractor::new(&recipe, &Statistics::default())?;
        let pool = settings.pool()?;
        let signatures: Vec<Signature> = pool.install(|| {
            let extracted = documents
                .par_iter()
                .map(|document| extractor.extract(document));
            extracted.collect()
        });
        let mut sifter = Sifter::of_signatures(recipe, settings.clone())?;
        for (number, signature) in signatures.iter().enumerate() {
            let mut document = Document::new(number.to_string(), "");
            document.signature = Some(Box::new(signature.clone()));
            sifter.add(&document)?;
        }
        let matches = sifter.finish()?;
        let pairs: Vec<(u32, u32)> = matches
            .pairs()
            .map(|pair| pair.map(|pair| (pair.a, pair.b)))
            .collect::<Result<_>>()?;
        Ok(Self {
            rows: pool.install(|| rows(&signatures, &pairs)),
            weights: vec![1.0; pairs.len()],
            signatures,
            pairs,
        })
    }
}

/// The recipe by which every candidate of a detector is a pair, with the detector's score.
pub(super) fn every_candidate(detector: &Detector) -> Result<Recipe> {
    let every = Detector {
        threshold: ANY_SCORE,
        ..*detector
    };
    Recipe::detector().detector(every.into()).resolve()
}

/// The signals of pairs, candidates or not.
pub fn rows(signatures: &[Signature], pairs: &[(u32, u32)]) -> Vec<Row> {
    let of = |&(a, b): &(u32, u32)| row(&signatures[a as usize], &signatures[b as usize]);
    pairs.par_iter().map(of).collect()
}
