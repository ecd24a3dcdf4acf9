//! Small tables that hold no documents: labels, pairs, queries.

use std::path::Path;
use twinsift::Item;
use twinsift_io::{FieldNames, Inputs, ReadOptions};
use twinsift_learn::detect::Verdict;

/// A row of a small table: where it stands, and the values of some columns.
pub struct TableRow {
    pub place: String,
    pub values: Vec<Option<String>>,
}

/// The values of `columns` in every row of a JSONL, CSV, TSV or Parquet file, and
/// descriptions of broken rows.
pub fn table(path: &Path, columns: &[&str]) -> anyhow::Result<(Vec<TableRow>, Vec<String>)> {
    let options = ReadOptions {
        fields: FieldNames {
            extra: columns.iter().map(|&name| name.to_owned()).collect(),
            no_text: true,
            ..FieldNames::default()
        },
        ..ReadOptions::default()
    };
    let inputs = Inputs::open(&[path.to_owned()], options)?;
    let (mut rows, mut broken) = (Vec::new(), Vec::new());
    for batch in inputs.batches() {
        inputs.expand(&batch, &mut |item| match item {
            Item::Document(document) => rows.push(TableRow {
                place: inputs.place_name(document.place),
                values: (document.extra.into_iter())
                    .map(|value| value.map(|value| value.into_owned()))
                    .collect(),
            }),
            Item::Skipped(skipped) => {
                let place = inputs.place_name(skipped.place);
                broken.push(format!("{place}: {}", skipped.reason));
            }
        });
    }
    Ok((rows, broken))
}

/// Whether a label says yes; `None` if it is neither yes nor no.
pub fn parse_label(label: &str) -> Option<bool> {
    match Verdict::parse(label)? {
        Verdict::Same => Some(true),
        Verdict::Different => Some(false),
        _ => None,
    }
}
