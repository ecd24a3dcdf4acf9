//! Our own idea: immutable segments in bulk and an append-only log for the rest.
//!
//! A segment is four files. `documents` holds one document after the other and
//! `offsets` where each begins. `postings` holds the sorted (key, number) pairs,
//! and `ids` the same of hashed ids, as blocks of delta-coded varints; which
//! block has a key is told by the top bits of the key. The `manifest` lists the
//! segments and is replaced as a whole. Each document, each block, each record
//! of the log and the manifest has a checksum over its bytes and its place, so
//! that what is read from a wrong place is noticed as well. The log is kept in
//! memory beside the file; any number of documents share one fsync.
//!
//! Left out, as it changes no figure much: turning the log into a segment, and
//! merging segments. A last record that breaks after it was confirmed looks like
//! one that was never finished, and is dropped.

use super::{Access, DANGLING, Store, Visit, decode, encode, once};
use crate::corpus::{Corpus, Document};
use anyhow::{Context, Result, bail, ensure};
use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// About so many pairs share a block.
const PAIRS: usize = 64;
/// Begins each record of the log, which goes on with length and checksum.
const MAGIC: u32 = 0x6c6f_6731;
const HEAD: usize = 16;

/// Puts a checksum over the bytes and their place before them.
fn seal(place: u64, bytes: &[u8]) -> Vec<u8> {
    let checksum = xxh3_64_with_seed(bytes, place).to_le_bytes();
    [&checksum[..], bytes].concat()
}

/// The bytes after a checksum that is right.
fn unseal(place: u64, sealed: &[u8]) -> Result<&[u8]> {
    let (checksum, bytes) = sealed.split_at_checked(8).context("cut off")?;
    let right = checksum == xxh3_64_with_seed(bytes, place).to_le_bytes();
    ensure!(right, "wrong checksum at {place}");
    Ok(bytes)
}

fn read_at(file: &File, start: u64, end: u64) -> Result<Vec<u8>> {
    // No single thing in a file is this large: a broken offset is.
    ensure!(start <= end && end - start < 1 << 24, "broken offset");
    let mut bytes = vec![0; (end - start) as usize];
    file.read_exact_at(&mut bytes, start)?;
    Ok(bytes)
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N]> {
    let (head, rest) = bytes.split_first_chunk().context("cut off")?;
    *bytes = rest;
    Ok(*head)
}

fn put_varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value > 0x7f {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn take_varint(bytes: &mut &[u8]) -> Result<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let [byte] = take(bytes)?;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    bail!("a varint without an end")
}

/// A file of sorted (key, number) pairs.
struct Blocks {
    file: File,
    /// Where each block begins, and the last one ends.
    offsets: Vec<u64>,
}

impl Blocks {
    fn write(path: &Path, pairs: &[(u64, u32)]) -> Result<()> {
        let blocks = pairs.len().div_ceil(PAIRS).next_power_of_two() as u64;
        let mut file = BufWriter::with_capacity(1 << 20, File::create_new(path)?);
        let (mut offsets, mut end, mut rest) = (vec![0], 0, pairs);
        for block in 0..blocks {
            let here = rest.partition_point(|&(key, _)| block_of(key, blocks) == block);
            let (mut bytes, mut last) = (Vec::new(), 0);
            for &(key, number) in &rest[..here] {
                put_varint(&mut bytes, key - last);
                put_varint(&mut bytes, number.into());
                last = key;
            }
            rest = &rest[here..];
            let sealed = seal(block, &bytes);
            file.write_all(&sealed)?;
            end += sealed.len() as u64;
            offsets.push(end);
        }
        let directory: Vec<u8> = offsets.into_iter().flat_map(u64::to_le_bytes).collect();
        file.write_all(&directory)?;
        file.write_all(&blocks.to_le_bytes())?;
        Ok(file.into_inner()?.sync_all()?)
    }

    fn open(path: &Path) -> Result<Self> {
        let file = File::open(path)?;
        let end = file.metadata()?.len();
        let mut blocks = [0; 8];
        file.read_exact_at(&mut blocks, end.checked_sub(8).context("cut off")?)?;
        let blocks = u64::from_le_bytes(blocks);
        ensure!(blocks.is_power_of_two() && blocks < end / 8, "broken count");
        let mut directory = vec![0; 8 * (blocks as usize + 1)];
        let start = (end - 8).checked_sub(directory.len() as u64);
        file.read_exact_at(&mut directory, start.context("cut off")?)?;
        let (offsets, _) = directory.as_chunks();
        let offsets = offsets.iter().map(|&offset| u64::from_le_bytes(offset));
        let offsets = offsets.collect();
        Ok(Self { file, offsets })
    }

    fn count(&self) -> u64 {
        self.offsets.len() as u64 - 1
    }

