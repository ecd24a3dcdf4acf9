use std::fs::{self, File};
use std::io::Read;

use tempfile::TempDir;

use super::*;

const MIXED: Kind = Kind::Id(IdKind::Mixed);

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn names(folder: &TempDir) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder.path())
        .expect("a readable folder")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into()
        })
        .collect();
    names.sort();
    names
}

/// Every format, and every compression.
fn endings() -> Vec<&'static str> {
    let mut endings = vec!["jsonl", "csv", "jsonl.gz", "tsv.zst", "csv.bz2", "jsonl.xz"];
    if cfg!(feature = "parquet") {
        endings.push("parquet");
    }
    endings
}

fn columns() -> [Column<'static>; 5] {
    [
        Column::new("id", MIXED),
        Column::new("say \"why\"", Kind::Text),
        Column::new("size", Kind::Integer),
        Column::new("score", Kind::Number),
        Column::new("kept", Kind::Bool),
    ]
}

/// A table with every kind of value, and the awkward ones.
fn fill(path: &Path) -> Result<(), WriteError> {
    let mut table = Table::create(Some(path), &columns())?;
    let ids = [
        Id::number("7"),
        Id::text("7"),
        Id::number("007"),
        Id::text("a,b\t\"c\"\nd"),
    ];
    let texts = ["plain", "tab\tquote\"back\\slash", "é 漢字 \u{1}", ""];
    let sizes = [0, -1, i64::MAX, i64::MIN];
    let scores = [1.0, 0.1 + 0.2, f64::NAN, 1e300];
    for at in 0..4 {
        table.row(&[
            Value::Id(&ids[at]),
            Value::Text(texts[at]),
            Value::Integer(sizes[at]),
            Value::Number(scores[at]),
            Value::Bool(at % 2 == 0),
        ])?;
    }
    table.row(&[Value::Missing; 5])?;
    table.finish()
}

const JSON: &str = r#"{"id":7,"say \"why\"":"plain","size":0,"score":1.0,"kept":true}
{"id":"7","say \"why\"":"tab\tquote\"back\\slash","size":-1,"score":0.30000000000000004,"kept":false}
{"id":"007","say \"why\"":"é 漢字 \u0001","size":9223372036854775807,"score":null,"kept":true}
{"id":"a,b\t\"c\"\nd","say \"why\"":"","size":-9223372036854775808,"score":1e+300,"kept":false}
{"id":null,"say \"why\"":null,"size":null,"score":null,"kept":null}
"#;

#[test]
fn json_lines() {
    let folder = folder();
    let path = folder.path().join("x.jsonl");
    fill(&path).expect("written");
    assert_eq!(fs::read_to_string(&path).expect("a file"), JSON);
    assert_eq!(names(&folder), ["x.jsonl"]);
    for line in JSON.lines() {
        serde_json::from_str::<serde_json::Value>(line).expect("valid JSON");
    }
}

#[test]
fn csv_and_tsv_read_back() {
    let folder = folder();
    for (name, delimiter) in [("x.csv", b','), ("x.tsv", b'\t')] {
        let path = folder.path().join(name);
        fill(&path).expect("written");
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .from_path(&path)
            .expect("a file");
        assert_eq!(
            reader.headers().expect("a header"),
            vec!["id", "say \"why\"", "size", "score", "kept"]
        );
        let rows: Vec<csv::StringRecord> = reader
            .records()
            .collect::<Result<_, _>>()
            .expect("valid rows");
        assert_eq!(rows.len(), 5);
        assert_eq!(rows[0], vec!["7", "plain", "0", "1.0", "true"]);
        assert_eq!(&rows[1][3], "0.30000000000000004");
        assert_eq!(&rows[2][0], "007");
        assert_eq!(&rows[2][3], "");
        assert_eq!(&rows[3][0], "a,b\t\"c\"\nd");
        assert_eq!(rows[4], vec![""; 5]);
    }
}

