//! The same matches by a higher threshold, without reading anything again.

use super::Matches;
use crate::cluster::graph::Graph;
use crate::error::{Result, out_of_range, refuse};
use crate::matches::Purpose;
use crate::matching::edges::{Edge, EdgeSink};
use crate::settings::{Budget, Settings};

impl Matches {
    /// The matches with a score of at least `threshold`, which must not be below the one that
    /// they were found by. Refused where the recipe has no threshold.
    ///
    /// For exact recipes these are the matches of a run with that threshold. Where matches are
    /// found by chance, they are found by the bands and bits of the lower threshold.
    pub fn raised(&self, threshold: f64, settings: &Settings) -> Result<Self> {
        self.serves(Purpose::Pairs)?;
        let Some(found_by) = self.recipe.least_score() else {
            return refuse(
                "this recipe has no ‹threshold› that could be raised: run it again with other parameters",
            );
        };
        if !(found_by..=1.0).contains(&threshold) {
            return out_of_range(format!(
                "‹threshold› can be raised from {found_by} to at most 1: pairs below that were not looked for, so run again for a lower one"
            ));
        }
        let graph = &self.graph;
        let sink = EdgeSink::new(Budget::new(settings.memory).edges(), settings);
        let (mut neighbours, mut edges) = (Vec::new(), Vec::new());
        for doc in 0..graph.len() as u32 {
            graph.adjacency.neighbours(doc, &mut neighbours)?;
            let later = neighbours.iter().filter(|&&(other, _)| other > doc);
            let enough = later.filter(|&&(_, score)| score >= threshold);
            edges.extend(enough.map(|&(other, score)| Edge::new(doc, other, score)));
            sink.extend(&mut edges)?;
        }
        let adjacency = sink.finish(graph.len())?;
        Ok(Self {
            recipe: self.recipe.with_threshold(threshold),
            documents: self.documents.clone(),
            graph: Graph::new(
                graph.classes().clone(),
                adjacency,
                self.documents.old_from(),
            ),
            purpose: Purpose::Pairs,
            report: self.report,
            unsigned: self.unsigned.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Document, Error, Keep, Recipe, Settings, Sifter};

    fn found(threshold: f64) -> crate::Matches {
        let recipe = Recipe::shingles().k(1).threshold(threshold).resolve();
        let mut sifter = Sifter::new(recipe.expect("valid"), Settings::default()).expect("valid");
        for (id, text) in [
            ("a", "one two three four five"),
            ("b", "one two three four six"),
            ("c", "one two three seven"),
            ("d", "One, two, three, four, five"),
            ("e", "one two eight nine"),
        ] {
            sifter.add(&Document::new(id, text)).expect("room");
        }
        sifter.finish().expect("room")
    }

    #[test]
    fn raised_matches_are_those_of_another_run() {
        let settings = Settings::default();
        let low = found(0.2);
        for threshold in [0.2, 0.4, 0.5, 0.7, 1.0] {
            let raised = low.raised(threshold, &settings).expect("higher");
            let run = found(threshold);
            let pairs = |matches: &crate::Matches| {
                let pairs = matches.pairs().map(|pair| pair.expect("in memory"));
                pairs.collect::<Vec<_>>()
            };
            assert_eq!(pairs(&raised), pairs(&run), "{threshold}");
            assert_eq!(raised.recipe(), run.recipe());
            let verdicts = raised.dedup(Keep::First).expect("in memory");
            assert_eq!(verdicts, run.dedup(Keep::First).expect("in memory"));
        }
    }

    #[test]
    fn a_lower_threshold_and_a_recipe_without_one_are_refused() {
        let settings = Settings::default();
        let refused = found(0.5).raised(0.4, &settings);
        assert!(matches!(refused, Err(Error::Recipe(_))));
        let recipe = Recipe::simhash().resolve().expect("valid");
        let matches = Sifter::new(recipe, settings.clone())
            .and_then(Sifter::finish)
            .expect("nothing to do");
        assert!(matches!(
            matches.raised(0.9, &settings),
            Err(Error::Recipe(_))
        ));
    }
}
