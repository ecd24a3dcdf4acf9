//! Measures of rankings against trec_eval itself.

use super::trials::ask_python;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use twinsift::hash::Stream;
use twinsift_eval::judge::{DuplicateClasses, judge};

/// Random runs of some queries over few documents, with judgements from -1 to 3.
fn cases() -> Vec<Value> {
    let mut stream = Stream::new(3);
    let mut below = |end: u64| stream.next_value() % end;
    (0..40)
        .map(|_| {
            let (mut run, mut qrels) = (Map::new(), Map::new());
            for query in 0..4 {
                let documents = 3 + below(25);
                let mut judged = Map::new();
                for doc in 0..documents {
                    if below(3) > 0 {
                        judged.insert(format!("d{doc}"), json!(below(5) as i64 - 1));
                    }
                }
                // An evaluator may leave out queries without any judgement or result.
                judged.insert("d0".to_owned(), json!(1));
                let mut ranked = Map::new();
                ranked.insert("d1".to_owned(), json!(0.5));
                for doc in 0..documents + 5 {
                    if below(2) > 0 {
                        // Few scores, so that many are equal.
                        ranked.insert(format!("d{doc}"), json!(below(6) as f64 / 4.0));
                    }
                }
                qrels.insert(format!("q{query}"), Value::Object(judged));
                run.insert(format!("q{query}"), Value::Object(ranked));
            }
            let cut = [1, 5, 10][below(3) as usize];
            json!({ "run": run, "qrels": qrels, "cut": cut })
        })
        .collect()
}

fn ours(case: &Value) -> Vec<Vec<f64>> {
    let cut = case["cut"].as_u64().expect("a number") as usize;
    let qrels = case["qrels"].as_object().expect("queries");
    let measures = qrels.iter().map(|(query, judged)| {
        let judged: BTreeMap<String, i64> =
            serde_json::from_value(judged.clone()).expect("judgements");
        let run: BTreeMap<String, f64> =
            serde_json::from_value(case["run"][query].clone()).expect("results");
        // As `twinsift_io::trec` does it.
        let mut ranking: Vec<(String, f64)> = run.into_iter().collect();
        ranking.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| b.0.cmp(&a.0)));
        let ranking: Vec<String> = ranking.into_iter().map(|(doc, _)| doc).collect();
        let usual = judge(&ranking, &judged, &DuplicateClasses::default(), cut).usual;
        vec![usual.ndcg, usual.average_precision, usual.precision]
    });
    measures.collect()
}

#[test]
fn measures_agree_with_trec_eval() {
    let cases = cases();
    let Some(theirs) = ask_python("rankings.py", &cases) else {
        return;
    };
    let ours: Vec<Vec<f64>> = cases.iter().flat_map(ours).collect();
    assert_eq!(ours.len(), theirs.len());
    for (ours, theirs) in ours.iter().flatten().zip(theirs.iter().flatten()) {
        assert!((ours - theirs).abs() < 1e-6, "{ours} {theirs}");
    }
}
