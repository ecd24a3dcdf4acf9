//! The pages of a collection, read with both bodies or one, and kept in memory.

use crate::exit::bad_input;
use crate::plan::Run;
use crate::{progress, read};
use rayon::prelude::*;
use std::borrow::Cow;
use std::collections::HashMap;
use twinsift::collection::revisits::originals;
use twinsift::page::{Body as PageBody, Page};
use twinsift::{ContentKey, Document, Id};
use twinsift_io::{Body, Content, ReadOptions, signal_page};
use twinsift_learn::signals::{Background, Prepared, Signal, Signals};

/// Pages with their names.
pub struct Collection {
    pub ids: Vec<Id<'static>>,
    /// The values of the fields that were asked for, by page.
    pub extra: Vec<Vec<Option<String>>>,
    by_id: HashMap<String, u32>,
    pages: Vec<Page<'static>>,
}

/// The pages of a collection, ready to be compared.
pub struct Compared {
    pub signals: Signals,
    pub pages: Vec<Prepared>,
}

impl Collection {
    /// Reads all pages with both bodies. Main content is only looked for if some of
    /// `signals` does.
    pub fn read(run: &Run, signals: &[Signal], extra: &[String]) -> anyhow::Result<Self> {
        let mut options = run.read.clone();
        options.content = Content::Html;
        options.body = Body::Both;
        options.fields.extra = extra.to_vec();
        let main = Signals::new(signals, Background::default()).want_main();
        Self::read_with(run, options, |document| signal_page(document, main))
    }

    /// Reads all pages as commands without a classifier do: the text of one body, as the
    /// run chooses them. It stands in the place of the fetched body's main content.
    pub fn read_texts(run: &Run) -> anyhow::Result<Self> {
        let page = |document: Document<'static>| Page {
            fetched: Some(PageBody {
                main: document.text,
                url: document.url,
                title: document.title,
                ..PageBody::default()
            }),
            rendered: None,
        };
        Self::read_with(run, run.read.clone(), page)
    }

    fn read_with(
        run: &Run,
        options: ReadOptions,
        page: impl Fn(Document<'static>) -> Page<'static> + Sync,
    ) -> anyhow::Result<Self> {
        let documents = read::documents(run, options)?;
        if documents.is_empty() {
            return Err(bad_input("there are no documents in the input"));
        }
        let spinner = progress::working("taking pages apart", run.quiet);
        let ids: Vec<Id<'static>> = documents
            .iter()
            .map(|document| document.id.clone())
            .collect();
        let values = |document: &Document<'_>| {
            let values = document.extra.iter();
            values
                .map(|value| value.as_deref().map(str::to_owned))
                .collect()
        };
        let extra = documents.iter().map(values).collect();
        let keys = |(at, document): (u32, &Document<'_>)| {
            let twins = document.content_keys.clone();
            twins.into_iter().map(move |twin| (at, twin))
        };
        let twins: Vec<(u32, ContentKey)> = (0..).zip(&documents).flat_map(keys).collect();
        let mut pages: Vec<Page<'static>> = documents.into_par_iter().map(&page).collect();
        repeat(&mut pages, &twins);
        spinner.finish_and_clear();
        Ok(Self {
            by_id: (ids.iter().map(|id| id.text.to_string()))
                .zip(0..)
                .collect(),
            ids,
            extra,
            pages,
        })
    }

    /// The number of the page with some id.
    pub fn find(&self, id: &str) -> Option<u32> {
        self.by_id.get(id).copied()
    }

    /// Whether there is any body of a page.
    pub fn has_body(&self, page: u32) -> bool {
        let page = &self.pages[page as usize];
        let mut bodies = page.fetched.iter().chain(&page.rendered);
        bodies.any(|body| !body.source.trim().is_empty() || !body.main.trim().is_empty())
    }

    /// The texts of [`read_texts`](Self::read_texts) as documents.
    pub fn documents(&self) -> Vec<Document<'_>> {
        let documents = self.ids.iter().zip(&self.pages).map(|(id, page)| {
            let body = page.fetched.as_ref();
            let mut document = Document::new(&*id.text, body.map_or("", |body| &*body.main));
            document.title = body
                .and_then(|body| body.title.as_deref())
                .map(Cow::Borrowed);
            document
        });
        documents.collect()
    }

    /// How many pages have a fetched body, and how many a rendered one.
    pub fn bodies(&self) -> [usize; 2] {
        let fetched = self.pages.iter().filter(|page| page.fetched.is_some());
        let rendered = self.pages.iter().filter(|page| page.rendered.is_some());
        [fetched.count(), rendered.count()]
    }

    /// How rare words are among these pages.
    pub fn background(&self) -> Background {
        let text = |page: &'_ Page<'static>| {
            let body = page.fetched.as_ref().or(page.rendered.as_ref());
            body.map(|body| body.text.to_string())
        };
        let texts: Vec<String> = self.pages.par_iter().filter_map(text).collect();
        Background::of(&texts.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Prepares the pages for `signals`; what is no longer needed of them is let go.
    pub fn prepare(&mut self, signals: Signals, quiet: bool) -> Compared {
        let spinner = progress::working("preparing pages", quiet);
        let pages = std::mem::take(&mut self.pages);
        let pages = pages
            .into_par_iter()
            .map(|page| signals.prepare(page))
            .collect();
        spinner.finish_and_clear();
        Compared { signals, pages }
    }
}

/// Gives pages that repeat others the bodies of these, under their own addresses.
fn repeat(pages: &mut [Page<'static>], twins: &[(u32, ContentKey)]) {
    for (at, original) in originals(twins) {
        let at = at as usize;
        let Some(original) = original.map(|original| pages[original as usize].clone()) else {
            continue;
        };
        let own = pages[at].fetched.take().and_then(|body| body.url);
        pages[at] = original;
        if let Some(body) = &mut pages[at].fetched {
            body.url = own.or(body.url.take());
        }
    }
}
