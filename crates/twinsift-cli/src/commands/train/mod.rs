//! `twinsift train`: what can be learned from labels.

mod show;
mod signals;

use crate::args::{TrainArgs, TrainWhat};

pub fn run(args: TrainArgs) -> anyhow::Result<()> {
    match args.what {
        TrainWhat::Signals(args) => signals::run(*args),
        TrainWhat::Show(args) => show::run(&args.model),
    }
}
