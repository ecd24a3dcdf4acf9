//! The texts of a collection, kept on disk while pages are shown.
//!
//! They go to a file without a name, as they are read and as they are compared. In memory stay
//! 24 bytes of each. Titles are kept once more, lower-cased and one after the other, to be
//! searched in one go.

use crate::error::Error;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use twinsift::collection::documents::Documents;
use twinsift::collection::revisits::originals;
use twinsift::{ContentKey, Document, Place, hash};
use twinsift_learn::detect::Reader;

/// Bytes of a title that are searched.
const TITLE_BYTES: usize = 300;

/// Bytes in front of each title: which document it is of, and how long it is.
const HEAD: usize = 6;

/// Where a document stands in the file.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    at: u64,
    title: u32,
    text: u32,
    digest: u64,
}

/// Takes documents while a collection is read, from many threads.
#[derive(Debug)]
pub struct Spool {
    folder: PathBuf,
    /// Bytes of a text that are kept.
    most: usize,
    count: AtomicU64,
    open: Mutex<Open>,
}

#[derive(Debug)]
struct Open {
    texts: BufWriter<File>,
    titles: BufWriter<File>,
    end: u64,
    places: Vec<Place>,
    entries: Vec<Entry>,
    keys: Vec<(u32, ContentKey)>,
    failed: Option<io::Error>,
}

impl Spool {
    /// A spool in a folder.
    pub fn create(folder: &Path) -> Result<Self, Error> {
        let file = || {
            let made = tempfile::tempfile_in(folder);
            made.map(|file| BufWriter::with_capacity(1 << 20, file))
        };
        let failed = |source| Error::Spool {
            folder: folder.to_owned(),
            source,
        };
        Ok(Self {
            folder: folder.to_owned(),
            most: usize::MAX,
            count: AtomicU64::new(0),
            open: Mutex::new(Open {
                texts: file().map_err(failed)?,
                titles: file().map_err(failed)?,
                end: 0,
                places: Vec::new(),
                entries: Vec::new(),
                keys: Vec::new(),
                failed: None,
            }),
        })
    }

    /// A spool that keeps so many bytes of each text.
    pub fn of_beginnings(folder: &Path, bytes: usize) -> Result<Self, Error> {
        let spool = Self::create(folder)?;
        Ok(Self {
            most: bytes,
            ..spool
        })
    }

    /// Keeps a document. What cannot be written is told by [`finish`](Self::finish).
    pub fn add(&self, document: &Document<'_>) {
        self.count.fetch_add(1, Relaxed);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.failed.is_none()
            && let Err(error) = open.add(document, self.most)
        {
            open.failed = Some(error);
        }
    }

    /// How many documents there are so far.
    pub fn count(&self) -> u64 {
        self.count.load(Relaxed)
    }

    /// The texts of documents, in the order of these.
    pub fn finish(&self, documents: &Documents) -> Result<Texts, Error> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let failed = |source| Error::Spool {
            folder: self.folder.clone(),
            source,
        };
        if let Some(error) = open.failed.take() {
            return Err(failed(error));
        }
        let file = |writer: &mut BufWriter<File>| {
            writer.flush()?;
            writer.get_ref().try_clone()
        };
        let texts = file(&mut open.texts).map_err(failed)?;
        let titles = file(&mut open.titles).map_err(failed)?;
        let places = std::mem::take(&mut open.places);
        let mut order: Vec<u32> = (0..places.len() as u32).collect();
        order.sort_unstable_by_key(|&slot| places[slot as usize]);
        let mut doc_of_slot = vec![u32::MAX; places.len()];
        let mut entries = vec![Entry::default(); documents.len()];
        for doc in 0..documents.len() as u32 {
            let place = documents.place(doc);
            let found = order.binary_search_by_key(&place, |&slot| places[slot as usize]);
            if let Ok(found) = found {
                let slot = order[found] as usize;
                doc_of_slot[slot] = doc;
                entries[doc as usize] = open.entries[slot];
            }
        }
        open.entries = Vec::new();
        let of_doc = |(slot, key): (u32, ContentKey)| (doc_of_slot[slot as usize], key);
        let keys: Vec<_> = std::mem::take(&mut open.keys)
            .into_iter()
            .map(of_doc)
            .collect();
        for (doc, original) in originals(&keys) {
            if let (Some(original), true) = (original, (doc as usize) < entries.len()) {
                entries[doc as usize] = entries[original as usize];
            }
        }
        Ok(Texts {
            folder: self.folder.clone(),
            texts,
            titles,
            doc_of_slot,
            entries,
        })
    }
}

