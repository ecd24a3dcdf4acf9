//! `twinsift pairs`: every near-duplicate pair once.

use super::shown;
use crate::args::PairsArgs;
use crate::outputs::{id_columns, refuse_overwriting, refuse_same_output, target};
use crate::plan::{Run, Usual};
use crate::{find, numbers, summary};
use twinsift::Purpose;
use twinsift_io::write::{Column, Kind, Table, Value};

pub fn run(args: PairsArgs) -> anyhow::Result<()> {
    let mut run = Run::with_usual(args.sources, &args.run, Usual::ByKind)?;
    let output = target(args.output.output.as_deref());
    refuse_overwriting("-o", output, run.inputs.iter().chain(&run.against))?;
    let unsigned = run.unsigned.as_deref().map(Some);
    refuse_same_output(&[("-o", Some(output)), ("--unsigned", unsigned)])?;
    // An output that cannot be written is better known before the work is done.
    Table::check(output)?;
    let found = find::find(&mut run, Purpose::Pairs)?;
    let documents = found.matches.documents();
    let [a, b] = id_columns(["a", "b"], documents);
    let columns = [a, b, Column::new("score", Kind::Number)];
    let mut table = run.table(output, &columns)?;
    let mut pairs = 0;
    for pair in found.matches.pairs() {
        let pair = pair?;
        let (a, b) = (documents.id(pair.a), documents.id(pair.b));
        table.row(&[Value::Id(&a), Value::Id(&b), Value::Number(pair.score)])?;
        pairs += 1;
    }
    table.finish()?;
    let result = numbers::counted(pairs, "pair");
    summary::print(&run, &found, &result, shown(output));
    Ok(())
}
