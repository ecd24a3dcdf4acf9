//! `twinsift clusters`: one row per document with its group.

use super::shown;
use crate::args::{ClustersArgs, GroupChoice};
use crate::outputs::{id_columns, refuse_overwriting, refuse_same_output, target};
use crate::plan::{Run, Usual};
use crate::{find, summary};
use std::path::Path;
use twinsift::{Clustering, Group, Matches, Purpose};
use twinsift_io::write::{Column, Kind, Table, Value};

pub fn run(args: ClustersArgs) -> anyhow::Result<()> {
    let mut run = Run::with_usual(args.sources, &args.run, Usual::ByKind)?;
    run.lists_all = args.all;
    let output = target(args.output.output.as_deref());
    refuse_overwriting("-o", output, run.inputs.iter().chain(&run.against))?;
    let unsigned = run.unsigned.as_deref().map(Some);
    refuse_same_output(&[("-o", Some(output)), ("--unsigned", unsigned)])?;
    Table::check(output)?;
    let group = match args.group {
        GroupChoice::Representative => Group::Representative,
        GroupChoice::Connected => Group::Connected,
    };
    let found = find::find(&mut run, Purpose::Groups(group))?;
    let clusters = found.matches.clusters(group)?;
    write(&run, &found.matches, &clusters, args.all, output)?;
    let result = summary::groups(&clusters);
    summary::print(&run, &found, &result, shown(output));
    Ok(())
}

/// Writes a row for each document, group by group.
fn write(
    run: &Run,
    matches: &Matches,
    clusters: &Clustering,
    writes_single: bool,
    output: Option<&Path>,
) -> anyhow::Result<()> {
    let documents = matches.documents();
    let [id, cluster, representative] = id_columns(["id", "cluster", "representative"], documents);
    let columns = [
        id,
        cluster,
        Column::new("size", Kind::Integer),
        representative,
        Column::new("score", Kind::Number),
    ];
    let mut table = run.table(output, &columns)?;
    for doc in clusters.grouped_order() {
        let size = clusters.size(doc);
        if size > 1 || writes_single {
            let [id, first] = [doc, clusters.first(doc)].map(|doc| documents.id(doc));
            let verified = clusters.representative(doc);
            let verified = verified.map(|(doc, score)| (documents.id(doc), score));
            table.row(&[
                Value::Id(&id),
                Value::Id(&first),
                Value::Integer(i64::from(size)),
                verified
                    .as_ref()
                    .map_or(Value::Missing, |(id, _)| Value::Id(id)),
                verified
                    .as_ref()
                    .map_or(Value::Missing, |&(_, score)| Value::Number(score)),
            ])?;
        }
    }
    Ok(table.finish()?)
}
