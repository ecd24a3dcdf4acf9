//! TREC's run and qrels files.
//!
//! A run has a line for each result: `query Q0 document rank score name`; a qrels file
//! one for each judgement: `query iteration document relevance`. White space separates.
//! As `trec_eval` does, results are put in order by falling score, and of equal scores
//! by falling document id; the rank in the file is not looked at.

use std::collections::{BTreeMap, BTreeSet};

use super::{Qrels, Run};

/// A line that could not be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Its number, from 1.
    pub line: usize,
    /// Why.
    pub reason: String,
}

/// A result of a run as it stands in the file.
struct Result {
    score: f64,
    doc: String,
}

/// Reads a run. Its name is that of its first line, or `name` if there is none.
pub fn run(text: &str, name: &str) -> (Run, Vec<BadLine>) {
    let mut bad = Vec::new();
    let mut results: BTreeMap<String, Vec<Result>> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut tag = None;
    for (line, fields) in lines(text) {
        let mut complain = |reason: String| bad.push(BadLine { line, reason });
        let [query, _, doc, _, score, run] = fields[..] else {
            complain(format!(
                "a result has 6 fields (query Q0 document rank score name), and there are {}",
                fields.len()
            ));
            continue;
        };
        let Some(score) = score.parse::<f64>().ok().filter(|score| !score.is_nan()) else {
            complain(format!("the score \"{score}\" is not a number"));
            continue;
        };
        if !seen.insert((query, doc)) {
            complain(format!(
                "the document \"{doc}\" occurs twice for the query \"{query}\""
            ));
            continue;
        }
        tag = tag.or(Some(run));
        let doc = doc.to_owned();
        let ranking = results.entry(query.to_owned()).or_default();
        ranking.push(Result { score, doc });
    }
    let ranked = |mut results: Vec<Result>| {
        results.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| b.doc.cmp(&a.doc)));
        results.into_iter().map(|result| result.doc).collect()
    };
    let run = Run {
        name: tag.unwrap_or(name).to_owned(),
        rankings: (results.into_iter())
            .map(|(query, results)| (query, ranked(results)))
            .collect(),
    };
    (run, bad)
}

/// Reads relevance judgements.
pub fn qrels(text: &str) -> (Qrels, Vec<BadLine>) {
    let mut bad = Vec::new();
    let mut qrels = Qrels::new();
    for (line, fields) in lines(text) {
        let mut complain = |reason: String| bad.push(BadLine { line, reason });
        let [query, _, doc, relevance] = fields[..] else {
            complain(format!(
                "a judgement has 4 fields (query iteration document relevance), and there are {}",
                fields.len()
            ));
            continue;
        };
        let Ok(relevance) = relevance.parse::<i64>() else {
            complain(format!(
                "the relevance \"{relevance}\" is not a whole number"
            ));
            continue;
        };
        let known = qrels.entry(query.to_owned()).or_default();
        match known.get(doc) {
            Some(&before) if before != relevance => complain(format!(
                "the document \"{doc}\" was judged {before} before for the query \"{query}\""
            )),
            Some(_) => {}
            None => {
                known.insert(doc.to_owned(), relevance);
            }
        }
    }
    (qrels, bad)
}

/// The fields of each line that has any.
fn lines(text: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    (1..)
        .zip(text.trim_start_matches('\u{feff}').lines())
        .map(|(line, text)| (line, text.split_whitespace().collect::<Vec<_>>()))
        .filter(|(_, fields)| !fields.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_ordered_by_score_and_then_by_id() {
        let text =
            "1 Q0 a 1 0.5 west\n1 Q0 c 2 0.9 west\n1 Q0 b 3 0.5 west\n\n2\tQ0\ta\t1\t1\twest\n";
        let (run, bad) = run(text, "file");
        assert!(bad.is_empty());
        assert_eq!(run.name, "west");
        assert_eq!(run.rankings["1"], ["c", "b", "a"]);
        assert_eq!(run.rankings["2"], ["a"]);
    }

    #[test]
    fn bad_lines_are_told_and_lose_nothing_else() {
        let text = "1 Q0 a 1 0.5 x\nnonsense\n1 Q0 b 2 high x\n1 Q0 a 3 0.1 x\n1 Q0 c 4 0.2 x\n";
        let (run, bad) = run(text, "file");
        assert_eq!(run.rankings["1"], ["a", "c"]);
        let lines: Vec<usize> = bad.iter().map(|bad| bad.line).collect();
        assert_eq!(lines, [2, 3, 4]);
        assert!(bad[0].reason.contains("there are 1"));
        let (qrels, bad) = qrels("1 0 a 2\n1 0 b\n1 0 c x\n1 0 a 1\n1 0 a 2\n");
        assert_eq!(qrels["1"].len(), 1);
        assert_eq!(
            bad.iter().map(|bad| bad.line).collect::<Vec<_>>(),
            [2, 3, 4]
        );
    }
}
