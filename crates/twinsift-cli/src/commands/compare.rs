//! `twinsift compare`: why two documents are, or are not, near duplicates.

use super::{print_data, print_shown, sentences, signals_shown};
use crate::args::{CompareArgs, SourceArgs};
use crate::exit::bad_input;
use crate::numbers::count;
use crate::plan::{Run, lexicon};
use crate::read;
use crate::say::{Shown, plain, say, styled};
use anstyle::{AnsiColor, Style};
use serde::Serialize;
use serde_json::{Map, Value};
use std::path::PathBuf;
use twinsift::compare::Comparison;
use twinsift::recipe::FeatureKind;
use twinsift::{Document, Id, Statistics};
use twinsift_io::{Body, Content};

/// Features of a kind that are printed; JSON has all.
const SHOWN: usize = 8;

/// What `--json` prints.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    comparison: &'a Comparison,
    #[serde(flatten)]
    signals: Map<String, Value>,
}

pub fn run(args: CompareArgs) -> anyhow::Result<()> {
    let sources = SourceArgs::only(args.collection.clone());
    let mut run = Run::new(sources, &args.run)?;
    let needs_lexicon =
        run.recipe.features() == FeatureKind::Lexicon && run.recipe.lexicon().is_none();
    let reads_twice = needs_lexicon
        || run.recipe.needs_collection()
        || run.classifier.is_some()
        || args.query.is_some();
    if reads_twice && run.inputs.iter().any(|path| path.as_os_str() == "-") {
        return Err(bad_input(
            "these two are compared by their whole collection, which is read twice: name a file, for standard input can be read only once",
        ));
    }
    if needs_lexicon && !run.inputs.is_empty() {
        let lexicon = lexicon::counted(
            &run.inputs,
            run.read.clone(),
            run.recipe.folds(),
            &run.settings,
        )?;
        run.recipe = run.recipe.with_lexicon(lexicon)?;
    }
    let (a, b) = two_documents(&run, &args)?;
    let recipe = run.recipe.candidates();
    let mut comparison = match recipe.needs_collection() && !run.inputs.is_empty() {
        true => {
            let mut counter = Statistics::counter_for(&recipe, [&a, &b]);
            read::visit(&run, &run.inputs, |document| counter.add(document))?;
            twinsift::compare_in(&a, &b, &recipe, &counter.finish())?
        }
        false => twinsift::compare(&a, &b, &recipe)?,
    };
    if run.recipe.needs_collection() && run.inputs.is_empty() && !run.quiet {
        say!(
            "these two documents alone say how rare each word is: name their collection with --in to compare them as a run over it would"
        );
    }
    let mut signals = None;
    if args.query.is_some() || run.classifier.is_some() {
        run.read.content = Content::Html;
        run.read.body = Body::Both;
        let pages = two_documents(&run, &args)?;
        let model = run.classifier.as_deref();
        let told = signals_shown::tell(pages, args.query.as_deref(), model);
        if let (Some(score), Some(by)) = (told.score, run.recipe.classifier()) {
            comparison.near_duplicates = score >= by.threshold;
            comparison.method = run.recipe.to_string();
            comparison.recipe = run.recipe.id();
            comparison.score = Some(score);
            comparison.threshold = Some(by.threshold);
        }
        signals = Some(told);
    }
    match args.json {
        true => {
            let told = Told {
                comparison: &comparison,
                signals: signals.map(|signals| signals.fields()).unwrap_or_default(),
            };
            print_data(&(serde_json::to_string_pretty(&told)? + "\n"))?;
        }
        false => {
            let shown = signals.map(|signals| signals.render());
            print_shown(&render(&comparison).and(shown.unwrap_or_default()))?;
        }
    }
    Ok(())
}

/// Whether a document may have this name in results.
fn is_called(document: &Document<'_>, id: &str) -> bool {
    document.id.text == id || document.second_id.as_deref() == Some(id)
}

fn unknown_id(id: &str) -> anyhow::Error {
    bad_input(format!("no document has the id \"{id}\""))
}

