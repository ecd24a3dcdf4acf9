//! Tables that are not UTF-8.

use std::fs;

use encoding_rs::{Encoding, SHIFT_JIS, WINDOWS_1252};
use twinsift_io::{CharsetName, Inputs, ReadOptions, SurvivorWriter};

use super::{Files, collect, gzip, read_bytes, read_with};

fn wide(text: &str, is_big: bool) -> Vec<u8> {
    text.encode_utf16()
        .flat_map(|unit| match is_big {
            true => unit.to_be_bytes(),
            false => unit.to_le_bytes(),
        })
        .collect()
}

fn encoded(text: &str, encoding: &'static Encoding) -> Vec<u8> {
    let (bytes, _, is_lossy) = encoding.encode(text);
    assert!(!is_lossy);
    bytes.into_owned()
}

/// The same table in every form: three records, the second of them to be dropped.
fn tables() -> Vec<(&'static str, String, [&'static str; 3])> {
    let texts = ["das Café am Fluß", "ein 😀 Gesicht", "über die Brücke"];
    let [a, b, c] = texts;
    vec![
        (
            "a.csv",
            format!("id,text\r\n1,\"{a}\"\r\n2,{b}\r\n3,{c}\r\n"),
            texts,
        ),
        (
            "a.tsv",
            format!("id\ttext\n1\t{a}\n2\t{b}\n3\t{c}\n"),
            texts,
        ),
        (
            "a.jsonl",
            format!(
                "{{\"id\":1,\"text\":\"{a}\"}}\n{{\"id\":2,\"text\":\"{b}\"}}\n{{\"id\":3,\"text\":\"{c}\"}}\n"
            ),
            texts,
        ),
    ]
}

