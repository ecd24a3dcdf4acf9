//! Survivors, in the format they came in.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use twinsift::Item;
use twinsift_io::{Format, Inputs, ReadOptions, SurvivorWriter};

use super::{Files, gzip, read, warc};

/// Writes the sources to one file, without the given records of each.
fn rewrite(paths: &[PathBuf], drops: &[&[u64]], out: &Path) -> Result<Vec<u64>, String> {
    let inputs = Inputs::open(paths, ReadOptions::default()).map_err(|e| e.to_string())?;
    let format = inputs.sources()[0].format.unwrap();
    let mut writer = SurvivorWriter::file(out, format).map_err(|e| e.to_string())?;
    let mut written = Vec::new();
    for (index, drop) in drops.iter().enumerate() {
        written.push(
            inputs
                .copy_without(index, drop, &mut writer)
                .map_err(|e| e.to_string())?,
        );
    }
    writer.finish().map_err(|e| e.to_string())?;
    Ok(written)
}

/// Writes all that can be read of the first source to one file.
pub(crate) fn copy_good(inputs: &Inputs, out: &Path) -> Result<(), String> {
    let mut drop = Vec::new();
    for batch in inputs.batches() {
        inputs.expand(&batch, &mut |item| {
            if let Item::Skipped(skipped) = item {
                let first = skipped.place.record;
                drop.extend(first..first + skipped.records);
            }
        });
    }
    let format = inputs.sources()[0].format.unwrap();
    let mut writer = SurvivorWriter::file(out, format).map_err(|e| e.to_string())?;
    inputs
        .copy_without(0, &drop, &mut writer)
        .map_err(|e| e.to_string())?;
    writer.finish().map_err(|e| e.to_string())
}

fn rewritten(name: &str, samples: &[(&str, &[u64])]) -> String {
    let files = Files::new();
    let mut paths = Vec::new();
    let mut drops = Vec::new();
    for (number, (sample, drop)) in samples.iter().enumerate() {
        paths.push(files.add(&format!("{number}-{name}"), sample));
        drops.push(*drop);
    }
    let out = files.path(&format!("out-{name}"));
    rewrite(&paths, &drops, &out).unwrap();
    assert_eq!(
        fs::read_dir(files.folder.path()).unwrap().count(),
        samples.len() + 1
    );
    fs::read_to_string(out).unwrap()
}

#[test]
fn lines_are_copied_byte_for_byte() {
    let first = "{\"id\":1, \"text\":\"a\",  \"x\": 1.50}\r\n{broken\n\n{\"id\":3,\"text\":\"c\"}";
    let second = "{\"text\":\"d\"}\n{\"text\":\"\\ud83d\",\"z\":null}";
    assert_eq!(
        rewritten("a.jsonl", &[(first, &[2]), (second, &[1])]),
        "{\"id\":1, \"text\":\"a\",  \"x\": 1.50}\r\n\n{\"id\":3,\"text\":\"c\"}\n{\"text\":\"\\ud83d\",\"z\":null}\n"
    );
}

#[test]
fn counts_are_of_records_written() {
    let files = Files::new();
    let a = files.add(
        "a.jsonl",
        "{\"text\":\"a\"}\n\n{\"text\":\"b\"}\n{\"text\":\"c\"}\n",
    );
    let b = files.add("b.jsonl", "");
    let written = rewrite(&[a, b], &[&[3], &[]], &files.path("o.jsonl")).unwrap();
    assert_eq!(written, [2, 0]);
}

#[test]
fn tables_have_one_header() {
    let first = "id,text,note\n1,\"a\n\"\"b\"\"\",x\n2,c,\n";
    let second = "id,text,note\r\n3,d,\"y, z\"";
    assert_eq!(
        rewritten("a.csv", &[(first, &[2]), (second, &[])]),
        "id,text,note\n1,\"a\n\"\"b\"\"\",x\n3,d,\"y, z\"\n"
    );
    let semicolons = "id;text\r\n1;\"a;\nb\"\r\n2;c\r\n3;\"d\"\r\n";
    assert_eq!(
        rewritten("a.csv", &[(semicolons, &[2])]),
        semicolons.replace("2;c\r\n", "")
    );
    assert_eq!(
        rewritten("a.tsv", &[("id\ttext\n1\ta\n", &[1])]),
        "id\ttext\n"
    );
}

