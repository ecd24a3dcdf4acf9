//! JSON lines, JSON lists, and what becomes of fields.

use twinsift::{Item, Rank};
use twinsift_io::{FieldNames, Inputs, ReadOptions};

use super::{Files, read_bytes, read_with};

fn with_fields(name: &str, bytes: &str, fields: FieldNames) -> super::Result {
    let files = Files::new();
    let path = files.add(name, bytes);
    let options = ReadOptions {
        fields,
        ..ReadOptions::default()
    };
    read_with(&[path], options)
}

#[test]
fn fields_go_by_priority_and_not_by_order() {
    let result = read_bytes(
        "a.jsonl",
        r#"{"url":"u","body":"no","content":"yes","doc_id":"d","subject":"s","title":"t","x":[{}]}"#,
    );
    let doc = &result.docs[0];
    assert_eq!((doc.id.as_str(), doc.text.as_str()), ("d", "yes"));
    assert_eq!(doc.title.as_deref(), Some("t"));
    assert_eq!(doc.url.as_deref(), Some("u"));
}

#[test]
fn names_count_in_any_letter_case() {
    let result = read_bytes(
        "a.jsonl",
        concat!(
            "{\"ID\":1,\"url\":\"u\",\"Text\":\"a\",\"TITLE\":\"t\"}\n",
            "{\"Text\":\"no\",\"text\":\"b\",\"id\":2,\"Id\":0,\"TEXT\":\"no\"}\n",
            "{\"id\":3,\"Text\":\"c\",\"content\":\"no\"}\n",
            "{\"id\":4,\"text\":null,\"Text\":\"d\"}\n",
            "{\"ID\":[],\"url\":5,\"Text\":[],\"content\":\"e\"}\n",
            "{\"id\":6,\"Body\":5}\n",
        ),
    );
    assert_eq!(result.texts(), ["a", "b", "c", "d", "e"]);
    assert_eq!(result.ids(), ["1", "2", "3", "4", "5"]);
    assert_eq!(result.docs[0].title.as_deref(), Some("t"));
    assert_eq!(result.docs[0].url.as_deref(), Some("u"));
    assert!(result.reasons()[0].ends_with("but the fields are \"Body\", \"id\""));
    let table = read_bytes("a.csv", "ID,Text\n7,a\n");
    assert_eq!((table.ids(), table.texts()), (vec!["7"], vec!["a"]));
    let fields = FieldNames {
        text: Some("text".into()),
        ..FieldNames::default()
    };
    let named = with_fields("a.jsonl", "{\"Text\":\"a\"}", fields);
    assert!(named.docs.is_empty());
}

#[test]
fn a_blank_field_leaves_it_to_the_next() {
    for blank in ["null", "\"\"", "\" \"", "\"\\n\\t\\u00a0\""] {
        let lines = format!(
            "{{\"text\":{blank},\"content\":\"a\",\"title\":{blank},\"subject\":\"s\"}}\n\
             {{\"text\":{blank},\"html\":\"<p>b\"}}\n{{\"text\":{blank}}}\n"
        );
        let result = read_bytes("a.jsonl", lines);
        assert_eq!(result.texts(), ["s\n\na", "b", ""], "{blank}");
        assert_eq!(result.docs[0].title.as_deref(), Some("s"));
    }
}

