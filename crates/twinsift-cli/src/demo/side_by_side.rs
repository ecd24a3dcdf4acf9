//! Two documents side by side, with what differs highlighted.

use crate::shared_words::{Word, words};
use anstyle::{AnsiColor, Style};
use twinsift::Document;
use twinsift::compare::Comparison;

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
    let left = lines(&words(&a.text, &b.text, k));
    let right = lines(&words(&b.text, &a.text, k));
    for at in 0..LINES.min(left.len().max(right.len())) {
        let blank = " ".repeat(COLUMN);
        let cell = |lines: &[String]| lines.get(at).cloned().unwrap_or_else(|| blank.clone());
        out += &format!("  {} │ {}\n", cell(&left), cell(&right));
    }
    out
}

/// Breaks words into lines of one column, padded to its width.
fn lines(words: &[Word<'_>]) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut line, mut width) = (String::new(), 0);
    for Word { text, shared } in words {
        let word: String = text.chars().take(COLUMN).collect();
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
        match shared {
            Some(false) => line.push_str(&format!("{DIFFERS}{word}{DIFFERS:#}")),
            _ => line.push_str(&word),
        }
        width += length;
    }
    line.push_str(&" ".repeat(COLUMN - width));
    lines.push(line);
    lines
}
