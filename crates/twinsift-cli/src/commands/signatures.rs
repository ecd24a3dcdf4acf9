//! `twinsift signatures`: a collection's signatures as data.

use super::{id_columns, shown, spare, target};
use crate::args::run::Run;
use crate::args::{SignaturesArgs, SourceArgs};
use crate::exit::bad_input;
use crate::pages::decide;
use crate::summary::{counted, line, seconds};
use crate::{read, stored};
use std::time::Instant;
use twinsift::recipe::Method;
use twinsift_io::write::Table;

pub fn run(args: SignaturesArgs) -> anyhow::Result<()> {
    let sources = SourceArgs {
        inputs: args.inputs,
        against: Vec::new(),
    };
    let run = Run::with_method(sources, args.run, Method::IMatch)?;
    decide::refuse_classifier(&run, "twinsift signatures", "there is no signature of one")?;
    stored::refuse_too_many(&run.recipe)?;
    if run.stored[0].is_some() {
        return Err(bad_input("the input holds signatures already"));
    }
    let output = target(args.output.output.as_deref());
    spare("-o", output, run.inputs.iter())?;
    Table::check(output)?;
    let started = Instant::now();
    let signatures = read::sifter(&run, |_| {})?.sign()?;
    let names: Vec<String> = (0..signatures.width()).map(|at| format!("s{at}")).collect();
    let [id] = id_columns(["id"], signatures.documents());
    let mut table = run.table(output, &stored::columns(id, &names))?;
    stored::write(&signatures, &mut table)?;
    table.finish()?;
    if run.quiet {
        return Ok(());
    }
    let documents = signatures.documents().len();
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
