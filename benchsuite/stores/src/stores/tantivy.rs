//! tantivy: a search engine's index of immutable segments, in Rust.
//!
//! Keys and ids are indexed fields, id and signature are stored ones, without
//! compression, as random bytes cannot be compressed. Loading uses all cores and
//! one commit; compaction merges everything into a single segment.

use super::{Access, DANGLING, Store, Visit, once};
use crate::corpus::{Corpus, Document};
use anyhow::{Context, Result};
use std::path::Path;
use tantivy::directory::MmapDirectory;
use tantivy::schema::{
    Field, INDEXED, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions, Value,
};
use tantivy::store::Compressor;
use tantivy::{
    DocAddress, DocSet, Index, IndexReader, IndexSettings, IndexWriter, ReloadPolicy, TERMINATED,
    TantivyDocument, Term,
};

/// Memory of the writer, for all its threads.
const WRITER: usize = 1 << 30;

struct Tantivy {
    index: Index,
    writer: Option<IndexWriter>,
    reader: IndexReader,
    number: Field,
    id: Field,
    key: Field,
    signature: Field,
}

pub fn open(folder: &Path, access: Access) -> Result<Box<dyn Store>> {
    let mut schema = Schema::builder();
    let raw = TextFieldIndexing::default()
        .set_tokenizer("raw")
        .set_fieldnorms(false)
        .set_index_option(IndexRecordOption::Basic);
    let number = schema.add_u64_field("number", STORED);
    let text = TextOptions::default().set_stored();
    let id = schema.add_text_field("id", text.set_indexing_options(raw));
    let key = schema.add_u64_field("key", INDEXED);
    let signature = schema.add_bytes_field("signature", STORED);
    let settings = IndexSettings {
        docstore_compression: Compressor::None,
        ..IndexSettings::default()
    };
    let index = match access {
        Access::Write => Index::builder()
            .schema(schema.build())
            .settings(settings)
            .open_or_create(MmapDirectory::open(folder)?)?,
        Access::Read => Index::open_in_dir(folder)?,
    };
    let writer = match access {
        Access::Write => Some(index.writer(WRITER)?),
        Access::Read => None,
    };
    let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual);
    Ok(Box::new(Tantivy {
        writer,
        reader: reader.try_into()?,
        index,
        number,
        id,
        key,
        signature,
    }))
}

impl Drop for Tantivy {
    fn drop(&mut self) {
        if let Some(writer) = self.writer.take() {
            // Nobody is left to tell, and what was committed stays committed.
            let _ = writer.wait_merging_threads();
        }
    }
}

impl Tantivy {
    fn writer(&mut self) -> Result<&mut IndexWriter> {
        self.writer.as_mut().context("opened to read only")
    }

    fn put(&mut self, document: &Document) -> Result<()> {
        let mut fields = TantivyDocument::new();
        fields.add_u64(self.number, document.number.into());
        fields.add_text(self.id, &document.id);
        fields.add_bytes(self.signature, &document.signature);
        for key in document.keys {
            fields.add_u64(self.key, key);
        }
        self.writer()?.add_document(fields)?;
        Ok(())
    }

    /// The places of all documents with one of the terms of a field.
    fn places(&self, field: Field, terms: &[Term]) -> Result<Vec<DocAddress>> {
        let mut places = Vec::new();
        for (ordinal, segment) in self.reader.searcher().segment_readers().iter().enumerate() {
            let inverted = segment.inverted_index(field)?;
            let mut documents = Vec::new();
            for term in terms {
                let postings = inverted.read_postings(term, IndexRecordOption::Basic)?;
                let Some(mut postings) = postings else {
                    continue;
                };
                while postings.doc() != TERMINATED {
                    documents.push(postings.doc());
                    postings.advance();
                }
            }
            let place = |document| DocAddress::new(ordinal as u32, document);
            places.extend(once(documents).into_iter().map(place));
        }
        Ok(places)
    }

    fn stored(&self, place: DocAddress) -> Result<TantivyDocument> {
        Ok(self.reader.searcher().doc(place)?)
    }

    fn number_of(&self, document: &TantivyDocument) -> Result<u32> {
        let number = document.get_first(self.number);
        let number = number.and_then(|number| number.as_u64());
        Ok(number.context(DANGLING)?.try_into()?)
    }
}

impl Store for Tantivy {
    fn load(&mut self, corpus: Corpus, count: u32) -> Result<()> {
        for number in 0..count {
            self.put(&corpus.document(number))?;
        }
        self.writer()?.commit()?;
        self.refresh()
    }

    fn compact(&mut self) -> Result<bool> {
        let segments = self.index.searchable_segment_ids()?;
        if segments.len() > 1 {
            self.writer()?.merge(&segments).wait()?;
        }
        self.refresh()?;
        self.writer()?.garbage_collect_files().wait()?;
        Ok(true)
    }

    fn add(&mut self, documents: &[Document]) -> Result<()> {
        for document in documents {
            self.put(document)?;
        }
        self.writer()?.commit()?;
        Ok(())
    }

    fn query(&mut self, keys: &[u64], visit: Visit) -> Result<()> {
        let terms: Vec<_> = keys
            .iter()
            .map(|&key| Term::from_field_u64(self.key, key))
            .collect();
        for place in self.places(self.key, &terms)? {
            let document = self.stored(place)?;
            let id = document.get_first(self.id).and_then(|id| id.as_str());
            let signature = document.get_first(self.signature);
            let signature = signature.and_then(|signature| signature.as_bytes());
            visit(
                self.number_of(&document)?,
                id.context(DANGLING)?.as_bytes(),
                signature.context(DANGLING)?,
            );
        }
        Ok(())
    }

    fn number(&mut self, id: &str) -> Result<Option<u32>> {
        let places = self.places(self.id, &[Term::from_field_text(self.id, id)])?;
        let Some(&place) = places.first() else {
            return Ok(None);
        };
        Ok(Some(self.number_of(&self.stored(place)?)?))
    }

    fn refresh(&mut self) -> Result<()> {
        Ok(self.reader.reload()?)
    }

    fn verify(&mut self) -> Result<Option<bool>> {
        Ok(Some(self.index.validate_checksum()?.is_empty()))
    }
}
