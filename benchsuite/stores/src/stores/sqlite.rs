//! SQLite through rusqlite: one file and its write-ahead log.
//!
//! `synchronous=FULL`, as in WAL mode nothing less makes a commit durable.
//! Loading appends in key order, some rows to a transaction: a single one would
//! write the whole store to the log first.

use super::{Access, CACHE, DANGLING, Store, Visit, once};
use crate::corpus::{Corpus, Document};
use anyhow::{Context, Result};
use rusqlite::{Connection, OpenFlags, OptionalExtension, Statement, params};
use std::path::Path;

const TABLES: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS documents
        (number INTEGER PRIMARY KEY, id TEXT NOT NULL, signature BLOB NOT NULL);
    CREATE TABLE IF NOT EXISTS postings
        (key INTEGER, number INTEGER, PRIMARY KEY (key, number)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS ids (id TEXT PRIMARY KEY, number INTEGER) WITHOUT ROWID;";
const DOCUMENT: &str = "INSERT INTO documents VALUES (?1, ?2, ?3)";
const POSTING: &str = "INSERT INTO postings VALUES (?1, ?2)";
const ID: &str = "INSERT INTO ids VALUES (?1, ?2)";

/// Rows of a transaction while loading.
const ROWS: usize = 50_000;

struct Sqlite(Connection);

pub fn open(folder: &Path, access: Access) -> Result<Box<dyn Store>> {
    let path = folder.join("store.sqlite");
    let connection = match access {
        Access::Write => Connection::open(path)?,
        Access::Read => Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?,
    };
    if access == Access::Write {
        connection.execute_batch(TABLES)?;
    }
    connection.pragma_update(None, "cache_size", -((CACHE >> 10) as i64))?;
    Ok(Box::new(Sqlite(connection)))
}

/// SQLite knows signed numbers only: this keeps the order.
fn signed(key: u64) -> i64 {
    (key ^ (1 << 63)) as i64
}

impl Sqlite {
    fn insert<T>(
        &mut self,
        sql: &str,
        rows: impl IntoIterator<Item = T>,
        insert: impl Fn(&mut Statement, T) -> rusqlite::Result<usize>,
    ) -> Result<()> {
        let mut rows = rows.into_iter().peekable();
        while rows.peek().is_some() {
            let transaction = self.0.transaction()?;
            let mut statement = transaction.prepare_cached(sql)?;
            for row in rows.by_ref().take(ROWS) {
                insert(&mut statement, row)?;
            }
            drop(statement);
            transaction.commit()?;
        }
        Ok(())
    }

    fn truncate_log(&self) -> Result<()> {
        Ok(self.0.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?)
    }
}

impl Store for Sqlite {
    fn load(&mut self, corpus: Corpus, count: u32) -> Result<()> {
        self.insert(DOCUMENT, 0..count, |statement, number| {
            let document = corpus.document(number);
            statement.execute(params![number, document.id, document.signature])
        })?;
        let postings = corpus.sorted_postings(count);
        self.insert(POSTING, postings, |statement, (key, number)| {
            statement.execute((signed(key), number))
        })?;
        self.insert(ID, corpus.sorted_ids(count), |statement, row| {
            statement.execute(row)
        })?;
        self.truncate_log()
    }

    fn compact(&mut self) -> Result<bool> {
        self.0.execute_batch("VACUUM")?;
        self.truncate_log()?;
        Ok(true)
    }

    fn add(&mut self, documents: &[Document]) -> Result<()> {
        let transaction = self.0.transaction()?;
        for document in documents {
            let Document { number, id, .. } = document;
            transaction.prepare_cached(DOCUMENT)?.execute(params![
                number,
                id,
                document.signature
            ])?;
            transaction.prepare_cached(ID)?.execute((id, number))?;
            let mut posting = transaction.prepare_cached(POSTING)?;
            for key in document.keys {
                posting.execute((signed(key), number))?;
            }
        }
        Ok(transaction.commit()?)
    }

    fn query(&mut self, keys: &[u64], visit: Visit) -> Result<()> {
        let transaction = self.0.transaction()?;
        let mut numbers = Vec::new();
        let mut select =
            transaction.prepare_cached("SELECT number FROM postings WHERE key = ?1")?;
        for &key in keys {
            let mut rows = select.query([signed(key)])?;
            while let Some(row) = rows.next()? {
                numbers.push(row.get(0)?);
            }
        }
        let mut select =
            transaction.prepare_cached("SELECT id, signature FROM documents WHERE number = ?1")?;
        for number in once(numbers) {
            let mut rows = select.query([number])?;
            let row = rows.next()?.context(DANGLING)?;
            visit(
                number,
                row.get_ref(0)?.as_bytes()?,
                row.get_ref(1)?.as_bytes()?,
            );
        }
        Ok(())
    }

    fn number(&mut self, id: &str) -> Result<Option<u32>> {
        let mut select = self
            .0
            .prepare_cached("SELECT number FROM ids WHERE id = ?1")?;
        Ok(select.query_row([id], |row| row.get(0)).optional()?)
    }

    fn verify(&mut self) -> Result<Option<bool>> {
        let said: String = self
            .0
            .query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
        Ok(Some(said == "ok"))
    }
}
