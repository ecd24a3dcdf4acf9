//! What `judge` prints and writes.

use super::duplicates::{Pools, QueryClasses};
use super::files::Files;
use crate::plan::Run;
use std::fmt::Write;
use std::path::Path;
use twinsift_eval::judge::{DuplicateClasses, Judged, Measures, Qrels, judge, mean};
use twinsift_io::write::{Column, Kind, Value};

/// One row for each result: its class, the size of that, and its relevance.
pub fn write_classes(
    run: &Run,
    path: &Path,
    pools: &Pools,
    classes: &QueryClasses,
    qrels: &Qrels,
) -> anyhow::Result<()> {
    let columns = [
        Column::new("query", Kind::Text),
        Column::new("id", Kind::Text),
        Column::new("class", Kind::Text),
        Column::new("size", Kind::Integer),
        Column::new("relevance", Kind::Integer),
    ];
    let none = DuplicateClasses::default();
    let mut table = run.table(Some(path), &columns)?;
    for pool in &pools.pools {
        let classes = classes.of(&pool.query).unwrap_or(&none);
        for doc in &pool.docs {
            let relevance = qrels.get(&pool.query).and_then(|of| of.get(doc));
            table.row(&[
                Value::Text(&pool.query),
                Value::Text(doc),
                Value::Text(classes.class(doc)),
                Value::Integer(classes.size(doc) as i64),
                relevance.map_or(Value::Missing, |&relevance| Value::Integer(relevance)),
            ])?;
        }
    }
    Ok(table.finish()?)
}

/// One row for each judged member of a class whose judgements differ.
pub fn write_contradictions(
    run: &Run,
    path: &Path,
    classes: &QueryClasses,
    qrels: &Qrels,
) -> anyhow::Result<()> {
    let columns = [
        Column::new("query", Kind::Text),
        Column::new("class", Kind::Text),
        Column::new("id", Kind::Text),
        Column::new("relevance", Kind::Integer),
    ];
    let none = DuplicateClasses::default();
    let mut table = run.table(Some(path), &columns)?;
    for (query, contradiction) in classes.contradictions(qrels) {
        let classes = classes.of(&query).unwrap_or(&none);
        for (doc, relevance) in &contradiction.members {
            table.row(&[
                Value::Text(&query),
                Value::Text(classes.class(doc)),
                Value::Text(doc),
                Value::Integer(*relevance),
            ])?;
        }
    }
    Ok(table.finish()?)
}

/// The measures of each run and judged query.
pub struct Measured {
    cut: usize,
    /// By run: its name, repeats among its results, and its queries' measures.
    runs: Vec<MeasuredRun>,
}

struct MeasuredRun {
    name: String,
    results: usize,
    repeated: usize,
    queries: Vec<(String, Judged)>,
}

impl Measured {
    /// Measures every run. All judged queries count: a run without results for one
    /// earns nothing there.
    pub fn new(files: &Files, classes: &QueryClasses, cut: usize) -> Self {
        let none = DuplicateClasses::default();
        let of = |query: &str| classes.of(query).unwrap_or(&none);
        let runs = files.runs.iter().map(|run| {
            let empty = Vec::new();
            let judged = files.qrels.iter().map(|(query, judgements)| {
                let ranking = run.rankings.get(query).unwrap_or(&empty);
                (query.clone(), judge(ranking, judgements, of(query), cut))
            });
            let shown = run.rankings.values().map(|ranking| ranking.len().min(cut));
            let repeated = run.rankings.iter().map(|(query, ranking)| {
                judge(ranking, &Default::default(), of(query), cut).repeated
            });
            MeasuredRun {
                name: run.name.clone(),
                results: shown.sum(),
                repeated: repeated.sum(),
                queries: judged.collect(),
            }
        });
        Self {
            cut,
            runs: runs.collect(),
        }
    }

    /// Tables for people: repeats, and measures if there are judgements.
    pub fn markdown(&self, judged: bool) -> String {
        let k = self.cut;
        let mut out = String::new();
        let _ = match judged {
            true => writeln!(
                out,
                "| run | results | repeats | nDCG@{k} | MAP | P@{k} | nDCG@{k}, repeats earn nothing | MAP | P@{k} |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|"
            ),
            false => writeln!(out, "| run | results | repeats |\n|---|---:|---:|"),
        };
        let total = MeasuredRun {
            name: "all".to_owned(),
            results: self.runs.iter().map(|run| run.results).sum(),
            repeated: self.runs.iter().map(|run| run.repeated).sum(),
            queries: self
                .runs
                .iter()
                .flat_map(|run| run.queries.clone())
                .collect(),
        };
        let several = (self.runs.len() > 1).then_some(&total);
        for run in self.runs.iter().chain(several) {
            let _ = write!(out, "| {} | {} | {} |", run.name, run.results, run.repeated);
            if judged {
                let of = |pick: fn(&Judged) -> Measures| {
                    mean(run.queries.iter().map(|(_, judged)| pick(judged)))
                };
                for means in [of(|judged| judged.usual), of(|judged| judged.distinct)] {
                    let _ = write!(
                        out,
                        " {:.4} | {:.4} | {:.4} |",
                        means.ndcg, means.average_precision, means.precision
                    );
                }
            }
            out.push('\n');
        }
        out
    }

    /// One row for each run and judged query.
    pub fn write(&self, run: &Run, path: &Path) -> anyhow::Result<()> {
        let numbers = [
            "ndcg",
            "ap",
            "precision",
            "distinct_ndcg",
            "distinct_ap",
            "distinct_precision",
        ];
        let mut columns = vec![
            Column::new("run", Kind::Text),
            Column::new("query", Kind::Text),
            Column::new("repeats", Kind::Integer),
        ];
        columns.extend(numbers.map(|name| Column::new(name, Kind::Number)));
        let mut table = run.table(Some(path), &columns)?;
        for run in &self.runs {
            for (query, judged) in &run.queries {
                let (usual, distinct) = (judged.usual, judged.distinct);
                table.row(&[
                    Value::Text(&run.name),
                    Value::Text(query),
                    Value::Integer(judged.repeated as i64),
                    Value::Number(usual.ndcg),
                    Value::Number(usual.average_precision),
                    Value::Number(usual.precision),
                    Value::Number(distinct.ndcg),
                    Value::Number(distinct.average_precision),
                    Value::Number(distinct.precision),
                ])?;
            }
        }
        Ok(table.finish()?)
    }
}
