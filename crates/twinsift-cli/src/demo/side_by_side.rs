//! Two documents side by side, with what differs highlighted.

use anstyle::{AnsiColor, Style};
use std::collections::HashSet;
use twinsift::Document;
use twinsift::compare::Comparison;
use twinsift::features::shingles::spelled;
use twinsift::tokenise::Tokens;

const COLUMN: usize = 46;
const LINES: usize = 7;
const DIFFERS: Style = AnsiColor::Yellow.on_default().bold();
const STRONG: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// The beginnings of two documents. A word that is in no k-gram of the other
/// document stands out.
pub fn render(a: &Document<'_>, b: &Document<'_>, comparison: &Comparison, k: usize) -> String {
    let heads = [a, b].map(|document| {
        let site = document.url.as_deref().unwrap_or(&document.id.text);
        let host = site
            .split("//")
            .last()
            .and_then(|rest| rest.split('/').next());
        format!(
            "{:COLUMN$.COLUMN$}",
            format!("{} on {}", document.id, host.unwrap_or(site))
        )
    });
    let score = comparison
        .score
        .map(|score| format!("  score {score:.3}"))
        .unwrap_or_default();
    let mut out = format!(
        "  {STRONG}{}{STRONG:#} │ {STRONG}{}{STRONG:#}{FAINT}{score}{FAINT:#}\n",
        heads[0], heads[1]
    );
    let left = lines(&marked(a, b, k));
    let right = lines(&marked(b, a, k));
    for at in 0..LINES.min(left.len().max(right.len())) {
        let blank = " ".repeat(COLUMN);
        let cell = |lines: &[String]| lines.get(at).cloned().unwrap_or_else(|| blank.clone());
        out += &format!("  {} │ {}\n", cell(&left), cell(&right));
    }
    out
}

/// The words of `document`, each with whether it stands in no k-gram of `other`.
fn marked(document: &Document<'_>, other: &Document<'_>, k: usize) -> Vec<(String, bool)> {
    let grams = |text: &str| {
        let mut tokens = Tokens::new();
        tokens.read(text);
        (spelled(&tokens, k), tokens.len())
    };
    let (own, count) = grams(&document.text);
    let others: HashSet<u64> = grams(&other.text)
        .0
        .into_iter()
        .map(|(value, _)| value)
        .collect();
    let mut shared = vec![false; count];
    for (at, (value, _)) in own.iter().enumerate() {
        if others.contains(value) {
            shared[at..count.min(at + k)].fill(true);
        }
    }
    let mut next = 0;
    let mut tokens = Tokens::new();
    document
        .text
        .split_whitespace()
        .map(|word| {
            tokens.read(word);
            let mine = &shared[next.min(count)..count.min(next + tokens.len())];
            next += tokens.len();
            (word.to_owned(), mine.contains(&false))
        })
        .collect()
}

/// Breaks words into lines of one column, padded to its width.
fn lines(words: &[(String, bool)]) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut line, mut width) = (String::new(), 0);
    for (word, differs) in words {
        let word: String = word.chars().take(COLUMN).collect();
        let length = word.chars().count();
        if width > 0 && width + 1 + length > COLUMN {
            line.push_str(&" ".repeat(COLUMN - width));
            lines.push(std::mem::take(&mut line));
            width = 0;
            if lines.len() >= LINES {
                return lines;
            }
        }
        if width > 0 {
            line.push(' ');
            width += 1;
        }
        match differs {
            true => line.push_str(&format!("{DIFFERS}{word}{DIFFERS:#}")),
            false => line.push_str(&word),
        }
        width += length;
    }
    line.push_str(&" ".repeat(COLUMN - width));
    lines.push(line);
    lines
}
