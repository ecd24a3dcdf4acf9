//! CSV and TSV.

use super::read_bytes;

#[test]
fn rows_have_quotes_newlines_and_crlf() {
    let csv =
        "\u{feff}id,text,title\r\n1,\"a, \"\"b\"\"\nc\",T\r\n\r\n2,plain \"quote\",\r\n3,\"\",x";
    let result = read_bytes("a.csv", csv);
    assert_eq!(result.texts(), ["a, \"b\"\nc", "plain \"quote\"", ""]);
    assert_eq!(result.ids(), ["1", "2", "3"]);
    assert_eq!(result.docs[0].title.as_deref(), Some("T"));
    assert_eq!(result.docs[1].title, None);
    assert!(result.skipped.is_empty(), "{result:?}");
    assert!(!result.docs[0].is_number);
}

#[test]
fn tabs_set_cells_apart_in_tsv() {
    let result = read_bytes("a.tsv", "text\turl\na, b\thttp://x\n");
    assert_eq!(result.texts(), ["a, b"]);
    assert_eq!(result.ids(), ["http://x"]);
    assert_eq!(result.docs[0].url.as_deref(), Some("http://x"));
}

#[test]
fn the_header_tells_what_sets_cells_apart() {
    for (csv, texts) in [
        (
            "\u{feff}id;text\r\n1;\"a; \"\"b\"\"\nc\"\r\n2;d, e\r\n",
            ["a; \"b\"\nc", "d, e"],
        ),
        (
            "\"id\";\"text\";\"size, cm\"\n1;a;\"1,5\"\n2;\"b\";2\n",
            ["a", "b"],
        ),
        ("id\ttext\n1\ta, b\n2\t\"c;\"\n", ["a, b", "c;"]),
        ("id,text,a;b\n1,a;b,\n2,c,\n", ["a;b", "c"]),
    ] {
        for name in ["a.csv", "data"] {
            let result = read_bytes(name, csv);
            assert_eq!(result.texts(), texts, "{csv} {:?}", result.reasons());
        }
    }
    let single = read_bytes("a.csv", "text\na; b\nc\td\n");
    assert_eq!(single.texts(), ["a; b", "c\td"]);
    let unknown = read_bytes("a.csv", "nr;words\n1;a\n");
    assert!(unknown.reasons()[0].ends_with("but the fields are \"nr\", \"words\""));
}

#[test]
fn rows_of_other_lengths_are_skipped() {
    let result = read_bytes("a.csv", b"id,text\n1,a\n2\n3,b,c\n5,d\n");
    assert_eq!(result.texts(), ["a", "d"]);
    assert_eq!(result.records(), [1, 4]);
    assert_eq!(
        result.reasons(),
        [
            "1 cells where the header has 2",
            "3 cells where the header has 2",
        ]
    );
    assert_eq!(result.skipped[0].1, "a.csv: row 2");
}

#[test]
fn an_open_quote_costs_one_line() {
    let result = read_bytes("a.csv", "id,text\n1,a\n2,\"b\n3,c\n4,d\n");
    assert_eq!(result.texts(), ["a", "c", "d"]);
    assert_eq!(
        result.reasons(),
        ["a quoted cell is opened and never closed"]
    );
}

#[test]
fn rows_may_end_in_carriage_returns() {
    let old = "id,text\r1,a\r2,\"b\rc\nd\"\r\r3,e\nf\r4,\"g\r5,h";
    let result = read_bytes("a.csv", old);
    assert_eq!(result.texts(), ["a", "b\rc\nd", "e\nf", "h"]);
    assert_eq!(result.ids(), ["1", "2", "3", "5"]);
    assert_eq!(
        result.reasons(),
        ["a quoted cell is opened and never closed"]
    );
    assert_eq!(read_bytes("data", "id,text\r1,a\r").texts(), ["a"]);
    assert_eq!(read_bytes("a.csv", "\rid,text\r1,a").texts(), ["a"]);
    assert!(read_bytes("a.csv", "id,text\r").docs.is_empty());
    // Where newlines end rows, a carriage return is part of a cell.
    let stray = read_bytes("a.csv", "id,text\n1,a\rb\n2,c\n");
    assert_eq!(stray.texts(), ["a\rb", "c"]);
}

#[test]
fn ends_of_rows_are_told_wherever_sight_may_end() {
    for length in 65_400..65_600 {
        let name = "x".repeat(length);
        for end in ["\n", "\r\n", "\r"] {
            let table = format!("text,{name}{end}a,b{end}c,d{end}");
            assert_eq!(read_bytes("a.csv", table).texts(), ["a", "c"]);
        }
    }
}

#[test]
fn html_columns_and_unnamed_rows() {
    let result = read_bytes("a.csv", "html,text\n<p>a<p>b,\n<p>c,t\n");
    assert_eq!(result.texts(), ["a\nb", "t"]);
    assert!(result.docs[0].id.ends_with("a.csv:1"));
}

#[test]
fn a_table_without_text_says_so() {
    let result = read_bytes("a.csv", "id,name\n1,x\n");
    assert!(result.reasons()[0].ends_with("but the fields are \"id\", \"name\""));
}

#[test]
fn long_cells_straddle_windows() {
    let cell = "zelle \"\" , \n".repeat(300_000);
    let csv = format!("id,text\n1,\"{cell}\"\n2,\"{cell}\"\n3,x\n");
    let result = read_bytes("a.csv", csv);
    let plain = cell.replace("\"\"", "\"");
    assert_eq!(result.docs.len(), 3);
    assert_eq!(result.docs[1].text, plain);
}

#[test]
fn of_two_columns_of_one_name_none_is_taken() {
    let result = read_bytes("a.csv", "id,text,text\n1,a,b\n2,c,d\n");
    assert_eq!(result.docs, []);
    assert_eq!(
        result.skipped[..],
        [(
            0,
            "a.csv".to_owned(),
            "the column \"text\" is there twice: rename one of the two".to_owned()
        )]
    );
    // What is not looked at may be there twice, and so may names in different letter case.
    let result = read_bytes("a.csv", "id,text,Text,x,x\n1,a,b,c,d\n");
    assert_eq!(result.texts(), ["a"]);
}
