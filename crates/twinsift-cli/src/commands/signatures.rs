//! `twinsift signatures`: a collection's signatures as data.

use super::shown;
use crate::args::{SignaturesArgs, SourceArgs};
use crate::exit::bad_input;
use crate::numbers::{counted, seconds};
use crate::outputs::{id_columns, refuse_overwriting, target};
use crate::pages::decide;
use crate::plan::{Run, Usual};
use crate::summary::line;
use crate::{read, stored};
use std::time::Instant;
use twinsift::recipe::{Matcher, Method};
use twinsift_io::write::Table;

pub fn run(mut args: SignaturesArgs) -> anyhow::Result<()> {
    let choices = &mut args.run.method.choices;
    for (flag, is_given) in [
        ("--require", choices.require.is_some()),
        ("--verify", choices.verify.is_some()),
        ("--unsigned", args.run.method.files.unsigned.is_some()),
    ] {
        if is_given {
            return Err(bad_input(format!(
                "{flag} has no meaning here: it belongs to the commands that compare signatures"
            )));
        }
    }
    // Bits or min-hashes by themselves are the only signatures of these.
    if matches!(choices.method, Some(Method::Andd | Method::MinHash)) && choices.matcher.is_none() {
        (choices.matcher, choices.no_verify) = (Some(Matcher::Lsh), Some(true));
    }
    let sources = SourceArgs::only(args.inputs);
    let mut run = Run::with_usual(sources, &args.run, Usual::Method(Method::IMatch))?;
    if run.stored[0].is_some() {
        return Err(bad_input("the input holds signatures already"));
    }
    decide::refuse_classifier(&run, "twinsift signatures", "there is no signature of one")?;
    run.recipe.check_signing()?;
    stored::refuse_too_many(&run.recipe)?;
    run.recipe = run.recipe.for_signing();
    let output = target(args.output.output.as_deref());
    refuse_overwriting("-o", output, run.inputs.iter())?;
    Table::check(output)?;
    let started = Instant::now();
    let signatures = read::signatures(&run)?;
    let width = run.recipe.signature_width();
    let names: Vec<String> = (0..width).map(|at| format!("s{at}")).collect();
    let [id] = id_columns(["id"], &signatures.documents);
    let mut table = run.table(output, &stored::columns(id, &names))?;
    signatures.write(&mut table)?;
    table.finish()?;
    if run.quiet {
        return Ok(());
    }
    let documents = signatures.documents.len();
    line("method", &run.recipe.to_string());
    let read = format!(
        "{} in {}",
        counted(documents as u64, "document"),
        seconds(started.elapsed())
    );
    line("read", &read);
    let signed = signatures.signed();
    let mut text = counted(signed as u64, "document");
    if signed < documents {
        text += "; the others have too little to be signed by";
    }
    line("signed", &text);
    if let Some(written) = shown(output) {
        line("written", &written);
    }
    Ok(())
}
