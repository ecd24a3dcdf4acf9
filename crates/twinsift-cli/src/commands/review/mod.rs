//! `twinsift review`: pages to look at groups, and to teach a detector.

mod compare;

use crate::args::{ReviewArgs, SourceArgs};
use crate::exit::bad_input;
use crate::find;
use crate::numbers::counted;
use crate::outputs::{check_output_path, refuse_overwriting, refuse_same_output};
use crate::plan::{Run, Usual};
use crate::say::say;
use crate::summary::{self, line};
use std::path::PathBuf;
use twinsift::recipe::Matching;
use twinsift::{Detector, Find, Group};
use twinsift_io::{DocumentKind, Inputs};
use twinsift_review::{Options, Review, groups};

pub fn run(args: ReviewArgs) -> anyhow::Result<()> {
    if let [first, second] = &args.compare[..] {
        return compare::run(first, second);
    }
    let Some(labels) = args.labels.clone() else {
        return Err(bad_input(
            "--labels names the file that answers are kept in",
        ));
    };
    let sources = SourceArgs::only(args.inputs);
    let mut run = Run::with_usual(sources, &args.run, Usual::ByKind)?;
    if run.is_stored() {
        return Err(bad_input(
            "these are signatures: a review shows documents, so name the documents themselves",
        ));
    }
    let model = args
        .output
        .unwrap_or_else(|| labels.with_extension("model.json"));
    refuse_same_output(&[
        ("--labels", Some(Some(&labels))),
        ("-o", Some(Some(&model))),
    ])?;
    for (flag, path) in [("--labels", &labels), ("-o", &model)] {
        check_output_path(flag, path)?;
        refuse_overwriting(flag, Some(path), run.inputs.iter().chain(&args.import))?;
    }
    let inputs = Inputs::open(&run.inputs, run.read.clone())?;
    run.tell_kind(&inputs)?;
    let review = Review::open(options(
        &run,
        labels,
        model,
        args.import,
        args.port,
        args.show_scores,
    )?)?;
    if let Some(sentence) = review.mended() {
        say!("{}: {sentence}", review.labels().display());
    }
    if review.imported() > 0 {
        line("imported", &counted(review.imported() as u64, "label"));
    }
    // Programs that start a review wait for this line.
    say!("open {}", review.url());
    say!("it works once, in one browser; Ctrl-C ends the review");
    let spool = review.spool();
    review.run(|| {
        let look = |document: &twinsift::Document<'_>| spool.add(document);
        let found = find::find_in(&run, inputs, groups::PURPOSE, Some(&look))?;
        if !run.quiet {
            let result = summary::groups(&found.matches.clusters(Group::Representative)?);
            summary::print(&run, &found, &result, None);
        }
        Ok(found.matches)
    })
}

/// How a run is reviewed.
fn options(
    run: &Run,
    labels: PathBuf,
    model: PathBuf,
    import: Vec<PathBuf>,
    port: u16,
    show_scores: bool,
) -> anyhow::Result<Options> {
    let said = run.choices.find.filter(|&find| find != Find::Copies);
    let find = said.unwrap_or(match run.kind {
        Some(DocumentKind::Mail) => Find::Campaigns,
        _ => Find::Stories,
    });
    let first = match run.recipe.matching() {
        Matching::Detector(detector) => detector,
        _ => {
            if !run.quiet {
                let what = if find == Find::Campaigns {
                    "campaigns"
                } else {
                    "stories"
                };
                let begins = format!("begins with the built-in detector of {what}");
                line(
                    "learning",
                    &(begins + ", for the groups are not found by one"),
                );
            }
            Detector::built_in(find)
                .ok_or_else(|| bad_input("there is no detector to begin with"))?
        }
    };
    Ok(Options {
        port,
        labels,
        import,
        model,
        find,
        first,
        method: run.method(),
        show_scores,
        settings: run.settings.clone(),
        seed: run.recipe.seed(),
    })
}
