//! Spot signatures from the command line: methods, lists, and documents that have
//! too few.

use super::texts::{BRIDGE, BRIDGE_EDITED, STORM, line, news};
use super::{Folder, golden};

#[test]
fn spots_by_every_matcher() {
    let folder = Folder::with("news.jsonl", news());
    let mut text = String::new();
    for flags in [
        "--method spotsigs",
        "--method spotsigs --join spotsigs",
        "--method spotsigs --spots 1:2 --idf 0.1,0.9",
        "--features spots --match lsh --rows 6 --bands 32",
        "--features spots --match lsh --rows 6 --bands 32 --idf 0,1",
        "--features spots --match hash",
        "--features spots --match hash --idf 0.4,0.75",
        "--features spots --match hamming --distance 20",
        "--features words --match hash --idf 0,0.7",
        "--method spotsigs --language de",
    ] {
        let ran = folder.run(&format!("pairs news.jsonl {flags}")).ok();
        text += &ran.transcript();
        text += "\n";
    }
    golden("spots_methods", &text);
}

#[test]
fn both_joins_write_the_same_bytes() {
    let folder = Folder::new();
    folder
        .run("demo -q --documents 60 --show 0 --out d.jsonl")
        .ok();
    for threshold in ["0.05", "0.35", "0.8", "1"] {
        let run = |join: &str| {
            let line =
                format!("pairs d.jsonl -q --method spotsigs --threshold {threshold} --join {join}");
            folder.run(&line).ok().text().to_owned()
        };
        assert_eq!(run("prefix"), run("spotsigs"), "{threshold}");
        assert!(!run("prefix").is_empty(), "{threshold}");
    }
}

/// A document that has no sentence, and one that is nearly the same.
const LIST: &str = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi omega";

fn with_lists() -> Folder {
    let mut lines = news();
    lines += &line("\"list\"", LIST);
    lines += &line("\"list-2\"", &format!("{LIST} end"));
    Folder::with("news.jsonl", lines)
}

#[test]
fn documents_with_too_few_spots_are_counted_listed_or_handed_on() {
    let folder = with_lists();
    let line = "pairs news.jsonl --method spotsigs --min-spots 3 --unsigned few.csv";
    let dropped = folder.run(line).ok();
    let told = "2 with too few spots, never matched (--fallback shingles compares them)";
    assert!(dropped.err.contains(told), "{dropped:?}");
    assert!(
        dropped.err.contains("1 without words, never matched"),
        "{dropped:?}"
    );
    assert!(!dropped.text().contains("list"), "{dropped:?}");
    assert_eq!(folder.text("few.csv"), "id,spots\nlist,0\nlist-2,0\n");

    for matcher in ["exact", "lsh", "hash"] {
        let line = format!(
            "pairs news.jsonl --features spots --match {matcher} --min-spots 3 --fallback shingles --unsigned few.csv"
        );
        let ran = folder.run(&line).ok();
        let told = "2 with too few spots, compared among themselves by shingles";
        assert!(ran.err.contains(told), "{ran:?}");
        let pair = "{\"a\":\"list\",\"b\":\"list-2\",\"score\":0.95";
        assert_eq!(ran.text().matches(pair).count(), 1, "{ran:?}");
        assert_eq!(ran.text().matches("list").count(), 2, "{ran:?}");
        assert_eq!(folder.text("few.csv").lines().count(), 3);
    }
}

/// Documents with spots and those without are never compared: these two are close
/// in shingles, but only one has enough spots.
#[test]
fn the_fallback_does_not_cross_over() {
    let lines = line("1", &format!("{LIST} the house")) + &line("2", LIST);
    let folder = Folder::with("a.jsonl", lines);
    let line = "pairs a.jsonl -q --method spotsigs --spots the:1:1 --fallback shingles";
    assert_eq!(folder.run(line).ok().text(), "");
    let both = format!("{line} --min-spots 2");
    assert_eq!(folder.run(&both).ok().text().lines().count(), 1);
}

#[test]
fn lists_are_shown_and_replaced() {
    let folder = Folder::new();
    let all = folder.run("spots").ok();
    for code in [
        "en", "de", "fr", "es", "it", "pt", "nl", "ru", "zh", "ja", "th",
    ] {
        assert!(all.text().contains(&format!("{code}  ")), "{code}");
        folder.run(&format!("spots --show {code}")).ok();
    }
    let german = folder.run("spots --show de").ok();
    assert!(
        german
            .text()
            .starts_with("# German: antecedents\nder\ndie\ndas\n")
    );
    assert!(german.text().contains("\n# German: stop words\n"));
    let told = folder.run("spots --show xx").refuses(2);
    assert!(told.starts_with("there are no lists for the language \"xx\": there are en, de"));

    folder.add("a.txt", BRIDGE);
    folder.add("ante.txt", "# ours\nresidents debate\n");
    folder.add("stop.txt", "that who for");
    let line = "compare a.txt a.txt --json --method spotsigs --spots 1:1 --antecedents ante.txt --stop-words stop.txt";
    let json: serde_json::Value = serde_json::from_slice(&folder.run(line).ok().out).unwrap();
    assert_eq!(
        json["shared"],
        serde_json::json!(["debate:lasted", "residents:fear"])
    );
    folder.add("spots.toml", "method = \"spotsigs\"\nspots = [\"1:1\"]\nantecedents = \"ante.txt\"\nstop_words = \"stop.txt\"\n");
    let line = "compare a.txt a.txt --json --config spots.toml";
    let same: serde_json::Value = serde_json::from_slice(&folder.run(line).ok().out).unwrap();
    assert_eq!(same, json);

    folder.add("none.txt", "# nothing\n");
    for (file, told) in [
        ("none.txt", "--antecedents: none.txt holds no words"),
        (
            "gone.txt",
            "--antecedents: cannot read gone.txt: No such file or directory",
        ),
    ] {
        let line = format!("pairs a.txt --method spotsigs --antecedents {file}");
        assert_eq!(folder.run(&line).refuses(2), told);
    }
}

#[test]
fn compare_shows_spots_in_their_sentences() {
    let folder = Folder::new();
    folder.add("old.txt", format!("{BRIDGE}. The mayor was not there."));
    folder.add(
        "new.txt",
        format!("Menu\nSports\n{BRIDGE_EDITED}.\n{STORM}."),
    );
    let line = "compare old.txt new.txt --method spotsigs --spots 1:2";
    golden("compare_spots", &folder.run(line).ok().transcript());
    let json = folder.run(&format!("{line} --json")).ok();
    let json: serde_json::Value = serde_json::from_slice(&json.out).unwrap();
    let sentence = &json["sentences"][0][0];
    assert_eq!(sentence["spots"][0]["signature"], "the:council:approved");
    assert_eq!(sentence["spots"][0]["shared"], true);
    assert_eq!(
        sentence["spots"][0]["words"],
        serde_json::json!([[0, 3], [4, 11], [12, 20]])
    );
    let other = &json["sentences"][0][1];
    assert_eq!(other["text"], "The mayor was not there.");
    assert_eq!(other["spots"][0]["shared"], false);
}
