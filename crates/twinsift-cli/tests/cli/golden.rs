//! What every command prints and writes, word for word.

use super::texts::{BRIDGE, BRIDGE_EDITED, MUSEUM, STORM, chain, line, news};
use super::{Folder, golden, gunzip};

/// Runs a line and compares all that came of it, and the files named, with the
/// stored answer.
#[track_caller]
fn check(name: &str, folder: &Folder, line: &str, files: &[&str]) {
    let mut text = folder.run(line).ok().transcript();
    for file in files {
        text += &format!("--- {file}\n{}", folder.text(file));
    }
    golden(name, &text);
}

#[test]
fn version_and_help() {
    let folder = Folder::new();
    check("version", &folder, "--version", &[]);
    check("help", &folder, "--help", &[]);
    for command in [
        "pairs", "clusters", "dedup", "compare", "eval", "render", "spots", "demo",
    ] {
        let name = format!("help_{command}");
        check(&name, &folder, &format!("{command} --help"), &[]);
        let short = folder.run(&format!("{command} -h")).ok();
        assert!(short.text().contains("Examples:"), "{short:?}");
    }
}

#[test]
fn no_command_is_a_question() {
    let ran = Folder::new().run("");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("Usage: twinsift <COMMAND>"), "{ran:?}");
}

#[test]
fn pairs() {
    let folder = Folder::with("news.jsonl", news());
    check("pairs", &folder, "pairs news.jsonl", &[]);
    check(
        "pairs_csv",
        &folder,
        "pairs news.jsonl -o pairs.csv",
        &["pairs.csv"],
    );
}

#[test]
fn pairs_by_every_method() {
    let folder = Folder::with("news.jsonl", news());
    let mut text = String::new();
    for method in [
        "--method exact",
        "--method shingles --threshold 1",
        "--method shingles --k 3 --threshold 0.9",
        "--method minhash",
        "--method minhash --bands 4 --rows 8",
        "--method supershingles",
        "--method simhash",
        "--method simhash --bits 128 --distance 12",
        "--features words --threshold 0.9",
        "--features words --match lsh",
        "--features words --match hash",
        "--weights counts",
        "--weights tfidf",
        "--similarity cosine --threshold 0.9",
    ] {
        let ran = folder.run(&format!("pairs news.jsonl {method}")).ok();
        text += &ran.transcript();
        text += "\n";
    }
    golden("pairs_methods", &text);
}

#[test]
fn quiet_is_quiet() {
    let folder = Folder::with("news.jsonl", news());
    for line in [
        "pairs news.jsonl --quiet",
        "clusters news.jsonl -q",
        "dedup news.jsonl -q -o clean.jsonl",
        "demo -q --documents 20 --show 1",
    ] {
        assert_eq!(folder.run(line).ok().err, "", "{line}");
    }
}

#[test]
fn clusters() {
    let folder = Folder::with("news.jsonl", news());
    check("clusters", &folder, "clusters news.jsonl", &[]);
    check("clusters_all", &folder, "clusters news.jsonl --all", &[]);
}

#[test]
fn clusters_of_a_chain() {
    let folder = Folder::with("chain.jsonl", chain());
    check("clusters_chain", &folder, "clusters chain.jsonl", &[]);
    check(
        "clusters_connected",
        &folder,
        "clusters chain.jsonl --group connected --all",
        &[],
    );
}

#[test]
fn dedup() {
    let folder = Folder::with("news.jsonl", news());
    check(
        "dedup",
        &folder,
        "dedup news.jsonl -o clean.jsonl --removed removed.csv",
        &["clean.jsonl", "removed.csv"],
    );
}

#[test]
fn dedup_removes_no_one_for_the_friend_of_a_friend() {
    let folder = Folder::with("chain.jsonl", chain());
    folder
        .run("dedup chain.jsonl -o clean.jsonl --removed removed.jsonl")
        .ok();
    assert_eq!(folder.text("clean.jsonl").lines().count(), 2);
    let removed = folder.text("removed.jsonl");
    assert!(removed.starts_with("{\"id\":\"b\",\"duplicate_of\":\"a\",\"score\":0.86"));
    assert_eq!(removed.lines().count(), 1);
}

