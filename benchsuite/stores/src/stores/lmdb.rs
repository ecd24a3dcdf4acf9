//! LMDB through heed: one memory-mapped file of copy-on-write B+trees.
//!
//! Loading appends in key order (`MDB_APPEND`), some entries to a transaction,
//! so that the pages it holds in memory stay few. Compaction is a copy that
//! takes the place of the file.

use super::{Access, DANGLING, Store, Visit, decode, encode, number_from, once, posted, posting};
use crate::corpus::{Corpus, Document};
use anyhow::{Context, Result};
use heed::types::Bytes;
use heed::{CommitOrAbort, CompactionOption, Env, EnvFlags, EnvOpenOptions, PutFlags};
use std::path::Path;

/// Address space for the file: more than it will ever need.
const MAP: usize = 1 << 38;
/// Entries of a transaction while loading.
const ENTRIES: usize = 50_000;

type Table = heed::Database<'static, Bytes, Bytes>;

struct Lmdb {
    /// Leaked, as tables borrow it; taken back when the store is dropped.
    env: &'static Env,
    documents: Table,
    postings: Table,
    ids: Table,
}

pub fn open(folder: &Path, access: Access) -> Result<Box<dyn Store>> {
    let mut options = EnvOpenOptions::new();
    options.map_size(MAP).max_dbs(3);
    if access == Access::Read {
        // SAFETY: this flag is none of those that LMDB calls unsafe.
        unsafe { options.flags(EnvFlags::READ_ONLY) };
    }
    // SAFETY: nothing else changes the file while it is mapped, except for the
    // flipped bytes, which are flipped beforehand.
    let env: &'static Env = Box::leak(Box::new(unsafe { options.open(folder)? }));
    let names = ["documents", "postings", "ids"];
    let tables = if access == Access::Write {
        env.create_databases_and_commit(env.write_txn()?, |opener, transaction| {
            let tables = names.map(|name| opener.create_database(transaction, Some(name)));
            heed::Result::Ok(CommitOrAbort::<_, ()>::Commit(tables.map(|t| t.map(Some))))
        })
    } else {
        env.open_databases_and_commit(env.read_txn()?, |opener, transaction| {
            let tables = names.map(|name| opener.open_database(transaction, Some(name)));
            heed::Result::Ok(CommitOrAbort::<_, ()>::Commit(tables))
        })
    };
    let [documents, postings, ids] = tables?
        .unwrap_commit()
        .map(|table| table?.context("a table is missing"));
    Ok(Box::new(Lmdb {
        env,
        documents: documents?,
        postings: postings?,
        ids: ids?,
    }))
}

impl Drop for Lmdb {
    fn drop(&mut self) {
        // SAFETY: made by `Box::leak` and handed to nobody; the tables, which
        // have nothing to drop, are not used again.
        drop(unsafe { Box::from_raw(std::ptr::from_ref(self.env).cast_mut()) });
    }
}

impl Lmdb {
    fn append<K: AsRef<[u8]>, V: AsRef<[u8]>>(
        &self,
        table: Table,
        entries: impl Iterator<Item = (K, V)>,
    ) -> Result<()> {
        let mut entries = entries.peekable();
        while entries.peek().is_some() {
            let mut transaction = self.env.write_txn()?;
            for (key, value) in entries.by_ref().take(ENTRIES) {
                let (key, value) = (key.as_ref(), value.as_ref());
                table.put_with_flags(&mut transaction, PutFlags::APPEND, key, value)?;
            }
            transaction.commit()?;
        }
        Ok(())
    }
}

impl Store for Lmdb {
    fn load(&mut self, corpus: Corpus, count: u32) -> Result<()> {
        let documents = (0..count).map(|number| {
            let value = encode(&corpus.document(number));
            (number.to_be_bytes(), value)
        });
        self.append(self.documents, documents)?;
        let postings = corpus.sorted_postings(count).into_iter();
        let postings = postings.map(|(key, number)| (posting(key, number), []));
        self.append(self.postings, postings)?;
        let ids = corpus.sorted_ids(count).into_iter();
        self.append(self.ids, ids.map(|(id, number)| (id, number.to_be_bytes())))
    }

    fn compact(&mut self) -> Result<bool> {
        let copy = self.env.path().join("compact.mdb");
        self.env
            .copy_to_path(&copy, CompactionOption::Enabled)?
            .sync_all()?;
        std::fs::rename(copy, self.env.path().join("data.mdb"))?;
        Ok(true)
    }

    fn add(&mut self, documents: &[Document]) -> Result<()> {
        let mut transaction = self.env.write_txn()?;
        for document in documents {
            let number = document.number.to_be_bytes();
            self.documents
                .put(&mut transaction, &number, &encode(document))?;
            self.ids
                .put(&mut transaction, document.id.as_bytes(), &number)?;
            for key in document.keys {
                let key = posting(key, document.number);
                self.postings.put(&mut transaction, &key, &[])?;
            }
        }
        Ok(transaction.commit()?)
    }

    fn query(&mut self, keys: &[u64], visit: Visit) -> Result<()> {
        let transaction = self.env.read_txn()?;
        let mut numbers = Vec::new();
        for key in keys {
            for entry in self
                .postings
                .prefix_iter(&transaction, &key.to_be_bytes())?
            {
                numbers.push(posted(entry?.0)?);
            }
        }
        for number in once(numbers) {
            let value = self.documents.get(&transaction, &number.to_be_bytes())?;
            let (id, signature) = decode(value.context(DANGLING)?)?;
            visit(number, id, signature);
        }
        Ok(())
    }

    fn number(&mut self, id: &str) -> Result<Option<u32>> {
        let transaction = self.env.read_txn()?;
        let number = self.ids.get(&transaction, id.as_bytes())?;
        number.map(number_from).transpose()
    }
}
