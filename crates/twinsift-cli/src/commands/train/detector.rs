//! `twinsift train detector`: what counts as the same, from labelled pairs.

use crate::args::{SourceArgs, TrainDetectorArgs, run_args};
use crate::complaints::Complaints;
use crate::exit::bad_input;
use crate::numbers::{counted, seconds};
use crate::outputs::{check_output_path, refuse_overwriting};
use crate::pages::{Collection, PairFile, Queries};
use crate::plan::Run;
use crate::summary::line;
use crate::threads;
use std::time::Instant;
use twinsift::{Detector, Find};
use twinsift_io::{AtomicFile, DocumentKind, Inputs};
use twinsift_learn::detect::{Example, Fit, Model, Pool, Training, estimate, pool};

pub fn run(args: TrainDetectorArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    let sources = SourceArgs::only(args.inputs.clone());
    let run = Run::new(sources, &run_args(args.read.clone(), args.common.clone()))?;
    refuse_overwriting(
        "-o",
        Some(&args.output),
        run.inputs.iter().chain([&args.pairs]),
    )?;
    check_output_path("-o", &args.output)?;
    let find = args.find.map_or_else(|| usual(&run), Ok)?;
    let Some(first) = Detector::built_in(find) else {
        return Err(bad_input(
            "copies need no detector: choose --find stories or campaigns",
        ));
    };
    let collection = Collection::read_texts(&run)?;
    let mut complaints = Complaints::new(run.strict, "pair");
    let pairs = PairFile::read(
        &args.pairs,
        &collection,
        &mut Queries::default(),
        &mut complaints,
    )?;
    complaints.close();
    let (examples, fit, detector) = threads::within(&run.settings, || {
        let documents = collection.documents();
        let pool = Pool::of(&documents, &first, &run.settings)?;
        let of_pairs: Vec<(u32, u32)> = pairs.pairs.iter().map(|pair| (pair.a, pair.b)).collect();
        let rows = pool::rows(&pool.signatures, &of_pairs);
        let examples: Vec<Example> = rows
            .into_iter()
            .zip(&pairs.labels)
            .filter_map(|(row, &same)| {
                Some(Example {
                    row,
                    same: same?,
                    weight: 1.0,
                })
            })
            .collect();
        let fit = Fit::from_labels(first, &pool.rows);
        let detector = fit.learn(&examples);
        anyhow::Ok((examples, fit, detector))
    })?;
    if examples.is_empty() {
        let path = args.pairs.display();
        return Err(bad_input(format!(
            "{path} has no labels: it needs a column label with 1 or 0"
        )));
    }
    let training = Training {
        pairs: examples.len() as u64,
        same: examples.iter().filter(|example| example.same).count() as u64,
    };
    let model = Model::new(find, detector, training);
    AtomicFile::write_all_to(&args.output, model.spelled().as_bytes())?;
    if !run.quiet {
        summarise(&model, &fit, &examples, started);
        line("written", &args.output.display().to_string());
    }
    Ok(())
}

/// What is looked for among documents of this kind.
fn usual(run: &Run) -> anyhow::Result<Find> {
    let inputs = Inputs::open(&run.inputs, run.read.clone())?;
    Ok(match inputs.kind() {
        DocumentKind::Mail => Find::Campaigns,
        _ => Find::Stories,
    })
}

fn summarise(model: &Model, fit: &Fit, examples: &[Example], started: Instant) {
    let right = |detector: &Detector| {
        let is_right = |example: &&Example| {
            (detector.score_of(&example.row) >= detector.threshold) == example.same
        };
        examples.iter().filter(is_right).count()
    };
    line(
        "learnt",
        &format!(
            "from {}, of which {} the same, in {}",
            counted(model.training.pairs, "labelled pair"),
            model.training.same,
            seconds(started.elapsed())
        ),
    );
    line(
        "right",
        &format!(
            "{} of them; {} by the built-in detector, {} when each is judged without its own label",
            right(&model.detector),
            right(&fit.first),
            estimate::right_when_held_out(fit, examples),
        ),
    );
}
