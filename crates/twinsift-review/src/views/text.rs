//! Text from outside, made harmless: escaped, of bounded length, with control characters that
//! can be seen, and unable to turn the direction of what stands around it.

use crate::differences::Run;
use std::fmt::{self, Write as _};
use twinsift_server::html;

/// Characters of an id or title that are shown.
const SHORT: usize = 160;

/// Text of several lines with what cannot be seen made visible.
pub(crate) struct Visible<'a>(pub(crate) &'a str);

impl fmt::Display for Visible<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '\n' | '\t' => f.write_char(c)?,
                '\r' => {}
                // The system has pictures of these.
                '\0'..='\u{1f}' => f.write_char(picture(c))?,
                '\u{7f}' => f.write_char('\u{2421}')?,
                c if is_hidden(c) => {
                    let code = u32::from(c);
                    write!(f, "<span class=\"code\">U+{code:04X}</span>")?;
                }
                c => html::text(c.encode_utf8(&mut [0; 4])).fmt(f)?,
            }
        }
        Ok(())
    }
}

fn picture(c: char) -> char {
    char::from_u32(0x2400 + u32::from(c)).unwrap_or(' ')
}

/// Whether a character turns the direction of writing, ends a line or is a control character.
fn is_hidden(c: char) -> bool {
    let turns = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || matches!(c, '\u{2028}' | '\u{2029}') || c.is_control()
}

/// The beginning of a text, on one line.
pub(crate) fn short(text: &str, most: usize) -> String {
    let one_line = |c: char| match c {
        '\n' | '\t' => ' ',
        c => c,
    };
    let cut = text.char_indices().nth(most).map(|(at, _)| at);
    let line: String = text[..cut.unwrap_or(text.len())]
        .chars()
        .map(one_line)
        .collect();
    let more = if cut.is_some() { "…" } else { "" };
    format!("{}{more}", Visible(line.trim()))
}

/// The beginning of a text, for an attribute.
pub(crate) fn attribute(text: &str) -> String {
    let seen = |c: char| if is_hidden(c) { '\u{fffd}' } else { c };
    let line: String = text.chars().take(SHORT).map(seen).collect();
    html::text(&line).to_string()
}

/// An id or a title, which has a direction of its own.
pub(crate) fn name(text: &str) -> String {
    let text = match text.trim() {
        "" => return "<span class=\"faint\">without a title</span>".to_owned(),
        text => text.replace('\n', "\u{240a}"),
    };
    format!("<bdi>{}</bdi>", short(&text, SHORT))
}

/// `1 group`, `2,000 groups`.
pub(crate) fn counted(number: usize, what: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {what}{ending}", html::count(number as u64))
}

/// `0.83`, or a dash where two documents were not compared.
pub(crate) fn score(score: f64) -> String {
    match score.is_nan() {
        true => "–".to_owned(),
        false => format!("{score:.2}"),
    }
}

/// `83 %`.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// Characters of a shared run of text that are shown at each of its ends.
const ENDS: usize = 1_500;

/// Characters of a run of text that only one document has, that are shown at each of its ends.
const OWN_ENDS: usize = 3_000;

/// Characters of a text that are shown.
pub(crate) const MOST: usize = 30_000;

/// Runs of text; what only this document has is marked by an element.
pub(crate) fn runs(runs: &[Run], mark: &str, most: usize) -> String {
    let (mut out, mut shown) = (String::new(), 0);
    for run in runs {
        if shown >= most {
            out += "<span class=\"gap\">… the rest is not shown …</span>";
            break;
        }
        let ends = if run.is_shared { ENDS } else { OWN_ENDS };
        let (begin, end) = ends_of(&run.text, ends.min(most - shown));
        shown += begin.len() + end.map_or(0, str::len);
        if !run.is_shared {
            let _ = write!(out, "<{mark}>");
        }
        let _ = write!(out, "{}", Visible(begin));
        if let Some(end) = end {
            let what = if run.is_shared { "the same" } else { "more" };
            let words = html::count(run.words as u64);
            let _ = write!(
                out,
                " <span class=\"gap\">… {words} words, {what} …</span> {}",
                Visible(end)
            );
        }
        if !run.is_shared {
            let _ = write!(out, "</{mark}>");
        }
    }
    out
}

/// A text, or its beginning and its end.
fn ends_of(text: &str, most: usize) -> (&str, Option<&str>) {
    if text.len() <= 2 * most + 80 {
        return (text, None);
    }
    let (from, to) = (
        text.floor_char_boundary(most),
        text.ceil_char_boundary(text.len() - most),
    );
    (&text[..from], Some(&text[to..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_shown_and_nothing_is_obeyed() {
        let evil = "<b>\u{1b}[31m\u{202e}x\u{7f}\u{85}\r\n\"'&";
        let shown = Visible(evil).to_string();
        assert_eq!(
            shown,
            "&lt;b&gt;\u{241b}[31m<span class=\"code\">U+202E</span>x\u{2421}<span class=\"code\">U+0085</span>\n&quot;&#39;&amp;"
        );
        assert_eq!(short("a\nb c", 3), "a b…");
        assert_eq!(name("x\ny"), "<bdi>x\u{240a}y</bdi>");
        assert_eq!(counted(1, "group"), "1 group");
        assert_eq!(counted(2_000, "group"), "2,000 groups");
    }

    #[test]
    fn long_runs_are_cut_and_it_is_said() {
        let run = |text: &str, is_shared| Run {
            text: text.to_owned(),
            is_shared,
            words: 9_999,
        };
        let long = "żółć ".repeat(10_000);
        let shown = runs(&[run(&long, true), run("only", false)], "ins", MOST);
        assert!(shown.len() < 5_000, "{}", shown.len());
        assert!(shown.contains("… 9,999 words, the same …"));
        assert!(shown.ends_with("<ins>only</ins>"));
        let many: Vec<Run> = (0..100).map(|_| run(&long, false)).collect();
        let shown = runs(&many, "del", MOST);
        assert!(shown.len() < 3 * MOST && shown.contains("the rest is not shown"));
    }
}
