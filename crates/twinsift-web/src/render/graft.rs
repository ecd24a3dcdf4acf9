//! One HTML document out of a page and its frames.
//!
//! The content of a frame is put in the place where the frame is declared, as
//! in the paper. There the result is invalid HTML; here a frame becomes a
//! `<div data-frame="ADDRESS">`, so that any parser finds the text in it. A
//! frameset becomes a body for the same reason. Frames that take no room
//! are left empty: what is in them cannot be seen.
//!
//! The browser gives shadow trees in the place of their element's own content,
//! with that in their slots. What has no effect once the page is there is left
//! out: scripts, templates, comments, and what is for browsers without scripts
//! or frames.
//!
//! The walk keeps its own stack: a page can nest as deep as it likes.

use std::collections::HashMap;

use super::snapshot::{Document, Kind, Snapshot};

/// Elements that have no content, and so no end tag.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr", "param",
];

/// Elements that are not shown.
const UNSEEN: [&str; 6] = [
    "script", "noscript", "template", "noframes", "noembed", "datalist",
];

/// Where the error page of a frame that cannot be shown is.
pub(super) const ERROR_PAGE: &str = "chrome-error:";

/// The documents of a page: first its own process's, then those of frames that
/// have another.
pub(super) struct Parts {
    pub snapshots: Vec<Snapshot>,
    /// Which snapshot is in the frame that the element with a number, in the
    /// process with a number, declares.
    pub owners: HashMap<(usize, i64), usize>,
}

/// A page as one document.
pub(super) struct Grafted {
    pub html: String,
    pub title: Option<String>,
    pub address: String,
    /// Whether it was cut at the most bytes.
    pub cut: bool,
}

/// Puts the parts together, in at most about `most` bytes.
pub(super) fn graft(parts: &Parts, most: usize) -> Option<Grafted> {
    let documents: Vec<Vec<Document<'_>>> = parts
        .snapshots
        .iter()
        .map(|snapshot| {
            let trees = snapshot.documents.iter();
            trees.map(|tree| Document::new(snapshot, tree)).collect()
        })
        .collect();
    let main = documents.first()?.first()?;
    let title = main.snapshot.text(main.tree.title).trim();
    let mut walk = Walk {
        parts,
        documents: &documents,
        todo: Vec::new(),
        html: "<!DOCTYPE html>".to_owned(),
        most,
        cut: false,
    };
    let top = Place {
        process: 0,
        document: 0,
        node: 0,
        depth: 0,
    };
    walk.push_children(top);
    walk.run();
    Some(Grafted {
        html: walk.html,
        title: (!title.is_empty()).then(|| title.to_owned()),
        address: main.address().to_owned(),
        cut: walk.cut,
    })
}

#[derive(Clone, Copy)]
struct Place {
    process: usize,
    document: usize,
    node: usize,
    /// How many frames deep it is.
    depth: usize,
}

enum Step {
    Open(Place),
    Close(String),
}

struct Walk<'a> {
    parts: &'a Parts,
    documents: &'a [Vec<Document<'a>>],
    todo: Vec<Step>,
    html: String,
    most: usize,
    cut: bool,
}

impl<'a> Walk<'a> {
    fn run(&mut self) {
        while let Some(step) = self.todo.pop() {
            match step {
                Step::Close(name) => {
                    self.html.push_str("</");
                    self.html.push_str(&name);
                    self.html.push('>');
                }
                Step::Open(_) if self.html.len() >= self.most => self.cut = true,
                Step::Open(place) => self.open(place),
            }
        }
    }

    fn document(&self, place: Place) -> &'a Document<'a> {
        &self.documents[place.process][place.document]
    }

    fn push_all(&mut self, nodes: &[usize], place: Place) {
        let steps = nodes.iter().rev();
        self.todo
            .extend(steps.map(|&node| Step::Open(Place { node, ..place })));
    }

    fn push_children(&mut self, place: Place) {
        let children = self.document(place).children(place.node);
        self.push_all(children, place);
    }

