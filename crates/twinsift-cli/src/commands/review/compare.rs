//! `twinsift review --compare`: how far two raters agree.

use crate::commands::print;
use crate::numbers::counted;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;
use twinsift_learn::detect::labels::pair_key;
use twinsift_learn::detect::{Agreement, Verdict};
use twinsift_review::{Label, LabelFile};

pub fn run(first: &Path, second: &Path) -> anyhow::Result<()> {
    let [ours, theirs] = [LabelFile::read(first)?, LabelFile::read(second)?];
    let others: HashMap<_, Verdict> = theirs
        .iter()
        .map(|label| (key(label), label.verdict))
        .collect();
    let both: Vec<(&Label, bool, bool)> = (ours.iter())
        .filter_map(|label| {
            let other = others.get(&key(label))?.same()?;
            Some((label, label.verdict.same()?, other))
        })
        .collect();
    let agreement = Agreement::of(both.iter().map(|(_, x, y)| (*x, *y)));
    let mut told = counted(agreement.pairs(), "pair");
    told += " that both decided";
    if let Some(share) = agreement.share() {
        let _ = write!(
            told,
            ": {} the same to both, {} different to both, {} the same to the first only, {} to the second only\n\
             agreement {:.1} %",
            agreement.both_same,
            agreement.both_different,
            agreement.only_first,
            agreement.only_second,
            share * 100.0
        );
        match agreement.kappa() {
            Some(kappa) => _ = write!(told, ", Cohen's kappa {kappa:.3}"),
            None => told += "; Cohen's kappa says nothing, for both said the same of every pair",
        }
    }
    told.push('\n');
    for (label, same, _) in both.iter().filter(|(_, x, y)| x != y) {
        let said = if *same {
            "the same to the first only"
        } else {
            "the same to the second only"
        };
        let [a, b] = [&label.a, &label.b].map(|id| id.replace('\n', " "));
        let _ = writeln!(told, "{a}  {b}  {said}");
    }
    Ok(print(&told)?)
}

fn key(label: &Label) -> (&str, &str) {
    pair_key(&label.a, &label.b)
}
