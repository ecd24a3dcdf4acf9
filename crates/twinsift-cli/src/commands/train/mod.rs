//! `twinsift train`: what can be learned from labels.

mod andd;
mod detector;
mod show;
mod signals;

use crate::args::{TrainAction, TrainArgs};

pub fn run(args: TrainArgs) -> anyhow::Result<()> {
    match args.action {
        TrainAction::Andd(args) => andd::run(*args),
        TrainAction::Detector(args) => detector::run(*args),
        TrainAction::Signals(args) => signals::run(*args),
        TrainAction::Show(args) => show::run(&args),
    }
}