    /// Adds the numbers of a key.
    fn find(&self, key: u64, numbers: &mut Vec<u32>) -> Result<()> {
        let block = block_of(key, self.count());
        let [start, end] = [block, block + 1].map(|at| self.offsets[at as usize]);
        let sealed = read_at(&self.file, start, end)?;
        let (mut bytes, mut here) = (unseal(block, &sealed)?, 0u64);
        while !bytes.is_empty() && here <= key {
            here = here.wrapping_add(take_varint(&mut bytes)?);
            let number = take_varint(&mut bytes)?;
            if here == key {
                numbers.push(number.try_into()?);
            }
        }
        Ok(())
    }

    fn verify(&self) -> Result<()> {
        for (block, ends) in self.offsets.windows(2).enumerate() {
            unseal(block as u64, &read_at(&self.file, ends[0], ends[1])?)?;
        }
        Ok(())
    }
}

/// The block of a key, of so many, a power of two.
fn block_of(key: u64, blocks: u64) -> u64 {
    ((u128::from(key) * u128::from(blocks)) >> 64) as u64
}

struct Segment {
    numbers: std::ops::Range<u32>,
    documents: File,
    offsets: File,
    postings: Blocks,
    ids: Blocks,
}

impl Segment {
    fn open(folder: &Path, numbers: std::ops::Range<u32>) -> Result<Self> {
        let path = |name| folder.join(format!("{}.{name}", numbers.start));
        Ok(Self {
            documents: File::open(path("documents"))?,
            offsets: File::open(path("offsets"))?,
            postings: Blocks::open(&path("postings"))?,
            ids: Blocks::open(&path("ids"))?,
            numbers,
        })
    }

    fn document(&self, number: u32) -> Result<Vec<u8>> {
        let mut ends = [0; 16];
        let at = u64::from(number - self.numbers.start) * 8;
        self.offsets.read_exact_at(&mut ends, at)?;
        let (start, mut rest) = (u64::from_le_bytes(take(&mut &ends[..])?), &ends[8..]);
        let sealed = read_at(&self.documents, start, u64::from_le_bytes(take(&mut rest)?))?;
        Ok(unseal(number.into(), &sealed)?.to_vec())
    }
}

struct Segments {
    folder: PathBuf,
    segments: Vec<Segment>,
    log: File,
    /// Where the last whole record of the log ends.
    end: u64,
    /// Where the records of documents in the log are.
    logged: HashMap<u32, (u64, u64)>,
    log_postings: BTreeSet<(u64, u32)>,
    log_ids: HashMap<Vec<u8>, u32>,
    /// Holds the lock of the one writer.
    _lock: Option<File>,
}

pub fn open(folder: &Path, access: Access) -> Result<Box<dyn Store>> {
    let mut lock = None;
    let mut options = File::options();
    if access == Access::Write {
        let file = File::create(folder.join("lock"))?;
        file.try_lock().context("another process writes")?;
        lock = Some(file);
        options.append(true).create(true);
    }
    let mut store = Segments {
        folder: folder.to_path_buf(),
        segments: Vec::new(),
        log: options.read(true).open(folder.join("log"))?,
        end: 0,
        logged: HashMap::new(),
        log_postings: BTreeSet::new(),
        log_ids: HashMap::new(),
        _lock: lock,
    };
    store.refresh()?;
    if access == Access::Write {
        store.cut_torn_end()?;
        File::open(folder)?.sync_all()?;
    }
    Ok(Box::new(store))
}

/// The record of a document in the log, all of it.
fn record(start: u64, document: &Document) -> Vec<u8> {
    let mut body = document.number.to_le_bytes().to_vec();
    body.push(document.keys.len() as u8);
    body.extend(document.keys.iter().flat_map(|key| key.to_le_bytes()));
    body.extend(encode(document));
    let lengths = [MAGIC, body.len() as u32].map(u32::to_le_bytes);
    [lengths.as_flattened(), &seal(start, &body)].concat()
}

/// The body of the whole record at the beginning of some bytes, which are at
/// `start` in the log.
fn body(start: u64, mut bytes: &[u8]) -> Result<&[u8]> {
    ensure!(take(&mut bytes)? == MAGIC.to_le_bytes(), "no record");
    let length = u32::from_le_bytes(take(&mut bytes)?) as usize;
    unseal(start, bytes.get(..length + 8).context("cut off")?)
}

/// What is in the body of a record: number, keys, and the encoded document.
fn parts(mut body: &[u8]) -> Result<(u32, &[u8], &[u8])> {
    let number = u32::from_le_bytes(take(&mut body)?);
    let [keys] = take(&mut body)?;
    let split = body.split_at_checked(8 * usize::from(keys));
    let (keys, value) = split.context("cut off")?;
    Ok((number, keys, value))
}

impl Segments {
    /// What the log has after its last whole record.
    fn rest_of_log(&self) -> Result<Vec<u8>> {
        let length = self.log.metadata()?.len().saturating_sub(self.end);
        let mut bytes = vec![0; length as usize];
        self.log.read_exact_at(&mut bytes, self.end)?;
        Ok(bytes)
    }

