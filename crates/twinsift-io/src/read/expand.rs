//! From a batch to documents; runs on the worker threads.

use twinsift::{Document, Id, Item, Place, Skipped};

use super::batch::{Batch, Kind};
use super::lengths::too_long;
use super::options::FieldNames;
use super::{Inputs, csv, record, warc};
use crate::extract::{self, ExtractedText, charset, mail};
use crate::format::Format;

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
            if end - start > self.options.max_document {
                sink(skipped(place, self.too_long(end - start)));
            } else if !line.is_empty() {
                self.object(line, place, sink);
            }
            place.record += 1;
            start = end + 1;
            if start >= bytes.len() {
                break;
            }
        }
    }

    fn too_long(&self, length: usize) -> String {
        too_long(length as u64, self.options.max_document, None)
    }

    fn object(&self, bytes: &[u8], place: Place, sink: &mut dyn FnMut(Item<'_>)) {
        let mut values = self.fields.blank();
        let charset = &self.charsets[place.source as usize];
        sink(
            match record::parse(bytes, charset, &self.fields, &mut values) {
                Err(reason) => skipped(place, reason),
                Ok(()) => self.fields.item(
                    &mut values,
                    place,
                    || self.place_id(place),
                    || record::names(bytes),
                ),
            },
        );
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
        let told = self.options.charset.map(|name| name.0.name());
        let whole = |page: ExtractedText| {
            let mut document = Document::new(self.place_id(place), page.text);
            document.title = page.title.map(Into::into);
            document.place = place;
            document
        };
        let item = match self.sources[place.source as usize].format {
            Some(Format::Html) => {
                Item::Document(whole(self.fields.page(&charset::decode_page(bytes, told))))
            }
            Some(Format::Eml | Format::Mbox) => match mail::extract(bytes) {
                Some(mail) => {
                    let mut document = whole(ExtractedText {
                        text: extract::plain(mail.page.text.into(), content).into_owned(),
                        ..mail.page
                    });
                    self.name_mail(&mut document, mail.id);
                    Item::Document(document)
                }
                None => skipped(place, "not a mail".to_owned()),
            },
            Some(Format::Warc) => {
                match warc::document(bytes, place, &self.fields, self.options.max_document) {
                    Ok(Some(document)) => Item::Document(document),
                    Ok(None) => return,
                    Err(reason) => skipped(place, reason),
                }
            }
            Some(Format::Text) => {
                let text = extract::plain(charset::decode(bytes, told), content);
                let mut document = Document::new(self.place_id(place), text);
                document.place = place;
                Item::Document(document)
            }
            _ => return self.object(bytes, place, sink),
        };
        sink(item);
    }

    /// Names a mail by its Message-ID, unless it is a file of its own, which has a name
    /// already. Should that name be taken, for the same mail may be there twice, it is named
    /// by its place.
    fn name_mail(&self, document: &mut Document<'_>, message_id: Option<String>) {
        let source = &self.sources[document.place.source as usize];
        let is_file = source.format == Some(Format::Eml) && source.size.is_some();
        if let Some(id) = message_id.filter(|_| !is_file) {
            let place_id = std::mem::replace(&mut document.id, Id::text(id));
            document.second_id = Some(place_id.text);
        }
    }
}

fn skipped(place: Place, reason: String) -> Item<'static> {
    Item::Skipped(Skipped::one(place, reason))
}
