//! `twinsift spots`: the lists behind spot signatures.

use super::print;
use crate::args::SpotsArgs;
use crate::exit::bad_input;
use twinsift::features::spots::Language;

pub fn run(args: SpotsArgs) -> anyhow::Result<()> {
    let text = match args.show {
        None => languages(),
        Some(code) => lists(Language::try_from(code).map_err(bad_input)?),
    };
    Ok(print(&text)?)
}

/// One line for each language.
fn languages() -> String {
    let line = |language: Language| {
        let (antecedents, stops) = (language.antecedents().len(), language.stop_words().len());
        format!(
            "{}  {:12} {antecedents:>4} antecedents, {stops:>4} stop words\n",
            language.code(),
            language.name()
        )
    };
    Language::all().map(line).collect()
}

/// Both lists of a language, as files that can be given back by --antecedents and
/// --stop-words once they are cut in two.
fn lists(language: Language) -> String {
    let name = language.name();
    format!(
        "# {name}: antecedents\n{}\n\n# {name}: stop words\n{}\n",
        language.antecedents().join("\n"),
        language.stop_words().join("\n")
    )
}
