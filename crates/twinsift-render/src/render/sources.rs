//! Where pages come from: addresses, lists of them, and stored pages.
//!
//! Lists are read at once, because the browser has to know the hosts in them
//! when it starts. Stored pages are read as they are needed.

use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};

use twinsift::{Document, Id, Item, Place};
use twinsift_io::{Batches, Body, Content, Format, Inputs, ReadError, ReadOptions};
use url::Url;

use super::hosts::Hosts;
use super::page::{HtmlSource, RenderInput};

/// An item of the sources.
#[derive(Debug)]
pub enum SourceItem {
    /// A page to render.
    Page(RenderInput),
    /// An address that has been there before.
    Repeated,
    /// Something that is no page: where, and why.
    Skipped(String),
}

/// The sources of a run, in order.
pub struct Sources {
    parts: Vec<Part>,
}

enum Part {
    Addresses(Vec<Result<Listed, String>>),
    Stored(Box<Inputs>),
}

/// A page to be fetched, and where its address stands.
type Listed = (RenderInput, String);

impl Sources {
    /// Opens addresses, files with an address in each line, perhaps after an id
    /// and a tab, and files and folders of pages. `options` say which fields hold what.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or can hold no page.
    pub fn open(arguments: &[PathBuf], options: &ReadOptions) -> Result<Self, ReadError> {
        let mut options = options.clone();
        // Lists of addresses are read as they are.
        options.content = Content::All;
        options.body = Body::Fetched;
        let html = options.fields.html.take();
        options.fields.html = Some(html.unwrap_or_else(|| "html".to_owned()));
        let mut parts = Vec::new();
        for argument in arguments {
            if let Some(address) = argument.to_str().filter(|text| text.contains("://")) {
                let page = parse(address).map(|found| (RenderInput::at(found), address.to_owned()));
                parts.push(Part::Addresses(vec![page]));
                continue;
            }
            let inputs = Inputs::open(std::slice::from_ref(argument), options.clone())?;
            parts.push(part(argument, inputs)?);
        }
        Ok(Self { parts })
    }

    /// How many pages there are, if that is known.
    pub fn len(&self) -> Option<usize> {
        let count = |part: &Part| match part {
            Part::Addresses(addresses) => Some(addresses.len()),
            Part::Stored(_) => None,
        };
        self.parts.iter().map(count).sum()
    }

    /// Whether there is certainly no page.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// Allows the hosts of all addresses that are to be fetched.
    pub fn allow_into(&self, hosts: &mut Hosts) {
        for part in &self.parts {
            if let Part::Addresses(addresses) = part {
                for (page, _) in addresses.iter().flatten() {
                    if let HtmlSource::Address(address) = &page.body {
                        hosts.allow_host_of(address);
                    }
                }
            }
        }
    }

    /// All that is found, in order.
    pub fn iter(&self) -> impl Iterator<Item = SourceItem> + Send {
        let mut known = HashSet::new();
        let found = self.parts.iter().flat_map(Part::found);
        found.map(move |found| settle(found, &mut known))
    }
}

/// A name that is taken is a repetition for an address without a name of its
/// own, and a mistake for other pages that have no second name.
fn settle(found: Candidate, known: &mut HashSet<String>) -> SourceItem {
    let (mut page, second, place) = match found {
        Ok(found) => found,
        Err(reason) => return SourceItem::Skipped(reason),
    };
    if known.insert(page.id.text.to_string()) {
        return SourceItem::Page(page);
    }
    match (second, &page.body) {
        (_, HtmlSource::Address(address)) if page.id.text == address.as_str() => {
            SourceItem::Repeated
        }
        (Some(second), _) if known.insert(second.clone()) => {
            page.id.text = second.into();
            SourceItem::Page(page)
        }
        _ => SourceItem::Skipped(format!("{place}: the id \"{}\" occurs twice", page.id)),
    }
}

/// A page with its second name and where it stands, or why there is none.
type Candidate = Result<(RenderInput, Option<String>, String), String>;