    fn open(&mut self, place: Place) {
        let document = self.document(place);
        match document.kind(place.node) {
            Kind::Text => escape(document.value(place.node), &mut self.html),
            Kind::Element => self.element(place),
            Kind::Browser => self.push_children(place),
            Kind::Nothing => {}
        }
    }

    fn element(&mut self, place: Place) {
        let document = self.document(place);
        let name = plain_name(document.name(place.node));
        match name.as_str() {
            "iframe" | "frame" => return self.frame(place),
            "object" | "embed" if document.content(place.node).is_some() => {
                return self.frame(place);
            }
            "slot" => return self.push_children(place),
            unseen if UNSEEN.contains(&unseen) => return,
            _ => {}
        }
        // A tree builder keeps nothing else within a frameset, and no markup
        // within the other two.
        let name = match name.as_str() {
            "frameset" if place.depth == 0 && document.find("FRAMESET") == Some(place.node) => {
                "body".to_owned()
            }
            "frameset" => "div".to_owned(),
            "xmp" | "plaintext" | "listing" => "pre".to_owned(),
            _ => name,
        };
        self.html.push('<');
        self.html.push_str(&name);
        for (name, value) in document.attributes(place.node) {
            self.attribute(name, value);
        }
        self.html.push('>');
        if VOID.contains(&name.as_str()) {
            return;
        }
        self.todo.push(Step::Close(name.clone()));
        if name == "style" {
            return self.style(place);
        }
        self.push_children(place);
    }

    fn attribute(&mut self, name: &str, value: &str) {
        let is_odd = |c: char| c.is_whitespace() || c.is_control() || "\"'<>/=".contains(c);
        if name.is_empty() || name.contains(is_odd) {
            return;
        }
        self.html.push(' ');
        self.html.push_str(name);
        self.html.push_str("=\"");
        self.html
            .push_str(&value.replace('&', "&amp;").replace('"', "&quot;"));
        self.html.push('"');
    }

    /// Styles are raw text, in which nothing can be escaped.
    fn style(&mut self, place: Place) {
        let document = self.document(place);
        for &child in document.children(place.node) {
            let text = document.value(child);
            if !text.contains("</") {
                self.html.push_str(text);
            }
        }
    }

    fn frame(&mut self, place: Place) {
        let document = self.document(place);
        let within = self.within(place);
        let address = match within.map(|inner| self.document(inner).address()) {
            Some(address) if !address.starts_with(ERROR_PAGE) => address,
            _ => document.attribute(place.node, "src").unwrap_or_default(),
        };
        self.html.push_str("<div");
        self.attribute("data-frame", address);
        self.html.push('>');
        self.todo.push(Step::Close("div".to_owned()));
        let Some(inner) = within.filter(|_| document.has_room(place.node)) else {
            return;
        };
        let content = self.document(inner);
        if content.address().starts_with(ERROR_PAGE) {
            return;
        }
        let root = match content.find("FRAMESET") {
            Some(frameset) => Some(frameset),
            None => content.find("BODY"),
        };
        self.push_children(Place {
            node: root.unwrap_or(0),
            ..inner
        });
    }

    /// The document in a frame, wherever it is.
    fn within(&self, place: Place) -> Option<Place> {
        let document = self.document(place);
        let inside = Place {
            node: 0,
            depth: place.depth + 1,
            ..place
        };
        if let Some(number) = document.content(place.node) {
            let exists = number < self.documents[place.process].len();
            return exists.then_some(Place {
                document: number,
                ..inside
            });
        }
        let element = document.tree.nodes.backend_node_id.get(place.node)?;
        let process = *self.parts.owners.get(&(place.process, *element))?;
        self.documents[process].first()?;
        Some(Place {
            process,
            document: 0,
            ..inside
        })
    }
}

/// A name that HTML can hold; scripts can make others.
fn plain_name(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.:".contains(c);
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic());
    match starts_well && name.chars().all(is_plain) {
        true => name.to_ascii_lowercase(),
        false => "div".to_owned(),
    }
}

fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c => out.push(c),
        }
    }
}