/// The documents to compare, read as the run says.
fn two_documents(
    run: &Run,
    args: &CompareArgs,
) -> anyhow::Result<(Document<'static>, Document<'static>)> {
    if run.inputs.is_empty() && args.a == "-" && args.b == "-" {
        return Err(bad_input(
            "- is named twice, but standard input can be read only once",
        ));
    }
    if run.inputs.is_empty() {
        return Ok((only_document(run, &args.a)?, only_document(run, &args.b)?));
    }
    let mut wanted = [(args.a.as_str(), None), (args.b.as_str(), None)];
    read::visit(run, &run.inputs, |document| {
        for (id, found) in &mut wanted {
            if found.is_none() && is_called(document, id) {
                *found = Some(Document {
                    id: Id::text(id.to_owned()),
                    ..document.clone().into_owned()
                });
            }
        }
    })?;
    let [a, b] = wanted.map(|(id, found)| found.ok_or_else(|| unknown_id(id)));
    Ok((a?, b?))
}

/// The one document of a file.
fn only_document(run: &Run, path: &str) -> anyhow::Result<Document<'static>> {
    let mut documents = Vec::new();
    let mut total = 0;
    read::visit(run, &[PathBuf::from(path)], |document| {
        total += 1;
        if documents.is_empty() {
            documents.push(document.clone().into_owned());
        }
    })?;
    match (documents.pop(), total) {
        (Some(document), 1) => Ok(document),
        (None, _) => Err(bad_input(format!("{path} holds no document"))),
        (Some(_), _) => Err(bad_input(format!(
            "{path} holds {} documents: name two of them by id, with --in {path}",
            count(total)
        ))),
    }
}

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const STRONG: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

fn render(comparison: &Comparison) -> Shown {
    let Comparison { a, b, words, .. } = comparison;
    let mut out = Shown::default();
    for (name, id, words) in [("a", a, words[0]), ("b", b, words[1])] {
        let words = format!("  {} words", count(words as u64));
        out.line(plain(name).plain("  ").styled(STRONG, id).plain(&words));
    }
    out.line(plain(""));
    out.line(match comparison.near_duplicates {
        true => styled(GOOD, "near duplicates"),
        false => styled(BAD, "not near duplicates"),
    });
    let mut verdict = format!("  by {}", comparison.method);
    if let Some(score) = comparison.score {
        verdict += &format!(": the score is {score:.4}");
    }
    out.line(plain(&verdict));
    out.line(plain(""));
    for measured in &comparison.similarities {
        let filled = (measured.value * 20.0).round() as usize;
        let value = format!("  {:32} {:.4}  ", measured.name, measured.value);
        out.line(
            plain(&(value + &"█".repeat(filled)))
                .styled(FAINT, &"·".repeat(20 - filled.min(20)))
                .plain("  ")
                .styled(FAINT, &measured.note),
        );
    }
    if let Some(terms) = &comparison.terms {
        out.line(plain(""));
        out.line(styled(STRONG, "terms that carry the similarity"));
        for term in terms.iter().take(SHOWN) {
            let [x, y] = term.weights;
            out.line(
                plain(&format!("  {:5.1} %  {}  ", term.share * 100.0, term.term))
                    .styled(FAINT, &format!("weighs {x:.3} and {y:.3}")),
            );
        }
    }
    for (name, sentences) in ["a", "b"].iter().zip(comparison.sentences.iter().flatten()) {
        let (shown, all) = sentences::render(sentences, GOOD, FAINT);
        let title = format!("sentences of {name} with shared spots");
        out.line(plain(""));
        out.line(styled(STRONG, &title).plain(&format!(" ({})", count(all as u64))));
        let more = all - shown.len();
        for sentence in shown {
            out.line(plain("  ").and(sentence));
        }
        if more > 0 {
            out.line(and_more(more));
        }
    }
    let lists = [
        ("in both", &comparison.shared, GOOD, "="),
        ("only in a", &comparison.only_a, BAD, "-"),
        (
            "only in b",
            &comparison.only_b,
            AnsiColor::Blue.on_default().bold(),
            "+",
        ),
    ];
    for (title, features, style, sign) in lists {
        out.line(plain(""));
        let number = format!(" ({})", count(features.len() as u64));
        out.line(styled(STRONG, title).plain(&number));
        for feature in features.iter().take(SHOWN) {
            out.line(plain("  ").styled(style, sign).plain(" ").plain(feature));
        }
        if features.len() > SHOWN {
            out.line(and_more(features.len() - SHOWN));
        }
    }
    out
}

fn and_more(number: usize) -> Shown {
    let more = count(number as u64);
    styled(
        FAINT,
        &format!("    … and {more} more (all of them with --json)"),
    )
}
