//! Two documents side by side, with what differs marked.

use super::text::{MOST, name, runs};
use crate::differences::Differences;
use twinsift_server::html::count;

/// What stands above each of two documents.
#[derive(Clone, Debug, Default)]
pub(crate) struct Head {
    pub(crate) id: String,
    pub(crate) title: String,
    /// Bytes of its text.
    pub(crate) length: u64,
}

/// Two documents; below `level`, a heading for each.
pub(crate) fn side_by_side(heads: &[Head; 2], compared: &Differences, level: u8) -> String {
    let titles = Differences::of_texts(&heads[0].title, &heads[1].title);
    let mut out = notes(compared);
    out += "<div class=\"pair\">\n";
    for (side, (head, mark)) in heads.iter().zip(["del", "ins"]).enumerate() {
        let title = match head.title.trim() {
            "" => name(""),
            _ => format!("<bdi>{}</bdi>", runs(&titles.sides[side], mark, 400)),
        };
        let body = match compared.sides[side].is_empty() {
            true => "<span class=\"gap\">there is no text</span>".to_owned(),
            false => runs(&compared.sides[side], mark, MOST),
        };
        out += &format!(
            "<section>\n<h{level}>{title}</h{level}>\n<p class=\"faint\">{} · {} bytes</p>\n\
             <div class=\"text\" dir=\"auto\" tabindex=\"0\" role=\"region\" \
             aria-label=\"Text of the {} document\">{body}</div>\n</section>\n",
            name(&head.id),
            count(head.length),
            ["first", "second"][side],
        );
    }
    out + "</div>\n"
}

/// What is not shown, and what marks mean.
fn notes(compared: &Differences) -> String {
    if compared.is_equal {
        return "<p class=\"legend\">The two texts are the same, character by character.</p>\n"
            .to_owned();
    }
    let mut out =
        "<p class=\"legend\">Marked is what only one of them has: <del>in the first</del>, \
         <ins>in the second</ins>.</p>\n"
            .to_owned();
    let mut parts = Vec::new();
    if compared.before > 0 {
        parts.push(format!(
            "the first {} bytes, which are the same in both",
            count(compared.before)
        ));
    }
    for (after, which) in compared.after.iter().zip(["first", "second"]) {
        if *after > 0 {
            parts.push(format!("the last {} bytes of the {which}", count(*after)));
        }
    }
    if !parts.is_empty() {
        out += &format!(
            "<p class=\"legend\">Too long to be shown as a whole. Left out: {}.</p>\n",
            parts.join(", ")
        );
    }
    out
}
