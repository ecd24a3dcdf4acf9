//! Signals, classifiers, and what is decided by one.

use super::{Folder, golden};

/// Two copies on mirrored hosts, a page of the same site, and one without a body.
const PAGES: &str = r#"{"id":"a","url":"http://www.town.example/news/bridge.html","html":"<title>Bridge opens</title><p>The new bridge over the river is open to traffic from Monday, the council said.</p>"}
{"id":"b","url":"http://mirror.example/news/bridge.html","html":"<title>Bridge opens</title><p>The new bridge over the river is open to traffic from Monday, the council said today.</p>","rendered":"<title>Bridge opens</title><p>The new bridge is open.</p>","final_url":"http://mirror.example/news/"}
{"id":"c","url":"http://town.example/sport/cup.html","html":"<title>Cup final</title><p>The cup final was won by the home side after a long and wet afternoon in the rain.</p>","rendered":"<title>Cup final</title><p>The cup is won.</p>"}
{"id":"empty","html":""}
"#;

const NAMES: &str = "same_domain,path_similarity,same_title,length_distance,snippet_mcd,rendered_same_title,rendered_path_similarity";

fn pages() -> Folder {
    Folder::with("pages.jsonl", PAGES)
}

#[test]
fn signals_are_known_or_missing_and_never_guessed() {
    let folder = pages();
    folder.add(
        "pairs.csv",
        "a,b,query\na,b,1\na,c,1\nb,c,2\na,empty,1\na,nobody,1\na,,1\nb,c,9\n",
    );
    folder.add("queries.tsv", "1\tbridge river\n2\tthe\n3\t...\nbroken\n");
    let line = format!(
        "signals pages.jsonl --pairs pairs.csv --queries queries.tsv --signals {NAMES} -o out.csv"
    );
    let ran = folder.run(&line).ok();
    let rounded = rounded(&folder.text("out.csv"));
    golden("signals_rows", &format!("{}\n{rounded}", ran.transcript()));
    let strict = folder.run(&format!("{line} --strict"));
    assert!(strict.fails(2).contains("--strict stops here"));
}

/// Compressed sizes may change with a compressor's version in the last places.
fn rounded(text: &str) -> String {
    let value = |value: &str| match value.parse::<f64>() {
        Ok(number) if value.contains('.') => format!("{number:.1}"),
        _ => value.to_owned(),
    };
    let row = |line: &str| line.split(',').map(value).collect::<Vec<_>>().join(",");
    text.lines().map(|line| row(line) + "\n").collect()
}

