//! `twinsift index`: a collection that stays on disk.

mod add;
mod create;
mod query;
mod remove;
mod stats;
mod upkeep;

use crate::args::{IndexAction, IndexArgs};
pub use add::tell_dropped;
use anyhow::Result;
pub use query::matched_now;

pub fn run(args: IndexArgs) -> Result<()> {
    match args.action {
        IndexAction::Create(args) => create::run(*args),
        IndexAction::Add(args) => add::run(args),
        IndexAction::Query(args) => query::run(args),
        IndexAction::Remove(args) => remove::run(args),
        IndexAction::Expire(args) => upkeep::expire(&args),
        IndexAction::Compact(args) => upkeep::compact(&args),
        IndexAction::Stats(args) => stats::run(&args),
        IndexAction::Check(args) => upkeep::check(&args),
        IndexAction::Snapshot(args) => upkeep::snapshot(&args),
    }
}
