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
//! The browser knows what is to be seen, by whatever style sheet or script. So what it
//! says takes the place of what attributes say (see [`Sight`]): what is not displayed
//! is `hidden`, inline styles say which elements are invisible, and no other element
//! claims to be either.
//!
//! The walk keeps its own stack: a page can nest as deep as it likes.

use std::collections::HashMap;

use super::sight::{HIDING, Mark, Sight, sight, without_hiding};
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
    let top = NodeRef {
        process: 0,
        document: 0,
        node: 0,
        depth: 0,
        sight: Sight::Untold,
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

/// A node of a document in one of the snapshots.
#[derive(Clone, Copy)]
struct NodeRef {
    process: usize,
    document: usize,
    node: usize,
    /// How many frames deep it is.
    depth: usize,
    sight: Sight,
}

enum Step {
    Open(NodeRef),
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
                Step::Close(name) => self.html += &format!("</{name}>"),
                Step::Open(_) if self.html.len() >= self.most => self.cut = true,
                Step::Open(place) => self.open(place),
            }
        }
    }

    fn document(&self, place: NodeRef) -> &'a Document<'a> {
        &self.documents[place.process][place.document]
    }

    fn push_all(&mut self, nodes: &[usize], place: NodeRef) {
        let steps = nodes.iter().rev();
        self.todo
            .extend(steps.map(|&node| Step::Open(NodeRef { node, ..place })));
    }

    fn push_children(&mut self, place: NodeRef) {
        let children = self.document(place).children(place.node);
        self.push_all(children, place);
    }

    fn open(&mut self, place: NodeRef) {
        let document = self.document(place);
        match document.kind(place.node) {
            Kind::Text => self.html += &escape(document.value(place.node)),
            Kind::Element => self.element(place),
            Kind::Browser => self.push_children(place),
            Kind::Nothing => {}
        }
    }

    fn element(&mut self, place: NodeRef) {
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
        let (mark, sight) = sight(document, place.node, place.sight, &name);
        self.html.push('<');
        self.html.push_str(&name);
        self.attributes(document, place.node, mark);
        let is_open = matches!(mark, Mark::Displayed { .. }) && name == "dialog";
        if is_open && document.attribute(place.node, "open").is_none() {
            self.attribute("open", "");
        }
        self.html.push('>');
        if VOID.contains(&name.as_str()) {
            return;
        }
        self.todo.push(Step::Close(name.clone()));
        if name == "style" {
            return self.style(place);
        }
        self.push_children(NodeRef { sight, ..place });
    }

    /// An element's attributes, with what the browser says of it in place of those that
    /// say whether it is seen.
    fn attributes(&mut self, document: &Document<'_>, node: usize, mark: Mark) {
        let mut style = None;
        for (name, value) in document.attributes(node) {
            match mark {
                Mark::Plain => self.attribute(name, value),
                _ if HIDING.contains(&name) => {}
                _ if name == "style" => style = Some(without_hiding(value)),
                _ => self.attribute(name, value),
            }
        }
        if let Mark::Displayed { visible: Some(is) } = mark {
            let style = style.get_or_insert_default();
            let separator = if style.is_empty() { "" } else { ";" };
            *style += &format!(
                "{separator}visibility:{}",
                if is { "visible" } else { "hidden" }
            );
        }
        if let Some(style) = style.filter(|style| !style.is_empty()) {
            self.attribute("style", &style);
        }
        if mark == Mark::Hidden {
            self.attribute("hidden", "");
        }
    }

    fn attribute(&mut self, name: &str, value: &str) {
        let is_odd = |c: char| c.is_whitespace() || c.is_control() || "\"'<>/=".contains(c);
        if name.is_empty() || name.contains(is_odd) {
            return;
        }
        let value = value.replace('&', "&amp;").replace('"', "&quot;");
        self.html += &format!(" {name}=\"{value}\"");
    }

    /// Styles are raw text, in which nothing can be escaped.
    fn style(&mut self, place: NodeRef) {
        let document = self.document(place);
        for &child in document.children(place.node) {
            let text = document.value(child);
            if !text.contains("</") {
                self.html.push_str(text);
            }
        }
    }

    fn frame(&mut self, place: NodeRef) {
        let document = self.document(place);
        let within = self.within(place);
        let address = match within.map(|inner| self.document(inner).address()) {
            Some(address) if !address.starts_with(ERROR_PAGE) => address,
            _ => document.attribute(place.node, "src").unwrap_or_default(),
        };
        self.html.push_str("<div");
        self.attribute("data-frame", address);
        let is_unseen = match place.sight {
            Sight::Told { visible } => !document.is_visible(place.node).unwrap_or(visible),
            Sight::Untold => false,
        };
        // What is in it has a style of its own.
        if is_unseen {
            self.attribute("hidden", "");
        }
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
        self.push_children(NodeRef {
            node: root.unwrap_or(0),
            sight: Sight::Told { visible: true },
            ..inner
        });
    }

    /// The document in a frame, wherever it is.
    fn within(&self, place: NodeRef) -> Option<NodeRef> {
        let document = self.document(place);
        let inside = NodeRef {
            node: 0,
            depth: place.depth + 1,
            ..place
        };
        if let Some(number) = document.content(place.node) {
            let exists = number < self.documents[place.process].len();
            return exists.then_some(NodeRef {
                document: number,
                ..inside
            });
        }
        let element = document.tree.nodes.backend_node_id.get(place.node)?;
        let process = *self.parts.owners.get(&(place.process, *element))?;
        self.documents[process].first()?;
        Some(NodeRef {
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

fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// A node's parent, kind, name, text and attributes.
    type Node = (i64, u8, i64, i64, Vec<i64>);

    /// A snapshot as the browser would give it.
    struct Builder {
        strings: Vec<String>,
        nodes: Vec<Node>,
        contents: Vec<(usize, usize)>,
        browsers: Vec<usize>,
        small: Vec<usize>,
        /// Nodes that are not laid out.
        gone: Vec<usize>,
        invisible: Vec<usize>,
        skipping: Vec<usize>,
    }

    impl Builder {
        fn new() -> Self {
            let mut builder = Self {
                strings: Vec::new(),
                nodes: Vec::new(),
                contents: Vec::new(),
                browsers: Vec::new(),
                small: Vec::new(),
                gone: Vec::new(),
                invisible: Vec::new(),
                skipping: Vec::new(),
            };
            for style in ["visible", "hidden"] {
                builder.string(style);
            }
            let name = builder.string("#document");
            builder.nodes.push((-1, 9, name, -1, Vec::new()));
            builder
        }

        fn string(&mut self, text: &str) -> i64 {
            self.strings.push(text.to_owned());
            self.strings.len() as i64 - 1
        }

        fn element(&mut self, parent: usize, name: &str, attributes: &[(&str, &str)]) -> usize {
            let name = self.string(name);
            let pairs = attributes.iter().flat_map(|(name, value)| [*name, *value]);
            let pairs: Vec<&str> = pairs.collect();
            let attributes = pairs.iter().map(|text| self.string(text)).collect();
            self.nodes.push((parent as i64, 1, name, -1, attributes));
            self.nodes.len() - 1
        }

        fn text(&mut self, parent: usize, text: &str) -> usize {
            let (name, value) = (self.string("#text"), self.string(text));
            self.nodes.push((parent as i64, 3, name, value, Vec::new()));
            self.nodes.len() - 1
        }

        fn tree(&self, address: i64) -> Value {
            let column =
                |pick: fn(&Node) -> Value| -> Value { self.nodes.iter().map(pick).collect() };
            let numbers: Vec<usize> = (0..self.nodes.len()).collect();
            let shadow = self.strings.len() as i64 - 1;
            let is_laid = |node: &usize| !self.gone.contains(node);
            let laid: Vec<usize> = numbers.iter().copied().filter(is_laid).collect();
            let styles = |node: &usize| {
                let lists = [&self.invisible, &self.skipping];
                json!(lists.map(|list| usize::from(list.contains(node))))
            };
            let bounds = |node: &usize| match self.small.contains(node) {
                true => json!([0, 0, 1, 1]),
                false => json!([0, 0, 300, 150]),
            };
            json!({
                "documentURL": address, "title": -1,
                "nodes": {
                    "parentIndex": column(|node| node.0.into()),
                    "nodeType": column(|node| node.1.into()),
                    "nodeName": column(|node| node.2.into()),
                    "nodeValue": column(|node| node.3.into()),
                    "attributes": column(|node| node.4.clone().into()),
                    "backendNodeId": numbers,
                    "shadowRootType": {
                        "index": self.browsers,
                        "value": vec![shadow; self.browsers.len()],
                    },
                    "contentDocumentIndex": {
                        "index": self.contents.iter().map(|c| c.0).collect::<Vec<_>>(),
                        "value": self.contents.iter().map(|c| c.1).collect::<Vec<_>>(),
                    },
                },
                "layout": {
                    "nodeIndex": laid,
                    "bounds": laid.iter().map(bounds).collect::<Vec<_>>(),
                    "styles": laid.iter().map(styles).collect::<Vec<_>>(),
                },
            })
        }

        fn snapshot(mut self) -> Snapshot {
            let address = self.string("http://a/");
            self.string("user-agent");
            let value = json!({"documents": [self.tree(address)], "strings": self.strings});
            serde_json::from_value(value).expect("a snapshot")
        }
    }

    fn html(builder: Builder, most: usize) -> Grafted {
        let parts = Parts {
            snapshots: vec![builder.snapshot()],
            owners: HashMap::new(),
        };
        graft(&parts, most).expect("a page")
    }

    #[test]
    fn text_and_attributes_cannot_break_out() {
        let mut page = Builder::new();
        let body = page.element(
            0,
            "BODY",
            &[("title", "\"><p>x&"), ("a b", "x"), ("c>d", "x")],
        );
        page.text(body, "<b>&</b>");
        let style = page.element(body, "STYLE", &[]);
        page.text(style, "</style><p>x");
        page.element(body, "IMG", &[("src", "y")]);
        page.element(body, "O<DD", &[]);
        let script = page.element(body, "SCRIPT", &[]);
        page.text(script, "run()");
        assert_eq!(
            html(page, 1 << 20).html,
            "<!DOCTYPE html><body title=\"&quot;><p>x&amp;\">&lt;b&gt;&amp;&lt;/b&gt;<style></style><img src=\"y\"><div></div></body>"
        );
    }

    #[test]
    fn what_the_browser_adds_is_left_out_and_what_is_within_stays() {
        let mut page = Builder::new();
        let details = page.element(0, "DETAILS", &[]);
        let slot = page.element(details, "SLOT", &[]);
        let label = page.text(slot, "Details");
        page.text(slot, "the page's own");
        page.browsers = vec![slot, label];
        let grafted = html(page, 1 << 20);
        assert_eq!(
            grafted.html,
            "<!DOCTYPE html><details>the page's own</details>"
        );
    }

    /// What the browser does not display is hidden, whatever attributes say, and nothing
    /// else is.
    #[test]
    fn the_browser_says_what_is_seen() {
        let mut page = Builder::new();
        let head = page.element(0, "HEAD", &[]);
        let title = page.element(head, "TITLE", &[]);
        let name = page.text(title, "T");
        let body = page.element(0, "BODY", &[("style", "visibility:hidden")]);
        let overlay = page.element(body, "DIV", &[("style", "color:red;display:block")]);
        let within = page.element(overlay, "P", &[("hidden", "")]);
        let no = page.text(within, "no");
        let shown = page.element(
            body,
            "P",
            &[
                ("hidden", ""),
                ("aria-hidden", "true"),
                ("style", "display:none;x:y"),
            ],
        );
        page.text(shown, "yes");
        let empty = page.element(body, "I", &[("hidden", "")]);
        let left = page.element(body, "DIV", &[]);
        page.text(left, "content");
        let invisible = page.element(body, "DIV", &[("style", "x:y")]);
        page.text(invisible, "no");
        let visible = page.element(invisible, "B", &[]);
        page.text(visible, "yes");
        let details = page.element(body, "DETAILS", &[]);
        let folded = page.element(details, "P", &[]);
        let later = page.text(folded, "later");
        let skipping = page.element(body, "DIV", &[("hidden", "until-found")]);
        let skipped = page.element(skipping, "P", &[]);
        let found = page.text(skipped, "found");
        let dialog = page.element(body, "DIALOG", &[]);
        page.text(dialog, "yes");
        page.gone = vec![
            head, title, name, overlay, within, no, empty, left, folded, later, skipped, found,
        ];
        page.invisible = vec![invisible];
        page.skipping = vec![skipping];
        assert_eq!(
            html(page, 1 << 20).html,
            "<!DOCTYPE html><head><title>T</title></head><body>\
             <div style=\"color:red\" hidden=\"\"><p hidden=\"\">no</p></div>\
             <p style=\"x:y\">yes</p><i hidden=\"\"></i><div>content</div>\
             <div style=\"x:y;visibility:hidden\">no<b style=\"visibility:visible\">yes</b></div>\
             <details><p>later</p></details><div><p>found</p></div>\
             <dialog open=\"\">yes</dialog></body>"
        );
    }

    #[test]
    fn a_frame_of_another_process_is_put_in_its_place() {
        let mut page = Builder::new();
        let body = page.element(0, "BODY", &[]);
        let frame = page.element(body, "IFRAME", &[("src", "x")]);
        page.text(frame, "no frames here");
        let unseen = page.element(body, "IFRAME", &[]);
        page.small = vec![unseen];
        page.text(body, "after");
        let mut inner = Builder::new();
        let root = inner.element(0, "HTML", &[]);
        let title = inner.element(root, "TITLE", &[]);
        inner.text(title, "not ours");
        let body = inner.element(root, "BODY", &[]);
        inner.text(body, "within");
        let parts = Parts {
            snapshots: vec![page.snapshot(), inner.snapshot()],
            owners: HashMap::from([((0, frame as i64), 1), ((0, unseen as i64), 1)]),
        };
        let grafted = graft(&parts, 1 << 20).expect("a page");
        assert_eq!(
            grafted.html,
            "<!DOCTYPE html><body><div data-frame=\"http://a/\">within</div><div data-frame=\"http://a/\"></div>after</body>"
        );
    }

    #[test]
    fn depth_and_size_are_no_danger() {
        let mut page = Builder::new();
        let mut at = 0;
        for _ in 0..100_000 {
            at = page.element(at, "B", &[]);
        }
        page.text(at, "bottom");
        let grafted = html(page, 10 << 20);
        assert!(grafted.html.contains("<b>bottom</b>") && !grafted.cut);
        assert_eq!(grafted.html.matches("</b>").count(), 100_000);

        let mut page = Builder::new();
        let body = page.element(0, "BODY", &[]);
        for _ in 0..100 {
            page.text(body, "0123456789");
        }
        let grafted = html(page, 300);
        assert!(grafted.cut && grafted.html.ends_with("</body>"));
        assert!((300..330).contains(&grafted.html.len()));
    }
}