#[test]
fn the_compressor_is_named_beside_the_score() {
    let folder = pages();
    let long: String = (0..9_000).map(|word| format!("word{word} ")).collect();
    let page = |id: &str| format!("{{\"id\":\"{id}\",\"text\":\"{long}\"}}\n");
    folder.add("long.jsonl", page("x") + &page("y"));
    folder.add("pairs.csv", "a,b\nx,y\na,b\n");
    let line = "signals pages.jsonl long.jsonl --pairs pairs.csv --signals mcd -q";
    let out = folder.run(line).ok().text().to_owned();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], r#"{"a":"x","b":"y","mcd":0.0,"mcd_by":"zstd"}"#);
    assert!(lines[1].ends_with(r#""mcd_by":"gzip"}"#), "{out}");
}

#[test]
fn every_signal_is_listed_with_its_definition() {
    golden(
        "signals_list",
        Folder::new().run("signals --list").ok().text(),
    );
}

/// A small search evaluation, in `ev/`.
fn evaluation() -> Folder {
    let folder = Folder::new();
    folder.run("demo --search ev --queries 3 -q").ok();
    folder
}

const TRAIN: &str = "train signals ev/pages.jsonl --pairs ev/pairs.csv --queries ev/queries.tsv --runs 1 --folds 3 --signals same_title,tfidf_distance,main_shingles,rendered_tfidf_distance,rendered_snippet_mcd,rendered_mcd";

/// Signals look at whole pages and at both bodies, whatever flags say of texts: a classifier has
/// nothing to note of them.
#[test]
fn which_body_is_compared_changes_no_signal_and_no_model() {
    let folder = evaluation();
    let trained = |name: &str, flags: &str| {
        folder
            .run(&format!("{TRAIN} {flags} -q -o {name}.json"))
            .ok();
        let line = format!(
            "signals ev/pages.jsonl --pairs ev/pairs.csv --queries ev/queries.tsv --model {name}.json {flags} -q -o {name}.csv"
        );
        folder.run(&line).ok();
        (
            folder.text(&format!("{name}.json")),
            folder.text(&format!("{name}.csv")),
        )
    };
    let usual = trained("usual", "");
    let refused = folder.run(&format!("{TRAIN} --content all -q -o all.json"));
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert_eq!(trained("fetched", "--body fetched"), usual);
}

#[test]
fn every_learner_learns_the_same_on_any_number_of_threads() {
    let folder = evaluation();
    for learner in ["tree", "rules", "boosted"] {
        let train = |threads: u8| {
            let line = format!(
                "{TRAIN} --learner {learner} --split-by query --threads {threads} -o {learner}-{threads}.json"
            );
            folder.run(&line).ok();
            folder.text(&format!("{learner}-{threads}.json"))
        };
        assert_eq!(train(1), train(2), "{learner}");
        let shown = folder.run(&format!("train show {learner}-1.json")).ok();
        assert!(
            shown
                .text()
                .contains("cross-validation, 3 folds x 1 runs, by query")
        );
    }
}

#[test]
fn a_suite_holds_studies() {
    let folder = evaluation();
    let studied = folder
        .run(&format!("{TRAIN} --split-by query --study -q -o m.json"))
        .ok();
    let study = "[[study]]\nname = \"Search\"\ninputs = [\"ev/pages.jsonl\"]\npairs = \"ev/pairs.csv\"\nqueries = \"ev/queries.tsv\"\nsplit_by = \"query\"\nfolds = 3\nruns = 1\n";
    let (_, signals) = TRAIN.split_once("--signals ").unwrap();
    let signals = signals.replace(',', "\", \"");
    folder.add("suite.toml", format!("{study}signals = [\"{signals}\"]\n"));
    let ran = folder.run("eval --suite suite.toml -q").ok();
    assert_eq!(ran.text(), format!("# Search\n\n{}", studied.text()));
    let refused = folder.run("eval --suite suite.toml --json out.json");
    assert!(refused.fails(2).contains("the suite has only studies"));
    folder.add("suite.toml", study.replace("pairs.csv", "missing.csv"));
    let refused = folder.run("eval --suite suite.toml");
    assert!(
        refused
            .fails(2)
            .contains("study Search: there is no ev/missing.csv")
    );
}

#[test]
fn a_model_scores_pairs_and_decides_about_candidates() {
    let folder = evaluation();
    let ran = folder
        .run(&format!(
            "{TRAIN} --threshold-by f --curve curve.csv --study -o m.json"
        ))
        .ok();
    assert!(ran.text().contains("## Each signal alone"), "{ran:?}");
    assert!(ran.text().contains("| F + R + RS |"), "{ran:?}");
    assert!(
        folder
            .text("curve.csv")
            .starts_with("threshold,precision,recall,f1\n")
    );
    let scored = folder
        .run("signals ev/pages.jsonl --pairs ev/pairs.csv --queries ev/queries.tsv --signals same_title --model m.json -q -o scored.csv")
        .ok();
    assert_eq!(scored.err, "");
    assert!(
        folder
            .text("scored.csv")
            .lines()
            .next()
            .unwrap()
            .ends_with(",score")
    );
    let pairs = |flags: &str| {
        let line = format!("pairs ev/pages.jsonl -q --method signals --model m.json {flags}");
        folder.run(&line).ok().text().lines().count()
    };
    let some = pairs("");
    assert!(some > 10, "{some}");
    assert!(pairs("--threshold 1") <= some);
    assert!(pairs("--candidates exact") <= some);
    folder
        .run("dedup ev/pages.jsonl -q --method signals --model m.json -o clean.jsonl")
        .ok();
    let clean = folder.text("clean.jsonl");
    assert!(clean.lines().count() < 50, "{}", clean.lines().count());
    let compared = folder
        .run("compare q001-01 q001-02 --in ev/pages.jsonl --query bridge --method signals --model m.json")
        .ok();
    assert!(
        compared.text().contains("the classifier says"),
        "{compared:?}"
    );
    assert!(compared.text().contains("rendered_snippet_mcd"));
}

/// A classifier that was trained on one set, scored on another: the paper's Table 5.
#[test]
fn a_trained_classifier_is_scored_on_exactly_the_judged_pairs() {
    let folder = evaluation();
    folder
        .run("demo --search other --queries 3 --seed 7 -q")
        .ok();
    folder.run(&format!("{TRAIN} -q -o m.json")).ok();
    folder
        .run("eval other/pages.jsonl --gold other/pairs.csv --queries other/queries.tsv --method signals --model m.json -q --csv out.csv")
        .ok();
    // The same by hand.
    folder
        .run("signals other/pages.jsonl --pairs other/pairs.csv --queries other/queries.tsv --signals same_title --model m.json -q -o scored.csv")
        .ok();
    let column = |table: &str, name: &str| -> Vec<String> {
        let text = folder.text(table);
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
        let at = lines.next().unwrap().position(|head| head == name).unwrap();
        lines.map(|mut row| row.nth(at).unwrap()).collect()
    };
    let number = |name: &str| -> f64 { column("out.csv", name)[0].parse().unwrap() };
    let truth = column("other/pairs.csv", "label");
    let found: Vec<bool> = column("scored.csv", "score")
        .iter()
        .map(|score| score.parse::<f64>().unwrap() >= 0.5)
        .collect();
    assert_eq!(truth.len(), found.len());
    let both = truth.iter().zip(&found);
    let correct = both
        .filter(|(label, found)| *label == "1" && **found)
        .count();
    let found = found.iter().filter(|found| **found).count();
    let positives = truth.iter().filter(|label| *label == "1").count();
    assert!(correct > 0 && found < truth.len());
    assert_eq!(number("candidates"), truth.len() as f64);
    assert_eq!(number("found_pairs"), found as f64);
    assert_eq!(number("correct_pairs"), correct as f64);
    let near = |name: &str, value: f64| assert!((number(name) - value).abs() < 1e-9, "{name}");
    near("precision", correct as f64 / found as f64);
    near("recall", correct as f64 / positives as f64);
    assert!(number("max_f1") >= number("f1"));

    folder.add(
        "suite.toml",
        "[[data]]\nname = \"other\"\ninputs = [\"other/pages.jsonl\"]\ngold = \"other/pairs.csv\"\nqueries = \"other/queries.tsv\"\n[[method]]\nname = \"tree\"\nmethod = \"signals\"\nmodel = \"m.json\"\n[[method]]\nmethod = \"shingles\"\n",
    );
    let single = column("out.csv", "f1");
    folder
        .run("eval --suite suite.toml -q --csv out.csv --results kept.jsonl --report out.html")
        .ok();
    assert_eq!(column("out.csv", "f1")[0], single[0]);
    assert_eq!(column("out.csv", "name"), ["tree", "shingles"]);
    let refused = folder
        .run("eval ev/pages.jsonl --gold cosine:0.9 --method signals --model m.json")
        .refuses(2);
    assert!(refused.contains("a file of judged pairs"), "{refused}");
}

/// The paper's Table 2: a signal alone is judged on the pairs that have its bodies; Table 4:
/// what fetched snippets add.
#[test]
fn a_study_says_on_how_many_pairs_each_signal_was_judged() {
    let folder = evaluation();
    let bare = |(at, line): (usize, &str)| {
        let mut row: serde_json::Value = serde_json::from_str(line).unwrap();
        if at % 5 == 0 {
            row["rendered"] = serde_json::Value::Null;
        }
        row.to_string() + "\n"
    };
    let pages: String = folder
        .text("ev/pages.jsonl")
        .lines()
        .enumerate()
        .map(bare)
        .collect();
    let row = |line: &str| -> serde_json::Value { serde_json::from_str(line).unwrap() };
    let is_whole = |line: &&str| row(line)["rendered"].is_string();
    let whole: Vec<String> = pages
        .lines()
        .filter(is_whole)
        .map(|line| row(line)["id"].to_string())
        .collect();
    folder.add("pages.jsonl", &pages);
    let labels = folder.text("ev/pairs.csv");
    let pairs = labels.lines().skip(1).filter(|line| {
        let mut ids = line.split(',').take(2).map(|id| format!("\"{id}\""));
        ids.all(|id| whole.contains(&id))
    });
    let (some, all) = (pairs.count(), labels.lines().count() - 1);
    assert!(some < all);
    let train = TRAIN.replace("ev/pages", "pages") + ",snippet_mcd";
    let studied = folder.run(&format!("{train} --study -q -o m.json")).ok();
    let text = studied.text();
    for (start, pairs) in [
        ("| tfidf_distance", all),
        ("| rendered_tfidf_distance", some),
        ("| rendered_snippet_mcd", some),
        ("| F + R + RS", all),
    ] {
        assert!(
            text.contains(&format!("{start} | {pairs} | ")),
            "{start} {pairs}: {text}"
        );
    }
    assert!(text.contains("| signals | mean F | with FS |"), "{text}");
    assert!(
        text.contains("## Signals chosen one by one\n\n| kept | mean F |\n"),
        "{text}"
    );
    let (_, ladder) = text.split_once("## Signals added").unwrap();
    assert!(!ladder.contains("| snippet_mcd"), "{ladder}");
}

#[test]
fn what_makes_no_sense_is_refused_in_a_sentence() {
    let folder = evaluation();
    folder.add("ones.csv", "a,b,label\nq001-01,q001-02,1\n");
    folder.add("bare.csv", "a,b\nq001-01,q001-02\n");
    folder.add("model.json", "{\"kind\": \"signals\", \"version\": 9}");
    folder.add("other.json", "{\"kind\": \"other\"}");
    let mut text = String::new();
    for line in [
        "pairs ev/pages.jsonl --method signals",
        "pairs ev/pages.jsonl --candidates exact",
        "pairs ev/pages.jsonl --model nowhere.json",
        "pairs ev/pages.jsonl --method signals --model model.json",
        "pairs ev/pages.jsonl --method signals --model other.json",
        "train show other.json",
        "train show ones.csv",
        "train signals ev/pages.jsonl --pairs ones.csv -o m.json",
        "train signals ev/pages.jsonl --pairs bare.csv -o m.json",
        "train signals ev/pages.jsonl --pairs ev/pairs.csv --signals nonsense -o m.json",
        "train signals ev/pages.jsonl --pairs ev/pairs.csv --threshold-by 2 -o m.json",
        "train signals ev/pages.jsonl --pairs ev/pairs.csv --duplicate-weight none -o m.json",
        "train signals ev/pages.jsonl --pairs ev/pairs.csv --split-by nowhere -o m.json",
        "train signals ev/pages.jsonl --pairs ev/pairs.csv --runs 0 --study -o m.json",
        "train signals ev/pages.jsonl --pairs ev/pairs.csv -o ev/pairs.csv",
        "signals ev/pages.jsonl --pairs nowhere.csv",
        "eval ev/pages.jsonl --gold kind --method signals --model model.json",
    ] {
        let told = folder.run(line).refuses(2);
        text += &format!("{line}\n  {told}\n");
    }
    golden("signals_refused", &text);
    assert!(!folder.list().contains(&"m.json".to_owned()));
}

/// A revisit in an archive has no body of its own, and the signals of what it repeats.
#[test]
fn a_revisit_is_judged_by_what_it_repeats() {
    let folder = Folder::new();
    let texts = ["One text about a bridge.", "Something else, on storms."];
    let (mut docs, mut labels) = (String::new(), "a,b,label\n".to_owned());
    for at in 0..8 {
        docs += &format!("{{\"id\":\"{at}\",\"text\":\"{}\"}}\n", texts[at % 2]);
        let others = (0..at).map(|other| format!("{other},{at},{}\n", (at + other + 1) % 2));
        labels.extend(others);
    }
    folder.add("docs.jsonl", docs);
    folder.add("labels.csv", labels);
    folder
        .run("train signals docs.jsonl --pairs labels.csv --signals mcd --runs 0 -o m.json")
        .ok();
    let record = |kind: &str, date: &str, html: &str| {
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}");
        format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://a.example/\r\nWARC-Date: {date}\r\nWARC-Payload-Digest: sha1:ONE\r\nContent-Type: application/http\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len()
        )
    };
    let html = "<title>Bridge</title><p>The new bridge over the river is open to traffic from Monday, the council said after a long debate.</p>";
    folder.add(
        "old.warc",
        record("response", "2020-01-01T00:00:00Z", html)
            + &record("revisit", "2020-01-02T00:00:00Z", ""),
    );
    let found = folder
        .run("pairs old.warc --method signals --model m.json")
        .ok();
    assert_eq!(found.text().lines().count(), 1, "{found:?}");
    folder.add(
        "pairs.csv",
        "a,b\nhttp://a.example/,http://a.example/@2020-01-02T00:00:00Z:2\n",
    );
    let told = folder
        .run("signals old.warc --pairs pairs.csv --signals same_title,mcd")
        .ok();
    assert!(
        told.text().contains("\"same_title\":1.0,\"mcd\":0.0"),
        "{told:?}"
    );
}

/// That a page is like itself is nothing to learn from.
#[test]
fn a_page_and_itself_are_no_pair() {
    let folder = pages();
    folder.add("pairs.csv", "a,b,label\na,a,1\na,b,1\na,c,0\nb,c,0\n");
    let ran = folder
        .run("train signals pages.jsonl --pairs pairs.csv --runs 0 -o model.json")
        .ok();
    assert!(
        ran.err
            .starts_with("skipped pairs.csv: row 1: \"a\" is paired with itself\n"),
        "{ran:?}"
    );
    assert!(
        ran.err.contains("on 3 pairs, 1 of them duplicates"),
        "{ran:?}"
    );
    folder.add("self.csv", "a,b,label\na,a,1\nb,b,0\n");
    let told = folder.run("eval pages.jsonl --gold self.csv").fails(2);
    assert_eq!(told, "every row of self.csv pairs a document with itself");
}
