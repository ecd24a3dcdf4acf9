//! The pairs that a method gets most wrong, to be read.
//!
//! Figures say how often a method is wrong; only the documents say why, and
//! whether the labels are right. What both texts have in common is marked.

use super::escape;
use super::numbers::{setting, things};
use super::series::Looks;
use crate::evaluate::outcome::{Excerpt, MethodOutcome, MistakeOutcome};
use crate::shared_words::words;
use std::fmt::Write as _;

/// The length of a run of words that is worth marking.
const RUN: usize = 3;

/// A part that opens for each method; nothing if there are no mistakes.
pub fn section(methods: &[&MethodOutcome], looks: &Looks) -> Option<String> {
    let mut out = String::new();
    for method in methods {
        let (wrong, missed) = (&method.false_positives, &method.false_negatives);
        if wrong.is_empty() && missed.is_empty() {
            continue;
        }
        let _ = write!(
            out,
            "<details>\n<summary>{}{} <span class=\"faint\">{}, {}</span></summary>\n",
            looks.get(&method.name).swatch(),
            escape::inline(&method.name),
            things(wrong.len() as u64, "wrong pair", "wrong pairs"),
            things(missed.len() as u64, "missed pair", "missed pairs"),
        );
        out += &list("Found, but no duplicates", "highest scores first", wrong);
        out += &list("Duplicates, but missed", "lowest scores first", missed);
        out += "</details>\n";
    }
    (!out.is_empty()).then_some(out)
}

fn list(head: &str, order: &str, mistakes: &[MistakeOutcome]) -> String {
    if mistakes.is_empty() {
        return String::new();
    }
    let pairs: String = mistakes.iter().map(pair).collect();
    format!(
        "<h4>{head} <span class=\"faint\">{order}</span></h4>\n<ol class=\"pairs\">\n{pairs}</ol>\n"
    )
}

fn pair(mistake: &MistakeOutcome) -> String {
    let score = match mistake.score {
        Some(score) => format!("Score {}", setting(score)),
        None => "Not scored: below the lowest score the method reports".to_owned(),
    };
    format!(
        "<li><p class=\"score\">{score}</p>\n<div class=\"pair\">\n{}{}</div></li>\n",
        document(&mistake.a, &mistake.b.text),
        document(&mistake.b, &mistake.a.text),
    )
}

fn document(document: &Excerpt, other: &str) -> String {
    let mut head = format!("<strong>{}</strong>", escape::inline(&document.id));
    if let Some(cluster) = &document.cluster {
        let _ = write!(
            head,
            " <span class=\"faint\">true cluster {}</span>",
            escape::inline(cluster)
        );
    }
    if let Some(title) = document
        .title
        .as_deref()
        .filter(|title| !title.trim().is_empty())
    {
        let _ = write!(head, "<br>{}", escape::inline(title));
    }
    if let Some(url) = document.url.as_deref().filter(|url| !url.is_empty()) {
        let _ = write!(
            head,
            "<br><span class=\"faint\">{}</span>",
            escape::inline(url)
        );
    }
    let text = match document.text.trim().is_empty() {
        true => "<p class=\"faint\">No text.</p>".to_owned(),
        false => format!("<p dir=\"auto\">{}</p>", marked(&document.text, other)),
    };
    format!("<article>\n<header>{head}</header>\n{text}\n</article>\n")
}

/// `text` with the runs of words marked that stand in `other` too.
fn marked(text: &str, other: &str) -> String {
    let words = words(text, other, RUN);
    let mut out = String::new();
    let mut at = 0;
    while at < words.len() {
        let is_shared = words[at].shared == Some(true);
        let rest = &words[at..];
        let length = match is_shared {
            true => {
                let end = rest.iter().position(|word| word.shared == Some(false));
                let run = &rest[..end.unwrap_or(rest.len())];
                1 + run
                    .iter()
                    .rposition(|word| word.shared == Some(true))
                    .unwrap_or(0)
            }
            false => rest
                .iter()
                .position(|word| word.shared == Some(true))
                .unwrap_or(rest.len()),
        };
        let run: Vec<String> = rest[..length]
            .iter()
            .map(|word| escape::text(word.text))
            .collect();
        let run = run.join(" ");
        let gap = if at > 0 { " " } else { "" };
        let _ = match is_shared {
            true => write!(out, "{gap}<mark>{run}</mark>"),
            false => write!(out, "{gap}{run}"),
        };
        at += length;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_runs_are_marked() {
        assert_eq!(
            marked(
                "Today the old – harbour opens, <b> – and",
                "the old harbour opens late"
            ),
            "Today <mark>the old – harbour opens,</mark> &lt;b&gt; – and"
        );
        assert_eq!(marked("", "a"), "");
        assert_eq!(marked("a b c", "a b c"), "<mark>a b c</mark>");
    }
}
