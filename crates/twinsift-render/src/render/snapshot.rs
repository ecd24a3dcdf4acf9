//! A page's tree as the browser gives it: flat arrays, and a table of strings.
//!
//! The tree is read rather than asked for as HTML by a script, because a script
//! in the page sees neither frames of other sites nor which text belongs to
//! which slot, and what it calls may be the page's own.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

/// An index into the table of strings; negative for none.
pub(super) type Text = i64;

/// The computed styles that are asked for, in the order of [`Layout::styles`].
pub(super) const STYLES: [&str; 2] = ["visibility", "content-visibility"];

/// No word fits into fewer pixels, border included.
const ROOM: f64 = 10.0;

/// All documents of one process.
#[derive(Debug, Deserialize)]
pub(super) struct Snapshot {
    pub documents: Vec<Tree>,
    strings: Vec<String>,
}

impl Snapshot {
    pub(super) fn text(&self, at: Text) -> &str {
        let at = usize::try_from(at).ok();
        at.and_then(|at| self.strings.get(at))
            .map_or("", String::as_str)
    }
}

/// One document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tree {
    #[serde(rename = "documentURL")]
    pub address: Text,
    pub title: Text,
    pub nodes: Nodes,
    layout: Layout,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Nodes {
    parent_index: Vec<i64>,
    node_type: Vec<u8>,
    node_name: Vec<Text>,
    node_value: Vec<Text>,
    pub backend_node_id: Vec<i64>,
    attributes: Vec<Vec<Text>>,
    shadow_root_type: Rare,
    content_document_index: Rare,
}

/// Values that few nodes have.
#[derive(Debug, Deserialize)]
struct Rare {
    index: Vec<usize>,
    value: Vec<i64>,
}

impl Rare {
    fn table(&self) -> BTreeMap<usize, i64> {
        let pairs = self.index.iter().zip(&self.value);
        pairs.map(|(&at, &value)| (at, value)).collect()
    }
}

/// Where nodes are on the page; those that take no part are not listed.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Layout {
    node_index: Vec<usize>,
    bounds: Vec<Vec<f64>>,
    /// The values of [`STYLES`]; none for the document itself.
    styles: Vec<Vec<Text>>,
}

/// What a node is, in so far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Element,
    Text,
    /// What the browser itself adds, around what the page has put there.
    Browser,
    /// Comments, doctypes, and what styles add.
    Nothing,
}

/// A document with its children and rare values looked up.
pub(super) struct Document<'a> {
    pub snapshot: &'a Snapshot,
    pub tree: &'a Tree,
    children: Vec<Vec<usize>>,
    /// Nodes of the browser's own shadow trees, in form controls and the like.
    browsers: BTreeSet<usize>,
    contents: BTreeMap<usize, i64>,
    roomy: BTreeSet<usize>,
    nodes: Vec<Node>,
}

/// What is to be seen of a node.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// Its place in the layout, if it takes part.
    layout: Option<usize>,
    /// Whether it or anything within takes part in the layout.
    is_shown: bool,
    /// Whether there is text within.
    has_words: bool,
}