#[test]
fn carriage_returns_between_rows_stay() {
    let first = "id,text\r1,a\nb\r2,b\r3,c";
    let second = "id,text\r4,d\r";
    assert_eq!(
        rewritten("a.csv", &[(first, &[2]), (second, &[])]),
        "id,text\r1,a\nb\r3,c\r4,d\r"
    );
    let files = Files::new();
    let paths = [
        files.add("a.csv", first),
        files.add("b.csv", "id,text\n4,d\n"),
    ];
    let message = rewrite(&paths, &[&[], &[]], &files.path("o.csv")).unwrap_err();
    assert!(
        message.ends_with(&format!(
            "its lines do not end as those of {} do",
            paths[0].display()
        )),
        "{message}"
    );
}

#[test]
fn tables_with_other_columns_do_not_mix() {
    let files = Files::new();
    let a = files.add("a.csv", "id,text\n1,a\n");
    let b = files.add("b.csv", "text,id\nb,2\n");
    let out = files.path("o.csv");
    let message = rewrite(&[a.clone(), b.clone()], &[&[], &[]], &out).unwrap_err();
    assert_eq!(
        message,
        format!(
            "cannot put {} into {}: its columns are not those of {}",
            b.display(),
            out.display(),
            a.display()
        )
    );
    assert!(!out.exists());
    assert_eq!(fs::read_dir(files.folder.path()).unwrap().count(), 2);
}

#[test]
fn lists_are_merged_to_one() {
    let first = "[ {\"text\": \"a\", \"x\": [1,  2]} , {\"text\":\"b\"} ]";
    let second = "[{\"text\":\"c\"}]";
    let out = rewritten("a.json", &[(first, &[2]), (second, &[])]);
    assert_eq!(
        out,
        "[\n{\"text\": \"a\", \"x\": [1,  2]},\n{\"text\":\"c\"}\n]\n"
    );
    assert!(serde_json::from_str::<serde_json::Value>(&out).is_ok());
    assert_eq!(rewritten("a.json", &[("[{\"text\":\"c\"}]", &[1])]), "[]\n");
}

#[test]
fn mailboxes_are_joined_so_that_they_can_be_cut_again() {
    let first = "From a\nSubject: 1\n\none\n\nFrom b\nSubject: 2\n\ntwo";
    let second = "From c\nSubject: 3\n\nthree\n";
    let out = rewritten("a.mbox", &[(first, &[1]), (second, &[])]);
    assert_eq!(
        out,
        "From b\nSubject: 2\n\ntwo\n\nFrom c\nSubject: 3\n\nthree\n"
    );
    let from = "From a@b Mon Jan  1 00:00:00 2024\n";
    let message = |number: u8| format!("{from}Subject: {number}\n\nwords\n");
    let together: String = (1..=3).map(message).collect();
    assert_eq!(
        rewritten("a.mbox", &[(&together, &[2])]),
        [message(1), message(3)].join("\n")
    );
    let late = format!("\n\r\n{first}");
    assert_eq!(
        rewritten("a.mbox", &[(&late, &[2])]),
        "From a\nSubject: 1\n\none\n\n"
    );
}

#[test]
fn archives_keep_other_records_and_have_a_member_for_each() {
    let files = Files::new();
    let info = warc::record("warcinfo", "X-Own: kept\r\n", b"software: x\r\n");
    let http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>one";
    let one = warc::response("http://a/", "sha1:A", http);
    let two = warc::response("http://b/", "sha1:A", http);
    let whole = [info.as_slice(), &one, &two].concat();
    let path = files.add("a.warc", &whole);
    let out = files.path("o.warc.gz");
    assert_eq!(
        rewrite(std::slice::from_ref(&path), &[&[3]], &out).unwrap(),
        [2]
    );
    let bytes = fs::read(&out).unwrap();
    let mut first = String::new();
    flate2::read::GzDecoder::new(bytes.as_slice())
        .read_to_string(&mut first)
        .unwrap();
    assert_eq!(first.as_bytes(), info);
    let mut all = Vec::new();
    flate2::read::MultiGzDecoder::new(bytes.as_slice())
        .read_to_end(&mut all)
        .unwrap();
    assert_eq!(all, [info.as_slice(), &one].concat());
    let plain = files.path("o.warc");
    rewrite(&[out], &[&[]], &plain).unwrap();
    assert_eq!(fs::read(&plain).unwrap(), [info.as_slice(), &one].concat());
}

