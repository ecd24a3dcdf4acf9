//! `twinsift index stats`: what an index holds.

use super::super::{print, print_data};
use crate::args::IndexStatsArgs;
use crate::numbers::{count, counted, show_size};
use serde::Serialize;
use std::fmt::Write;
use twinsift::Recipe;
use twinsift_index::{Searcher, Stats, Time};

/// The figures as JSON.
#[derive(Serialize)]
struct Shown<'a> {
    documents: u64,
    removed: u64,
    segments: u64,
    in_log: u64,
    keys: u64,
    bytes: u64,
    memory: u64,
    method: String,
    recipe_id: String,
    recipe: &'a Recipe,
}

pub fn run(args: &IndexStatsArgs) -> anyhow::Result<()> {
    let searcher = Searcher::open(&args.folder)?;
    let stats = searcher.stats(Time::now())?;
    match args.json {
        true => print_json(&searcher, stats),
        false => print_text(&searcher, stats),
    }
}

fn print_json(searcher: &Searcher, stats: Stats) -> anyhow::Result<()> {
    let recipe = searcher.recipe();
    let shown = Shown {
        documents: stats.documents,
        removed: stats.removed,
        segments: stats.segments,
        in_log: stats.in_log,
        keys: stats.keys,
        bytes: stats.bytes,
        memory: stats.memory,
        method: recipe.to_string(),
        recipe_id: recipe.id(),
        recipe,
    };
    print_data(&(serde_json::to_string_pretty(&shown)? + "\n"))?;
    Ok(())
}

fn print_text(searcher: &Searcher, stats: Stats) -> anyhow::Result<()> {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{name:<10} {value}");
    };
    line("documents", count(stats.documents));
    if stats.removed > 0 {
        let removed = count(stats.removed);
        line(
            "removed",
            format!("{removed}, whose space twinsift index compact gives back"),
        );
    }
    let each = stats.bytes.checked_div(stats.documents);
    let each = each.map_or(String::new(), |each| {
        format!(", {} a document", show_size(each))
    });
    line("on disk", show_size(stats.bytes) + &each);
    line("in memory", show_size(stats.memory));
    line(
        "files",
        format!(
            "{}, and a log with {}",
            counted(stats.segments, "segment"),
            counted(stats.in_log, "document")
        ),
    );
    line("method", searcher.recipe().to_string());
    line("recipe", searcher.recipe().id());
    print(&text)?;
    Ok(())
}
