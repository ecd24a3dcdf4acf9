//! `twinsift index create`: an empty index with its recipe.

use crate::args::{IndexCreateArgs, SourceArgs};
use crate::exit::bad_input;
use crate::pages::decide;
use crate::plan::Run;
use crate::read;
use crate::summary::line;
use twinsift::Statistics;
use twinsift_index::Index;

pub fn run(args: IndexCreateArgs) -> anyhow::Result<()> {
    let IndexCreateArgs {
        folder,
        statistics,
        run,
    } = args;
    let run = Run::new(SourceArgs::only(statistics), &run)?;
    let instead = "use twinsift pairs NEW --against OLD";
    decide::refuse_classifier(&run, "twinsift index", instead)?;
    if run
        .recipe
        .model()
        .is_some_and(|model| model.query_log.is_some())
    {
        return Err(bad_input(
            "an index cannot keep a model that was trained with a log of queries: train one without",
        ));
    }
    let needed = Statistics::are_needed_by(&run.recipe);
    match (needed, run.inputs.is_empty()) {
        (true, true) => {
            return Err(bad_input(
                "this method goes by how common words are in a collection, and an index begins without one: name documents to count them in with --statistics, or a --lexicon for --method imatch",
            ));
        }
        (false, false) => {
            return Err(bad_input(
                "--statistics has no meaning here: this method does not go by how common words are",
            ));
        }
        _ => {}
    }
    let mut counter = Statistics::counter(&run.recipe);
    if needed {
        read::visit(&run, &run.inputs, |document| counter.add(document))?;
    }
    let statistics = counter.finish();
    Index::create(&folder, &run.recipe, &statistics)?.close()?;
    if !run.quiet {
        line("method", &run.recipe.to_string());
        if needed {
            let documents = crate::numbers::counted(statistics.documents(), "document");
            line(
                "counted",
                &format!("{documents}: how common words are stays as it is there"),
            );
        }
        line("made", &folder.display().to_string());
    }
    Ok(())
}
