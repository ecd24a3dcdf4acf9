//! Search evaluation: duplicates among results, and measures without them.

use super::{Folder, golden};

const STORY: &str = "The new bridge over the river is open to traffic from Monday, the council said after a long debate about who is to pay for it.";

fn results() -> Folder {
    let folder = Folder::new();
    let page = |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
    let other = "A storm is expected to reach the coast by tomorrow night, and the ferries will stay in the harbour until it has passed.";
    let third = "The cup final was won by the home side after a long and wet afternoon, to the joy of all who had come.";
    folder.add(
        "docs.jsonl",
        page("bridge", STORY) + &page("copy", STORY) + &page("storm", other) + &page("cup", third),
    );
    folder.add(
        "west.run",
        "1 Q0 bridge 1 9 west\n1 Q0 copy 2 8 west\n1 Q0 storm 3 7 west\n2 Q0 cup 1 1 west\n",
    );
    folder.add(
        "east.run",
        "1 Q0 storm 1 9 east\nnot a result\n1 Q0 bridge 2 high east\n1 Q0 ghost 3 7 east\n1 Q0 copy 4 6 east\n1 Q0 copy 5 5 east\n",
    );
    folder.add(
        "qrels.txt",
        "1 0 bridge 2\n1 0 copy 1\n1 0 storm 0\n1 0 cup 1\n2 0 cup 1\nbroken\n",
    );
    folder
}

#[test]
fn a_repeated_page_earns_nothing() {
    let folder = results();
    let ran = folder
        .run("judge --run west.run east.run --docs docs.jsonl --qrels qrels.txt -o classes.csv --contradictions differ.csv --per-query each.csv")
        .ok();
    let mut text = ran.transcript();
    for name in ["classes.csv", "differ.csv", "each.csv"] {
        text += &format!("\n{name}\n{}", folder.text(name));
    }
    golden("judge", &text);
}

#[test]
fn without_judgements_repeats_are_counted() {
    let folder = results();
    let ran = folder.run("judge -q --run west.run --docs docs.jsonl").ok();
    assert_eq!(
        ran.text(),
        "| run | results | repeats |\n|---|---:|---:|\n| west | 4 | 1 |\n"
    );
}

#[test]
fn what_cannot_be_judged_is_told() {
    let folder = results();
    folder.add("queries.tsv", "1\tbridge\n3\t\n");
    folder.add("empty.run", "\n");
    let ran = folder
        .run("judge --run west.run --docs docs.jsonl --queries queries.tsv")
        .ok();
    assert!(
        ran.err
            .contains("queries.tsv:2: the query \"3\" has no words"),
        "{ran:?}"
    );
    assert!(
        ran.err.contains("west.run:4: the query \"2\" has no text"),
        "{ran:?}"
    );
    let strict = folder.run("judge --run east.run --docs docs.jsonl --strict");
    assert!(strict.fails(2).starts_with("east.run:2: "));
    let refused = |line: &str| folder.run(line).refuses(2);
    assert!(refused("judge --run empty.run --docs docs.jsonl").contains("holds no result"));
    assert!(refused("judge --run nowhere.run --docs docs.jsonl").contains("cannot read"));
    let same = refused(
        "judge --run west.run --docs docs.jsonl --qrels qrels.txt -o x.csv --per-query x.csv",
    );
    assert!(same.contains("two outputs"), "{same}");
    for flag in ["-o", "--per-query", "--contradictions"] {
        let line = format!("judge --run west.run --docs docs.jsonl --qrels qrels.txt {flag} -");
        let told = refused(&line);
        assert!(told.starts_with(&format!("{flag} names a file")), "{told}");
    }
    let content =
        refused("judge --run west.run --docs docs.jsonl --model model.json --content all");
    assert!(
        content.starts_with("--content has no meaning here"),
        "{content}"
    );
    let lost = refused("judge --run west.run --docs docs.jsonl -o docs.jsonl");
    assert!(lost.contains("one of the inputs"), "{lost}");
}

/// Without a model the body is chosen as everywhere: the rendered one unless told otherwise.
#[test]
fn without_a_model_the_body_that_pairs_compares_is_compared() {
    let folder = results();
    let other = "A storm is expected to reach the coast by tomorrow night, and the ferries will stay in the harbour until it has passed.";
    let page = |id: &str, html: &str, rendered: &str| {
        format!("{{\"id\":\"{id}\",\"html\":\"<p>{html}\",\"rendered\":\"<p>{rendered}\"}}\n")
    };
    folder.add(
        "docs.jsonl",
        page("bridge", "Please wait.", STORY) + &page("copy", other, STORY),
    );
    folder.add("west.run", "1 Q0 bridge 1 9 west\n1 Q0 copy 2 8 west\n");
    for (flags, repeats) in [
        ("", 1),
        ("--body rendered", 1),
        ("--content all", 1),
        ("--body fetched", 0),
    ] {
        let ran = folder
            .run(&format!(
                "judge -q --run west.run --docs docs.jsonl {flags}"
            ))
            .ok();
        let row = format!("| west | 2 | {repeats} |\n");
        assert!(ran.text().ends_with(&row), "{flags}: {ran:?}");
        let found = folder.run(&format!("pairs -q docs.jsonl {flags}")).ok();
        assert_eq!(found.text().lines().count(), repeats, "{flags}");
    }
    let told = folder
        .run("judge --run west.run --docs docs.jsonl --content all")
        .ok();
    assert!(told.err.contains("word 5-grams of all text"), "{told:?}");
}

/// Two pages that could not be fetched are not the same page.
#[test]
fn pages_without_a_body_are_told_and_nobodys_duplicates() {
    let folder = results();
    let rows =
        ["a", "b"].map(|id| format!("{{\"id\":\"{id}\",\"html\":null,\"rendered\":null}}\n"));
    folder.add(
        "docs.jsonl",
        folder.text("docs.jsonl") + &rows.concat() + "{\"id\":\"c\",\"html\":\" \"}\n",
    );
    folder.add(
        "north.run",
        "1 Q0 a 1 9 n\n1 Q0 b 2 8 n\n1 Q0 c 3 7 n\n1 Q0 cup 4 6 n\n",
    );
    let ran = folder
        .run("judge --run north.run --docs docs.jsonl -o classes.csv")
        .ok();
    for (line, id) in [(1, "a"), (2, "b"), (3, "c")] {
        let note = format!(
            "note: north.run:{line}: the document \"{id}\" has no body; it keeps its rank and counts as no duplicate"
        );
        assert!(ran.err.contains(&note), "{ran:?}");
    }
    assert_eq!(folder.text("classes.csv").matches(",1,").count(), 4);
}

/// The whole way on a small evaluation: labels, a model, and engines judged by it.
#[test]
fn engines_are_judged_with_a_model() {
    let folder = Folder::new();
    folder.run("demo --search ev --queries 8 -q").ok();
    folder
        .run("train signals ev/pages.jsonl --pairs ev/pairs.csv --queries ev/queries.tsv --runs 0 -q -o m.json")
        .ok();
    let ran = folder
        .run("judge --run ev/west.run ev/north.run ev/east.run --docs ev/pages.jsonl --queries ev/queries.tsv --qrels ev/qrels.txt --model m.json")
        .ok();
    let repeats: Vec<u32> = ran
        .text()
        .lines()
        .skip(2)
        .map(|row| row.split('|').nth(3).unwrap().trim().parse().unwrap())
        .collect();
    // East drops most copies.
    assert!(repeats[2] * 2 < repeats[0], "{}", ran.text());
}