#[test]
fn a_single_empty_field_is_still_a_row() {
    let folder = folder();
    let path = folder.path().join("x.csv");
    let mut table = Table::create(Some(&path), &[Column::new("note", Kind::Text)]).expect("opened");
    table.row(&[Value::Missing]).expect("a row");
    table.finish().expect("written");
    assert_eq!(fs::read_to_string(&path).expect("a file"), "note\n\"\"\n");
}

#[test]
fn compressed_files_hold_the_same_rows() {
    let folder = folder();
    for end in ["gz", "zst", "bz2", "xz"] {
        let path = folder.path().join(format!("x.jsonl.{end}"));
        fill(&path).expect("written");
        let file = File::open(&path).expect("a file");
        let mut text = String::new();
        match end {
            "gz" => flate2::read::GzDecoder::new(file).read_to_string(&mut text),
            "zst" => zstd::Decoder::new(file)
                .expect("a zstd stream")
                .read_to_string(&mut text),
            "bz2" => bzip2::read::BzDecoder::new(file).read_to_string(&mut text),
            _ => lzma_rust2::XzReader::new(file, true).read_to_string(&mut text),
        }
        .expect("a whole stream");
        assert_eq!(text, JSON, "{end}");
    }
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_reads_back_in_row_groups() {
    use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Float64Type, Int64Type};
    use arrow_array::{Array, RecordBatch};

    let folder = folder();
    let path = folder.path().join("x.parquet");
    let columns = [
        Column::new("a", MIXED),
        Column::new("n", Kind::Id(IdKind::AllIntegers)),
        Column::new("score", Kind::Number),
        Column::new("same", Kind::Bool),
    ];
    let mut table = Table::create(Some(&path), &columns).expect("opened");
    for at in 0..250_000_i64 {
        let a = Id::text(format!("n/{at}"));
        let n = Id::number(at.to_string());
        let score = match at {
            3 => Value::Number(f64::INFINITY),
            4 => Value::Missing,
            _ => Value::Number(at as f64 / 2.0),
        };
        table
            .row(&[Value::Id(&a), Value::Id(&n), score, Value::Bool(at == 1)])
            .expect("a row");
    }
    table.finish().expect("written");

    let file = File::open(&path).expect("a file");
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
    assert_eq!(builder.metadata().num_row_groups(), 3);
    assert_eq!(builder.metadata().row_group(0).num_rows(), 100_000);
    let batches: Vec<RecordBatch> = builder
        .with_batch_size(1000)
        .build()
        .expect("a reader")
        .collect::<Result<_, _>>()
        .expect("rows");
    assert_eq!(
        batches.iter().map(RecordBatch::num_rows).sum::<usize>(),
        250_000
    );
    let first = &batches[0];
    assert_eq!(first.column(0).as_string::<i32>().value(7), "n/7");
    assert_eq!(first.column(1).as_primitive::<Int64Type>().value(7), 7);
    let scores = first.column(2).as_primitive::<Float64Type>();
    assert_eq!(scores.value(7), 3.5);
    assert!(scores.is_null(3) && scores.is_null(4));
    assert!(first.column(3).as_boolean().value(1));
}

#[cfg(feature = "parquet")]
#[test]
fn an_id_that_is_no_integer_is_named() {
    let folder = folder();
    let path = folder.path().join("x.parquet");
    let column = Column::new("a", Kind::Id(IdKind::AllIntegers));
    let mut table = Table::create(Some(&path), &[column]).expect("opened");
    let error = table
        .row(&[Value::Id(&Id::text("x9"))])
        .expect_err("not an integer");
    let place = path.display();
    assert_eq!(
        error.to_string(),
        format!("cannot write {place}: the id \"x9\" in column \"a\" is not a 64-bit integer")
    );
}

#[test]
fn an_unfinished_table_leaves_nothing_behind() {
    let folder = folder();
    for end in endings() {
        let path = folder.path().join(format!("x.{end}"));
        let mut table = Table::create(Some(&path), &columns()).expect("opened");
        table.row(&[Value::Missing; 5]).expect("a row");
        assert_eq!(names(&folder).len(), 1, "the temporary file");
        assert!(!path.exists());
        drop(table);
        assert!(names(&folder).is_empty(), "{end}");
    }
}

