//! Groups to browse.

use super::text::{attribute, counted, name, score, short};
use crate::collection::Collection;
use crate::groups::Sort;
use twinsift_server::html::{count, encoded};

/// Groups on a page.
pub(crate) const PER_PAGE: usize = 50;

/// Bytes of a text that a snippet is made of.
const SNIPPET_BYTES: usize = 800;

/// Characters of a snippet.
const SNIPPET: usize = 160;

/// The beginning of a document's text.
pub(crate) fn snippet(collection: &Collection, doc: u32) -> String {
    let text = collection.texts.part(doc, 0, SNIPPET_BYTES);
    let words: Vec<&str> = text.split_whitespace().collect();
    let shown = short(&words.join(" "), SNIPPET);
    format!("<span class=\"snippet\" dir=\"auto\">{shown}</span>")
}

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    pub(crate) sort: Sort,
    pub(crate) words: String,
    /// The page, from 0.
    pub(crate) page: usize,
}

const SORTS: [(Sort, &str, &str); 3] = [
    (Sort::Size, "size", "the largest first"),
    (Sort::Score, "score", "the least alike first"),
    (Sort::Id, "id", "by id"),
];

/// The order of a name.
pub(crate) fn sort_of(name: &str) -> Sort {
    let found = SORTS.iter().find(|(_, known, _)| *known == name);
    found.map_or_else(Sort::default, |found| found.0)
}

fn sort_name(sort: Sort) -> &'static str {
    SORTS
        .iter()
        .find(|known| known.0 == sort)
        .map_or("", |known| known.1)
}

/// A page of groups.
pub(crate) fn groups(collection: &Collection, asked: &Asked) -> String {
    let groups = &collection.groups;
    let mut out = form(asked);
    let documents = collection.matches.documents();
    let found;
    let (list, is_whole): (&[u32], bool) = match asked.words.trim() {
        "" => (groups.sorted(asked.sort), true),
        words => {
            let (numbers, is_whole) = groups.search(words, documents, &collection.texts);
            let wanted: std::collections::HashSet<u32> = numbers.into_iter().collect();
            let sorted = groups.sorted(asked.sort).iter().copied();
            found = sorted
                .filter(|group| wanted.contains(group))
                .collect::<Vec<u32>>();
            (&found, is_whole)
        }
    };
    let pages = list.len().div_ceil(PER_PAGE).max(1);
    let page = asked.page.min(pages - 1);
    out += &format!("<p role=\"status\">{}", counted(list.len(), "group"));
    if pages > 1 {
        out += &format!(
            ", page {} of {}",
            count(page as u64 + 1),
            count(pages as u64)
        );
    }
    out += match is_whole {
        true => ".</p>\n",
        false => {
            ". There are more: the search ends with 1,000 groups, or after 256 MiB of titles.</p>\n"
        }
    };
    if list.is_empty() {
        return out;
    }
    out += "<ol class=\"cards\">\n";
    for &group in list.iter().skip(page * PER_PAGE).take(PER_PAGE) {
        out += &card(collection, group);
    }
    out += "</ol>\n";
    out + &turning(asked, page, pages)
}

fn card(collection: &Collection, group: u32) -> String {
    let groups = &collection.groups;
    let (first, size) = (groups.first(group), groups.members(group).len());
    format!(
        "<li><a href=\"/group/{first}\">{}</a>\n<p class=\"faint\">{} · {} · lowest score {}</p>\n\
         <p>{}</p></li>\n",
        name(&collection.texts.title(first)),
        name(&collection.id(first)),
        counted(size, "document"),
        score(groups.lowest(group).into()),
        snippet(collection, first),
    )
}

fn form(asked: &Asked) -> String {
    let options: String = SORTS
        .map(|(sort, value, words)| {
            let selected = if sort == asked.sort { " selected" } else { "" };
            format!("<option value=\"{value}\"{selected}>{words}</option>")
        })
        .concat();
    format!(
        "<form class=\"search\" action=\"/groups\" role=\"search\">\n\
         <div><label for=\"words\">Words in an id or a title</label>\
         <input id=\"words\" name=\"words\" maxlength=\"200\" value=\"{}\"></div>\n\
         <div><label for=\"sort\">Order</label><select id=\"sort\" name=\"sort\">{options}</select></div>\n\
         <button>Show</button>\n</form>\n",
        attribute(&asked.words)
    )
}

fn turning(asked: &Asked, page: usize, pages: usize) -> String {
    let link = |to: usize, words: &str| {
        let (words_asked, sort) = (encoded(&asked.words), sort_name(asked.sort));
        format!(
            "<li><a href=\"/groups?words={words_asked}&amp;sort={sort}&amp;page={to}\">{words}</a></li>\n"
        )
    };
    let mut links = String::new();
    if page > 0 {
        links += &link(0, "First");
        links += &link(page - 1, "Back");
    }
    if page + 1 < pages {
        links += &link(page + 1, "Next");
        links += &link(pages - 1, "Last");
    }
    format!("<nav aria-label=\"Pages of groups\">\n<ul class=\"turning\">\n{links}</ul>\n</nav>\n")
}
