//! redb: one file of copy-on-write B+trees, in Rust.
//!
//! Loading is one transaction that appends through cursors, which the
//! documentation calls about three times as fast as inserting. After a crash
//! redb reads the whole file, unless commits were made with quick repair, which
//! makes them dearer: both are measured.

use super::{Access, CACHE, DANGLING, Store, Visit, decode, encode, once};
use crate::corpus::{Corpus, Document};
use anyhow::{Context, Result, bail};
use redb::{
    Builder, Database, DatabaseError, ReadOnlyDatabase, ReadTransaction, ReadableDatabase,
    StorageError, TableDefinition, WriteTransaction,
};
use std::ops::Bound;
use std::path::Path;

const DOCUMENTS: TableDefinition<u32, &[u8]> = TableDefinition::new("documents");
const POSTINGS: TableDefinition<(u64, u32), ()> = TableDefinition::new("postings");
const IDS: TableDefinition<&str, u32> = TableDefinition::new("ids");

enum Handle {
    Write(Database),
    Read(ReadOnlyDatabase),
}

struct Redb {
    handle: Handle,
    quick: bool,
}

pub fn open(folder: &Path, access: Access, quick: bool) -> Result<Box<dyn Store>> {
    let path = folder.join("store.redb");
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE);
    let handle = match access {
        Access::Write => Handle::Write(builder.create(path)?),
        Access::Read => Handle::Read(builder.open_read_only(path)?),
    };
    Ok(Box::new(Redb { handle, quick }))
}

impl Redb {
    fn writer(&mut self) -> Result<&mut Database> {
        match &mut self.handle {
            Handle::Write(database) => Ok(database),
            Handle::Read(_) => bail!("opened to read only"),
        }
    }

    fn write(&mut self) -> Result<WriteTransaction> {
        let quick = self.quick;
        let mut transaction = self.writer()?.begin_write()?;
        transaction.set_quick_repair(quick);
        Ok(transaction)
    }

    fn read(&self) -> Result<ReadTransaction> {
        Ok(match &self.handle {
            Handle::Write(database) => database.begin_read()?,
            Handle::Read(database) => database.begin_read()?,
        })
    }
}

impl Store for Redb {
    fn load(&mut self, corpus: Corpus, count: u32) -> Result<()> {
        let transaction = self.write()?;
        let mut table = transaction.open_table(DOCUMENTS)?;
        let mut end = table.upper_bound_mut(Bound::<u32>::Unbounded)?;
        for number in 0..count {
            end.insert_before(number, encode(&corpus.document(number)).as_slice())?;
        }
        end.close()?;
        drop(table);
        let mut table = transaction.open_table(POSTINGS)?;
        let mut end = table.upper_bound_mut(Bound::<(u64, u32)>::Unbounded)?;
        for pair in corpus.sorted_postings(count) {
            end.insert_before(pair, ())?;
        }
        end.close()?;
        drop(table);
        let mut table = transaction.open_table(IDS)?;
        let mut end = table.upper_bound_mut(Bound::<&str>::Unbounded)?;
        for (id, number) in corpus.sorted_ids(count) {
            end.insert_before(id.as_str(), number)?;
        }
        end.close()?;
        drop(table);
        Ok(transaction.commit()?)
    }

    fn compact(&mut self) -> Result<bool> {
        self.writer()?.compact()?;
        Ok(true)
    }

    fn add(&mut self, documents: &[Document]) -> Result<()> {
        let transaction = self.write()?;
        {
            let mut table = transaction.open_table(DOCUMENTS)?;
            let mut postings = transaction.open_table(POSTINGS)?;
            let mut ids = transaction.open_table(IDS)?;
            for document in documents {
                table.insert(document.number, encode(document).as_slice())?;
                ids.insert(document.id.as_str(), document.number)?;
                for key in document.keys {
                    postings.insert((key, document.number), ())?;
                }
            }
        }
        Ok(transaction.commit()?)
    }

    fn query(&mut self, keys: &[u64], visit: Visit) -> Result<()> {
        let transaction = self.read()?;
        let postings = transaction.open_table(POSTINGS)?;
        let mut numbers = Vec::new();
        for &key in keys {
            for entry in postings.range((key, 0)..=(key, u32::MAX))? {
                numbers.push(entry?.0.value().1);
            }
        }
        let documents = transaction.open_table(DOCUMENTS)?;
        for number in once(numbers) {
            let value = documents.get(number)?.context(DANGLING)?;
            let (id, signature) = decode(value.value())?;
            visit(number, id, signature);
        }
        Ok(())
    }

    fn number(&mut self, id: &str) -> Result<Option<u32>> {
        let ids = self.read()?.open_table(IDS)?;
        Ok(ids.get(id)?.map(|number| number.value()))
    }

    fn verify(&mut self) -> Result<Option<bool>> {
        match self.writer()?.check_integrity() {
            Ok(sound) => Ok(Some(sound)),
            Err(DatabaseError::Storage(StorageError::Corrupted(_))) => Ok(Some(false)),
            Err(error) => Err(error.into()),
        }
    }
}