#[test]
fn dedup_by_every_rule() {
    let folder = Folder::new();
    let short = BRIDGE_EDITED.strip_suffix(" market").unwrap();
    let rows = [
        ("first", BRIDGE_EDITED, "2", "\"2024-03-01\""),
        ("short", short, "10", "\"2024-01-15\""),
        ("long", &format!("{BRIDGE_EDITED} square"), "-1.5", "null"),
        ("other", MUSEUM, "0", "\"2023-01-01\""),
    ];
    let lines: String = rows
        .iter()
        .map(|(id, text, score, date)| {
            format!("{{\"id\":\"{id}\",\"text\":\"{text}\",\"score\":{score},\"date\":{date}}}\n")
        })
        .collect();
    folder.add("ranked.jsonl", lines);
    let mut text = String::new();
    for rule in [
        "first",
        "longest",
        "max:score",
        "min:score",
        "max:date",
        "min:date",
    ] {
        let line =
            format!("dedup ranked.jsonl --keep {rule} -o clean.jsonl --removed removed.csv -q");
        text += &folder.run(&line).ok().transcript();
        text += &folder.text("removed.csv");
        let kept = folder.text("clean.jsonl");
        let removed = folder.text("removed.csv");
        for (id, ..) in rows {
            let stays = kept.contains(&format!("{{\"id\":\"{id}\""));
            let goes = removed.contains(&format!("\n{id},"));
            assert_ne!(stays, goes, "{id} with --keep {rule}");
        }
    }
    golden("dedup_rules", &text);
}

#[test]
fn compare() {
    let folder = Folder::new();
    folder.add("old.txt", BRIDGE);
    folder.add("new.txt", BRIDGE_EDITED);
    folder.add("other.txt", STORM);
    folder.add("news.jsonl", news());
    check("compare", &folder, "compare old.txt new.txt", &[]);
    check(
        "compare_json",
        &folder,
        "compare old.txt new.txt --json --k 8",
        &[],
    );
    check(
        "compare_no",
        &folder,
        "compare old.txt other.txt --method simhash",
        &[],
    );
    check(
        "compare_in",
        &folder,
        "compare bridge bridge-2 --in news.jsonl --method minhash --threshold 0.99",
        &[],
    );
    let json = folder
        .run("compare bridge museum --in news.jsonl --json")
        .ok();
    let json: serde_json::Value = serde_json::from_slice(&json.out).unwrap();
    assert_eq!(json["near_duplicates"], false);
}

/// All documents of a collection say how much a word counts, also when two of them are
/// looked at.
#[test]
fn compare_in_a_collection_says_what_pairs_says() {
    let folder = Folder::with("news.jsonl", news());
    for method in [
        "--method simhash --distance 30",
        "--weights tfidf --threshold 0.3",
    ] {
        let pairs = folder.run(&format!("pairs news.jsonl {method}")).ok();
        let first: serde_json::Value =
            serde_json::from_str(pairs.text().lines().next().unwrap()).unwrap();
        let (a, b) = (first["a"].as_str().unwrap(), first["b"].as_str().unwrap());
        let line = format!("compare {a} {b} --in news.jsonl {method} --json");
        let told: serde_json::Value = serde_json::from_slice(&folder.run(&line).ok().out).unwrap();
        assert_eq!(told["near_duplicates"], true, "{method}");
        assert_eq!(told["score"], first["score"], "{method}");
        let line = format!("compare {a} nobody --in news.jsonl {method}");
        assert_eq!(
            folder.run(&line).refuses(2),
            "no document has the id \"nobody\""
        );
    }
}

#[test]
fn compare_says_what_it_cannot_find() {
    let folder = Folder::with("news.jsonl", news());
    let told = folder
        .run("compare bridge nobody --in news.jsonl")
        .refuses(2);
    assert_eq!(told, "no document has the id \"nobody\"");
    let told = folder.run("compare news.jsonl news.jsonl").refuses(2);
    assert_eq!(
        told,
        "news.jsonl holds 6 documents: name two of them by id, with --in news.jsonl"
    );
    folder.add("none.jsonl", "");
    let told = folder.run("compare none.jsonl news.jsonl").refuses(2);
    assert_eq!(told, "none.jsonl holds no document");
    let told = folder.run("compare gone.txt news.jsonl").refuses(2);
    assert_eq!(told, "cannot read gone.txt: No such file or directory");
}

