//! One story: a headline and its paragraphs, from a subject and a stream of chance.
//!
//! A subject brings a cast and, in the order in which a reporter would tell
//! them, the turns a story can take. A story draws a few sentences from every
//! turn, puts voices in between, and stops at a length of its own.

use super::chance::Chance;
use super::grammar::{Cast, Grammar};
use super::subjects::{self, Subject};

/// A story as the agency sends it out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Story {
    /// The part of a paper it belongs to, such as `business`.
    pub(super) section: &'static str,
    /// The headline.
    pub(super) headline: String,
    /// Another headline for the same story.
    pub(super) second_headline: String,
    /// The text.
    pub(super) paragraphs: Vec<String>,
}

/// Who and what every story has, whatever its subject.
const CAST: &[(&str, &str)] = &[
    ("town", "{townname}"),
    ("p1s", "{last}"),
    ("p1", "{first} {p1s}"),
    ("p2s", "{last}"),
    ("p2", "{first} {p2s}"),
    ("p3s", "{last}"),
    ("p3", "{first} {p3s}"),
    ("who", "{p1}"),
];

/// Writes a story.
pub(super) fn tell(grammar: &Grammar, chance: &mut Chance) -> Story {
    let subject = chance.pick::<Subject>(&*subjects::ALL);
    let mut cast = cast_of(grammar, subject, chance);
    let headline = headline(grammar, subject, &mut cast, chance);
    let second_headline = headline_unlike(&headline, grammar, subject, &mut cast, chance);
    let mut teller = Teller {
        grammar,
        cast,
        chance,
        words: 0,
        paragraphs: Vec::new(),
    };
    teller.tell(subject);
    Story {
        section: &subject.section,
        headline,
        second_headline,
        paragraphs: teller.paragraphs,
    }
}

/// A headline without a story, for lists of links.
pub(super) fn stray_headline(grammar: &Grammar, chance: &mut Chance) -> String {
    let subject = chance.pick::<Subject>(&*subjects::ALL);
    let mut cast = cast_of(grammar, subject, chance);
    headline(grammar, subject, &mut cast, chance)
}

/// A cast of no particular subject, for text that only mentions people and places.
pub(super) fn passing_cast(grammar: &Grammar, chance: &mut Chance) -> Cast {
    let mut cast = Cast::default();
    for (name, pattern) in CAST {
        let value = grammar.phrase(pattern, &mut cast, chance);
        cast.set(name, value);
    }
    cast
}

fn cast_of(grammar: &Grammar, subject: &'static Subject, chance: &mut Chance) -> Cast {
    let mut cast = passing_cast(grammar, chance);
    for (name, pattern) in &subject.cast {
        let value = grammar.phrase(pattern, &mut cast, chance);
        cast.set(name, value);
    }
    cast
}

fn headline(grammar: &Grammar, subject: &Subject, cast: &mut Cast, chance: &mut Chance) -> String {
    grammar.write(chance.pick::<String>(&subject.headlines), cast, chance)
}

fn headline_unlike(
    first: &str,
    grammar: &Grammar,
    subject: &Subject,
    cast: &mut Cast,
    chance: &mut Chance,
) -> String {
    loop {
        let second = headline(grammar, subject, cast, chance);
        if second != first {
            return second;
        }
    }
}

struct Teller<'a> {
    grammar: &'a Grammar,
    cast: Cast,
    chance: &'a mut Chance,
    words: usize,
    paragraphs: Vec<String>,
}

impl Teller<'_> {
    fn tell(&mut self, subject: &Subject) {
        let length = self.chance.between(260, 610);
        let lead = self.chance.pick::<String>(&subject.leads);
        self.paragraph(&[lead]);
        // Each pass goes through all turns in order and never repeats a sentence.
        let mut turns: Vec<Vec<&str>> = subject
            .turns
            .iter()
            .map(|turn| turn.iter().map(String::as_str).collect())
            .collect();
        for turn in &mut turns {
            self.chance.shuffle(turn);
        }
        while self.words < length && turns.iter().any(|turn| !turn.is_empty()) {
            for turn in &mut turns {
                let take = self.chance.between(1, 2).min(turn.len());
                let sentences: Vec<&str> = turn.drain(..take).collect();
                if !sentences.is_empty() {
                    self.paragraph(&sentences);
                    self.voice();
                }
                if self.words >= length {
                    break;
                }
            }
        }
        self.paragraph(&["{ending}"]);
    }

    /// Now and then somebody speaks, or the reporter looks back.
    fn voice(&mut self) {
        if !self.chance.percent(60) {
            return;
        }
        let pattern =
            *self
                .chance
                .pick(&["{quote}", "{quote}", "{quote}", "{bystander}", "{context}"]);
        let who = self
            .chance
            .pick(&["{p1}", "{p1s}", "{p2}", "{p2s}", "{p3}", "{p3s}"]);
        let who = self.grammar.phrase(who, &mut self.cast, self.chance);
        self.cast.set("who", who);
        self.paragraph(&[pattern]);
    }

    fn paragraph(&mut self, patterns: &[&str]) {
        let sentences: Vec<String> = patterns
            .iter()
            .map(|pattern| self.grammar.write(pattern, &mut self.cast, self.chance))
            .collect();
        let text = sentences.join(" ");
        self.words += text.split_whitespace().count();
        self.paragraphs.push(text);
    }
}

/// Every name that any cast has, for tests of single patterns.
#[cfg(test)]
pub(super) fn cast_names() -> Cast {
    let subjects = subjects::ALL.iter().flat_map(|subject| &subject.cast);
    let of_subjects = subjects.map(|(name, _)| name.as_str());
    let mut cast = Cast::default();
    for name in CAST.iter().map(|(name, _)| *name).chain(of_subjects) {
        cast.set(name, name.to_owned());
    }
    cast
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_of_every_subject_can_be_written_out() {
        let grammar = Grammar::new();
        for subject in &*subjects::ALL {
            let chance = &mut Chance::of(&[7]);
            let mut cast = cast_of(&grammar, subject, chance);
            let turns = subject.turns.iter().flatten();
            for pattern in subject.headlines.iter().chain(&subject.leads).chain(turns) {
                for _ in 0..40 {
                    let text = grammar.write(pattern, &mut cast, chance);
                    assert!(!text.contains(['[', ']', '{', '}', '|', '(']), "{text}");
                    assert!(!text.contains("  "), "{text}");
                }
            }
        }
    }

    #[test]
    fn stories_have_the_length_of_news() {
        let grammar = Grammar::new();
        for number in 0..500 {
            let story = tell(&grammar, &mut Chance::of(&[3, number]));
            let words: usize = story
                .paragraphs
                .iter()
                .map(|text| text.split_whitespace().count())
                .sum();
            assert!((250..=700).contains(&words), "{words} words: {story:?}");
            assert!(
                story.headline.split_whitespace().count() >= 4,
                "{}",
                story.headline
            );
            assert_ne!(story.headline, story.second_headline);
        }
    }
}
