//! `twinsift judge`: which results of a query are the same page, and how good are
//! engines if that is not counted twice?

mod duplicates;
mod files;
mod tables;

use super::print;
use crate::args::{JudgeArgs, SourceArgs, run_args};
use crate::complaints::Complaints;
use crate::exit::bad_input;
use crate::numbers::counted;
use crate::outputs::refuse_overwriting;
use crate::pages::Queries;
use crate::plan::{Run, model};
use crate::say::say;
use crate::threads;
use duplicates::Pools;
use files::Files;
use std::path::Path;
use twinsift_io::write::Table;

pub fn run(args: JudgeArgs) -> anyhow::Result<()> {
    let sources = SourceArgs::only(args.docs.clone());
    let run = Run::new(sources, &run_args(args.read.clone(), args.common.clone()))?;
    check_outputs(&args)?;
    if args.model.is_some() {
        args.read.refuse_content()?;
    }
    if args.threshold.is_some_and(|t| !(t > 0.0 && t <= 1.0)) {
        return Err(bad_input("--threshold must be above 0 and at most 1"));
    }
    let model = args.model.as_deref().map(model::read).transpose()?;
    threads::within(&run.settings, || {
        let mut complaints = Complaints::new(run.strict, "lines");
        let files = Files::read(&args, &mut complaints)?;
        let mut queries = Queries::read(args.queries.as_deref(), &mut complaints)?;
        let judge = duplicates::Judge::new(model, args.threshold, run.read.content);
        let mut collection = judge.read(&run)?;
        let pools = Pools::new(
            &files,
            &collection,
            &mut queries,
            args.queries.is_some(),
            usize::from(args.depth),
            &mut complaints,
        )?;
        complaints.close();
        let classes = judge.classes(&pools, &mut collection, &queries, run.quiet);
        let output = args.output.as_deref();
        if let Some(path) = output {
            tables::write_classes(&run, path, &pools, &classes, &files.qrels)?;
        }
        if let Some(path) = &args.contradictions {
            tables::write_contradictions(&run, path, &classes, &files.qrels)?;
        }
        let measured = tables::Measured::new(&files, &classes, usize::from(args.depth));
        if let Some(path) = &args.per_query {
            measured.write(&run, path)?;
        }
        print(&measured.markdown(args.qrels.is_some()))?;
        if !run.quiet {
            summary(&judge, &pools, &classes, &complaints, &files);
            for path in [
                output,
                args.contradictions.as_deref(),
                args.per_query.as_deref(),
            ]
            .into_iter()
            .flatten()
            {
                say!("  written  {}", path.display());
            }
        }
        Ok(())
    })
}

fn check_outputs(args: &JudgeArgs) -> anyhow::Result<()> {
    let outputs = [
        ("-o", args.output.as_deref()),
        ("--per-query", args.per_query.as_deref()),
        ("--contradictions", args.contradictions.as_deref()),
    ];
    let read = args.docs.iter().chain(&args.runs);
    let read = read
        .chain(&args.queries)
        .chain(&args.qrels)
        .chain(&args.model);
    let mut known: Vec<&Path> = Vec::new();
    for (flag, path) in outputs {
        if path.is_some_and(|path| path.as_os_str() == "-") {
            return Err(bad_input(format!(
                "{flag} names a file: standard output is for the table of measures"
            )));
        }
        refuse_overwriting(flag, path, read.clone())?;
        Table::check(path)?;
        let Some(path) = path else { continue };
        if known.contains(&path) {
            return Err(bad_input(format!(
                "{flag} {} is named for two outputs",
                path.display()
            )));
        }
        known.push(path);
    }
    Ok(())
}

fn summary(
    judge: &duplicates::Judge,
    pools: &Pools,
    classes: &duplicates::QueryClasses,
    complaints: &Complaints,
    files: &Files,
) {
    say!("   judged  {}", judge.in_words());
    say!(
        "     read  {} for {}; {}",
        counted(pools.results() as u64, "result"),
        counted(pools.len() as u64, "query"),
        counted(complaints.count(), "complaint")
    );
    let (groups, members) = classes.duplicates();
    say!(
        "    found  {} in {}",
        counted(members as u64, "repeated result"),
        counted(groups as u64, "class")
    );
    let contradictions = classes.contradictions(&files.qrels);
    if !contradictions.is_empty() {
        say!(
            "           {} whose members were judged differently (--contradictions lists them)",
            counted(contradictions.len() as u64, "class")
        );
    }
}