#[test]
fn an_unfinished_table_leaves_the_old_one_alone() {
    let folder = folder();
    let path = folder.path().join("x.csv");
    fs::write(&path, "old").expect("written");
    drop(Table::create(Some(&path), &columns()).expect("opened"));
    assert_eq!(fs::read_to_string(&path).expect("a file"), "old");
    fill(&path).expect("written");
    assert!(
        fs::read_to_string(&path)
            .expect("a file")
            .starts_with("id,")
    );
    assert_eq!(names(&folder), ["x.csv"]);
}

#[test]
fn a_missing_folder_is_an_error_at_once() {
    let folder = folder();
    let path = folder.path().join("none/x.jsonl");
    let error = Table::create(Some(&path), &columns())
        .err()
        .expect("no folder");
    assert_eq!(
        error.to_string(),
        format!("cannot write {}: No such file or directory", path.display())
    );
}

#[test]
fn a_folder_is_no_file() {
    let folder = folder();
    let path = folder.path().join("out");
    fs::create_dir(&path).expect("made");
    let error = Table::create(Some(&path), &columns())
        .err()
        .expect("a folder");
    assert_eq!(
        error.to_string(),
        format!("cannot write {}: it is a folder", path.display())
    );
}

#[test]
#[should_panic(expected = "column \"size\" is Integer and cannot hold Number(1.0)")]
fn values_must_fit_their_columns() {
    let folder = folder();
    let path = folder.path().join("x.jsonl");
    let mut table =
        Table::create(Some(&path), &[Column::new("size", Kind::Integer)]).expect("opened");
    let _ = table.row(&[Value::Number(1.0)]);
}

#[cfg(unix)]
mod unix {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::Command;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("a file").permissions().mode() & 0o777
    }

    #[test]
    fn permissions_are_those_of_any_new_file() {
        let folder = folder();
        let usual = folder.path().join("usual");
        File::create(&usual).expect("a file");
        let path = folder.path().join("x.jsonl");
        fill(&path).expect("written");
        assert_eq!(mode(&path), mode(&usual));

        fs::set_permissions(&path, Permissions::from_mode(0o640)).expect("set");
        fill(&path).expect("written again");
        assert_eq!(mode(&path), 0o640);
    }

    #[test]
    fn a_link_stays_a_link() {
        let folder = folder();
        let real = folder.path().join("real.csv");
        let link = folder.path().join("x.csv");
        fs::write(&real, "old").expect("written");
        symlink(&real, &link).expect("linked");
        fill(&link).expect("written");
        assert!(link.is_symlink());
        assert!(
            fs::read_to_string(&real)
                .expect("a file")
                .starts_with("id,")
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_are_written_to_directly() {
        fill(Path::new("/dev/null")).expect("written");
        let after = fs::metadata("/dev/null").expect("still there");
        assert!(!after.is_file(), "still a device");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_reported_in_every_format() {
        let folder = folder();
        for end in endings() {
            let path = folder.path().join(format!("x.{end}"));
            symlink("/dev/full", &path).expect("linked");
            let error = fill(&path).expect_err("no space");
            assert_eq!(
                error.to_string(),
                format!("cannot write {}: No space left on device", path.display())
            );
        }
    }

    #[test]
    fn a_closed_pipe_is_told_apart() {
        let folder = folder();
        for end in endings() {
            let path = folder.path().join(format!("x.{end}"));
            let made = Command::new("mkfifo").arg(&path).status().expect("mkfifo");
            assert!(made.success());
            let reader = {
                let path = path.clone();
                std::thread::spawn(move || drop(File::open(path)))
            };
            let mut table = Table::create(Some(&path), &columns()).expect("opened");
            reader.join().expect("closed");
            let written = table
                .row(&[Value::Missing; 5])
                .and_then(|()| table.finish());
            assert!(
                matches!(written, Err(WriteError::ClosedPipe)),
                "{end}: {written:?}"
            );
        }
    }
}