impl Open {
    fn add(&mut self, document: &Document<'_>, most: usize) -> io::Result<()> {
        let text = &document.text[..document.text.floor_char_boundary(most)];
        let slot = self.entries.len() as u32;
        let title = document.title.as_deref().unwrap_or_default();
        self.texts.write_all(title.as_bytes())?;
        self.texts.write_all(text.as_bytes())?;
        self.entries.push(Entry {
            at: self.end,
            title: title.len() as u32,
            text: text.len() as u32,
            digest: hash::pair(hash::bytes(title.as_bytes()), hash::bytes(text.as_bytes())),
        });
        self.end += (title.len() + text.len()) as u64;
        self.places.push(document.place);
        let keys = document.content_keys.iter();
        self.keys.extend(keys.map(|&key| (slot, key)));
        if !title.is_empty() {
            let folded = title.to_lowercase();
            let folded = &folded[..folded.floor_char_boundary(TITLE_BYTES)];
            self.titles.write_all(&slot.to_le_bytes())?;
            self.titles
                .write_all(&(folded.len() as u16).to_le_bytes())?;
            self.titles.write_all(folded.as_bytes())?;
        }
        Ok(())
    }
}

/// The texts of a collection.
#[derive(Debug)]
pub struct Texts {
    folder: PathBuf,
    texts: File,
    titles: File,
    doc_of_slot: Vec<u32>,
    entries: Vec<Entry>,
}

impl Texts {
    /// Bytes of a text.
    pub fn len(&self, doc: u32) -> u64 {
        self.entries[doc as usize].text.into()
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Number of documents.
    pub fn documents(&self) -> u32 {
        self.entries.len() as u32
    }

    /// What is equal for documents with the same title and text.
    pub fn digest(&self, doc: u32) -> u64 {
        self.entries[doc as usize].digest
    }

    /// The beginning of a title.
    pub fn title(&self, doc: u32) -> String {
        let entry = self.entries[doc as usize];
        let bytes = self.bytes(entry.at, entry.title.min(TITLE_BYTES as u32) as usize);
        text_of(bytes.unwrap_or_default())
    }

    /// A part of a text, cut to whole characters; what cannot be read is empty.
    pub fn part(&self, doc: u32, from: u64, length: usize) -> String {
        text_of(self.raw(doc, from, length).unwrap_or_default())
    }

    /// Bytes of a part of a text.
    pub fn raw(&self, doc: u32, from: u64, length: usize) -> io::Result<Vec<u8>> {
        let entry = self.entries[doc as usize];
        let from = from.min(entry.text.into());
        let length = length.min((u64::from(entry.text) - from) as usize);
        self.bytes(entry.at + u64::from(entry.title) + from, length)
    }

    fn bytes(&self, at: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        read_exact_at(&self.texts, &mut bytes, at)?;
        Ok(bytes)
    }

    /// Looks through titles, at most so many bytes of them, and tells of each that holds `words`
    /// as long as more are wanted. Returns whether all were looked through.
    pub fn search_titles(
        &self,
        words: &str,
        most_bytes: u64,
        mut found: impl FnMut(u32) -> bool,
    ) -> io::Result<bool> {
        let folded = words.to_lowercase();
        let finder = memchr::memmem::Finder::new(folded.as_bytes());
        let end = self.titles.metadata()?.len();
        let (mut at, mut rest) = (0, Vec::new());
        while at < end.min(most_bytes) {
            let length = (end - at).min(1 << 20) as usize;
            let kept = rest.len();
            rest.resize(kept + length, 0);
            read_exact_at(&self.titles, &mut rest[kept..], at)?;
            at += length as u64;
            let mut used = 0;
            while let Some((slot, title)) = record(&rest[used..]) {
                used += HEAD + title.len();
                let doc = self.doc_of_slot[slot as usize];
                if doc != u32::MAX && finder.find(title).is_some() && !found(doc) {
                    return Ok(false);
                }
            }
            rest.drain(..used);
        }
        Ok(at >= end)
    }
}

/// The first title of some bytes, if it is whole.
fn record(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (slot, rest) = bytes.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let title = rest.get(..u16::from_le_bytes(*length) as usize)?;
    Some((u32::from_le_bytes(*slot), title))
}

/// Text that may be cut within a character at both ends.
fn text_of(bytes: Vec<u8>) -> String {
    let is_inside = |byte: &&u8| **byte & 0xc0 == 0x80;
    let start = bytes.iter().take(3).take_while(is_inside).count();
    let rest = &bytes[start..];
    match std::str::from_utf8(rest) {
        Ok(text) => text.to_owned(),
        Err(error) => String::from_utf8_lossy(&rest[..error.valid_up_to()]).into_owned(),
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, at)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => (bytes, at) = (&mut bytes[read..], at + read as u64),
        }
    }
    Ok(())
}

