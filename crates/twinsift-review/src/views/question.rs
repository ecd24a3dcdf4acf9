//! A question: are these two the same?

use super::group::{said, two};
use super::text::{counted, percent, score};
use crate::collection::Collection;
use crate::state::{Thought, Told};
use twinsift::detector::NAMES;
use twinsift_server::html::text;

/// Answers: the label, the key, what stands on the button, and its class.
const ANSWERS: [(&str, &str, &str, &str); 4] = [
    ("1", "s", "Same", ""),
    ("0", "d", "Different", ""),
    ("unsure", "u", "Unsure", "second"),
    ("never", "n", "Never match", "second"),
];

/// A question that is asked.
pub(crate) struct Asked<'a> {
    pub(crate) collection: &'a Collection,
    pub(crate) pair: (u32, u32),
    /// What the detector thinks, if it is to be shown now.
    pub(crate) thought: Option<Thought>,
    /// What was answered last.
    pub(crate) told: Option<Told>,
    pub(crate) answers: usize,
    pub(crate) form_token: &'a str,
}

impl Asked<'_> {
    pub(crate) fn html(&self) -> String {
        let (a, b) = self.pair;
        let mut out = self
            .told
            .as_ref()
            .map_or_else(String::new, |told| self.told(told));
        if let Some(thought) = &self.thought {
            out += &reasons(thought);
        }
        out += &two(self.collection, a, b, 2);
        let token = self.form_token;
        let buttons: String = ANSWERS
            .map(|(label, key, words, class)| {
                format!(
                    "<button name=\"label\" value=\"{label}\" data-key=\"{key}\" class=\"{class}\" \
                     aria-keyshortcuts=\"{key}\">{words} <kbd>{key}</kbd></button>\n"
                )
            })
            .concat();
        out + &format!(
            "<div class=\"bar\" role=\"group\" aria-label=\"Your answer\">\n\
             <form method=\"post\" action=\"/answer\">\n\
             <input type=\"hidden\" name=\"form\" value=\"{token}\">\n\
             <input type=\"hidden\" name=\"a\" value=\"{a}\">\n\
             <input type=\"hidden\" name=\"b\" value=\"{b}\">\n{buttons}</form>\n{}\n\
             <p class=\"faint\" id=\"saved\" aria-live=\"polite\">{} so far, all on disk.</p>\n</div>\n",
            undo(token),
            counted(self.answers, "answer"),
        )
    }

    /// What was answered last, and what the detector had thought.
    fn told(&self, told: &Told) -> String {
        let id = |doc: u32| super::text::name(&self.collection.id(doc));
        let agrees = match told.verdict.same() {
            None => "",
            Some(same) if same == told.thought.is_same => "The detector had thought so, too",
            Some(_) => "The detector had thought otherwise",
        };
        format!(
            "<details class=\"told\"><summary><span role=\"status\">Saved: {}. {agrees}</span> \
             <span class=\"faint\">(score {})</span></summary>\n<p>{} and {}</p>\n{}</details>\n",
            said(told.verdict),
            score(told.thought.score),
            id(told.pair.0),
            id(told.pair.1),
            reasons(&told.thought)
        )
    }
}

/// The button that takes back what was said last.
pub(crate) fn undo(form_token: &str) -> String {
    let button = "<button class=\"second\" data-key=\"z\" aria-keyshortcuts=\"z\">Undo <kbd>z</kbd></button>";
    super::frame::button(form_token, "/undo", &[], button)
}

/// Why a detector thinks what it thinks.
pub(crate) fn reasons(thought: &Thought) -> String {
    let verdict = match thought.is_same {
        true => "the same",
        false => "different",
    };
    let mut out = format!(
        "<div class=\"reasons\">\n<p>The detector takes them for {verdict}: its score is {}.</p>\n<ul>\n",
        score(thought.score)
    );
    for reason in &thought.reasons {
        let side = match reason.adds > 0.0 {
            true => "speaks for the same",
            false => "speaks for different",
        };
        out += &format!(
            "<li>{}: {} <span class=\"faint\">(on average {})</span>, {side}</li>\n",
            words(NAMES[reason.signal]),
            percent(reason.value),
            percent(reason.usual)
        );
    }
    out + "</ul>\n</div>\n"
}

/// What a signal is, in words.
fn words(signal: &str) -> String {
    let (rest, folded) = match signal.strip_prefix("folded_") {
        Some(rest) => (rest, ", with disguises undone"),
        None => (signal, ""),
    };
    let what = match rest {
        "word_cosine" => "words that both have (cosine)",
        "word_containment" => "words of the shorter text that the longer has too",
        "word_jaccard" => "words that both have, of all their words (Jaccard)",
        "gram_cosine" => "runs of three words that both have (cosine)",
        "gram_containment" => "runs of three words of the shorter text that the longer has too",
        "gram_jaccard" => "runs of three words that both have, of all their runs (Jaccard)",
        "title_containment" => "words of the shorter title that the longer has too",
        "title_jaccard" => "words that both titles have, of all their words (Jaccard)",
        "titles" => "both have a title",
        "length_ratio" => "length of the shorter text beside the longer",
        "length" => "length of the shorter text",
        other => return text(other).to_string(),
    };
    format!("{what}{folded}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_signal_has_words() {
        for name in NAMES {
            assert!(words(name).contains(' '), "{name}");
        }
    }
}