#[test]
fn demo() {
    let folder = Folder::new();
    check(
        "demo",
        &folder,
        "demo --documents 30 --seed 7 --show 2",
        &[],
    );
    assert_eq!(folder.list(), [""; 0]);
    let ran = folder
        .run("demo --documents 30 --seed 7 --show 0 --out pages.jsonl")
        .ok();
    assert_eq!(ran.text(), "");
    assert_eq!(folder.list(), ["pages.jsonl"]);
    assert_eq!(folder.text("pages.jsonl").lines().count(), 30);
    let again = Folder::new();
    again
        .run("demo --documents 30 --seed 7 --out pages.jsonl.gz --threads 1")
        .ok();
    assert_eq!(
        gunzip(&again.read("pages.jsonl.gz")),
        folder.read("pages.jsonl")
    );
    again
        .run("demo --documents 30 --seed 8 --out pages.jsonl")
        .ok();
    assert_ne!(again.text("pages.jsonl"), folder.text("pages.jsonl"));
    again.run("demo --documents 0").ok();
}

/// Today's news, and an archive that has one of them and a pair of its own.
fn archive() -> Folder {
    let folder = Folder::with("today.jsonl", news());
    let mut old = line("1", BRIDGE);
    old += &line("2", MUSEUM);
    old += &line("3", &format!("{MUSEUM}."));
    folder.add("archive/old.jsonl", old);
    folder
}

#[test]
fn against() {
    let folder = archive();
    for command in ["pairs", "clusters"] {
        check(
            &format!("against_{command}"),
            &folder,
            &format!("{command} today.jsonl --against archive"),
            &[],
        );
    }
    check(
        "against_dedup",
        &folder,
        "dedup today.jsonl --against archive -o new.jsonl --removed removed.tsv",
        &["new.jsonl", "removed.tsv"],
    );
    // Flags after the old documents are not taken for files.
    folder
        .run("pairs today.jsonl --against archive/old.jsonl -q")
        .ok();
}

#[test]
fn flags_win_over_the_config_file() {
    let folder = Folder::with("news.jsonl", news());
    folder.add(
        "recipe.toml",
        "# as agreed\nmethod = \"minhash\"\nthreshold = 0.5\nbands = 20\nrows = 5\nseed = 3\nthreads = 1\nmemory = \"64M\"\n",
    );
    check(
        "config",
        &folder,
        "pairs news.jsonl --config recipe.toml",
        &[],
    );
    check(
        "config_and_flags",
        &folder,
        "pairs news.jsonl --config recipe.toml --threshold 0.99 --rows 6 --seed 4",
        &[],
    );
    folder.add(
        "fields.toml",
        "id_field = \"name\"\ntext_field = \"story\"\nquiet = true\nstrict = true\n",
    );
    folder.add(
        "own.jsonl",
        format!(
            "{{\"name\":\"x\",\"story\":\"{BRIDGE}\"}}\n{{\"name\":\"y\",\"story\":\"{BRIDGE}\"}}\n"
        ),
    );
    let ran = folder.run("pairs own.jsonl --config fields.toml").ok();
    assert_eq!(ran.text(), "{\"a\":\"x\",\"b\":\"y\",\"score\":1.0}\n");
    assert_eq!(ran.err, "");
    let ran = folder.run("pairs own.jsonl --config fields.toml --id-field story");
    assert!(ran.fails(2).starts_with("the id \"The council"));
}