    /// Takes in whole records, from `self.end` on.
    fn replay(&mut self, mut bytes: &[u8]) -> Result<()> {
        while let Ok(body) = body(self.end, bytes) {
            let (number, keys, value) = parts(body)?;
            let whole = HEAD + body.len();
            for &key in keys.as_chunks().0 {
                self.log_postings.insert((u64::from_le_bytes(key), number));
            }
            self.log_ids.insert(decode(value)?.0.to_vec(), number);
            self.logged
                .insert(number, (self.end, self.end + whole as u64));
            self.end += whole as u64;
            bytes = &bytes[whole..];
        }
        Ok(())
    }

    /// Cuts off a record that was never finished. If a whole one follows, it
    /// was finished and has broken since.
    fn cut_torn_end(&mut self) -> Result<()> {
        let rest = self.rest_of_log()?;
        for at in 1..rest.len() {
            let whole = body(self.end + at as u64, &rest[at..]).is_ok();
            ensure!(!whole, "a broken record in the log at {}", self.end);
        }
        if !rest.is_empty() {
            self.log.set_len(self.end)?;
            self.log.sync_all()?;
        }
        Ok(())
    }

    fn document(&self, number: u32) -> Result<Vec<u8>> {
        if let Some(&(start, end)) = self.logged.get(&number) {
            let bytes = read_at(&self.log, start, end)?;
            return Ok(parts(body(start, &bytes)?)?.2.to_vec());
        }
        let mut segments = self.segments.iter();
        let segment = segments.find(|segment| segment.numbers.contains(&number));
        segment.context(DANGLING)?.document(number)
    }
}

impl Store for Segments {
    fn load(&mut self, corpus: Corpus, count: u32) -> Result<()> {
        let path = |name| self.folder.join(name);
        let create =
            |name| File::create_new(path(name)).map(|f| BufWriter::with_capacity(1 << 20, f));
        let (mut documents, mut offsets) = (create("0.documents")?, create("0.offsets")?);
        let mut end = 0u64;
        offsets.write_all(&end.to_le_bytes())?;
        for number in 0..count {
            let sealed = seal(number.into(), &encode(&corpus.document(number)));
            documents.write_all(&sealed)?;
            end += sealed.len() as u64;
            offsets.write_all(&end.to_le_bytes())?;
        }
        documents.into_inner()?.sync_all()?;
        offsets.into_inner()?.sync_all()?;
        Blocks::write(&path("0.postings"), &corpus.sorted_postings(count))?;
        let ids = (0..count).map(|number| (xxh3_64(corpus.id(number).as_bytes()), number));
        let mut ids: Vec<_> = ids.collect();
        ids.sort_unstable();
        Blocks::write(&path("0.ids"), &ids)?;

        let numbers = [0, count].map(u32::to_le_bytes);
        let mut manifest = File::create(path("manifest.new"))?;
        manifest.write_all(&seal(0, numbers.as_flattened()))?;
        manifest.sync_all()?;
        fs::rename(path("manifest.new"), path("manifest"))?;
        File::open(&self.folder)?.sync_all()?;
        self.refresh()
    }

    fn add(&mut self, documents: &[Document]) -> Result<()> {
        let mut bytes = Vec::new();
        for document in documents {
            bytes.extend(record(self.end + bytes.len() as u64, document));
        }
        self.log.write_all(&bytes)?;
        self.log.sync_data()?;
        self.replay(&bytes)
    }

    fn query(&mut self, keys: &[u64], visit: Visit) -> Result<()> {
        let mut numbers = Vec::new();
        for &key in keys {
            for segment in &self.segments {
                segment.postings.find(key, &mut numbers)?;
            }
            let logged = self.log_postings.range((key, 0)..=(key, u32::MAX));
            numbers.extend(logged.map(|&(_, number)| number));
        }
        for number in once(numbers) {
            let value = self.document(number)?;
            let (id, signature) = decode(&value)?;
            visit(number, id, signature);
        }
        Ok(())
    }

    fn number(&mut self, id: &str) -> Result<Option<u32>> {
        if let Some(&number) = self.log_ids.get(id.as_bytes()) {
            return Ok(Some(number));
        }
        let mut numbers = Vec::new();
        for segment in &self.segments {
            segment.ids.find(xxh3_64(id.as_bytes()), &mut numbers)?;
        }
        for number in numbers {
            if decode(&self.document(number)?)?.0 == id.as_bytes() {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    fn refresh(&mut self) -> Result<()> {
        let path = self.folder.join("manifest");
        if path.try_exists()? {
            let manifest = fs::read(path)?;
            self.segments.clear();
            for numbers in unseal(0, &manifest)?.as_chunks::<8>().0 {
                let mut rest = &numbers[..];
                let first = u32::from_le_bytes(take(&mut rest)?);
                let numbers = first..u32::from_le_bytes(take(&mut rest)?);
                self.segments.push(Segment::open(&self.folder, numbers)?);
            }
        }
        let rest = self.rest_of_log()?;
        self.replay(&rest)
    }

    fn verify(&mut self) -> Result<Option<bool>> {
        let sound = self.segments.iter().all(|segment| {
            let mut documents = segment.numbers.clone();
            segment.postings.verify().is_ok()
                && segment.ids.verify().is_ok()
                && documents.all(|number| segment.document(number).is_ok())
        });
        Ok(Some(sound))
    }
}
