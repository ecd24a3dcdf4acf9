//! From a batch to documents; runs on the worker threads.

use twinsift::{Document, Id, Item, Place, Skipped};

use super::batch::{Batch, Kind};
use super::options::FieldNames;
use super::source::Format;
use super::{Inputs, csv, record, warc};
use crate::extract::{self, Page, charset, mail};

impl Inputs {
    /// Turns a batch into documents, and hands each to `sink` in order.
    pub fn expand(&self, batch: &Batch, sink: &mut dyn FnMut(Item<'_>)) {
        let by_place = self.options.fields.id.as_deref() == Some(FieldNames::NONE);
        if !by_place && !self.options.id_per_file {
            return self.pieces(batch, sink);
        }
        self.pieces(batch, &mut |item| {
            sink(match item {
                Item::Document(document) => Item::Document(self.renamed(document, by_place)),
                skipped @ Item::Skipped(_) => skipped,
            });
        });
    }

    /// A document named by its place, or by its file and its own id.
    fn renamed<'a>(&self, mut document: Document<'a>, by_place: bool) -> Document<'a> {
        let place_id = self.place_id(document.place);
        if by_place || document.id.text == place_id {
            document.id = Id::text(place_id);
            document.second_id = None;
            return document;
        }
        let file = &self.sources[document.place.source as usize].name;
        document.id = Id::text(format!("{file}:{}", document.id));
        let second = document.second_id.take();
        document.second_id = second.map(|second| format!("{file}:{second}").into());
        document
    }

    fn pieces(&self, batch: &Batch, sink: &mut dyn FnMut(Item<'_>)) {
        for piece in &batch.pieces {
            let bytes = &batch.data[piece.start..piece.end];
            let place = piece.place;
            match &piece.kind {
                Kind::Problem(skipped) => sink(Item::Skipped(skipped.clone())),
                Kind::Lines => self.lines(bytes, place, sink),
                Kind::Record => self.record(bytes, place, sink),
                Kind::Row(header) => self.row(bytes, header, place, sink),
                #[cfg(feature = "parquet")]
                Kind::Rows(rows) => self.rows(rows, place, sink),
            }
        }
    }

    /// The name of a document that has none of its own.
    pub(super) fn place_id(&self, place: Place) -> String {
        let source = &self.sources[place.source as usize];
        match source.format {
            Some(format) if !format.is_single() => format!("{}:{}", source.name, place.record),
            _ => source.name.clone(),
        }
    }

    fn lines(&self, bytes: &[u8], first: Place, sink: &mut dyn FnMut(Item<'_>)) {
        let mut place = first;
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]) {
            let line = bytes[start..end].trim_ascii();
            if !line.is_empty() {
                self.object(line, place, sink);
            }
            place.record += 1;
            start = end + 1;
            if start >= bytes.len() {
                break;
            }
        }
    }

    fn object(&self, bytes: &[u8], place: Place, sink: &mut dyn FnMut(Item<'_>)) {
        let mut values = self.fields.blank();
        sink(match record::parse(bytes, &self.fields, &mut values) {
            Err(reason) => skipped(place, reason),
            Ok(()) => self.fields.item(
                &mut values,
                place,
                || self.place_id(place),
                || record::names(bytes),
            ),
        });
    }

    fn row(
        &self,
        bytes: &[u8],
        header: &csv::Header,
        place: Place,
        sink: &mut dyn FnMut(Item<'_>),
    ) {
        let mut values = self.fields.blank();
        sink(match csv::parse(bytes, header, &self.fields, &mut values) {
            Err(reason) => skipped(place, reason),
            Ok(()) => self.fields.item(
                &mut values,
                place,
                || self.place_id(place),
                || header.names.clone(),
            ),
        });
    }

    fn record(&self, bytes: &[u8], place: Place, sink: &mut dyn FnMut(Item<'_>)) {
        let content = self.options.content;
        let whole = |page: Page| {
            let mut document = Document::new(self.place_id(place), page.text);
            document.title = page.title.map(Into::into);
            document.place = place;
            Item::Document(document)
        };
        let item = match self.sources[place.source as usize].format {
            Some(Format::Html) => whole(extract::page(&charset::decode_page(bytes, None), content)),
            Some(Format::Eml | Format::Mbox) => match mail::extract(bytes) {
                Some(page) => whole(Page {
                    text: extract::plain(page.text.into(), content).into_owned(),
                    ..page
                }),
                None => skipped(place, "not a mail".to_owned()),
            },
            Some(Format::Warc) => match warc::document(bytes, place, content) {
                Ok(Some(document)) => Item::Document(document),
                Ok(None) => return,
                Err(reason) => skipped(place, reason),
            },
            Some(Format::Text) => {
                let text = extract::plain(charset::decode(bytes, None), content);
                let mut document = Document::new(self.place_id(place), text);
                document.place = place;
                Item::Document(document)
            }
            _ => return self.object(bytes, place, sink),
        };
        sink(item);
    }
}

fn skipped(place: Place, reason: String) -> Item<'static> {
    Item::Skipped(Skipped::one(place, reason))
}
