//! A group: its members, and two of them side by side.

use super::frame::button;
use super::list::snippet;
use super::side::{Head, side_by_side};
use super::text::{attribute, counted, name, score};
use crate::collection::Collection;
use crate::differences::Differences;
use crate::state::Core;
use twinsift_learn::detect::Verdict;
use twinsift_server::html::count;

/// Members on a page.
pub(crate) const PER_PAGE: usize = 100;

/// What stands above a document.
pub(crate) fn head(collection: &Collection, doc: u32) -> Head {
    Head {
        id: collection.id(doc),
        title: collection.texts.title(doc),
        length: collection.texts.len(doc),
    }
}

/// Two documents of a collection side by side.
pub(crate) fn two(collection: &Collection, a: u32, b: u32, level: u8) -> String {
    let heads = [a, b].map(|doc| head(collection, doc));
    side_by_side(&heads, &Differences::of(&collection.texts, a, b), level)
}

/// What is said of a pair, in words.
pub(crate) fn said(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Same => "the same",
        Verdict::Different => "different",
        Verdict::Never => "never to match",
        Verdict::Unsure => "unsure",
        Verdict::Undone => "taken back",
    }
}

/// A member of a group in a line or two.
pub(crate) fn member(collection: &Collection, doc: u32, is_first: bool) -> String {
    let what = match is_first {
        true => "the representative: all others are compared with it".to_owned(),
        false => format!("score {}", score(collection.groups.score(doc).into())),
    };
    format!(
        "<strong>{}</strong>\n<p class=\"faint\">{} · {what}</p>\n<p>{}</p>\n",
        name(&collection.texts.title(doc)),
        name(&collection.id(doc)),
        snippet(collection, doc)
    )
}

/// A group, with another member beside the representative.
pub(crate) struct Shown {
    pub(crate) group: u32,
    /// The page of members, from 0.
    pub(crate) page: usize,
    /// The two that are shown side by side.
    pub(crate) pair: (u32, u32),
}

impl Shown {
    pub(crate) fn html(&self, collection: &Collection, core: &Core, form_token: &str) -> String {
        let members = collection.groups.members(self.group);
        let first = members[0];
        let (a, b) = self.pair;
        let mut out = format!(
            "<p>{}. Each was compared with the representative, which is the first.</p>\n",
            counted(members.len(), "document")
        );
        out += "<h2>Members</h2>\n";
        out += &format!(
            "<form method=\"post\" action=\"/split\">\n\
             <input type=\"hidden\" name=\"form\" value=\"{form_token}\">\n\
             <input type=\"hidden\" name=\"first\" value=\"{first}\">\n<ol class=\"cards members\">\n"
        );
        for &doc in members.iter().skip(self.page * PER_PAGE).take(PER_PAGE) {
            out += &self.row(collection, core, doc);
        }
        out += "</ol>\n<p class=\"actions\"><button name=\"how\" value=\"apart\">Not the same as the rest</button>\n\
                <button name=\"how\" value=\"split\" class=\"second\">A group of their own</button></p>\n\
                <p class=\"faint\">Both are about the members that are ticked. The first says that each of them \
                is different from the representative; the second also says that they are the same as each \
                other.</p>\n</form>\n";
        out += &self.turning(first, members.len());
        out += "<h2 id=\"two\">Side by side</h2>\n";
        out += &match core.verdict(a, b) {
            Some(verdict) => format!("<p role=\"status\">You said: {}.</p>\n", said(verdict)),
            None => String::new(),
        };
        out += &two(collection, a, b, 3);
        out + &answers(form_token, a, b, &format!("/group/{first}?a={a}&b={b}"))
    }

    fn row(&self, collection: &Collection, core: &Core, doc: u32) -> String {
        let first = collection.groups.first(self.group);
        let is_first = doc == first;
        let about = member(collection, doc, is_first);
        if is_first {
            return format!("<li>{about}</li>\n");
        }
        let verdict = core.verdict(first, doc);
        let note = verdict.map_or_else(String::new, |verdict| {
            format!("<p class=\"note\">You said: {}.</p>\n", said(verdict))
        });
        let taken_out = match verdict.and_then(Verdict::same) {
            Some(false) => " class=\"out\"",
            _ => "",
        };
        format!(
            "<li{taken_out}><input type=\"checkbox\" name=\"doc\" value=\"{doc}\" id=\"doc{doc}\" \
             aria-label=\"Tick {}\">\n<div>{about}{note}<a href=\"/group/{first}?b={doc}&amp;page={}#two\">\
             Beside the representative</a></div></li>\n",
            attribute(&collection.id(doc)),
            self.page
        )
    }

    fn turning(&self, first: u32, members: usize) -> String {
        let pages = members.div_ceil(PER_PAGE);
        if pages <= 1 {
            return String::new();
        }
        let link = |to: usize, words: &str| {
            format!("<li><a href=\"/group/{first}?page={to}\">{words}</a></li>\n")
        };
        let mut links = format!(
            "<li>page {} of {}</li>\n",
            count(self.page as u64 + 1),
            count(pages as u64)
        );
        if self.page > 0 {
            links += &link(self.page - 1, "Back");
        }
        if self.page + 1 < pages {
            links += &link(self.page + 1, "Next");
        }
        format!(
            "<nav aria-label=\"Pages of members\">\n<ul class=\"turning\">\n{links}</ul>\n</nav>\n"
        )
    }
}

/// What can be said of a pair that somebody chose to look at.
pub(crate) fn answers(form_token: &str, a: u32, b: u32, back: &str) -> String {
    let (a, b) = (a.to_string(), b.to_string());
    let fields = [("a", &*a), ("b", &*b), ("back", back)];
    let buttons = "<p class=\"actions\"><button name=\"label\" value=\"1\">These two are the same</button>\n\
         <button name=\"label\" value=\"0\">They are different</button>\n\
         <button name=\"label\" value=\"never\" class=\"second\">Never match these two</button></p>";
    button(form_token, "/answer", &fields, buttons)
}
