//! Sentences from patterns.
//!
//! A pattern is a sentence with choices in it. `[wet|windy]` is one of several
//! wordings, which may hold choices themselves; `{town}` is a name from the
//! story's cast or one of a word list; `{#20-90}` is a number; `a(n)` becomes
//! *a* or *an* once the next word is known. Some five hundred patterns of this
//! kind yield more stories than anyone will ever make, and no two of them
//! read alike for long.

use std::collections::HashMap;

use serde::Deserialize;

use super::chance::Chance;

/// The lists by name, as `lists.toml` has them.
#[derive(Deserialize)]
pub(super) struct Grammar {
    /// What a story may use again and again.
    words: HashMap<String, Vec<String>>,
    /// What a story uses up before it takes any of it again.
    phrases: HashMap<String, Vec<String>>,
    /// Words that a desk exchanges for others, one way or the other.
    pub(super) swaps: Vec<(String, String)>,
}

/// The people, places and figures of one story, which stay the same from the
/// headline to the last line, and what has not been said in it yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Cast {
    names: HashMap<&'static str, String>,
    unsaid: HashMap<String, Vec<usize>>,
}

impl Cast {
    /// Gives a name to a part.
    pub(super) fn set(&mut self, part: &'static str, name: String) {
        self.names.insert(part, name);
    }
}

impl Grammar {
    pub(super) fn new() -> Self {
        toml::from_str(include_str!("lists.toml")).expect("lists of words and phrases")
    }

    /// Writes a pattern out as running text, every sentence with a capital.
    pub(super) fn write(&self, pattern: &str, cast: &mut Cast, chance: &mut Chance) -> String {
        finish(&self.phrase(pattern, cast, chance))
    }

    /// Writes a pattern out as it stands, for use inside other text.
    pub(super) fn phrase(&self, pattern: &str, cast: &mut Cast, chance: &mut Chance) -> String {
        let mut out = String::with_capacity(pattern.len());
        self.expand(pattern, cast, chance, &mut out);
        out
    }

    fn expand(&self, pattern: &str, cast: &mut Cast, chance: &mut Chance, out: &mut String) {
        let mut rest = pattern;
        while let Some(at) = rest.find(['[', '{']) {
            out.push_str(&rest[..at]);
            let end = closing(rest, at);
            let inner = &rest[at + 1..end];
            if rest.as_bytes()[at] == b'[' {
                let choices = choices(inner);
                self.expand(chance.pick::<&str>(&choices), cast, chance, out);
            } else if let Some(range) = inner.strip_prefix('#') {
                out.push_str(&number(range, chance));
            } else if let Some(name) = cast.names.get(inner) {
                out.push_str(name);
            } else {
                let choice = self.draw(inner, cast, chance);
                self.expand(choice, cast, chance, out);
            }
            rest = &rest[end + 1..];
        }
        out.push_str(rest);
    }

    fn draw(&self, name: &str, cast: &mut Cast, chance: &mut Chance) -> &str {
        if let Some(words) = self.words.get(name) {
            return chance.pick::<String>(words);
        }
        let Some(phrases) = self.phrases.get(name) else {
            panic!("no list is called {name:?}");
        };
        let unsaid = cast.unsaid.entry(name.to_owned()).or_default();
        if unsaid.is_empty() {
            unsaid.extend(0..phrases.len());
        }
        let at = chance.below(unsaid.len());
        &phrases[unsaid.swap_remove(at)]
    }
}

/// Where the bracket that opens at `open` closes.
fn closing(text: &str, open: usize) -> usize {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    panic!("a bracket stays open in the pattern {text:?}");
}

/// The wordings between the outermost bars.
fn choices(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            b'|' if depth == 0 => {
                found.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&text[start..]);
    found
}

/// A number out of a range such as `20-90`, with commas from ten thousand on.
fn number(range: &str, chance: &mut Chance) -> String {
    let (low, high) = range
        .split_once('-')
        .and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)))
        .unwrap_or_else(|| panic!("{range:?} is not a range"));
    let number = chance.between(low, high);
    if number >= 10_000 {
        format!("{},{:03}", number / 1000, number % 1000)
    } else {
        number.to_string()
    }
}

