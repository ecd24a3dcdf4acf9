//! The one-screen summary on standard error.

use crate::find::Found;
use crate::numbers::{count, counted, seconds, show_size};
use crate::plan::{Run, reason};
use crate::say::{Shown, styled};
use anstyle::{AnsiColor, Style};
use twinsift::Clustering;
use twinsift::recipe::{FeatureKind, Matching};
use twinsift::sketch::imatch::Rules;
use twinsift_io::DocumentKind;

const STRONG: Style = Style::new().bold();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const FAINT: Style = Style::new().dimmed();

/// Of so many files a guessed charset is named.
const CHARSETS_SHOWN: usize = 3;

/// Prints what was read, how it was compared, what was found and where it went.
pub fn print(run: &Run, found: &Found, result: &str, written: Option<String>) {
    if run.quiet {
        return;
    }
    line("method", &run.method());
    if let Some(kind) = run.kind {
        line("", &why(kind));
    }
    line("read", &what_was_read(found, run.index.is_some()));
    let notes = notes(run, found);
    if !notes.is_empty() {
        line("", &notes.join("; "));
    }
    line("matched", &work_done(found));
    for text in [chance_by_similarity(run), chance_by_words(run)] {
        text.into_iter().for_each(|text| line("", &text));
    }
    labelled(GOOD, "found", result).tell();
    if let Some(written) = written {
        line("written", &written);
    }
    let id = match &run.stored[0] {
        Some(stored) if run.is_stored() => format!("signed by recipe {}", stored.recipe),
        _ => format!("recipe {}", run.recipe.id()),
    };
    styled(FAINT, &format!("{:>9}  {id}", "")).tell();
}

/// What is looked for among documents of a kind, and why.
pub fn why(kind: DocumentKind) -> String {
    format!("looks for {} (--find says otherwise)", reason(kind))
}

fn what_was_read(found: &Found, is_index: bool) -> String {
    let (documents, words) = (found.matches.documents(), found.matches.report().words);
    let old = documents.len() as u64 - documents.old_from().map_or(0, u64::from);
    let mut read = match documents.old_from() {
        None => counted(documents.len() as u64, "document"),
        Some(from) => format!(
            "{} against {}{}",
            counted(u64::from(from), "document"),
            counted(old, if is_index { "matching one" } else { "old one" }),
            if is_index {
                " of the index that match"
            } else {
                ""
            },
        ),
    };
    if words > 0 {
        read += &format!(", {}", counted(words, "word"));
    }
    read + &format!(" in {}", seconds(found.reading))
}

/// What is unusual about the documents.
fn notes(run: &Run, found: &Found) -> Vec<String> {
    let report = found.matches.report();
    let mut notes = skipped(report.skipped, found.files);
    let mut note = |number: u64, text: &str| {
        if number > 0 {
            notes.push(format!("{} {text}", count(number)));
        }
    };
    note(report.unjudged, "without words, never matched");
    note(
        report.emptied,
        "without a feature in the range of --idf, never matched",
    );
    note(report.unsigned, why_unsigned(run));
    note(report.short, "shorter than a shingle, compared as a whole");
    if report.orphan_revisits > 0 {
        let revisits = counted(report.orphan_revisits, "revisit");
        notes.push(revisits + " of pages that are not in the input");
    }
    let whole = found.inputs.whole_pages();
    if whole > 0 {
        notes.push(format!(
            "{} too large to look for main content, compared as a whole",
            counted(whole, "page")
        ));
    }
    for (source, charset) in found.inputs.guessed_charsets().take(CHARSETS_SHOWN) {
        notes.push(format!(
            "{} is read as {charset} where it is not UTF-8 (--charset says otherwise)",
            source.name
        ));
    }
    notes
}

/// What becomes of documents that have too little to be signed.
fn why_unsigned(run: &Run) -> &'static str {
    match run.recipe.spot_rules().and_then(|rules| rules.fallback) {
        _ if run.is_stored() => "without a signature, never matched",
        _ if run.recipe.features() == FeatureKind::Lexicon => {
            "with too few words of the lexicon, never matched (--unsigned lists them)"
        }
        None => "with too few spots, never matched (--fallback shingles compares them)",
        Some(_) => "with too few spots, compared among themselves by shingles",
    }
}

fn work_done(found: &Found) -> String {
    let report = found.matches.report();
    let compared = counted(report.compared, "pair");
    let mut work = format!("{compared} checked in {}", seconds(found.matching));
    if report.spilled_bytes > 0 {
        work += &format!(", {} kept on disk", show_size(report.spilled_bytes));
    }
    work
}

/// How likely pairs of some similarities are found, where that is a matter of chance.
fn chance_by_similarity(run: &Run) -> Option<String> {
    let chances = run.recipe.expected_recall();
    let chances: Vec<String> = (chances.iter())
        .map(|(similarity, chance)| format!("{:.1} % at {similarity}", chance * 100.0))
        .collect();
    let what = match run.recipe.matching() {
        Matching::Hamming(_) | Matching::Hyperplanes(_) => "cosine",
        _ => "Jaccard",
    };
    let text = format!(
        "approximate: the chance to find a pair is {} ({what})",
        chances.join(", ")
    );
    (!chances.is_empty()).then_some(text)
}

/// The same for pairs that differ in some words of a lexicon.
fn chance_by_words(run: &Run) -> Option<String> {
    let chances = run.recipe.expected_survival();
    if chances.is_empty() || run.is_stored() {
        return None;
    }
    let what = match run.recipe.features() {
        FeatureKind::Spots => "spots",
        _ => "words",
    };
    let is_one = |rules: Rules| rules.lexicons == 0;
    if run.recipe.imatch_rules().is_some_and(is_one) {
        return Some(format!(
            "approximate: only documents with the same {what} of the lexicon are found"
        ));
    }
    let chances: Vec<String> = (chances.iter())
        .map(|(words, chance)| format!("{:.1} % if {words}", chance * 100.0))
        .collect();
    Some(format!(
        "approximate: the chance to find a pair is {} {what} of the lexicon differ",
        chances.join(", ")
    ))
}

/// What was left out: so many records, some of them files as a whole.
pub fn skipped(records: u64, files: u64) -> Vec<String> {
    let broken = records.saturating_sub(files);
    let told = [(broken, "broken record"), (files, "file")].into_iter();
    told.filter(|(number, _)| *number > 0)
        .map(|(number, what)| counted(number, what) + " skipped")
        .collect()
}

/// A line of a summary.
pub fn line(label: &str, text: &str) {
    labelled(STRONG, label, text).tell();
}

fn labelled(style: Style, label: &str, text: &str) -> Shown {
    styled(style, &format!("{label:>9}"))
        .plain("  ")
        .plain(text)
}

/// `2 groups of 5 documents, the largest of 3`.
pub fn groups(clusters: &Clustering) -> String {
    if clusters.groups() == 0 {
        return "0 groups".to_owned();
    }
    let mut text = format!(
        "{} of {}, the largest of {}",
        counted(clusters.groups() as u64, "group"),
        counted(clusters.grouped() as u64, "document"),
        count(u64::from(clusters.largest())),
    );
    if clusters.unverified() > 0 {
        let pairs = counted(clusters.unverified(), "pair");
        text += &format!("; {pairs} within groups are no near duplicates");
    }
    text
}
