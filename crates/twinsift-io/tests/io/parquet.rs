//! Parquet.

use std::fs::File;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, DictionaryArray, Int64Array, LargeStringArray, RecordBatch,
    StringArray, StringViewArray, UInt16Array,
};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaDataReader, ParquetMetaDataWriter};
use parquet::file::properties::WriterProperties;
use twinsift::Rank;
use twinsift_io::{FieldNames, ReadOptions};

use super::{Files, gzip, read_bytes, read_with};

pub(crate) fn table(columns: Vec<(&str, ArrayRef)>) -> Vec<u8> {
    table_with(columns, Compression::SNAPPY)
}

fn table_with(columns: Vec<(&str, ArrayRef)>, compression: Compression) -> Vec<u8> {
    let nullable = columns
        .into_iter()
        .map(|(name, column)| (name, column, true));
    let batch = RecordBatch::try_from_iter_with_nullable(nullable).unwrap();
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .set_max_row_group_row_count(Some(1000))
        .build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

pub(crate) fn strings(values: &[&str]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

#[test]
fn columns_of_every_kind_of_string() {
    let dictionary: DictionaryArray<Int32Type> = vec!["a", "b", "a"].into_iter().collect();
    let columns: Vec<ArrayRef> = vec![
        strings(&["a", "b", "a"]),
        Arc::new(LargeStringArray::from(vec!["a", "b", "a"])),
        Arc::new(StringViewArray::from(vec!["a", "b", "a"])),
        Arc::new(BinaryArray::from(vec![b"a".as_slice(), b"b", b"a"])),
        Arc::new(dictionary),
    ];
    for column in columns {
        let kind = column.data_type().clone();
        let result = read_bytes("a.parquet", table(vec![("text", column)]));
        assert_eq!(result.texts(), ["a", "b", "a"], "{kind}");
        assert!(result.ids()[1].ends_with("a.parquet:2"));
    }
}

#[test]
fn integer_ids_are_numbers() {
    let ids: Vec<ArrayRef> = vec![
        Arc::new(Int64Array::from(vec![-1, 9_007_199_254_740_993])),
        Arc::new(UInt16Array::from(vec![1, 2])),
    ];
    for id in ids {
        let result = read_bytes(
            "a.parquet",
            table(vec![("text", strings(&["a", "b"])), ("id", id)]),
        );
        assert!(result.docs.iter().all(|doc| doc.is_number));
    }
    let result = read_bytes(
        "a.parquet",
        table(vec![
            ("id", strings(&["1", "2"])),
            ("text", strings(&["a", "b"])),
        ]),
    );
    assert!(!result.docs[0].is_number);
}

#[test]
fn nulls_are_empty_and_rubbish_is_skipped() {
    let text: ArrayRef = Arc::new(BinaryArray::from_opt_vec(vec![
        None,
        Some(b"\xff"),
        Some(b"ok"),
    ]));
    let html: ArrayRef = Arc::new(StringArray::from(vec![Some("<p>h"), None, None]));
    let result = read_bytes("a.parquet", table(vec![("text", text), ("html", html)]));
    assert_eq!(result.texts(), ["h", "ok"]);
    assert_eq!(result.records(), [1, 3]);
    assert_eq!(
        result.reasons(),
        ["the field \"text\" is bytes that are not UTF-8, not text"]
    );
    assert_eq!(result.skipped[0].1, "a.parquet: row 2");
}

#[test]
fn a_table_without_text_names_its_columns() {
    let result = read_bytes(
        "a.parquet",
        table(vec![("id", strings(&["x"])), ("other", strings(&["y"]))]),
    );
    assert!(result.reasons()[0].ends_with("but the fields are \"id\", \"other\""));
}

#[test]
fn many_row_groups_and_codecs() {
    let texts: Vec<String> = (0..5000)
        .map(|n| format!("text {n} {}", "x".repeat(n % 500)))
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    for codec in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(Default::default()),
        Compression::ZSTD(Default::default()),
        Compression::LZ4_RAW,
    ] {
        let result = read_bytes(
            "a.parquet",
            table_with(vec![("text", strings(&texts))], codec),
        );
        assert_eq!(result.texts(), texts, "{codec}");
        assert_eq!(result.docs[4999].record, 5000);
    }
}

#[test]
fn known_by_content_and_within_gzip() {
    let table = table(vec![("text", strings(&["a", "b"]))]);
    assert_eq!(read_bytes("data", &table).texts(), ["a", "b"]);
    assert_eq!(read_bytes("a.parquet.gz", gzip(&table)).texts(), ["a", "b"]);
}

#[test]
fn a_damaged_file_is_skipped() {
    let mut table = table(vec![("text", strings(&["a", "b"]))]);
    table.truncate(table.len() / 2);
    let result = read_bytes("a.parquet", &table);
    assert!(result.docs.is_empty());
    assert!(
        result.reasons()[0].starts_with("the Parquet file is damaged"),
        "{result:?}"
    );
    assert_eq!(result.skipped[0].0, 0);
    assert_eq!(read_bytes("a.parquet", "").skipped.len(), 1);
}

/// The same table, which says that it is compressed in another way.
fn relabelled(table: &[u8], codec: Compression) -> Vec<u8> {
    let files = Files::new();
    let file = File::open(files.add("a.parquet", table)).unwrap();
    let metadata = ParquetMetaDataReader::new()
        .parse_and_finish(&file)
        .unwrap();
    let mut metadata = metadata.into_builder();
    for group in metadata.take_row_groups() {
        let mut group = group.into_builder();
        let relabel = |column: ColumnChunkMetaData| {
            column
                .into_builder()
                .set_compression(codec)
                .build()
                .unwrap()
        };
        let columns = group.take_columns().into_iter().map(relabel).collect();
        metadata = metadata.add_row_group(group.set_column_metadata(columns).build().unwrap());
    }
    let (rows, footer) = table.split_at(table.len() - 8);
    let length = u32::from_le_bytes(footer[..4].try_into().unwrap());
    let mut whole = rows[..rows.len() - length as usize].to_vec();
    ParquetMetaDataWriter::new(&mut whole, &metadata.build())
        .finish()
        .unwrap();
    whole
}

#[test]
fn a_compression_that_is_not_read_is_no_damage() {
    let columns = vec![("text", strings(&["a", "b"]))];
    let plain = table_with(columns, Compression::UNCOMPRESSED);
    for (codec, name) in [
        (Compression::BROTLI(Default::default()), "brotli"),
        (Compression::LZO, "LZO"),
    ] {
        let result = read_bytes("a.parquet", relabelled(&plain, codec));
        let expected = format!("Parquet that is compressed with {name} is not read");
        assert!(result.reasons()[0].starts_with(&expected), "{result:?}");
    }
}

#[test]
fn ranks_come_from_numbers_and_text() {
    let files = Files::new();
    let score: ArrayRef = Arc::new(Int64Array::from(vec![Some(5), None]));
    let path = files.add(
        "a.parquet",
        table(vec![("text", strings(&["a", "b"])), ("score", score)]),
    );
    let options = ReadOptions {
        fields: FieldNames {
            rank: Some("score".into()),
            ..FieldNames::default()
        },
        ..ReadOptions::default()
    };
    let ranks: Vec<_> = read_with(&[path], options)
        .docs
        .into_iter()
        .map(|doc| doc.rank)
        .collect();
    assert_eq!(ranks, [Some(Rank::Number(5.0)), None]);
}