impl<'a> Document<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, tree: &'a Tree) -> Self {
        let nodes = &tree.nodes;
        let count = nodes.node_type.len();
        let mut children = vec![Vec::new(); count];
        for (node, &parent) in nodes.parent_index.iter().enumerate() {
            if let Some(siblings) = usize::try_from(parent)
                .ok()
                .and_then(|p| children.get_mut(p))
            {
                siblings.push(node);
            }
        }
        let shadows = nodes.shadow_root_type.table().into_iter();
        let shadows = shadows.filter(|&(_, kind)| snapshot.text(kind) == "user-agent");
        let layout = tree.layout.node_index.iter().zip(&tree.layout.bounds);
        let has_room = |bounds: &[f64]| matches!(bounds, [_, _, w, h] if *w > ROOM && *h > ROOM);
        Self {
            snapshot,
            tree,
            nodes: nodes_of(snapshot, tree, &children),
            children,
            browsers: shadows.map(|(node, _)| node).collect(),
            contents: nodes.content_document_index.table(),
            roomy: layout
                .filter(|(_, bounds)| has_room(bounds))
                .map(|(&node, _)| node)
                .collect(),
        }
    }

    pub(super) fn children(&self, node: usize) -> &[usize] {
        &self.children[node]
    }

    pub(super) fn kind(&self, node: usize) -> Kind {
        match self.tree.nodes.node_type[node] {
            1 if self.browsers.contains(&node) => Kind::Browser,
            3 | 4 if self.browsers.contains(&node) => Kind::Nothing,
            1 if !self.name(node).starts_with("::") => Kind::Element,
            3 | 4 => Kind::Text,
            _ => Kind::Nothing,
        }
    }

    /// The name as the browser has it: in capitals for HTML.
    pub(super) fn name(&self, node: usize) -> &str {
        self.snapshot.text(self.tree.nodes.node_name[node])
    }

    pub(super) fn value(&self, node: usize) -> &str {
        self.snapshot.text(self.tree.nodes.node_value[node])
    }

    pub(super) fn attributes(&self, node: usize) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.tree.nodes.attributes[node].chunks_exact(2);
        pairs.map(|pair| (self.snapshot.text(pair[0]), self.snapshot.text(pair[1])))
    }

    pub(super) fn attribute(&self, node: usize, name: &str) -> Option<&str> {
        self.attributes(node)
            .find(|(n, _)| n.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }

    /// The document in a frame of the same process, by its number.
    pub(super) fn content(&self, node: usize) -> Option<usize> {
        let number = self.contents.get(&node)?;
        usize::try_from(*number).ok()
    }

    /// Whether an element takes room on the page, for text at least.
    pub(super) fn has_room(&self, node: usize) -> bool {
        self.roomy.contains(&node)
    }

    /// Whether an element, or anything within, takes part in the layout: it does not if
    /// it or an element around it is not displayed.
    pub(super) fn is_shown(&self, node: usize) -> bool {
        self.nodes[node].is_shown
    }

    /// Whether an element's own text is visible where it is shown; `None` for an element
    /// that leaves the layout to its content.
    pub(super) fn is_visible(&self, node: usize) -> Option<bool> {
        self.style(node, 0).map(|value| value == "visible")
    }

    /// Whether the content of an element is folded away, or out of sight and not laid out
    /// before a reader comes there. What is in it the browser does not say.
    pub(super) fn is_folded(&self, node: usize) -> bool {
        let is_closed = self.name(node) == "DETAILS" && self.attribute(node, "open").is_none();
        let skips = self.style(node, 1).is_some_and(|value| value != "visible");
        is_closed
            || skips
                && !self.children[node]
                    .iter()
                    .any(|&child| self.is_shown(child))
    }

    fn style(&self, node: usize, at: usize) -> Option<&str> {
        let layout = self.nodes[node].layout?;
        let value = self.tree.layout.styles.get(layout)?.get(at)?;
        Some(self.snapshot.text(*value))
    }

    /// Whether there is text in an element.
    pub(super) fn has_words(&self, node: usize) -> bool {
        self.nodes[node].has_words
    }

    /// The element that is named so, nearest to the root.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let named = |node: &usize| self.kind(*node) == Kind::Element && self.name(*node) == name;
        (0..self.children.len()).find(named)
    }

    pub(super) fn address(&self) -> &str {
        self.snapshot.text(self.tree.address)
    }
}

fn nodes_of(snapshot: &Snapshot, tree: &Tree, children: &[Vec<usize>]) -> Vec<Node> {
    let mut nodes = vec![Node::default(); children.len()];
    for (at, &node) in tree.layout.node_index.iter().enumerate() {
        if let Some(node) = nodes.get_mut(node) {
            node.layout.get_or_insert(at);
            node.is_shown = true;
        }
    }
    // Parents come before their children.
    for at in (0..nodes.len()).rev() {
        let text = match tree.nodes.node_type[at] {
            3 | 4 => snapshot.text(tree.nodes.node_value[at]),
            _ => "",
        };
        let within = || children[at].iter().map(|&child| nodes[child]);
        let has_words = !text.trim().is_empty() || within().any(|node| node.has_words);
        let is_shown = nodes[at].is_shown || within().any(|node| node.is_shown);
        (nodes[at].has_words, nodes[at].is_shown) = (has_words, is_shown);
    }
    nodes
}