#[test]
fn the_output_is_compressed_by_its_own_name() {
    let files = Files::new();
    let lines = "{\"text\":\"a\"}\n{\"text\":\"b\"}\n";
    let path = files.add("a.jsonl.gz", gzip(lines.as_bytes()));
    for name in [
        "o.jsonl",
        "o.jsonl.gz",
        "o.jsonl.zst",
        "o.jsonl.bz2",
        "o.jsonl.xz",
    ] {
        let out = files.path(name);
        rewrite(std::slice::from_ref(&path), &[&[1]], &out).unwrap();
        assert_eq!(read(&out).texts(), ["b"], "{name}");
        let is_plain = fs::read(&out).unwrap() == b"{\"text\":\"b\"}\n";
        assert_eq!(is_plain, name == "o.jsonl", "{name}");
    }
}

#[test]
fn a_stream_cut_short_is_an_end_only_if_it_was_known() {
    let files = Files::new();
    let lines: String = (0..50_000)
        .map(|n| format!("{{\"text\":\"{}\"}}\n", n * 7919))
        .collect();
    let mut bytes = gzip(lines.as_bytes());
    bytes.truncate(bytes.len() / 2);
    let path = files.add("a.jsonl.gz", bytes);
    let first = read(&path);
    let out = files.path("o.jsonl");
    let known = first.skipped[0].0;
    assert_eq!(
        rewrite(std::slice::from_ref(&path), &[&[known]], &out).unwrap(),
        [known - 1]
    );
    let message = rewrite(std::slice::from_ref(&path), &[&[]], &out).unwrap_err();
    assert_eq!(
        message,
        format!(
            "what is broken in {} cannot be copied (the compressed data ends too early): leave it out with --broken drop",
            path.display()
        )
    );
}

#[test]
fn formats_do_not_mix() {
    let files = Files::new();
    let a = files.add("a.jsonl", "{\"text\":\"a\"}\n");
    let b = files.add("b.csv", "text\nb\n");
    let message = rewrite(&[a, b], &[&[], &[]], &files.path("o.jsonl")).unwrap_err();
    assert!(
        message.ends_with("o.jsonl: it is CSV, not JSON lines"),
        "{message}"
    );
}

#[test]
fn single_documents_need_a_folder() {
    let files = Files::new();
    let a = files.add("a.html", "<p>a");
    let b = files.add("b.html", "<p>b");
    let message = rewrite(&[a.clone(), b], &[&[], &[]], &files.path("o.html")).unwrap_err();
    assert!(message.ends_with("one file holds one document; name a folder to write to"));
    rewrite(&[a], &[&[]], &files.path("o.html")).unwrap();
    assert_eq!(fs::read(files.path("o.html")).unwrap(), b"<p>a");
}

