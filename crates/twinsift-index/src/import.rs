//! Adding many documents at once: straight into segments, without the log.

use crate::error::Result;
use crate::index::Index;
use crate::postings::Posting;
use crate::record::{Record, Time};
use crate::segment::{self, Scratch, Segment, SegmentWriter};
use crate::state::View;
use std::collections::HashMap;
use std::sync::Arc;

/// Memory for the keys of documents that are being imported, unless told otherwise.
const MEMORY: usize = 1 << 30;

/// Adds many documents, of which all are known once it is [finished](Self::finish), or none.
///
/// It takes about as long as a join of the documents. Of documents with one id the last one
/// counts, and it takes the place of one that was known.
#[derive(Debug)]
pub struct Import<'a> {
    index: &'a mut Index,
    memory: usize,
    writer: Option<SegmentWriter>,
    written: Vec<View>,
    documents: u64,
}

impl Index {
    /// Begins to add many documents.
    pub fn import(&mut self) -> Result<Import<'_>> {
        self.flush()?;
        Ok(Import {
            index: self,
            memory: MEMORY,
            writer: None,
            written: Vec::new(),
            documents: 0,
        })
    }
}

impl Import<'_> {
    /// Takes so many bytes of memory for the keys of documents.
    pub fn set_memory(&mut self, bytes: usize) {
        self.memory = bytes;
    }

    /// Adds a document.
    pub fn push(&mut self, record: &Record) -> Result<()> {
        record.check()?;
        let keys = self
            .index
            .searcher()
            .definition()
            .keys
            .of(&record.signature);
        let mut writer = match self.writer.take() {
            Some(writer) => writer,
            None => SegmentWriter::create(&*self.index.storage(), self.index.new_file())?,
        };
        writer.push(record, record.expires(), &keys)?;
        self.documents += 1;
        let is_full = writer.is_full() || writer.memory() > self.memory;
        self.writer = Some(writer);
        match is_full {
            true => self.end_segment(),
            false => Ok(()),
        }
    }

    fn end_segment(&mut self) -> Result<()> {
        if let Some(writer) = self.writer.take() {
            let view = View::finish(&*self.index.storage(), writer)?;
            self.written.extend(view);
        }
        Ok(())
    }

    /// Makes all documents known, and makes them last. Returns how many were added, and how
    /// many of them took the place of others.
    pub fn finish(mut self) -> Result<(u64, u64)> {
        self.end_segment()?;
        let (searcher, now) = (self.index.searcher(), Time::now());
        let known = searcher.state().documents(now);
        let mut views = searcher.state().segments.clone();
        for mut view in std::mem::take(&mut self.written) {
            for document in view.segment.replaced()? {
                view.remove(document);
            }
            remove_replaced(&mut views, &view.segment)?;
            views.push(view);
        }
        self.index.publish(views)?;
        let documents = searcher.state().documents(now);
        self.index.merge_as_needed()?;
        let replaced = (known + self.documents).saturating_sub(documents);
        Ok((self.documents, replaced))
    }
}

impl Drop for Import<'_> {
    /// Removes what an import that was not finished has written.
    fn drop(&mut self) {
        let written = self.written.iter().map(|view| view.segment.number());
        let numbers = written.chain(self.writer.iter().map(SegmentWriter::number));
        for number in numbers {
            let _ = self.index.storage().remove(&segment::file_name(number));
        }
    }
}

/// Removes documents from older segments that a new one has too.
fn remove_replaced(views: &mut [View], new: &Arc<Segment>) -> Result<()> {
    if views.is_empty() {
        return Ok(());
    }
    let mut ids: Vec<Posting> = Vec::new();
    new.visit_ids(|posting| ids.push(posting))?;
    let mut scratch = Scratch::default();
    for view in views {
        let (mut at, mut alike) = (0, Vec::new());
        view.segment.visit_ids(|old| {
            while ids.get(at).is_some_and(|new| new.is_before_key_of(old)) {
                at += 1;
            }
            let with_this = ids[at..].iter().take_while(|new| new.has_key_of(old));
            alike.extend(with_this.map(|new| (old.document(), new.document())));
        })?;
        let mut new_ids = HashMap::new();
        for (old, document) in alike {
            if view.changes.is_removed(old) {
                continue;
            }
            if let std::collections::hash_map::Entry::Vacant(vacant) = new_ids.entry(document) {
                vacant.insert(new.record(document, &mut scratch)?.id.text);
            }
            if view.segment.record(old, &mut scratch)?.id.text == new_ids[&document] {
                view.remove(old);
            }
        }
    }
    Ok(())
}
