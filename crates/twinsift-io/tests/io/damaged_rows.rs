//! Parquet files that are damaged: the rows behind the damage are read, and copied.

use std::fs::File;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use twinsift_io::{Inputs, ReadOptions};

use super::mutation::Random;
use super::rewrite::copy_good;
use super::{Files, collect, read, read_with};

const ROWS: usize = 300;

fn texts() -> Vec<String> {
    (1..=ROWS).map(|row| format!("text of row {row}")).collect()
}

/// Rows in groups of a hundred and pages of ten, with a column that is not compared.
/// Values that may be null have marks that tell, which can be damaged too.
fn table(compression: Compression, may_be_null: bool) -> Vec<u8> {
    let texts: ArrayRef = Arc::new(StringArray::from(texts()));
    let columns = [
        ("text", Arc::clone(&texts), may_be_null),
        ("own", texts, may_be_null),
    ];
    let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .set_dictionary_enabled(false)
        .set_max_row_group_row_count(Some(100))
        .set_data_page_row_count_limit(10)
        .set_write_batch_size(10)
        .build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

/// The table with the second group's column damaged after some of its bytes, in tenths.
fn damaged(column: usize, tenths: usize) -> Vec<u8> {
    let mut table = table(Compression::SNAPPY, false);
    let files = Files::new();
    let file = File::open(files.add("a.parquet", &table)).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let (start, length) = reader.metadata().row_group(1).column(column).byte_range();
    let at = start as usize + length as usize * tenths / 10;
    let end = (start + length) as usize;
    table[at..end].fill(0xff);
    table
}

fn to_copy() -> ReadOptions {
    ReadOptions {
        to_copy: true,
        ..ReadOptions::default()
    }
}

#[test]
fn groups_behind_a_damaged_one_are_read() {
    let files = Files::new();
    let path = files.add("a.parquet", damaged(0, 0));
    let result = read(&path);
    let all = texts();
    assert_eq!(result.texts(), [&all[..100], &all[200..]].concat());
    assert_eq!(result.docs[100].record, 201);
    assert_eq!(result.skipped.len(), 1, "{:?}", result.skipped);
    let (record, place, reason) = &result.skipped[0];
    assert_eq!((*record, place.as_str()), (101, "a.parquet: row 101"));
    assert!(
        reason.starts_with("the Parquet file is damaged (")
            && reason.ends_with("; rows 101 to 200 are lost"),
        "{reason}"
    );
}

#[test]
fn rows_before_the_damaged_page_are_read() {
    let files = Files::new();
    let path = files.add("a.parquet", damaged(0, 5));
    let result = read(&path);
    let lost = 200 - (result.skipped[0].0 - 1);
    assert!((40..=60).contains(&lost), "{:?}", result.skipped);
    assert_eq!(lost % 10, 0, "whole pages");
    assert_eq!(result.docs.len() as u64, ROWS as u64 - lost);
}

#[test]
fn survivors_are_the_rows_that_could_be_read() {
    let files = Files::new();
    for tenths in [0, 3, 8] {
        let path = files.add("a.parquet", damaged(0, tenths));
        let first = read(&path);
        let inputs = Inputs::open(std::slice::from_ref(&path), to_copy()).unwrap();
        let out = files.path("o.parquet");
        copy_good(&inputs, &out).unwrap();
        let survivors = read(&out);
        assert_eq!(survivors.texts(), first.texts(), "{tenths}");
        assert!(survivors.skipped.is_empty());
    }
}

#[test]
fn a_row_that_cannot_be_copied_is_no_document() {
    let files = Files::new();
    let path = files.add("a.parquet", damaged(1, 0));
    let paths = [path];
    assert_eq!(read_with(&paths, ReadOptions::default()).docs.len(), ROWS);
    let first = read_with(&paths, to_copy());
    assert_eq!(first.docs.len(), 200);
    assert_eq!(first.skipped.len(), 1);
    let out = files.path("o.parquet");
    copy_good(&Inputs::open(&paths, to_copy()).unwrap(), &out).unwrap();
    assert_eq!(read(&out).texts(), first.texts());
    // Without a look at all columns before, it is an error, and no file appears.
    let gone = files.path("gone.parquet");
    let message = copy_good(
        &Inputs::open(&paths, ReadOptions::default()).unwrap(),
        &gone,
    );
    let message = message.unwrap_err();
    assert!(
        message.starts_with("what is broken in ") && message.contains("; rows 101 to 200 are lost"),
        "{message}"
    );
    assert!(!gone.exists());
}

#[test]
fn bytes_changed_at_random_cost_only_rows() {
    let mut random = Random(11);
    let files = Files::new();
    let out = files.path("o.parquet");
    let zstd = Compression::ZSTD(Default::default());
    for (compression, may_be_null) in [
        (Compression::UNCOMPRESSED, false),
        (Compression::UNCOMPRESSED, true),
        (Compression::SNAPPY, true),
        (zstd, false),
    ] {
        let sample = table(compression, may_be_null);
        for round in 0..60 {
            let mut bytes = sample.clone();
            let changes = 1 + random.below(4);
            for _ in 0..changes {
                // The table of contents stands at the end; without it, all is lost.
                let at = random.below(bytes.len() * 3 / 4);
                bytes[at] ^= 1 + random.below(255) as u8;
            }
            let path = files.add("a.parquet", bytes);
            let inputs = Inputs::open(&[path], to_copy()).unwrap();
            let first = collect(&inputs);
            let spared = (3 - changes.min(3)) * 100;
            assert!(first.docs.len() >= spared, "{compression}, round {round}");
            copy_good(&inputs, &out)
                .unwrap_or_else(|message| panic!("{compression}, round {round}: {message}"));
            let again = read(&out);
            assert_eq!(again.texts(), first.texts(), "{compression}, round {round}");
        }
    }
}