impl Reader for Texts {
    fn bytes(&self, doc: u32) -> usize {
        let entry = self.entries[doc as usize];
        (entry.title + entry.text) as usize
    }

    fn read(&self, doc: u32) -> twinsift::Result<Document<'static>> {
        let entry = self.entries[doc as usize];
        let bytes = Texts::bytes(self, entry.at, (entry.title + entry.text) as usize);
        let bytes = bytes.map_err(|source| twinsift::Error::Spill {
            folder: self.folder.clone(),
            source,
        })?;
        let (title, text) = bytes.split_at(entry.title as usize);
        let mut document =
            Document::new(doc.to_string(), String::from_utf8_lossy(text).into_owned());
        document.title =
            (!title.is_empty()).then(|| String::from_utf8_lossy(title).into_owned().into());
        Ok(document)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use twinsift::collection::documents::Entry as Named;

    #[test]
    fn texts_come_back_in_the_order_of_documents() {
        let spool = Spool::create(&std::env::temp_dir()).expect("a file");
        let mut documents = Documents::default();
        let mut all = Vec::new();
        for record in 0..300u64 {
            let text = format!("żółć {record} ").repeat(record as usize);
            let mut document = Document::new(format!("d{record}"), text);
            document.title = (record % 3 > 0).then(|| format!("Title {record} ÄÖÜ").into());
            document.place = Place { source: 0, record };
            all.push(document);
        }
        for document in &all {
            documents.push(Named::of(document)).expect("a name");
        }
        all.iter().rev().for_each(|document| spool.add(document));
        let texts = spool.finish(&documents).expect("texts");
        for (doc, document) in (0..).zip(&all) {
            let read = texts.read(doc).expect("a document");
            assert_eq!((&read.text, &read.title), (&document.text, &document.title));
            assert_eq!(texts.title(doc), document.title.clone().unwrap_or_default());
        }
        assert_eq!(texts.part(5, 0, 2), "ż");
        assert_eq!(texts.part(5, 1, 3), "ó");
        let mut found = Vec::new();
        let all = texts.search_titles("29 äö", 1 << 20, |doc| {
            found.push(doc);
            true
        });
        assert!(all.expect("searched"));
        found.sort_unstable();
        assert_eq!(found, [29, 229]);
        let some = texts.search_titles("title", 1 << 20, |_| false);
        assert!(!some.expect("searched"));
    }
}
