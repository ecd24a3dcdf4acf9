//! The HTML of pages. Whatever comes from outside goes through [`text`].

use crate::answers::MatchShown;
use crate::error::{Answered, ApiError};
use crate::html::{count, encoded, text};
use crate::routes::{collections::CollectionShown, documents::RecordShown};
use serde_json::Value;
use twinsift::compare::Comparison;

/// Features of a kind that are shown.
const SHOWN: usize = 12;

fn page(title: &str, main: &str) -> String {
    let title = text(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <link rel=\"stylesheet\" href=\"/style.css\">\n</head>\n<body>\n\
         <p><a href=\"/\">twinsift</a></p>\n<main>\n<h1>{title}</h1>\n{main}</main>\n</body>\n</html>\n"
    )
}

/// Why there is nothing to see.
pub(super) fn refused(sentence: &str) -> String {
    page("This was refused", &format!("<p>{}</p>\n", text(sentence)))
}

/// All collections.
pub(super) fn collections(all: &[CollectionShown]) -> String {
    if all.is_empty() {
        return page("Collections", "<p>There is no collection yet.</p>\n");
    }
    let mut rows = String::new();
    for one in all {
        let (name, method) = (text(&one.name), text(&one.method));
        let documents = count(one.documents);
        let bytes = count(one.bytes.div_ceil(1024));
        rows += &format!(
            "<tr><td><a href=\"/view/{name}\">{name}</a></td><td class=\"number\">{documents}</td>\
             <td class=\"number\">{bytes} KiB</td><td class=\"wide\">{method}</td></tr>\n"
        );
    }
    let head = "<tr><th>Name</th><th class=\"number\">Documents</th><th class=\"number\">On disk</th>\
                <th class=\"wide\">Method</th></tr>\n";
    page("Collections", &format!("<table>\n{head}{rows}</table>\n"))
}

/// What was found of an id.
type LookedUp = (Answered<(RecordShown, Vec<MatchShown>)>, String);

/// A collection, and what was looked up in it.
pub(super) fn collection(shown: &CollectionShown, found: Option<LookedUp>) -> String {
    let name = text(&shown.name);
    let figures = [
        ("Method", shown.method.clone()),
        ("Documents", count(shown.documents)),
        ("Removed, still on disk", count(shown.removed)),
        ("Segments", count(shown.segments)),
        (
            "On disk",
            format!("{} KiB", count(shown.bytes.div_ceil(1024))),
        ),
        ("Changes that wait", count(shown.waiting)),
    ];
    let mut main = table(&figures);
    let asked = found.as_ref().map_or("", |(_, id)| id);
    main += &format!(
        "<h2>Look up a document</h2>\n<form action=\"/view/{name}\">\n\
         <label for=\"id\">Its id</label>\n<input id=\"id\" name=\"id\" value=\"{}\" required>\n\
         <button>Look up</button>\n</form>\n",
        text(asked)
    );
    if let Some((found, _)) = found {
        main += &looked_up(&shown.name, &found);
    }
    main += &format!(
        "<h2>Compare two texts</h2>\n<form action=\"/view/{name}/compare\" method=\"post\">\n\
         <div class=\"texts\">\n\
         <div><label for=\"a\">One text</label><textarea id=\"a\" name=\"a\" required></textarea></div>\n\
         <div><label for=\"b\">Another</label><textarea id=\"b\" name=\"b\" required></textarea></div>\n\
         </div>\n<button>Compare</button>\n</form>\n"
    );
    page(&shown.name, &main)
}

fn table(rows: &[(&str, String)]) -> String {
    let mut out = "<table>\n".to_owned();
    for (head, value) in rows {
        out += &format!(
            "<tr><th scope=\"row\">{head}</th><td>{}</td></tr>\n",
            text(value)
        );
    }
    out + "</table>\n"
}

/// An id as people read it.
fn shown_id(id: &Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}

fn looked_up(name: &str, found: &Result<(RecordShown, Vec<MatchShown>), ApiError>) -> String {
    let (record, matches) = match found {
        Ok(found) => found,
        Err(error) => return format!("<p class=\"bad\">{}</p>\n", text(error.sentence())),
    };
    let or_dash = |text: &Option<String>| text.clone().unwrap_or_else(|| "–".to_owned());
    let judged = match record.judged {
        true => "yes",
        false => "no, it has too little to be compared",
    };
    let mut out = table(&[
        ("Id", shown_id(&record.id)),
        ("Label", or_dash(&record.label)),
        ("Added", record.added.clone()),
        (
            "Expires",
            record.expires.clone().unwrap_or_else(|| "never".to_owned()),
        ),
        ("Judged", judged.to_owned()),
    ]);
    out += "<h2>What it is a near duplicate of</h2>\n";
    if matches.is_empty() {
        return out + "<p>Nothing else in this collection.</p>\n";
    }
    out += "<table>\n<tr><th>Document</th><th class=\"number\">Score</th><th>Label</th></tr>\n";
    for found in matches {
        let id = shown_id(&found.duplicate_of);
        out += &format!(
            "<tr><td><a href=\"/view/{name}?id={}\">{}</a></td><td class=\"number\">{:.4}</td>\
             <td>{}</td></tr>\n",
            encoded(&id),
            text(&id),
            found.score,
            text(&or_dash(&found.label))
        );
    }
    out + "</table>\n"
}

/// What two texts have in common.
pub(super) fn comparison(name: &str, comparison: &Comparison) -> String {
    let (class, verdict) = match comparison.near_duplicates {
        true => ("good", "Near duplicates"),
        false => ("bad", "Not near duplicates"),
    };
    let score = comparison.score.map_or_else(
        || "there is too little to be compared".to_owned(),
        |score| format!("the score is {score:.4}"),
    );
    let mut main = format!(
        "<p class=\"{class}\">{verdict}</p>\n<p>By {}: {score}. The texts have {} and {} words.</p>\n\
         <p><a href=\"/view/{}\">Compare others</a></p>\n<h2>Similarities</h2>\n<table>\n",
        text(&comparison.method),
        comparison.words[0],
        comparison.words[1],
        text(name)
    );
    for measured in &comparison.similarities {
        main += &format!(
            "<tr><th scope=\"row\">{}</th><td class=\"number\">{:.4}</td><td class=\"faint\">{}</td></tr>\n",
            text(&measured.name),
            measured.value,
            text(&measured.note)
        );
    }
    main += "</table>\n";
    for (title, features) in [
        ("In both", &comparison.shared),
        ("Only in the first", &comparison.only_a),
        ("Only in the second", &comparison.only_b),
    ] {
        main += &format!(
            "<h2>{title} ({})</h2>\n<ul>\n",
            count(features.len() as u64)
        );
        for feature in features.iter().take(SHOWN) {
            main += &format!("<li>{}</li>\n", text(feature));
        }
        main += "</ul>\n";
    }
    page("Two texts", &main)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_from_outside_is_text() {
        let evil = "<script>alert('1')</script>\"&";
        assert!(!refused(evil).contains("<script"));
    }
}