#[test]
fn a_folder_mirrors_the_sources() {
    let files = Files::new();
    files.add("in/x/a.html", b"<p>\xe9");
    files.add("in/x/b.html", "<p>dropped");
    files.add(
        "in/l.jsonl.gz",
        gzip(b"{\"text\":\"a\"}\n{\"text\":\"b\"}\n"),
    );
    files.add("in/j.json", "[\n{\"text\":\"a\"}\n]");
    files.add("in/gone.jsonl", "{\"text\":\"c\"}\n");
    let inputs = Inputs::open(&[files.path("in")], ReadOptions::default()).unwrap();
    let out = files.path("out");
    let mut writer = SurvivorWriter::folder(&out).unwrap();
    for (index, source) in inputs.sources().iter().enumerate() {
        let drop: &[u64] = match source.name.rsplit('/').next().unwrap() {
            "b.html" | "l.jsonl.gz" | "gone.jsonl" => &[1],
            _ => &[],
        };
        inputs.copy_without(index, drop, &mut writer).unwrap();
    }
    assert!(!out.exists());
    writer.finish().unwrap();
    assert_eq!(fs::read(out.join("x/a.html")).unwrap(), b"<p>\xe9");
    assert!(!out.join("x/b.html").exists());
    assert_eq!(read(&out.join("l.jsonl.gz")).texts(), ["b"]);
    assert_eq!(fs::read(out.join("gone.jsonl")).unwrap(), b"");
    assert_eq!(read(&out.join("j.json")).texts(), ["a"]);
    let message = SurvivorWriter::folder(&out).err().unwrap().to_string();
    assert!(
        message.ends_with("the folder is there and not empty"),
        "{message}"
    );
}

#[test]
fn two_inputs_of_one_name_do_not_share_a_file() {
    let files = Files::new();
    let paths = [
        files.add("a/t.txt", "1"),
        files.add("b/t.txt", "2"),
        files.add("b/x/t.txt", "3"),
        files.add("b/y.txt", "4"),
    ];
    let options = ReadOptions {
        to_copy: true,
        ..ReadOptions::default()
    };
    let inputs = Inputs::open(&paths, options.clone()).unwrap();
    let out = files.path("out");
    let mut writer = SurvivorWriter::folder(&out).unwrap();
    for source in 0..paths.len() {
        inputs.copy_without(source, &[], &mut writer).unwrap();
    }
    writer.finish().unwrap();
    for (name, text) in [
        ("a/t.txt", "1"),
        ("b/t.txt", "2"),
        ("x/t.txt", "3"),
        ("y.txt", "4"),
    ] {
        assert_eq!(fs::read_to_string(out.join(name)).unwrap(), text, "{name}");
    }
    // The same file twice is the same name twice.
    let twice = [paths[0].clone(), paths[0].clone()];
    let inputs = Inputs::open(&twice, options).unwrap();
    let mut writer = SurvivorWriter::folder(&files.path("again")).unwrap();
    inputs.copy_without(0, &[], &mut writer).unwrap();
    let message = inputs
        .copy_without(1, &[], &mut writer)
        .unwrap_err()
        .to_string();
    assert!(message.contains("another input is called "), "{message}");
}

#[test]
fn an_output_that_cannot_be_written_is_one_sentence() {
    let files = Files::new();
    let out = files.path("no/such/o.jsonl");
    let message = SurvivorWriter::file(&out, Format::Jsonl)
        .err()
        .unwrap()
        .to_string();
    assert_eq!(
        message,
        format!("cannot write {}: No such file or directory", out.display())
    );
}

#[cfg(feature = "parquet")]
#[test]
fn rows_are_filtered_and_columns_kept() {
    use super::parquet::{strings, table};
    let files = Files::new();
    let make = |texts: &[&str]| table(vec![("text", strings(texts)), ("own", strings(texts))]);
    let a = files.add("a.parquet", make(&["a", "b", "c"]));
    let b = files.add("b.parquet", make(&["d"]));
    let c = files.add("c.parquet", table(vec![("text", strings(&["e"]))]));
    let out = files.path("o.parquet");
    let written = rewrite(&[a.clone(), b], &[&[2], &[]], &out).unwrap();
    assert_eq!(written, [2, 1]);
    assert_eq!(read(&out).texts(), ["a", "c", "d"]);
    let own = ReadOptions {
        fields: twinsift_io::FieldNames {
            text: Some("own".into()),
            ..Default::default()
        },
        ..ReadOptions::default()
    };
    assert_eq!(
        super::read_with(std::slice::from_ref(&out), own).texts(),
        ["a", "c", "d"]
    );
    let message = rewrite(&[a.clone(), c], &[&[], &[]], &out).unwrap_err();
    assert!(
        message.ends_with(&format!("its columns are not those of {}", a.display())),
        "{message}"
    );
}
