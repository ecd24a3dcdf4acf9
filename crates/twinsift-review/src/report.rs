//! The groups as one file, to read and to send around.
//!
//! The page has its style in itself, needs no script, and may load nothing. It is bounded: the
//! largest groups, some members of each, what differs in a few; what is left out is said.

use crate::collection::Collection;
use crate::error::Error;
use crate::groups::{Groups, Sort};
use crate::spool::Texts;
use crate::views::text::{counted, name};
use crate::views::{chart, group, style};
use std::path::Path;
use twinsift::{Group, Matches};
use twinsift_io::AtomicFile;
use twinsift_server::html::{count, text};

/// Groups that are shown.
const GROUPS: usize = 200;

/// Members of a group that are listed.
const MEMBERS: usize = 30;

/// Members of a group that are shown beside the representative.
const COMPARED: usize = 3;

/// Bytes of a page, after which no further group is shown.
const MOST_BYTES: usize = 24 << 20;

/// Nothing is loaded, and nothing runs.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// Writes the groups of matches. `method` says how they were found.
pub fn write(
    path: &Path,
    matches: Matches,
    texts: Texts,
    group: Group,
    method: &str,
) -> Result<(), Error> {
    let collection = Collection {
        texts,
        groups: Groups::grouped_by(&matches, group)?,
        matches,
    };
    Ok(AtomicFile::write_all_to(
        path,
        page(&collection, method).as_bytes(),
    )?)
}

fn page(collection: &Collection, method: &str) -> String {
    let groups = &collection.groups;
    let (mut contents, mut sections, mut shown) = (String::new(), String::new(), 0);
    for &number in groups.sorted(Sort::Size).iter().take(GROUPS) {
        if sections.len() > MOST_BYTES {
            break;
        }
        shown += 1;
        let members = groups.members(number);
        let title = name(&collection.texts.title(members[0]));
        contents += &format!(
            "<li><a href=\"#group-{shown}\">{title}</a> <span class=\"faint\">{}</span></li>\n",
            counted(members.len(), "document")
        );
        sections += &format!("<section class=\"group\" id=\"group-{shown}\">\n<h2>{title}</h2>\n");
        sections += &one(collection, members);
        sections += "<p><a href=\"#contents\">To the table of contents</a></p>\n</section>\n";
    }
    let style = style();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Groups of near duplicates</title>\n<style>\n{style}</style>\n</head>\n<body>\n\
         <main>\n<h1>Groups of near duplicates</h1>\n{}<nav aria-labelledby=\"contents\">\n\
         <h2 id=\"contents\">Contents</h2>\n<ol>\n{contents}</ol>\n</nav>\n{sections}</main>\n</body>\n</html>\n",
        summary(collection, method, shown)
    )
}

/// What there is, and what is left out.
fn summary(collection: &Collection, method: &str, shown: usize) -> String {
    let groups = &collection.groups;
    let mut out = format!(
        "<p>{} of {} among {}. Found by {}.</p>\n",
        counted(groups.len(), "group"),
        counted(groups.grouped(), "document"),
        counted(collection.matches.documents().len(), "document"),
        text(method)
    );
    if groups.is_empty() {
        return out;
    }
    out += &chart::bars(
        "sizes",
        "How many groups there are of each size",
        &groups.sizes(),
    );
    out += "<p class=\"faint\">";
    if shown < groups.len() {
        out += &format!(
            "Shown are the {} largest groups; {} are left out. ",
            count(shown as u64),
            count((groups.len() - shown) as u64)
        );
    }
    out + &format!(
        "Of each group at most {MEMBERS} documents are listed, and {COMPARED} are shown beside its \
         representative, with what differs marked.</p>\n"
    )
}

fn one(collection: &Collection, members: &[u32]) -> String {
    let first = members[0];
    let mut out = format!(
        "<p>{}.</p>\n<ol class=\"cards\">\n",
        counted(members.len(), "document")
    );
    for &doc in members.iter().take(MEMBERS) {
        out += &format!(
            "<li>{}</li>\n",
            group::member(collection, doc, doc == first)
        );
    }
    out += "</ol>\n";
    if members.len() > MEMBERS {
        out += &format!(
            "<p>{} more are not listed.</p>\n",
            count((members.len() - MEMBERS) as u64)
        );
    }
    for &doc in members.iter().skip(1).take(COMPARED) {
        out += &format!(
            "<details>\n<summary>What differs: {} and {}</summary>\n{}</details>\n",
            name(&collection.id(first)),
            name(&collection.id(doc)),
            group::two(collection, first, doc, 3)
        );
    }
    out
}
