//! Two documents side by side, with what differs highlighted.

use crate::say::{Shown, plain, visible};
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
pub fn render(a: &Document<'_>, b: &Document<'_>, comparison: &Comparison, k: usize) -> Shown {
    let heads = [a, b].map(|document| {
        let site = document.url.as_deref().unwrap_or(&document.id.text);
        let site = &visible(site);
        let host = site
            .split("//")
            .last()
            .and_then(|rest| rest.split('/').next());
        format!(
            "{:COLUMN$.COLUMN$}",
            format!("{} on {}", visible(&document.id.text), host.unwrap_or(site))
        )
    });
    let score = comparison
        .score
        .map(|score| format!("  score {score:.3}"))
        .unwrap_or_default();
    let mut out = Shown::default();
    let head = plain("  ").styled(STRONG, &heads[0]).plain(" │ ");
    out.line(head.styled(STRONG, &heads[1]).styled(FAINT, &score));
    let left = lines(&words(&a.text, &b.text, k));
    let right = lines(&words(&b.text, &a.text, k));
    let (mut left, mut right) = (left.into_iter(), right.into_iter());
    for _ in 0..LINES.min(left.len().max(right.len())) {
        let blank = || plain(&" ".repeat(COLUMN));
        let cell = |line: Option<Shown>| line.unwrap_or_else(blank);
        out.line(
            plain("  ")
                .and(cell(left.next()))
                .plain(" │ ")
                .and(cell(right.next())),
        );
    }
    out
}

/// Breaks words into lines of one column, padded to its width.
fn lines(words: &[Word<'_>]) -> Vec<Shown> {
    let mut lines = Vec::new();
    let (mut line, mut width) = (Shown::default(), 0);
    for Word { text, shared } in words {
        let word: String = visible(text).chars().take(COLUMN).collect();
        let length = word.chars().count();
        if width > 0 && width + 1 + length > COLUMN {
            lines.push(std::mem::take(&mut line).plain(&" ".repeat(COLUMN - width)));
            width = 0;
            if lines.len() >= LINES {
                return lines;
            }
        }
        if width > 0 {
            line = line.plain(" ");
            width += 1;
        }
        line = match shared {
            Some(false) => line.styled(DIFFERS, &word),
            _ => line.plain(&word),
        };
        width += length;
    }
    lines.push(line.plain(&" ".repeat(COLUMN - width)));
    lines
}
