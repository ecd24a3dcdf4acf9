//! fjall: a log-structured merge tree, in Rust.
//!
//! Loading ingests sorted entries straight into tables, past the journal.
//! Signatures are kept apart from the tree, as the documentation advises for
//! values of a kilobyte and more, and not compressed, as random bytes cannot be.

use super::{
    Access, CACHE, DANGLING, Store, Visit, decode, encode, number_from, once, posted, posting,
};
use crate::corpus::{Corpus, Document};
use anyhow::{Context, Result};
use fjall::{
    CompressionType, Database, Keyspace, KeyspaceCreateOptions, KvSeparationOptions, PersistMode,
    Readable,
};
use std::path::Path;

struct Fjall {
    database: Database,
    documents: Keyspace,
    postings: Keyspace,
    ids: Keyspace,
}

/// There is no way to open for reading only.
pub fn open(folder: &Path, _access: Access) -> Result<Box<dyn Store>> {
    let database = Database::builder(folder).cache_size(CACHE as u64).open()?;
    let apart = || {
        let apart = KvSeparationOptions::default().compression(CompressionType::None);
        KeyspaceCreateOptions::default().with_kv_separation(Some(apart))
    };
    Ok(Box::new(Fjall {
        documents: database.keyspace("documents", apart)?,
        postings: database.keyspace("postings", KeyspaceCreateOptions::default)?,
        ids: database.keyspace("ids", KeyspaceCreateOptions::default)?,
        database,
    }))
}

impl Store for Fjall {
    fn load(&mut self, corpus: Corpus, count: u32) -> Result<()> {
        let mut ingestion = self.documents.start_ingestion()?;
        for number in 0..count {
            ingestion.write(number.to_be_bytes(), encode(&corpus.document(number)))?;
        }
        ingestion.finish()?;
        let mut ingestion = self.postings.start_ingestion()?;
        for (key, number) in corpus.sorted_postings(count) {
            ingestion.write(posting(key, number), [])?;
        }
        ingestion.finish()?;
        let mut ingestion = self.ids.start_ingestion()?;
        for (id, number) in corpus.sorted_ids(count) {
            ingestion.write(id, number.to_be_bytes())?;
        }
        ingestion.finish()?;
        Ok(self.database.persist(PersistMode::SyncAll)?)
    }

    fn compact(&mut self) -> Result<bool> {
        for keyspace in [&self.documents, &self.postings, &self.ids] {
            keyspace.major_compact()?;
        }
        Ok(true)
    }

    fn add(&mut self, documents: &[Document]) -> Result<()> {
        let mut batch = self.database.batch().durability(Some(PersistMode::SyncAll));
        for document in documents {
            let number = document.number.to_be_bytes();
            batch.insert(&self.documents, number, encode(document));
            batch.insert(&self.ids, document.id.as_str(), number);
            for key in document.keys {
                batch.insert(&self.postings, posting(key, document.number), []);
            }
        }
        Ok(batch.commit()?)
    }

    fn query(&mut self, keys: &[u64], visit: Visit) -> Result<()> {
        let snapshot = self.database.snapshot();
        let mut numbers = Vec::new();
        for key in keys {
            for entry in snapshot.prefix(&self.postings, key.to_be_bytes()) {
                numbers.push(posted(&entry.key()?)?);
            }
        }
        for number in once(numbers) {
            let value = snapshot.get(&self.documents, number.to_be_bytes())?;
            let value = value.context(DANGLING)?;
            let (id, signature) = decode(&value)?;
            visit(number, id, signature);
        }
        Ok(())
    }

    fn number(&mut self, id: &str) -> Result<Option<u32>> {
        let number = self.ids.get(id)?;
        number.map(|number| number_from(&number)).transpose()
    }
}
