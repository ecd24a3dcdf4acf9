//! What comes from outside is shown, never obeyed: by a terminal, or by a spreadsheet.

use super::Folder;
use super::texts::{BRIDGE, MUSEUM, line};

/// Ends lines, turns text red, erases the screen in two ways, turns the direction.
const EVIL: &str = "x\u{1b}[31mred\u{9b}2J\u{7f}\u{202e}y";

fn is_obeyed(c: char) -> bool {
    c != '\n' && (c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
}

/// All that was said to people, as a terminal gets it, without our own styles.
fn told(folder: &Folder, args: &[&str]) -> String {
    let output = folder
        .command(args)
        .env("CLICOLOR_FORCE", "1")
        .output()
        .unwrap();
    let mut text = String::from_utf8(output.stderr).unwrap();
    if args[0] == "compare" || args[0] == "eval" {
        text += std::str::from_utf8(&output.stdout).unwrap();
    }
    assert!(text.contains("\u{1b}["), "styles are still there: {text:?}");
    for style in ["0", "1", "2", "31", "32", "33", "34", "90"] {
        text = text.replace(&format!("\u{1b}[{style}m"), "");
    }
    text
}

#[test]
fn control_characters_are_spelt_out_for_people() {
    let folder = Folder::new();
    let row = |id: &str, text: &str| {
        let row = serde_json::json!({"id": id, "text": text, "cluster": id});
        format!("{row}\n")
    };
    let text = format!("{BRIDGE} {EVIL}");
    let rows = row(EVIL, &text) + &row("b\nerror: forged", &text) + &row("c", MUSEUM);
    folder.add("a.jsonl", &rows);
    folder.add("twice.jsonl", rows + &row(EVIL, MUSEUM));
    let field = serde_json::json!({EVIL: 1});
    folder.add("fields.jsonl", format!("{field}\n"));
    folder.add(&format!("in/{EVIL}.jsonl"), "{broken\n");
    folder.add("in/good.jsonl", line("1", BRIDGE));
    let seen = "x\\x1b[31mred\\x9b2J\\x7f\\u202ey";
    for args in [
        &[
            "compare",
            EVIL,
            "b\nerror: forged",
            "--in",
            "a.jsonl",
            "--k",
            "1",
        ][..],
        &[
            "compare", EVIL, "c", "--in", "a.jsonl", "--method", "spotsigs",
        ],
        &["pairs", "twice.jsonl"],
        &["pairs", "fields.jsonl"],
        &["pairs", "in"],
        &["pairs", EVIL],
        &["pairs", "a.jsonl", "-o", "\u{1b}[2J/x.csv"],
        &["eval", "a.jsonl", "--gold", EVIL],
    ] {
        let told = told(&folder, args);
        let obeyed: Vec<char> = told.chars().filter(|&c| is_obeyed(c)).collect();
        assert!(obeyed.is_empty(), "{args:?}: {told:?}");
        assert!(
            told.contains(seen) || told.contains("\\x1b[2J/x.csv"),
            "{args:?}: {told}"
        );
        assert!(!told.contains("\nerror: forged"), "{told}");
    }
}

/// Programs read JSON, and get it as it is.
#[test]
fn json_is_not_for_people() {
    let row = serde_json::json!({"id": EVIL, "text": BRIDGE});
    let folder = Folder::with("a.jsonl", format!("{row}\n"));
    let args = ["compare", EVIL, EVIL, "--in", "a.jsonl", "--json"];
    let output = folder.command(&args).output().unwrap();
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["a"], EVIL);
}

#[test]
fn spreadsheets_get_no_formulas_if_asked() {
    let ids = ["=1+1", "@cmd", "-a", "-7", "+5.5", "plain", "\\tx"];
    let rows = ids.map(|id| line(&format!("\"{id}\""), BRIDGE)).concat();
    let folder = Folder::with("a.jsonl", rows);
    folder.run("clusters a.jsonl -q -o g.csv").ok();
    assert!(
        folder.text("g.csv").starts_with(
            "id,cluster,size,representative,score,title,snippet\n=1+1,=1+1,7,=1+1,1.0,,"
        )
    );
    folder
        .run("clusters a.jsonl -q -o g.csv --spreadsheet-safe")
        .ok();
    let ids: String = folder
        .text("g.csv")
        .lines()
        .filter_map(|line| line.split_once(','))
        .map(|(id, _)| format!("{id}\n"))
        .collect();
    assert_eq!(ids, "id\n'=1+1\n'@cmd\n'-a\n-7\n+5.5\nplain\n'\tx\n");
    folder.add("c.toml", "spreadsheet_safe = true\n");
    folder
        .run("dedup a.jsonl -q -o out.jsonl --removed r.tsv --config c.toml")
        .ok();
    let removed = folder.text("r.tsv");
    assert!(removed.contains("\n'@cmd\t'=1+1\t1.0\n"), "{removed}");
    // Other formats have types: what is text there is no formula.
    folder
        .run("clusters a.jsonl -q -o g.jsonl --spreadsheet-safe")
        .ok();
    assert!(folder.text("g.jsonl").starts_with("{\"id\":\"=1+1\""));
}