#[test]
fn the_last_of_two_equal_fields_wins() {
    let result = read_bytes("a.jsonl", r#"{"id":1,"text":"a","id":2,"text":"b"}"#);
    assert_eq!((result.ids(), result.texts()), (vec!["2"], vec!["b"]));
}

#[test]
fn ids_keep_their_kind_and_spelling() {
    let lines = concat!(
        "{\"id\":7,\"text\":\"\"}\n",
        "{\"id\":\"7\",\"text\":\"\"}\n",
        "{\"id\":-0,\"text\":\"\"}\n",
        "{\"id\":1.50,\"text\":\"\"}\n",
        "{\"id\":1e3,\"text\":\"\"}\n",
        "{\"id\":123456789012345678901234567890,\"text\":\"\"}\n",
        "{\"id\":18446744073709551615,\"text\":\"\"}\n",
    );
    let result = read_bytes("a.jsonl", lines);
    assert_eq!(
        result.ids(),
        [
            "7",
            "7",
            "-0",
            "1.50",
            "1e3",
            "123456789012345678901234567890",
            "18446744073709551615"
        ]
    );
    let numbers: Vec<_> = result.docs.iter().map(|doc| doc.is_number).collect();
    assert_eq!(numbers, [true, false, true, true, true, true, true]);
}

#[test]
fn a_record_without_id_is_named_by_its_place() {
    let result = read_bytes(
        "a.jsonl",
        "\n{\"text\":\"x\"}\n{\"id\":null,\"text\":\"y\"}\n",
    );
    assert!(
        result.docs[0].id.ends_with("a.jsonl:2"),
        "{:?}",
        result.docs[0]
    );
    assert!(result.docs[1].id.ends_with("a.jsonl:3"));
    assert_eq!(result.records(), [2, 3]);
}

#[test]
fn ids_of_other_kinds_are_skipped() {
    let result = read_bytes(
        "a.jsonl",
        "{\"id\":{},\"text\":\"x\"}\n{\"id\":[1],\"text\":\"x\"}\n{\"id\":true,\"text\":\"x\"}\n",
    );
    assert_eq!(
        result.reasons(),
        [
            "the id field \"id\" is an object, not a string or a number",
            "the id field \"id\" is a list, not a string or a number",
            "the id field \"id\" is a truth value, not a string or a number",
        ]
    );
}

#[test]
fn broken_lines_are_told_by_place_and_cost_only_themselves() {
    let mut bytes =
        b"\xef\xbb\xbf{\"text\":\"a\"}\r\n{\"text\":\"b\"\r\n\r\n{\"text\":\"\xff}\n".to_vec();
    bytes.extend(
        b"[1]\n{\"text\":\"c\"} x\n{\"text\":\"c\\ud8\"}\n{\"text\":\"d\x01\"}\n{\"text\":\"e\"}",
    );
    let result = read_bytes("a.jsonl", bytes);
    assert_eq!(result.texts(), ["a", "e"]);
    assert_eq!(result.records(), [1, 9]);
    let places: Vec<_> = result
        .skipped
        .iter()
        .map(|(_, place, _)| place.as_str())
        .collect();
    assert_eq!(
        places,
        [
            "a.jsonl:2",
            "a.jsonl:4",
            "a.jsonl:5",
            "a.jsonl:6",
            "a.jsonl:7",
            "a.jsonl:8"
        ]
    );
    let reasons = result.reasons();
    assert!(reasons[0].starts_with("broken JSON: "), "{reasons:?}");
    assert!(reasons[1].starts_with("broken JSON: "), "{reasons:?}");
    assert_eq!(reasons[2], "not a JSON object");
    assert!(
        reasons[3..].iter().all(|r| r.starts_with("broken JSON: ")),
        "{reasons:?}"
    );
}

#[test]
fn half_a_surrogate_pair_costs_only_itself() {
    for (escaped, text) in [
        (r"ok \ud83d done", "ok \u{fffd} done"),
        (r"\uDE00\ud83d\uDE00", "\u{fffd}😀"),
        (r"\ud83d\ud83d\ude00\ud83d", "\u{fffd}😀\u{fffd}"),
        (r"\\ud83d \ud83d\n\\", "\\ud83d \u{fffd}\n\\"),
        (r"\ud83d\u00e9", "\u{fffd}é"),
        (r"é\ud83dé", "é\u{fffd}é"),
    ] {
        let line = format!(r#"{{"id":1.50,"x\udc00":[],"text":"{escaped}"}}"#);
        let result = read_bytes("a.jsonl", &line);
        assert_eq!(result.texts(), [text], "{line}");
        assert_eq!(result.ids(), ["1.50"]);
        assert_eq!(read_bytes("a.json", format!("[{line}]")).texts(), [text]);
    }
    let broken = read_bytes("a.jsonl", r#"{"text":"\ud83d" "#);
    assert!(broken.reasons()[0].starts_with("broken JSON: EOF"));
}

#[test]
fn depth_bombs_are_only_broken_lines() {
    let deep = 1_000_000;
    let bomb = format!("{{\"x\":{}{}}}", "[".repeat(deep), "]".repeat(deep));
    let unclosed = format!("{{\"text\":{}", "{\"a\":".repeat(deep));
    let result = read_bytes(
        "a.jsonl",
        format!("{bomb}\n{unclosed}\n{{\"text\":\"ok\"}}\n"),
    );
    assert_eq!(result.texts(), ["ok"]);
    assert_eq!(result.skipped.len(), 2);
}

#[test]
fn a_record_without_text_says_which_fields_it_has() {
    let result = read_bytes("a.jsonl", "{\"id\":1,\"txt\":\"x\"}\n{}\n");
    assert_eq!(
        result.reasons(),
        [
            "no text: looked for \"text\", \"content\", \"body\", \"article\", \"html\", but the fields are \"id\", \"txt\"",
            "no text: looked for \"text\", \"content\", \"body\", \"article\", \"html\", but there are no fields at all",
        ]
    );
}

#[test]
fn html_stands_in_for_a_missing_text() {
    let result = read_bytes(
        "a.jsonl",
        concat!(
            "{\"text\":null,\"html\":\"<title>T</title><p>a<p>b\"}\n",
            "{\"html\":\"<p>c\",\"title\":\"own\"}\n",
            "{\"text\":null}\n",
            "{\"text\":\"t\",\"html\":\"<p>h\"}\n",
        ),
    );
    assert_eq!(result.texts(), ["a\nb", "c", "", "t"]);
    assert_eq!(result.docs[0].title.as_deref(), Some("T"));
    assert_eq!(result.docs[1].title.as_deref(), Some("own"));
}

#[test]
fn a_text_that_is_no_string_is_skipped() {
    let result = read_bytes("a.jsonl", "{\"text\":5}\n{\"text\":[\"a\"]}\n");
    assert_eq!(
        result.reasons(),
        [
            "the field \"text\" is a number, not text",
            "the field \"text\" is a list, not text"
        ]
    );
}

#[test]
fn named_fields_replace_the_guesses() {
    let line = "{\"id\":1,\"key\":\"k\",\"raw\":\"r\",\"text\":\"t\",\"html\":\"<p>h\",\"page\":\"<p>p\",\"name\":\"n\"}";
    let fields = FieldNames {
        id: Some("key".into()),
        text: Some("raw".into()),
        title: Some("name".into()),
        ..FieldNames::default()
    };
    let doc = with_fields("a.jsonl", line, fields).docs.remove(0);
    assert_eq!((doc.id.as_str(), doc.text.as_str()), ("k", "r"));
    assert_eq!(doc.title.as_deref(), Some("n"));
    let fields = FieldNames {
        html: Some("page".into()),
        ..FieldNames::default()
    };
    assert_eq!(with_fields("a.jsonl", line, fields).texts(), ["p"]);
    let fields = FieldNames {
        id: Some("nokey".into()),
        ..FieldNames::default()
    };
    assert_eq!(
        with_fields("a.jsonl", line, fields).reasons(),
        ["no id in \"nokey\""]
    );
    let fields = FieldNames {
        text: Some("nowhere".into()),
        ..FieldNames::default()
    };
    let reasons = with_fields("a.jsonl", line, fields);
    assert!(reasons.reasons()[0].starts_with("no text: looked for \"nowhere\", but"));
}

#[test]
fn ranks_are_numbers_where_they_can_be() {
    let lines = concat!(
        "{\"text\":\"\",\"date\":\"2024-01-02\"}\n{\"text\":\"\",\"date\":\" 12.5 \"}\n",
        "{\"text\":\"\",\"date\":3}\n{\"text\":\"\",\"date\":null}\n{\"text\":\"\"}\n",
        "{\"text\":\"\",\"date\":\"nan\"}\n{\"text\":\"\",\"date\":1.25e2}\n",
    );
    let fields = FieldNames {
        rank: Some("date".into()),
        ..FieldNames::default()
    };
    let ranks: Vec<_> = with_fields("a.jsonl", lines, fields)
        .docs
        .into_iter()
        .map(|doc| doc.rank)
        .collect();
    assert_eq!(
        ranks,
        [
            Some(Rank::Text("2024-01-02".into())),
            Some(Rank::Number(12.5)),
            Some(Rank::Number(3.0)),
            None,
            None,
            Some(Rank::Text("nan".into())),
            Some(Rank::Number(125.0)),
        ]
    );
}

#[test]
fn a_huge_line_among_small_ones_is_read() {
    let huge = "wort ".repeat(1_000_000);
    let lines = format!("{{\"text\":\"a\"}}\n{{\"text\":\"{huge}\"}}\n{{\"text\":\"z\"}}");
    let result = read_bytes("a.jsonl", lines);
    assert_eq!(result.texts(), ["a", huge.as_str(), "z"]);
    assert_eq!(result.records(), [1, 2, 3]);
}

#[test]
fn many_batches_keep_order_and_numbers() {
    let lines: String = (1..=50_000)
        .map(|n| format!("{{\"id\":{n},\"text\":\"{}\"}}\n", "x".repeat(n % 97)))
        .collect();
    let files = Files::new();
    let path = files.add("a.jsonl", &lines);
    let inputs = Inputs::open(&[path], ReadOptions::default()).unwrap();
    assert_eq!(inputs.total_bytes(), Some(lines.len() as u64));
    assert!(inputs.batches().count() > 1);
    let before = inputs.bytes_read();
    let result = super::collect(&inputs);
    assert_eq!(inputs.bytes_read() - before, lines.len() as u64);
    assert!(
        result
            .docs
            .iter()
            .all(|doc| doc.id == doc.record.to_string())
    );
    assert_eq!(result.docs.len(), 50_000);
}

#[test]
fn a_list_is_read_element_by_element() {
    let list = "\u{feff} [ {\"text\":\"a ] } \\\" \\\\\"},\n{\"text\":\"b\",\"n\":[{\"x\":[]}]} , 5, \"s\", {\"text\":\"c\"}\n]\n";
    let result = read_bytes("a.json", list);
    assert_eq!(result.texts(), ["a ] } \" \\", "b", "c"]);
    assert_eq!(result.records(), [1, 2, 5]);
    assert!(result.docs[1].id.ends_with("a.json:2"));
    assert_eq!(result.skipped[0].1, "a.json: element 3");
    assert_eq!(result.reasons(), ["not a JSON object"; 2]);
}

#[test]
fn a_list_longer_than_a_batch_is_read() {
    let element = format!("{{\"text\":\"{}\"}}", "w ".repeat(5000));
    let list = format!("[{}]", vec![element; 400].join(","));
    let result = read_bytes("a.json", list);
    assert_eq!(result.docs.len(), 400);
    assert!(result.skipped.is_empty());
}

#[test]
fn a_list_cut_short_keeps_what_is_whole() {
    let result = read_bytes("a.json", "[{\"text\":\"a\"},{\"text\":\"b");
    assert_eq!(result.texts(), ["a"]);
    assert_eq!(result.reasons(), ["the file ends in the middle of a value"]);
    let result = read_bytes("a.json", "[{\"text\":\"a\"}");
    assert_eq!(result.texts(), ["a"]);
    assert_eq!(
        result.reasons(),
        ["the list has no end; the file may be cut short"]
    );
    let result = read_bytes("a.json", "[{\"text\":\"a\"}] {\"text\":\"b\"}");
    assert_eq!(
        result.reasons(),
        ["there is more after the end of the list"]
    );
}

#[test]
fn json_may_be_one_object_or_lines_after_all() {
    let one = read_bytes("a.json", "{\n \"text\": \"a\",\n \"id\": 1\n}\n");
    assert_eq!((one.texts(), one.ids()), (vec!["a"], vec!["1"]));
    let lines = read_bytes("a.json", "{\"text\":\"a\"}\n{broken\n{\"text\":\"b\"}\n");
    assert_eq!(lines.texts(), ["a", "b"]);
    assert_eq!(lines.skipped[0].1, "a.json:2");
    let pretty = read_bytes("a.json", "{\n\"text\": \"a\"\n}\n{\n\"text\": \"b\"\n}\n");
    assert_eq!(pretty.texts(), ["a", "b"]);
}

#[test]
fn empty_files_hold_nothing() {
    for name in [
        "a.jsonl", "a.ndjson", "a.json", "a.csv", "a.tsv", "a.warc", "a.mbox",
    ] {
        let result = read_bytes(name, "");
        assert!(
            result.docs.is_empty() && result.skipped.is_empty(),
            "{name}: {result:?}"
        );
    }
    let list = read_bytes("a.json", "[ ]");
    assert!(list.docs.is_empty() && list.skipped.is_empty());
}

/// A first look takes one record, whatever comes behind it and however it is stored.
#[test]
fn the_first_record_comes_by_itself() {
    let files = Files::new();
    let names = |name: &str, bytes: &str| {
        let path = files.add(name, bytes);
        let inputs = Inputs::open(&[path], ReadOptions::default()).unwrap();
        let mut names = Vec::new();
        if let Some(first) = inputs.first_record() {
            inputs.expand(&first, &mut |item| {
                names.push(match item {
                    Item::Document(document) => document.id.text.into_owned(),
                    Item::Skipped(skipped) => skipped.reason,
                });
            });
        }
        names
    };
    let line = |id: &str| format!("{{\"id\": \"{id}\", \"text\": \"some words\"}}\n");
    let lines: String = ["a", "b", "c"].map(line).concat();
    assert_eq!(names("lines.jsonl", &lines), ["a"]);
    assert_eq!(names("one.jsonl", lines.lines().next().unwrap()), ["a"]);
    let many = lines.repeat(50_000);
    assert_eq!(names("many.jsonl", &many), ["a"]);
    assert_eq!(names("table.csv", "id,text\nx,one\ny,two\n"), ["x"]);
    assert_eq!(
        names("list.json", "[{\"id\": 7, \"text\": \"one\"}, {\"id\": 8}]"),
        ["7"]
    );
    assert!(names("nothing.jsonl", "").is_empty());
    assert!(names("broken.jsonl", &format!("{{\n{lines}"))[0].starts_with("broken JSON"));
}
