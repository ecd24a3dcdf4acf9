//! Splits of a collection by cluster: thresholds are chosen on one part and scored on the
//! other.

use super::variants;
use crate::exit::bad_input;
use serde::Deserialize;
use std::collections::HashSet;
use toml::Value;
use twinsift_eval::Cut;

/// Which clusters to choose on.
#[derive(Clone, Debug, PartialEq)]
pub enum Parts {
    /// A share of them, at random.
    Random(f64),
    /// By a field of the documents.
    Field(String, Cut),
}

/// Parts by cluster: thresholds are chosen on one and scored on the other.
#[derive(Clone, Debug)]
pub struct Splits {
    pub parts: Parts,
    pub seeds: Vec<u64>,
    /// Only thresholds with at least this precision may be chosen; without one,
    /// nothing is found.
    pub min_precision: Option<f64>,
}

/// `[split]` of a suite.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SplitTable {
    /// The share of clusters to choose on.
    train: Option<f64>,
    #[serde(default)]
    seeds: Vec<u64>,
    min_precision: Option<f64>,
    /// A field of the documents, in place of chance.
    by: Option<String>,
    /// Clusters that begin before this value of it are chosen on.
    before: Option<Value>,
    /// Clusters with these values of it are chosen on.
    values: Option<Vec<Value>>,
}

impl Splits {
    /// Checks what a suite says of them.
    pub fn of(mut table: SplitTable) -> anyhow::Result<Self> {
        let train = table.train.unwrap_or(0.5);
        if !(train > 0.0 && train < 1.0) {
            return Err(bad_input("train must be a share between 0 and 1"));
        }
        let cuts = [
            table.train.is_some(),
            table.before.is_some(),
            table.values.is_some(),
        ];
        let parts = match table.by {
            Some(_) if cuts.into_iter().filter(|&given| given).count() > 1 => {
                return Err(bad_input(
                    "a split by a field needs one of train, before and values: leave out the others",
                ));
            }
            Some(field) => Parts::Field(
                field,
                match (table.before, table.values) {
                    (Some(before), _) => Cut::Before(variants::plain(&before)),
                    (_, Some(values)) => Cut::Values(values.iter().map(variants::plain).collect()),
                    (None, None) => Cut::Share(train),
                },
            ),
            None if cuts[1] || cuts[2] => {
                return Err(bad_input(
                    "before and values belong to a split by a field: name it, as in by = \"date\"",
                ));
            }
            None => Parts::Random(train),
        };
        // By a field there is one split; seeds only draw what is random in training.
        if table.seeds.is_empty() && matches!(parts, Parts::Field(..)) {
            table.seeds = vec![1];
        }
        if table.seeds.is_empty() {
            return Err(bad_input("split needs at least one of seeds"));
        }
        if table.seeds.iter().collect::<HashSet<_>>().len() < table.seeds.len() {
            return Err(bad_input("seeds names a split twice"));
        }
        if table
            .min_precision
            .is_some_and(|least| !(0.0..=1.0).contains(&least))
        {
            return Err(bad_input("min_precision must be between 0 and 1"));
        }
        Ok(Self {
            parts,
            seeds: table.seeds,
            min_precision: table.min_precision,
        })
    }
}
