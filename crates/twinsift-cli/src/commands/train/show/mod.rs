//! `twinsift train show`: a model in plain words, whatever its kind.

mod andd;
mod detector;
mod signals;

pub use andd::set_apart;

use super::super::{print, print_data};
use crate::args::TrainShowArgs;
use crate::plan::model::{self, AnyModel};

pub fn run(args: &TrainShowArgs) -> anyhow::Result<()> {
    let text = match model::read_any(&args.model)? {
        _ if args.json => return Ok(print_data(&model::text(&args.model)?)?),
        AnyModel::Learned(model) => andd::explain(&model),
        AnyModel::Signals(model) => signals::explain(&model),
        AnyModel::Detector(model) => detector::explain(&model),
    };
    Ok(print(&text)?)
}
