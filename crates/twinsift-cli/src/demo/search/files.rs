//! An evaluation as files: pages, their addresses, queries, runs, judgements and
//! labelled pairs.

use super::{Evaluation, Topic};
use std::fmt::Write;
use std::path::Path;
use twinsift_io::AtomicFile;

/// One judgement in so many is off by one: judges differ.
const JUDGES_DIFFER: usize = 12;

/// Writes everything into a folder.
pub fn write(evaluation: &Evaluation, folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)?;
    let put = |name: &str, text: &str| -> anyhow::Result<()> {
        let path = folder.join(name);
        Ok(AtomicFile::write_all_to(&path, text.as_bytes())?)
    };
    let topics = &evaluation.topics;
    put("pages.jsonl", &pages(topics)?)?;
    put("queries.tsv", &queries(topics))?;
    put("pairs.csv", &pairs(topics))?;
    put("qrels.txt", &qrels(topics))?;
    for run in &evaluation.runs {
        let mut text = String::new();
        for (query, ranking) in &run.rankings {
            for (rank, id) in (1..).zip(ranking) {
                let score = 1.0 / f64::from(rank);
                let _ = writeln!(text, "{query} Q0 {id} {rank} {score:.4} {}", run.name);
            }
        }
        put(&format!("{}.run", run.name), &text)?;
    }
    let pages = topics.iter().flat_map(|topic| &topic.pages);
    let addresses = pages.map(|page| format!("{}\t{}\n", page.id, page.url));
    put("addresses.txt", &addresses.collect::<String>())
}

fn pages(topics: &[Topic]) -> anyhow::Result<String> {
    let mut text = String::new();
    for (topic, page) in topics
        .iter()
        .flat_map(|topic| topic.pages.iter().map(move |page| (topic, page)))
    {
        let record = serde_json::json!({
            "id": page.id, "url": page.url, "html": page.html, "rendered": page.rendered,
            "final_url": page.rendered.as_ref().map(|_| &page.final_url),
            "query": topic.query, "kind": page.kind,
        });
        text += &serde_json::to_string(&record)?;
        text.push('\n');
    }
    Ok(text)
}

fn queries(topics: &[Topic]) -> String {
    let line = |topic: &Topic| format!("{}\t{}\n", topic.query, topic.text);
    topics.iter().map(line).collect()
}

/// Every pair of a query's pages, labelled.
fn pairs(topics: &[Topic]) -> String {
    let mut text = "a,b,query,label\n".to_owned();
    for topic in topics {
        for (at, a) in topic.pages.iter().enumerate() {
            for b in &topic.pages[at + 1..] {
                let label = u8::from(a.class == b.class);
                let _ = writeln!(text, "{},{},{},{label}", a.id, b.id, topic.query);
            }
        }
    }
    text
}

/// What judges say who see each page by itself, and now and then differ.
fn qrels(topics: &[Topic]) -> String {
    let mut text = String::new();
    for (number, topic) in topics.iter().enumerate() {
        for (at, page) in topic.pages.iter().enumerate() {
            let differs = (number * 7 + at * 5).is_multiple_of(JUDGES_DIFFER) && page.relevance > 0;
            let relevance = page.relevance - u8::from(differs);
            let _ = writeln!(text, "{} 0 {} {relevance}", topic.query, page.id);
        }
    }
    text
}