impl Part {
    fn found(&self) -> Box<dyn Iterator<Item = Candidate> + Send + '_> {
        match self {
            Part::Addresses(addresses) => Box::new(addresses.iter().map(|listed| {
                let (page, place) = listed.clone()?;
                Ok((page, None, place))
            })),
            Part::Stored(inputs) => Box::new(Stored {
                inputs,
                batches: inputs.batches(),
                ready: VecDeque::new(),
            }),
        }
    }
}

/// Pages out of files, a batch at a time.
struct Stored<'a> {
    inputs: &'a Inputs,
    batches: Batches<'a>,
    ready: VecDeque<Candidate>,
}

impl Iterator for Stored<'_> {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        while self.ready.is_empty() {
            let batch = self.batches.next()?;
            let (inputs, ready) = (self.inputs, &mut self.ready);
            inputs.expand(&batch, &mut |item| {
                ready.push_back(match item {
                    Item::Document(document) => stored(inputs, document),
                    Item::Skipped(skipped) => {
                        let place = inputs.place_name(skipped.place);
                        Err(format!("{place}: {}", skipped.reason))
                    }
                });
            });
        }
        self.ready.pop_front()
    }
}

fn stored(inputs: &Inputs, document: Document<'_>) -> Candidate {
    let document = document.into_owned();
    let place = inputs.place_name(document.place);
    let html = document.text.into_owned();
    if html.trim().is_empty() {
        return Err(format!("{place}: there is no HTML in it"));
    }
    let source = &inputs.sources()[document.place.source as usize];
    let body = match source.format {
        Some(Format::Html) => HtmlSource::File {
            path: source.path.clone(),
            html,
        },
        Some(Format::Text | Format::Eml | Format::Mbox) => {
            return Err(format!("{place}: there is no page in it"));
        }
        _ => HtmlSource::Stored {
            url: document.url.and_then(|url| parse(&url).ok()),
            html,
        },
    };
    let page = RenderInput {
        id: document.id,
        body,
    };
    Ok((page, document.second_id.map(Into::into), place))
}

/// A text that is named is a list of addresses; other files hold pages.
fn part(argument: &Path, inputs: Inputs) -> Result<Part, ReadError> {
    let is_list = match inputs.sources() {
        [source] => source.format == Some(Format::Text) && !argument.is_dir(),
        _ => false,
    };
    if !is_list {
        let pages = inputs.with_content(Content::Html);
        return Ok(Part::Stored(Box::new(pages)));
    }
    let mut addresses = Vec::new();
    let name = inputs.place_name(Place::default());
    for batch in inputs.batches() {
        inputs.expand(&batch, &mut |item| match item {
            Item::Document(document) => list(&document.text, &name, &mut addresses),
            Item::Skipped(skipped) => addresses.push(Err(format!("{name}: {}", skipped.reason))),
        });
    }
    Ok(Part::Addresses(addresses))
}

fn list(text: &str, name: &str, addresses: &mut Vec<Result<Listed, String>>) {
    for (line, text) in text.lines().enumerate() {
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let (id, address) = match text.split_once('\t') {
            Some((id, address)) => (Some(id.trim()), address.trim()),
            None => (None, text),
        };
        let place = format!("{name}:{}", line + 1);
        addresses.push(match parse(address) {
            Ok(address) => {
                let mut page = RenderInput::at(address);
                if let Some(id) = id {
                    page.id = Id::text(id.to_owned());
                }
                Ok((page, place))
            }
            Err(why) => Err(format!("{place}: {why}")),
        });
    }
}

/// An address that can be fetched without any credentials.
fn parse(text: &str) -> Result<Url, String> {
    let refuse = |why: &str| Err(format!("\"{text:.200}\" {why}"));
    let Ok(mut address) = Url::parse(text) else {
        return refuse("is no address: write http:// or https:// and a host");
    };
    if !matches!(address.scheme(), "http" | "https") || address.host().is_none() {
        return refuse("is no address of a page: only http and https are fetched");
    }
    if !address.username().is_empty() || address.password().is_some() {
        return refuse("holds a user name or password, which are not sent");
    }
    address.set_fragment(None);
    Ok(address)
}
