//! `twinsift clusters`: one row per document with its group.

use super::shown;
use crate::args::{ClustersArgs, GroupChoice};
use crate::outputs::{id_columns, refuse_overwriting, refuse_same_output, target};
use crate::plan::{Run, Usual};
use crate::{find, summary};
use twinsift::{Group, Keep, Purpose};
use twinsift_io::write::{Column, Kind, Table, Value};

pub fn run(args: ClustersArgs) -> anyhow::Result<()> {
    let mut run = Run::with_usual(args.sources, &args.run, Usual::ByKind)?;
    run.lists_all = args.all;
    let output = target(args.output.output.as_deref());
    refuse_overwriting("-o", output, run.inputs.iter().chain(&run.against))?;
    let unsigned = run.unsigned.as_deref().map(Some);
    refuse_same_output(&[("-o", Some(output)), ("--unsigned", unsigned)])?;
    Table::check(output)?;
    let (group, purpose) = match args.group {
        GroupChoice::Components => (Group::Components, Purpose::Components),
        GroupChoice::Star => (Group::Star, Purpose::Dedup(Keep::First)),
    };
    let found = find::find(&run, purpose)?;
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
    Ok(())
}
