//! `twinsift clusters`: one row per document with its group.

use super::shown;
use crate::args::{ClustersArgs, GroupChoice};
use crate::exit::bad_input;
use crate::outputs::{
    check_output_path, id_columns, refuse_overwriting, refuse_same_output, target,
};
use crate::plan::{Run, Usual};
use crate::{find, summary};
use twinsift::collection::documents::Documents;
use twinsift::{Clustering, Document, Group, Matches, Purpose};
use twinsift_io::write::{Column, Kind, Table, Value};
use twinsift_review::{Spool, Texts, report};

/// Characters of a text, or of a title, in a row.
const SNIPPET: usize = 120;

/// Bytes that a text is kept of for that.
const SNIPPET_BYTES: usize = 4 * SNIPPET;

pub fn run(args: ClustersArgs) -> anyhow::Result<()> {
    let mut run = Run::with_usual(args.sources, &args.run, Usual::ByKind)?;
    run.lists_all = args.all;
    let output = target(args.output.output.as_deref());
    refuse_overwriting("-o", output, run.inputs.iter().chain(&run.against))?;
    let unsigned = run.unsigned.as_deref().map(Some);
    let shown_in = args.report.as_deref();
    refuse_same_output(&[
        ("-o", Some(output)),
        ("--unsigned", unsigned),
        ("--report", shown_in.map(Some)),
    ])?;
    if let Some(path) = shown_in {
        check_output_path("--report", path)?;
        refuse_overwriting("--report", shown_in, run.inputs.iter().chain(&run.against))?;
        refuse_report(&run)?;
    }
    Table::check(output)?;
    let group = match args.group {
        GroupChoice::Representative => Group::Representative,
        GroupChoice::Connected => Group::Connected,
    };
    let spool = match shown_in {
        Some(_) => Spool::create(&run.settings.tmp)?,
        None => Spool::of_beginnings(&run.settings.tmp, SNIPPET_BYTES)?,
    };
    let look = |document: &Document<'_>| spool.add(document);
    let found = find::find_seen(&mut run, Purpose::Groups(group), Some(&look))?;
    let clusters = found.matches.clusters(group)?;
    let texts = spool.finish(found.matches.documents())?;
    let table = run.table(output, &columns(found.matches.documents()))?;
    write(table, &found.matches, &clusters, &texts, args.all)?;
    let result = summary::groups(&clusters);
    summary::print(&run, &found, &result, shown(output));
    if let Some(path) = shown_in {
        report::write(path, found.matches, texts, group, &run.method())?;
    }
    Ok(())
}

fn columns(documents: &Documents) -> [Column<'static>; 7] {
    let [id, cluster, representative] = id_columns(["id", "cluster", "representative"], documents);
    [
        id,
        cluster,
        Column::new("size", Kind::Integer),
        representative,
        Column::new("score", Kind::Number),
        Column::new("title", Kind::Text),
        Column::new("snippet", Kind::Text),
    ]
}

/// Writes a row for each document, group by group.
fn write(
    mut table: Table,
    matches: &Matches,
    clusters: &Clustering,
    texts: &Texts,
    writes_single: bool,
) -> anyhow::Result<()> {
    let documents = matches.documents();
    let grouped = clusters.grouped_order().into_iter();
    for doc in grouped.filter(|&doc| writes_single || clusters.size(doc) > 1) {
        let [id, first] = [doc, clusters.first(doc)].map(|doc| documents.id(doc));
        let verified = clusters.representative(doc);
        let verified = verified.map(|(doc, score)| (documents.id(doc), score));
        // An index has no texts of what it knows, and old documents are shown as one would.
        let is_new = documents.old_from().is_none_or(|from| doc < from);
        let beginning = |text: String| one_line(&text);
        let shown = is_new.then(|| [texts.title(doc), texts.part(doc, 0, SNIPPET_BYTES)]);
        let [title, snippet] = shown.unwrap_or_default().map(beginning);
        table.row(&[
            Value::Id(&id),
            Value::Id(&first),
            Value::Integer(i64::from(clusters.size(doc))),
            verified
                .as_ref()
                .map_or(Value::Missing, |(id, _)| Value::Id(id)),
            verified
                .as_ref()
                .map_or(Value::Missing, |&(_, score)| Value::Number(score)),
            text_or_missing(&title),
            text_or_missing(&snippet),
        ])?;
    }
    Ok(table.finish()?)
}

fn text_or_missing(text: &str) -> Value<'_> {
    match text {
        "" => Value::Missing,
        text => Value::Text(text),
    }
}

/// The beginning of a text, with single spaces.
fn one_line(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if let Some((end, _)) = line.char_indices().nth(SNIPPET) {
            line.truncate(end);
            line.push('…');
            break;
        }
    }
    line
}

/// Refuses to report of documents whose texts are not there.
fn refuse_report(run: &Run) -> anyhow::Result<()> {
    match run.stored.iter().any(Option::is_some) || run.index.is_some() {
        true => Err(bad_input(
            "--report shows documents, and these are signatures: name the documents themselves",
        )),
        false => Ok(()),
    }
}
