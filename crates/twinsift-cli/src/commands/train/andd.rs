//! `twinsift train andd`: how much k-grams count, from clusters.

use super::show::set_apart;
use crate::args::TrainAnddArgs;
use crate::evaluate::base::Base;
use crate::evaluate::collection::{Collection, Task};
use crate::evaluate::gold_source::GoldSource;
use crate::evaluate::labels::{Labels, as_strs};
use crate::exit::bad_input;
use crate::numbers::{counted, seconds};
use crate::outputs::{check_output_path, refuse_overwriting};
use crate::plan::{Run, lexicon, model_reading};
use crate::progress;
use crate::summary::line;
use std::path::Path;
use std::time::Instant;
use twinsift::features::learned::model::Model;
use twinsift::features::learned::phi::Queries;
use twinsift_io::AtomicFile;
use twinsift_learn::andd::{Options, Step, train};

pub fn run(args: TrainAnddArgs) -> anyhow::Result<()> {
    let run = Run::of_reading(args.inputs.clone(), &args.read, &args.common)?;
    refuse_overwriting("-o", Some(&args.output), run.inputs.iter())?;
    check_output_path("-o", &args.output)?;
    let options = options(&args, &run)?;
    let base = Base::new(Default::default(), Path::new(""));
    let gold = GoldSource::parse(&args.labels, &base)?;
    if let GoldSource::Method(_) = gold {
        return Err(bad_input(
            "--labels must be a field or a file with clusters",
        ));
    }
    let task = Task {
        name: "the input".to_owned(),
        gold,
        unjudged_within: args.unjudged_within.clone(),
        classes: None,
        cost: 0.0,
        split_by: None,
        queries: None,
        flag: "--labels",
    };
    let collection = Collection::read(&run, &task)?;
    let Labels::Clusters { cluster, group } = &collection.labels else {
        return Err(bad_input(
            "--labels names a file of pairs: andd learns from clusters, so name a file with id and cluster",
        ));
    };
    let started = Instant::now();
    let spinner = progress::working("training", run.quiet);
    let watch = |step: Step| {
        let apart = step.validation.map(|loss| format!(", set apart {loss:.5}"));
        let told = format!(
            "step {}: loss {:.5}{}",
            step.number,
            step.loss,
            apart.unwrap_or_default()
        );
        spinner.set_message(told);
    };
    let model = train(
        &collection.documents,
        &as_strs(cluster),
        &as_strs(group),
        &options,
        &run.settings,
        watch,
    );
    spinner.finish_and_clear();
    let mut model = model?;
    model.reading = Some(model_reading::of(&run.read));
    AtomicFile::write_all_to(&args.output, model.to_json().as_bytes())?;
    if !run.quiet {
        summarise(&model, started, &args.output);
    }
    Ok(())
}

fn options(args: &TrainAnddArgs, run: &Run) -> anyhow::Result<Options> {
    let defaults = Options::default();
    let given = &args.learning;
    let k = given.k.unwrap_or(defaults.k);
    let fold = given.fold || run.recipe.folds();
    let lexicon = match &given.lexicon {
        None => None,
        Some(path) => Some(lexicon::load(path, run.read.clone(), false, &run.settings)?),
    };
    let queries = match &given.queries {
        None => None,
        Some(path) => {
            let name = path.display().to_string();
            let text = std::fs::read_to_string(path)
                .map_err(|error| bad_input(format!("--queries: cannot read {name}: {error}")))?;
            let whole = std::path::absolute(path)?;
            Some((Queries::parse(&text, k as usize, fold, &name)?, whole))
        }
    };
    Ok(Options {
        k,
        similarity: given.similarity.unwrap_or(defaults.similarity),
        fold,
        lexicon,
        queries,
        without: given.without.clone(),
        alpha: given.alpha.unwrap_or(defaults.alpha),
        gamma: given.gamma.unwrap_or(defaults.gamma),
        steps: given.steps.unwrap_or(defaults.steps),
        min_precision: given.min_precision,
        seed: args.common.seed.unwrap_or(defaults.seed),
    })
}

fn summarise(model: &Model, started: Instant, output: &Path) {
    let training = &model.training;
    line(
        "learnt",
        &format!(
            "from {} in {}, {}",
            counted(training.documents, "document"),
            counted(training.clusters, "cluster"),
            seconds(started.elapsed())
        ),
    );
    line(
        "loss",
        &format!(
            "{:.5}, from {:.5} in {}",
            training.last_loss,
            training.first_loss,
            counted(u64::from(training.steps), "step")
        ),
    );
    let told = match &training.validation {
        Some(apart) => format!(
            "{}: precision {:.3}, recall {:.3}, F1 {:.3} on {}",
            model.threshold,
            apart.precision,
            apart.recall,
            apart.f1,
            set_apart(apart)
        ),
        None => format!(
            "{}: too few clusters to set some apart and tell how good it is",
            model.threshold
        ),
    };
    line("threshold", &told);
    line("written", &output.display().to_string());
}
