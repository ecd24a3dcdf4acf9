//! Words for people, on a terminal or not. The reader may have gone, as in
//! `twinsift … 2>&1 | head`, and that is no reason to fail.
//!
//! Ids, names of files and fields, and texts come from outside. A terminal obeys control
//! characters in them: they could move the cursor, rename the window or pass for words of
//! ours. So all text for people is put together as [`Shown`], which spells such characters
//! out; the only ones that reach a terminal are those of our own styles.

use anstyle::Style;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Write as _;

/// As `eprintln!` for a single line, but a reader that has gone away is not minded.
macro_rules! say {
    ($($words:tt)*) => {
        $crate::say::Shown::default().plain(&format!($($words)*)).tell()
    };
}

pub(crate) use say;

/// Text for people, in styles of our own.
#[derive(Debug, Default)]
pub struct Shown(String);

impl Shown {
    /// Adds text within a line.
    pub fn plain(mut self, text: &str) -> Self {
        self.0 += &visible(text);
        self
    }

    /// Adds text in a style.
    pub fn styled(mut self, style: Style, text: &str) -> Self {
        // Writing to a string does not fail.
        let _ = write!(self.0, "{style}{}{style:#}", visible(text));
        self
    }

    /// Adds lines of text.
    pub fn lines(mut self, text: &str) -> Self {
        for (at, line) in text.split('\n').enumerate() {
            self.0 += if at > 0 { "\n" } else { "" };
            self.0 += &visible(line);
        }
        self
    }

    /// Adds a line.
    pub fn line(&mut self, line: Shown) {
        self.0 += &line.0;
        self.0.push('\n');
    }

    /// Adds what was put together apart.
    pub fn and(mut self, more: Shown) -> Self {
        self.0 += &more.0;
        self
    }

    /// With its styles, for a stream that knows whether to pass them on.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Prints it as a line on standard error.
    pub fn tell(&self) {
        let _ = writeln!(anstream::stderr(), "{}", self.0);
    }
}

/// Text of one line, unstyled.
pub fn plain(text: &str) -> Shown {
    Shown::default().plain(text)
}

/// Text of one line in a style.
pub fn styled(style: Style, text: &str) -> Shown {
    Shown::default().styled(style, text)
}

/// The text with whatever a terminal would obey spelt out: control characters, and marks
/// that turn the direction of writing.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    for c in text.chars() {
        let _ = match c {
            '\n' => out.write_str("\\n"),
            '\r' => out.write_str("\\r"),
            '\t' => out.write_str("\\t"),
            c if !is_obeyed(c) => out.write_char(c),
            c if u32::from(c) < 0x100 => write!(out, "\\x{:02x}", u32::from(c)),
            c => write!(out, "\\u{:04x}", u32::from(c)),
        };
    }
    Cow::Owned(out)
}

fn is_obeyed(c: char) -> bool {
    let turns = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_styles_reach_the_terminal() {
        let evil = "a\u{1b}[31mb\u{7f}\u{9b}2J\u{202e}c\u{2066}\r\n\t";
        let told = "a\\x1b[31mb\\x7f\\x9b2J\\u202ec\\u2066\\r\\n\\t";
        assert_eq!(visible(evil), told);
        assert_eq!(plain(evil).as_str(), told);
        let bold = Style::new().bold();
        let shown = styled(bold, evil);
        assert_eq!(shown.as_str(), format!("\u{1b}[1m{told}\u{1b}[0m"));
        let shown = Shown::default().lines("a\n\u{1b}b\n");
        assert_eq!(shown.as_str(), "a\n\\x1bb\n");
    }

    #[test]
    fn other_text_stays_as_it_is() {
        for text in ["", "plain", "żółć 中文 עברית é", "a\\b"] {
            assert!(matches!(visible(text), Cow::Borrowed(same) if same == text));
        }
    }
}
