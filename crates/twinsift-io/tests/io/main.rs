//! What users may give us, and what must come of it. All through the public
//! interface, on data made here.

#![allow(clippy::unwrap_used)]

mod charsets;
mod compression;
#[cfg(feature = "parquet")]
mod damaged_rows;
mod folders;
mod foreign;
mod gaps;
mod html;
mod json;
mod limits;
mod mail;
mod mutation;
mod outputs;
#[cfg(feature = "parquet")]
mod parquet;
mod rendered;
mod rewrite;
mod sniffing;
mod tables;
mod warc;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use twinsift::{ContentKey, Document, Item, Rank, Rendered};
use twinsift_io::{Inputs, ReadOptions};

/// A folder for one test's files.
struct Files {
    folder: TempDir,
}

impl Files {
    fn new() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn add(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }
}

/// A document that owns all it has.
#[derive(Debug, PartialEq)]
struct Doc {
    id: String,
    is_number: bool,
    second_id: Option<String>,
    text: String,
    title: Option<String>,
    url: Option<String>,
    rendered: Option<Box<Rendered<'static>>>,
    source: u32,
    record: u64,
    rank: Option<Rank>,
    content_keys: Vec<ContentKey>,
}

impl From<Document<'_>> for Doc {
    fn from(document: Document<'_>) -> Self {
        let document = document.into_owned();
        Self {
            id: document.id.text.into_owned(),
            is_number: document.id.is_number,
            second_id: document.second_id.map(Into::into),
            text: document.text.into_owned(),
            title: document.title.map(Into::into),
            url: document.url.map(Into::into),
            rendered: document.rendered,
            source: document.place.source,
            record: document.place.record,
            rank: document.rank,
            content_keys: document.content_keys,
        }
    }
}

/// All that came of the inputs.
#[derive(Debug, Default)]
struct Result {
    docs: Vec<Doc>,
    /// The record number, the place in words without the folder, the reason.
    skipped: Vec<(u64, String, String)>,
}

impl Result {
    fn texts(&self) -> Vec<&str> {
        self.docs.iter().map(|doc| doc.text.as_str()).collect()
    }

    fn ids(&self) -> Vec<&str> {
        self.docs.iter().map(|doc| doc.id.as_str()).collect()
    }

    fn records(&self) -> Vec<u64> {
        self.docs.iter().map(|doc| doc.record).collect()
    }

    fn reasons(&self) -> Vec<&str> {
        self.skipped
            .iter()
            .map(|(_, _, reason)| reason.as_str())
            .collect()
    }
}

fn collect(inputs: &Inputs) -> Result {
    let mut result = Result::default();
    for batch in inputs.batches() {
        inputs.expand(&batch, &mut |item| match item {
            Item::Document(document) => result.docs.push(document.into()),
            Item::Skipped(skipped) => {
                let place = inputs.place_name(skipped.place);
                let place = place.rsplit('/').next().unwrap().to_owned();
                result
                    .skipped
                    .push((skipped.place.record, place, skipped.reason));
            }
        });
    }
    result
}

fn read_with(paths: &[PathBuf], options: ReadOptions) -> Result {
    collect(&Inputs::open(paths, options).unwrap())
}

fn read(path: &Path) -> Result {
    read_with(&[path.to_owned()], ReadOptions::default())
}

/// Reads bytes as a file of the given name.
fn read_bytes(name: &str, bytes: impl AsRef<[u8]>) -> Result {
    let files = Files::new();
    read(&files.add(name, bytes))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
