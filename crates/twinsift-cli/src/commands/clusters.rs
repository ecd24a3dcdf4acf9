//! `twinsift clusters`: one row per document with its group.

use super::shown;
use crate::args::{ClustersArgs, GroupChoice};
use crate::exit::bad_input;
use crate::ingest::Look;
use crate::outputs::{
    check_output_path, id_columns, refuse_overwriting, refuse_same_output, target,
};
use crate::plan::{Run, Usual};
use crate::{find, summary};
use twinsift::{Document, Group, Keep, Purpose};
use twinsift_io::write::{Column, Kind, Table, Value};
use twinsift_review::{Spool, report};

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
    let (group, purpose) = match args.group {
        GroupChoice::Components => (Group::Components, Purpose::Components),
        GroupChoice::Star => (Group::Star, Purpose::Dedup(Keep::First)),
    };
    let spool = shown_in
        .map(|_| Spool::create(&run.settings.tmp))
        .transpose()?;
    let look = |document: &Document<'_>| {
        if let Some(spool) = &spool {
            spool.add(document);
        }
    };
    let look: Option<Look<'_>> = if spool.is_some() { Some(&look) } else { None };
    let found = find::find_seen(&run, run.open_inputs()?, purpose, look)?;
    let documents = found.matches.documents();
    let clusters = found.matches.clusters(group)?;
    let [id, cluster] = id_columns(["id", "cluster"], documents);
    let columns = [id, cluster, Column::new("size", Kind::Integer)];
    let mut table = run.table(output, &columns)?;
    for doc in 0..documents.len() as u32 {
        let size = clusters.size(doc);
        if size > 1 || args.all {
            let (id, first) = (documents.id(doc), documents.id(clusters.first(doc)));
            let size = Value::Integer(i64::from(size));
            table.row(&[Value::Id(&id), Value::Id(&first), size])?;
        }
    }
    table.finish()?;
    let result = summary::groups(&clusters);
    summary::print(&run, &found, &result, shown(output));
    if let (Some(path), Some(spool)) = (shown_in, &spool) {
        report::write(path, found.matches, spool, group, &run.method())?;
    }
    Ok(())
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
