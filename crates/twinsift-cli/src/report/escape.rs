//! Words from the input, made safe to stand in a page.
//!
//! Ids, titles and texts come from anywhere. None of them may become markup,
//! and none may change how its surroundings read: control characters and those
//! that turn the direction of writing are shown by their names instead.

use std::fmt::Write as _;

/// `words` as text or as the value of an attribute.
pub fn text(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for character in words.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(character),
            _ if is_hidden(character) => {
                let _ = write!(out, "⟨U+{:04X}⟩", character as u32);
            }
            _ => out.push(character),
        }
    }
    out
}

/// `words` within a line of ours, whichever way they are written.
pub fn inline(words: &str) -> String {
    format!("<bdi>{}</bdi>", text(words))
}

fn is_hidden(character: char) -> bool {
    let turns_direction = matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    let is_tag = matches!(character, '\u{e0000}'..='\u{e007f}');
    character.is_control() || turns_direction || is_tag
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_text() {
        assert_eq!(
            text("<script a=\"b\" c='d'>&amp;"),
            "&lt;script a=&quot;b&quot; c=&#39;d&#39;&gt;&amp;amp;"
        );
    }

    #[test]
    fn what_cannot_be_seen_is_named() {
        assert_eq!(
            text("a\u{0}b\u{202e}c\u{85}"),
            "a⟨U+0000⟩b⟨U+202E⟩c⟨U+0085⟩"
        );
        assert_eq!(text("é – 日本\n"), "é – 日本\n");
    }
}
