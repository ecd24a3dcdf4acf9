//! `twinsift train`: models from labelled documents.

mod andd;
mod show;

use crate::args::{TrainAction, TrainArgs};

pub fn run(args: TrainArgs) -> anyhow::Result<()> {
    match args.action {
        TrainAction::Andd(args) => andd::run(*args),
        TrainAction::Show(args) => show::run(&args),
    }
}