#[test]
fn utf16_is_read_with_and_without_a_mark_and_copied_as_it_was() {
    for (name, table, texts) in tables() {
        for is_big in [false, true] {
            for mark in ["\u{feff}", ""] {
                let bytes = wide(&format!("{mark}{table}"), is_big);
                let mut survivors: Vec<&str> = table.split_inclusive('\n').collect();
                survivors.remove(survivors.len() - 2);
                let expected = wide(&format!("{mark}{}", survivors.concat()), is_big);
                for (name, bytes) in [
                    (name.to_owned(), bytes.clone()),
                    (format!("{name}.gz"), gzip(&bytes)),
                    ("data".to_owned(), bytes),
                ] {
                    let files = Files::new();
                    let path = files.add(&name, bytes);
                    let inputs = Inputs::open(&[path], ReadOptions::default()).unwrap();
                    let result = collect(&inputs);
                    assert_eq!(result.texts(), texts, "{name} {:?}", result.reasons());
                    let format = inputs.sources()[0].format.unwrap();
                    let out = files.path("out");
                    let mut writer = SurvivorWriter::file(&out, format).unwrap();
                    inputs.copy_without(0, &[2], &mut writer).unwrap();
                    writer.finish().unwrap();
                    assert_eq!(
                        fs::read(&out).unwrap(),
                        expected,
                        "{name} {is_big} {mark:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn half_a_surrogate_pair_is_copied_as_it_is() {
    let mut bytes = wide("id,text\n1,a", false);
    bytes.extend([0x3d, 0xd8]);
    bytes.extend(wide("b\n2,c\n", false));
    let files = Files::new();
    let path = files.add("a.csv", &bytes);
    let inputs = Inputs::open(&[path], ReadOptions::default()).unwrap();
    let result = collect(&inputs);
    let halves = result.texts()[0].trim_matches(['a', 'b']);
    assert!(!halves.is_empty() && halves.chars().all(|half| half == '\u{fffd}'));
    let out = files.path("o.csv");
    let mut writer = SurvivorWriter::file(&out, inputs.sources()[0].format.unwrap()).unwrap();
    inputs.copy_without(0, &[], &mut writer).unwrap();
    writer.finish().unwrap();
    assert_eq!(fs::read(&out).unwrap(), bytes);
}

#[test]
fn utf16_and_utf8_do_not_go_into_one_file() {
    let files = Files::new();
    let paths = [
        files.add("a.csv", "id,text\n1,a\n"),
        files.add("b.csv", wide("id,text\n2,b\n", false)),
    ];
    let inputs = Inputs::open(&paths, ReadOptions::default()).unwrap();
    let mut writer =
        SurvivorWriter::file(&files.path("o.csv"), inputs.sources()[0].format.unwrap()).unwrap();
    inputs.copy_without(0, &[], &mut writer).unwrap();
    let error = inputs.copy_without(1, &[], &mut writer).unwrap_err();
    let error = error.to_string();
    assert!(error.contains(": its charset is not that of "), "{error}");
}

#[test]
fn a_mark_of_utf8_stays() {
    let table = "\u{feff}id,text\n1,a\n2,b\n";
    let files = Files::new();
    let inputs = Inputs::open(&[files.add("a.csv", table)], ReadOptions::default()).unwrap();
    let out = files.path("o.csv");
    let mut writer = SurvivorWriter::file(&out, inputs.sources()[0].format.unwrap()).unwrap();
    inputs.copy_without(0, &[2], &mut writer).unwrap();
    writer.finish().unwrap();
    assert_eq!(fs::read_to_string(out).unwrap(), "\u{feff}id,text\n1,a\n");
}

#[test]
fn rows_of_older_charsets_are_read_wherever_the_first_one_stands() {
    let plain: String = (0..200_000)
        .map(|n| format!("{n},plain words {n}\n"))
        .collect();
    let table = format!("id,text\n{plain}x,ein Café in Köln\ny,\"das \"\"weiße\"\" Haus\"\n");
    let files = Files::new();
    let path = files.add("a.csv", encoded(&table, WINDOWS_1252));
    let inputs = Inputs::open(&[path], ReadOptions::default()).unwrap();
    let result = collect(&inputs);
    assert!(result.skipped.is_empty(), "{:?}", result.reasons());
    assert_eq!(
        result.texts()[200_000..],
        ["ein Café in Köln", "das \"weiße\" Haus"]
    );
    let guessed: Vec<_> = inputs.guessed_charsets().map(|(_, name)| name).collect();
    assert_eq!(guessed, ["windows-1252"]);
}

#[test]
fn headers_and_lines_of_older_charsets_are_read() {
    let latin = encoded("id;größe;text\n1;5;ein Café\n", WINDOWS_1252);
    assert_eq!(read_bytes("a.csv", latin).texts(), ["ein Café"]);
    let lines = encoded("{\"id\":1,\"text\":\"ein Café in Köln\"}\n", WINDOWS_1252);
    assert_eq!(read_bytes("a.jsonl", lines).texts(), ["ein Café in Köln"]);
    let japanese = "彼は東京で新しい表現を使って日本語の文章を書いた。";
    let table = format!("id,text\n1,{}\n", japanese.repeat(5));
    let result = read_bytes("a.csv", encoded(&table, SHIFT_JIS));
    assert_eq!(result.texts(), [japanese.repeat(5)]);
}

#[test]
fn utf8_that_is_damaged_stays_utf8() {
    let mut bytes = "id,text\n1,größer als Köln über dem Fluß"
        .as_bytes()
        .to_vec();
    bytes.extend(b" \xff\n");
    let result = read_bytes("a.csv", bytes);
    assert_eq!(result.texts(), ["größer als Köln über dem Fluß \u{fffd}"]);
}

#[test]
fn a_charset_and_a_delimiter_can_be_given() {
    let given = |name: &str| ReadOptions {
        charset: CharsetName::of(name),
        ..ReadOptions::default()
    };
    let files = Files::new();
    // Valid UTF-8, and something else all the same.
    let path = files.add("a.csv", "id,text\n1,Ã©\n");
    assert_eq!(
        read_with(std::slice::from_ref(&path), given("latin1")).texts(),
        ["ÃƒÂ©"]
    );
    assert_eq!(read_with(&[path], ReadOptions::default()).texts(), ["Ã©"]);
    let strict = files.add("b.csv", b"id,text\n1,a\n2,caf\xe9\n");
    let result = read_with(&[strict], given("utf-8"));
    assert_eq!(result.texts(), ["a"]);
    assert_eq!(result.reasons(), ["invalid UTF-8 in column 2"]);
    let text = files.add("c.txt", b"caf\xe9");
    assert_eq!(read_with(&[text], given("iso-8859-5")).texts(), ["cafщ"]);
    let unmarked = files.add("d.csv", wide("id,text\n1,日本\n", true));
    assert_eq!(read_with(&[unmarked], given("utf-16be")).texts(), ["日本"]);
    let bars = files.add("e.csv", "id|text\n1|\"a|b\"\n2|c,d\n");
    let options = ReadOptions {
        delimiter: Some(b'|'),
        ..ReadOptions::default()
    };
    assert_eq!(read_with(&[bars], options).texts(), ["a|b", "c,d"]);
}