/// Settles what depends on the neighbouring words: *a* or *an*, the endings of
/// ordinals, spaces around words left out, and the capital of a sentence.
fn finish(text: &str) -> String {
    let text = text
        .replace("  ", " ")
        .replace(" ,", ",")
        .replace(" .", ".");
    let mut out = String::with_capacity(text.len());
    let mut parts = text.split("a(n) ");
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let vowel = part.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U', '8']);
        let number: String = part.chars().take_while(char::is_ascii_digit).collect();
        let an = vowel || number == "11" || number == "18";
        out.push_str(if an { "an " } else { "a " });
        out.push_str(part);
    }
    capitals(&ordinals(&out))
}

/// `61th` becomes `61st`.
fn ordinals(text: &str) -> String {
    let mut parts = text.split("th");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = out.bytes().rev().take_while(u8::is_ascii_digit).count();
        let number = &out[out.len() - digits..];
        let teen = number.len() > 1 && number.as_bytes()[number.len() - 2] == b'1';
        out.push_str(match number.bytes().last() {
            Some(b'1') if !teen => "st",
            Some(b'2') if !teen => "nd",
            Some(b'3') if !teen => "rd",
            _ => "th",
        });
        out.push_str(part);
    }
    out
}

fn capitals(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at_start = true;
    for letter in text.chars() {
        if at_start && letter.is_alphanumeric() {
            out.extend(letter.to_uppercase());
            at_start = false;
        } else {
            // A full stop inside a figure is followed by no space.
            let ends = out.ends_with(['.', '!', '?']) || out.ends_with(".”");
            let speaks = out.ends_with(": ") && letter == '“';
            at_start = at_start || speaks || (ends && letter == ' ');
            out.push(letter);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_written_out() {
        let grammar = Grammar::new();
        let mut cast = Cast::default();
        cast.set("town", "Harrow".to_owned());
        let mut seen = std::collections::BTreeSet::new();
        for path in 0..200 {
            let mut chance = Chance::of(&[path]);
            seen.insert(grammar.write("[rain|[sleet|hail]] hit {town}.", &mut cast, &mut chance));
        }
        let seen: Vec<_> = seen.iter().map(String::as_str).collect();
        assert_eq!(
            seen,
            ["Hail hit Harrow.", "Rain hit Harrow.", "Sleet hit Harrow."]
        );
    }

    #[test]
    fn a_story_does_not_repeat_itself() {
        let grammar = Grammar::new();
        let (cast, chance) = (&mut Cast::default(), &mut Chance::of(&[2]));
        let names: Vec<String> = (0..50)
            .map(|_| grammar.phrase("{last}", cast, chance))
            .collect();
        let distinct: std::collections::HashSet<&String> = names.iter().collect();
        assert_eq!(distinct.len(), names.len());
    }

    #[test]
    fn articles_and_capitals_follow_the_words() {
        assert_eq!(
            finish("a(n) old plan. a(n) new one"),
            "An old plan. A new one"
        );
        assert_eq!(
            finish("at £3.5m a(n) 8-year, a(n) 18-month and a(n) 180-day term"),
            "At £3.5m an 8-year, an 18-month and a 180-day term"
        );
        assert_eq!(
            finish("the 61th, the 12th, the 3th and the 40th"),
            "The 61st, the 12th, the 3rd and the 40th"
        );
        assert_eq!(
            finish("“so be it.” that was all"),
            "“So be it.” That was all"
        );
    }

    #[test]
    fn every_word_list_can_be_written_out() {
        let grammar = Grammar::new();
        let mut cast = super::super::stories::cast_names();
        for (name, list) in grammar.words.iter().chain(&grammar.phrases) {
            assert!(list.len() >= 4, "{name} is a short list");
            for pattern in list {
                grammar.write(pattern, &mut cast, &mut Chance::of(&[1]));
            }
        }
    }
}