#[test]
fn rows_in_every_format() {
    let folder = Folder::with("news.jsonl", news());
    let jsonl = folder.run("pairs news.jsonl -q").ok().out;
    let formats = [
        ("pairs.jsonl", jsonl.clone()),
        ("pairs.ndjson", jsonl.clone()),
        ("pairs", jsonl),
        (
            "pairs.csv",
            b"a,b,score\nbridge,bridge-2,0.95\nstorm,storm-2,1.0\n".to_vec(),
        ),
        (
            "pairs.tsv",
            b"a\tb\tscore\nbridge\tbridge-2\t0.95\nstorm\tstorm-2\t1.0\n".to_vec(),
        ),
    ];
    for (name, expected) in formats {
        for ending in ["", ".gz", ".zst", ".bz2", ".xz"] {
            if !name.contains('.') && !ending.is_empty() {
                continue;
            }
            let name = format!("{name}{ending}");
            folder.run(&format!("pairs news.jsonl -q -o {name}")).ok();
            let plain = super::formats::unpack(&folder.read(&name));
            assert_eq!(
                String::from_utf8_lossy(&plain),
                String::from_utf8_lossy(&expected),
                "{name}"
            );
            assert_eq!(plain != folder.read(&name), !ending.is_empty(), "{name}");
        }
    }
}

#[test]
fn rows_in_parquet() {
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Float64Type, Int64Type};
    let folder = Folder::with("news.jsonl", news());
    folder.run("pairs news.jsonl -q -o pairs.parquet").ok();
    let rows = super::formats::rows(&folder.path("pairs.parquet"));
    let column = |name: &str| rows.column_by_name(name).unwrap();
    assert_eq!(column("a").as_string::<i32>().value(0), "bridge");
    assert_eq!(column("b").as_string::<i32>().value(1), "storm-2");
    assert_eq!(column("score").as_primitive::<Float64Type>().value(1), 1.0);
    folder.add("numbered.jsonl", line("7", BRIDGE) + &line("-8", BRIDGE));
    folder
        .run("clusters numbered.jsonl -q -o groups.parquet")
        .ok();
    let rows = super::formats::rows(&folder.path("groups.parquet"));
    let ids = rows.column_by_name("id").unwrap();
    assert_eq!(ids.as_primitive::<Int64Type>().values(), &[7, -8]);
    let told = folder
        .run("pairs news.jsonl -o pairs.parquet.gz")
        .refuses(2);
    assert!(
        told.starts_with("cannot write pairs.parquet.gz: "),
        "{told}"
    );
}

#[test]
fn ids_stay_what_they_were() {
    let mut lines = line("7", BRIDGE);
    lines += &line("\"07\"", BRIDGE);
    lines += &line("12345678901234567890123", BRIDGE);
    lines += &line("\"a\\\"b,c\\u00e9\"", BRIDGE);
    let folder = Folder::with("ids.jsonl", lines);
    folder.add("ids.csv", format!("id,text\n1,{BRIDGE}\n02,{BRIDGE}\n"));
    check("ids_jsonl", &folder, "clusters ids.jsonl -q", &[]);
    check(
        "ids_csv",
        &folder,
        "clusters ids.jsonl -q -o g.csv",
        &["g.csv"],
    );
    check("ids_of_csv", &folder, "clusters ids.csv -q", &[]);
    folder.add(
        "none.jsonl",
        format!("{{\"text\":\"{BRIDGE}\"}}\n\n{{\"text\":\"{BRIDGE}\"}}\n"),
    );
    let ran = folder.run("pairs none.jsonl -q").ok();
    assert_eq!(
        ran.text(),
        "{\"a\":\"none.jsonl:1\",\"b\":\"none.jsonl:3\",\"score\":1.0}\n"
    );
}

#[test]
fn nothing_in_nothing_out() {
    let folder = Folder::with("none.jsonl", "");
    folder.add("one.jsonl", line("1", BRIDGE));
    for input in ["none.jsonl", "one.jsonl"] {
        assert_eq!(folder.run(&format!("pairs {input}")).ok().text(), "");
        assert_eq!(folder.run(&format!("clusters {input}")).ok().text(), "");
        folder.run(&format!("dedup {input} -o out.jsonl")).ok();
        assert_eq!(folder.read("out.jsonl"), folder.read(input));
    }
    folder.run("pairs none.jsonl -o rows.csv").ok();
    assert_eq!(folder.text("rows.csv"), "a,b,score\n");
}
