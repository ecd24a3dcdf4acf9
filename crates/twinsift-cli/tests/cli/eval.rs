//! `eval`: labels in every form, what is odd about them, suites, and outputs.

use super::texts::{BRIDGE, BRIDGE_EDITED, MUSEUM, STORM};
use super::{Folder, browser, golden};
use std::fmt::Write as _;

/// Seven stories in three clusters, one of them without a label; two versions of
/// one group; two classes.
fn labelled() -> String {
    let rows = [
        ("1", "bridge", "g", "news", BRIDGE.to_owned()),
        ("2", "bridge", "g", "news", BRIDGE_EDITED.to_owned()),
        ("3", "bridge-later", "g", "news", format!("{BRIDGE} again")),
        ("4", "storm", "h", "alert", STORM.to_owned()),
        ("5", "storm", "h", "alert", format!("{STORM}!")),
        ("6", "museum", "i", "news", MUSEUM.to_owned()),
        ("7", "", "", "", format!("{MUSEUM} soon")),
    ];
    let mut lines = String::new();
    for (id, cluster, group, class, text) in rows {
        let label = match cluster {
            "" => String::new(),
            _ => format!("\"cluster\":\"{cluster}\",\"group\":\"{group}\",\"class\":\"{class}\","),
        };
        writeln!(lines, "{{\"id\":{id},{label}\"text\":\"{text}\"}}").unwrap();
    }
    lines
}

/// Times and memory differ from run to run; the table of costs goes.
fn without_costs(text: &str) -> String {
    let mut kept = true;
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        kept = match line {
            _ if line.contains("| CPU seconds |") => false,
            "\n" => true,
            _ => kept,
        };
        if kept {
            out += line;
        }
    }
    out
}

#[track_caller]
fn check(name: &str, folder: &Folder, line: &str) {
    golden(name, &without_costs(&folder.run(line).ok().transcript()));
}

#[test]
fn every_method_by_a_field() {
    let folder = Folder::with("news.jsonl", labelled());
    check("eval", &folder, "eval news.jsonl --gold cluster");
}

#[test]
fn groups_classes_and_a_method_of_choice() {
    let folder = Folder::with("news.jsonl", labelled());
    check(
        "eval_groups",
        &folder,
        "eval news.jsonl --gold cluster --unjudged-within group --classes class:alert --k 3 --threshold 0.9",
    );
}

#[test]
fn a_file_of_clusters() {
    let folder = Folder::with("news.jsonl", labelled());
    folder.add(
        "gold.csv",
        "id,cluster,group\n1,a,\n2,a,\n3,a,\n4,b,\n4,c,\n5,b,\n6,d,\n99,a,\n",
    );
    let line = "eval news.jsonl --gold gold.csv --methods shingles,shingles:k=2:threshold=0.5";
    check("eval_file", &folder, line);
}

#[test]
fn a_file_of_pairs() {
    let folder = Folder::with("news.jsonl", labelled());
    let mut pairs = String::new();
    for (a, b, label) in [
        (1, 2, "true"),
        (4, 5, "true"),
        (1, 6, "false"),
        (6, 7, "true"),
        (7, 6, "false"),
        (1, 88, "true"),
    ] {
        writeln!(pairs, "{{\"a\":{a},\"b\":\"{b}\",\"label\":{label}}}").unwrap();
    }
    folder.add("pairs.jsonl", pairs);
    let line = "eval news.jsonl --gold pairs.jsonl --methods shingles";
    check("eval_pairs", &folder, line);
}

#[test]
fn a_cosine_as_the_truth() {
    let folder = Folder::with("news.jsonl", labelled());
    let line = "eval news.jsonl --gold cosine:0.9 --methods shingles,simhash --resamples 0";
    check("eval_cosine", &folder, line);
}

#[test]
fn outputs_hold_the_same_figures() {
    let folder = Folder::with("news.jsonl", labelled());
    let line = "eval news.jsonl --gold cluster --json all.json --csv all.csv --report all.html";
    folder.run(line).ok();
    let json: serde_json::Value = serde_json::from_str(&folder.text("all.json")).unwrap();
    let methods = json["methods"].as_array().unwrap();
    let csv = folder.text("all.csv");
    assert_eq!(csv.lines().count(), methods.len() + 1);
    let shingles = methods.iter().find(|m| m["name"] == "shingles").unwrap();
    for field in [
        "method",
        "threshold",
        "precision",
        "recall",
        "f1",
        "max_f1",
        "max_f1_threshold",
        "average_precision",
        "seconds",
        "peak_mb",
        "curve",
    ] {
        assert!(!shingles[field].is_null(), "{field}");
    }
    let point = &shingles["curve"][0];
    assert!(point["threshold"].is_number() && point["precision"].is_number());
    assert!(shingles["false_positives"][0]["a"]["text"].is_string());
    let charts = ["precision-recall", "f1-threshold", "group-sizes"];
    let faults = browser::faults(&folder.path("all.html"), &charts);
    assert_eq!(faults, [""; 0]);
}

#[test]
fn the_number_of_threads_changes_nothing_but_the_cost() {
    let folder = Folder::with("news.jsonl", labelled());
    let [one, eight] = [1, 8].map(|threads| {
        let line = format!("eval news.jsonl --gold cluster --json x.json --threads {threads}");
        folder.run(&line).ok();
        let mut json: serde_json::Value = serde_json::from_str(&folder.text("x.json")).unwrap();
        json["data"][0]["reading_seconds"] = 0.into();
        for method in json["methods"].as_array_mut().unwrap() {
            for cost in ["seconds", "cpu_seconds", "peak_mb"] {
                method[cost] = 0.into();
            }
        }
        json
    });
    assert_eq!(one, eight);
}

#[test]
fn a_suite_goes_on_where_it_stopped() {
    let folder = Folder::new();
    let mut lines = String::new();
    for story in 0..12 {
        for copy in 0..3 {
            let words: Vec<String> = (0..40).map(|n| format!("s{story}w{n}")).collect();
            let text = format!("{} c{copy} d{copy}", words.join(" "));
            let id = format!("{story}-{copy}");
            writeln!(
                lines,
                "{{\"id\":\"{id}\",\"c\":{story},\"text\":\"{text}\"}}"
            )
            .unwrap();
        }
    }
    folder.add("data/stories.jsonl", lines);
    let suite = "title = \"Stories\"\n[[data]]\nname = \"stories\"\ninputs = [\"stories.jsonl\"]\ngold = \"c\"\n[[method]]\nmethod = \"shingles\"\nk = [1, 5]\n[[method]]\nmethod = \"minhash\"\n[split]\nseeds = [1, 2, 3]\n";
    folder.add("suite.toml", suite);
    let line = "eval --suite suite.toml --data data --resamples 50";
    let first = folder.run(line).ok();
    golden("eval_suite", &without_costs(&first.transcript()));
    let kept = folder.text("suite.results.jsonl");
    assert_eq!(kept.lines().count(), 3);
    // One trial was cut off; it alone runs again.
    let cut = kept.lines().take(2).collect::<Vec<_>>().join("\n") + "\n{\"key\":";
    folder.add("suite.results.jsonl", &cut);
    let again = folder.run(line).ok();
    assert_eq!(without_costs(again.text()), without_costs(first.text()));
    let kept_again = folder.text("suite.results.jsonl");
    assert!(kept_again.starts_with(&cut));
    assert_eq!(kept_again.lines().count(), 4);
    // Another version of the data is another trial.
    let changed = folder.text("data/stories.jsonl").replace("s3w7 ", "");
    folder.add("data/stories.jsonl", changed);
    folder.run(line).ok();
    assert_eq!(folder.text("suite.results.jsonl").lines().count(), 7);
}

/// Stories with copies, each with the day when it was sent and a site.
fn dated() -> String {
    let mut lines = String::new();
    for story in 0..12 {
        for copy in 0..3 {
            let mut words: Vec<String> = (0..40).map(|n| format!("the s{story}w{n}")).collect();
            words[story + copy] = format!("the c{copy}");
            let (text, id) = (words.join(" "), format!("{story}-{copy}"));
            let (day, class) = (1 + 2 * story + 3 * copy, ["spam", "ham"][story % 2]);
            let site = ["x", "y", "z"][story / 4];
            writeln!(
                lines,
                "{{\"id\":\"{id}\",\"c\":{story},\"sent\":\"2009-01-{day:02}\",\"class\":\"{class}\",\"site\":\"{site}\",\"text\":\"{text}\"}}"
            )
            .unwrap();
        }
    }
    lines
}

/// What a suite with one collection of [`dated`] says, as JSON.
fn suite(head: &str, data: &str, rest: &str) -> serde_json::Value {
    let folder = Folder::with("data/stories.jsonl", dated());
    folder.add("data/words.txt", "the a an");
    folder.add("data/queries.txt", "s1w1\ns2w2 s2w3\t7\n");
    let text = format!(
        "resamples = 0\n{head}\n[[data]]\nname = \"stories\"\ninputs = [\"stories.jsonl\"]\n{data}\n{rest}"
    );
    folder.add("suite.toml", text);
    folder
        .run("eval --suite suite.toml --data data --json x.json")
        .ok();
    serde_json::from_str(&folder.text("x.json")).unwrap()
}

#[test]
fn the_pairs_of_a_method_as_the_truth() {
    // The window leaves what all copies of a story have.
    let gold = "gold = { features = \"spots\", match = \"hash\", spots = [\"1:1\"], language = \"en\", idf = [0.6, 0.75] }";
    let method = "[[method]]\nmethod = \"spotsigs\"\nspots = [\"1:1\"]\nlanguage = \"en\"\nidf = [0.6, 0.75]\nthreshold = [0.5, 1.0]\n";
    let told = suite("", gold, method);
    let described = told["data"][0]["gold"].as_str().unwrap();
    assert!(
        described.starts_with("the pairs of spotsigs"),
        "{described}"
    );
    assert_eq!(told["methods"][1]["recall"], 1.0, "what is equal is alike");
    assert_eq!(told["methods"][1]["precision"], 1.0);

    // From the command line, and from a file of pairs.
    let folder = Folder::with("news.jsonl", labelled());
    let of = |gold: &str| {
        let line =
            format!("eval news.jsonl --gold {gold} --methods shingles,minhash --json x.json");
        let ran = folder.run(&line).ok();
        let json: serde_json::Value = serde_json::from_str(&folder.text("x.json")).unwrap();
        (json, ran)
    };
    let (by_method, _) = of("method:shingles:k=3:threshold=0.9");
    folder
        .run("pairs news.jsonl --k 3 --threshold 0.9 -o found.csv")
        .ok();
    let (by_file, ran) = of("found.csv");
    assert!(ran.err.contains("are taken for the truth"), "{ran:?}");
    assert_eq!(
        by_method["data"][0]["true_pairs"],
        by_file["data"][0]["true_pairs"]
    );
    for field in ["precision", "recall", "f1"] {
        assert_eq!(by_method["methods"][0][field], by_file["methods"][0][field]);
    }
    let told = folder
        .run("eval news.jsonl --gold method:shingles:k=0 --methods minhash")
        .refuses(2);
    assert_eq!(
        told,
        "--gold method:shingles:k=0: --k must be between 1 and 1000"
    );
    let told = folder
        .run("eval news.jsonl --gold method:andd --methods minhash")
        .refuses(2);
    assert!(told.contains("cannot be the truth"), "{told}");
}

#[test]
fn antecedents_and_features_in_a_suite() {
    let methods = "[[method]]\nname = \"words\"\nmethod = \"spotsigs\"\nantecedents = [[\"the\"], [\"missing\"]]\nspots = [\"1:1\"]\n[[method]]\nname = \"file\"\nmethod = \"spotsigs\"\nantecedents = \"words.txt\"\nstop_words = [\"the\"]\nspots = [\"1:1\"]\n";
    let told = suite("", "gold = \"c\"", methods);
    let features = |at: usize| &told["methods"][at]["features"];
    // 40 spots a document, one of which another copy has not.
    assert_eq!(features(0)["median"], 40);
    assert_eq!(features(0)["mean"], 40.0);
    assert_eq!(features(0)["sizes"]["40"], 36);
    assert_eq!(features(0)["distinct"], 12 * 40 + 3);
    assert_eq!(told["methods"][1]["found_pairs"], 0, "no such antecedent");
    assert_eq!(features(2)["median"], 40);
    let cohesion = told["data"][0]["cohesion"]["mean"].as_f64().unwrap();
    assert!(cohesion > 0.5 && cohesion < 1.0, "{cohesion}");
}

#[test]
fn a_sample_of_queries_and_the_cost_of_a_wrong_one() {
    let data = "gold = \"c\"\nclasses = \"class:spam\"\ncost = 7";
    let method = "[[method]]\nmethod = \"shingles\"\nk = 1\nthreshold = 0.01\n";
    let utility = |told: &serde_json::Value| told["methods"][0]["utility"].clone();
    let all = suite("", data, method);
    // Every story shares "the" with every other.
    assert_eq!(utility(&all)["queries"], 18);
    assert_eq!(utility(&all)["mean"], 17.0 - 7.0 * 18.0);
    let some = suite("query_sample = 9", data, method);
    let queries = utility(&some)["queries"].as_u64().unwrap();
    assert!((1..9).contains(&queries), "{queries}");
    assert_eq!(utility(&some)["mean"], 17.0 - 7.0 * 18.0);
    assert_eq!(utility(&some)["price"], 7.0);
    let folder = Folder::with("data.jsonl", dated());
    let line = "eval data.jsonl --gold c --classes class:spam --methods shingles:k=1:threshold=0.01 --json x.json";
    folder
        .run(&format!("{line} --cost 7 --query-sample 9"))
        .ok();
    let flags: serde_json::Value = serde_json::from_str(&folder.text("x.json")).unwrap();
    assert_eq!(utility(&flags), utility(&some));
    folder.run(line).ok();
    let usual: serde_json::Value = serde_json::from_str(&folder.text("x.json")).unwrap();
    assert_eq!(utility(&usual)["mean"], 17.0 - 100.0 * 18.0);
    folder.run(&format!("{line} --cost -1")).fails(2);
}

#[test]
fn splits_by_time_and_by_a_field() {
    let method = "[[method]]\nmethod = \"shingles\"\nk = 1\n[split]\n";
    let split = |rest: &str| {
        let told = suite("", "gold = \"c\"", &format!("{method}{rest}"));
        let split = told["methods"][0]["splits"][0].clone();
        let documents =
            ["train_documents", "test_documents"].map(|key| split[key].as_u64().unwrap());
        (documents, split)
    };
    // Stories begin on days 1, 3, …, 23; copies come 3 and 6 days later.
    let (documents, scores) = split("by = \"sent\"\nbefore = 2009-01-13");
    assert_eq!(documents, [6 * 3 - 3 - 1, 6 * 3]);
    assert_eq!(scores["f1"], 1.0);
    assert_eq!(scores["max_f1_precision"], 1.0);
    assert_eq!(scores["max_f1_recall"], 1.0);
    assert_eq!(split("by = \"sent\"\ntrain = 0.5").0, documents);
    assert_eq!(split("by = \"site\"\nvalues = [\"x\"]").0, [12, 24]);
    let folder = Folder::with("stories.jsonl", dated());
    let text =
        |by: &str| format!("[[data]]\ninputs = [\"stories.jsonl\"]\ngold = \"c\"\n{method}{by}");
    folder.add("suite.toml", text("by = \"sent\"\nbefore = 1999-01-01"));
    let told = folder.run("eval --suite suite.toml").fails(2);
    assert!(
        told.contains("cannot be split by \"sent\": no document is left to train on"),
        "{told}"
    );
    folder.add("suite.toml", text("by = \"date\""));
    let told = folder.run("eval --suite suite.toml").fails(2);
    assert!(
        told.contains("no document has the field \"date\""),
        "{told}"
    );
}

#[test]
fn query_frequencies_in_a_suite() {
    let methods = "[[method]]\nname = \"with\"\nmethod = \"andd\"\nqueries = \"queries.txt\"\n[[method]]\nname = \"without\"\nmethod = \"andd\"\n[split]\nseeds = [1]\n";
    let told = suite("", "gold = \"c\"", methods);
    let recipe = |at: usize| told["methods"][at]["recipe"].as_str().unwrap().to_owned();
    assert_ne!(recipe(0), recipe(1));
    assert_eq!(told["methods"][0]["splits"][0]["max_f1"], 1.0);
}

/// What users get comes first; the best threshold in hindsight is called that.
#[test]
fn the_headline_is_about_the_thresholds_that_users_get() {
    let folder = Folder::with("stories.jsonl", dated());
    let line = "eval stories.jsonl --gold c --methods shingles:k=2:threshold=1,exact,shingles:threshold=0.7 --report x.html";
    let ran = folder.run(line).ok();
    let lead = "Best at its own threshold: shingles threshold=0.7, F1 1.000 at 0.7. Best threshold in hindsight: shingles k=2 threshold=1, F1 1.000 at 0.9";
    assert!(ran.text().contains(lead), "{ran:?}");
    let html = folder.text("x.html").replace('\u{a0}', " ");
    let lead = "with the thresholds they ran with, <strong><bdi>shingles threshold=0.7</bdi></strong> does best: F1 1.000 at 0.7";
    assert!(html.contains(lead));
    let (ran_with, late) = (
        html.find("thresholds they ran with"),
        html.find("in hindsight"),
    );
    assert!(ran_with.unwrap() < late.unwrap());
}

#[test]
fn nothing_that_is_read_is_written_over() {
    let folder = Folder::with("news.jsonl", labelled());
    folder.add("gold.csv", "id,cluster\n1,a\n2,a\n4,b\n");
    let suite = "[[data]]\ninputs = [\"news.jsonl\"]\ngold = \"gold.csv\"\n[[method]]\nk = 3\n";
    folder.add("suite.toml", suite);
    let before: Vec<_> = folder.list().iter().map(|name| folder.read(name)).collect();
    for line in [
        "eval news.jsonl --gold gold.csv --csv gold.csv",
        "eval news.jsonl --gold cluster --json news.jsonl",
        "eval news.jsonl --gold cluster --csv x.csv --json x.csv",
        "eval --suite suite.toml --csv news.jsonl",
        "eval --suite suite.toml --json gold.csv",
        "eval --suite suite.toml --report suite.results.jsonl",
        "eval --suite suite.toml --results suite.toml",
        "eval --suite suite.toml --results news.jsonl",
    ] {
        folder.run(line).refuses(2);
        let after: Vec<_> = folder.list().iter().map(|name| folder.read(name)).collect();
        assert_eq!(before, after, "{line}");
    }
}

#[test]
fn labels_find_a_page_that_was_fetched_twice() {
    let folder = Folder::new();
    let page = |url: &str, date: &str, text: &str| {
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{text}</p>");
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len()
        )
    };
    let mut archive = page("http://x/1", "2024-01-01T00:00:00Z", BRIDGE);
    archive += &page("http://x/1", "2024-01-02T00:00:00Z", STORM);
    archive += &page("http://x/2", "2024-01-02T00:00:00Z", &format!("{STORM}!"));
    archive += &page("http://x/3", "2024-01-02T00:00:00Z", BRIDGE_EDITED);
    folder.add("crawl.warc", archive);
    folder.run("clusters crawl.warc -o gold.csv").ok();
    let line = "eval crawl.warc --gold gold.csv --methods shingles --json x.json";
    let ran = folder.run(line).ok();
    assert!(!ran.err.contains("note:"), "{ran:?}");
    let json: serde_json::Value = serde_json::from_str(&folder.text("x.json")).unwrap();
    assert_eq!(json["data"][0]["labelled"], 4);
    assert_eq!(json["methods"][0]["f1"], 1.0);
}

#[test]
fn mistakes_in_labels_are_named() {
    let folder = Folder::with("news.jsonl", labelled());
    let mut told = String::new();
    let mut refuse = |files: &[(&str, &str)], line: &str| {
        for (name, text) in files {
            folder.add(name, text);
        }
        let sentence = folder.run(line).fails(2);
        writeln!(told, "{line}\n  {sentence}\n").unwrap();
    };
    refuse(&[], "eval news.jsonl --gold topic");
    refuse(&[], "eval news.jsonl --gold missing.csv");
    refuse(&[], "eval news.jsonl --gold cosine:2");
    let strangers = r#"{"id":1,"text":"one two"}
{"id":2,"text":"three four"}
"#;
    refuse(
        &[("strangers.jsonl", strangers)],
        "eval strangers.jsonl --gold cosine:0.9",
    );
    refuse(
        &[("twice.jsonl", &strangers.replace('2', "1"))],
        "eval twice.jsonl --gold id",
    );
    refuse(&[("broken.jsonl", "{")], "eval broken.jsonl --gold cluster");
    refuse(&[], "eval news.jsonl --gold id");
    refuse(
        &[("other.csv", "x,y\n1,2\n")],
        "eval news.jsonl --gold other.csv",
    );
    refuse(
        &[("strangers.csv", "id,cluster\n101,a\n102,a\n")],
        "eval news.jsonl --gold strangers.csv",
    );
    refuse(
        &[("single.csv", "id,cluster\n1,a\n2,a\n3,a\n")],
        "eval news.jsonl --gold single.csv",
    );
    refuse(
        &[("group.csv", "id,cluster,group\n1,a,g\n2,a,g\n3,b,g\n")],
        "eval news.jsonl --gold group.csv",
    );
    refuse(&[("empty.jsonl", "")], "eval empty.jsonl --gold cluster");
    refuse(
        &[("maybe.csv", "a,b,label\n1,2,maybe\n")],
        "eval news.jsonl --gold maybe.csv",
    );
    refuse(
        &[("never.csv", "a,b,label\n1,2,0\n")],
        "eval news.jsonl --gold never.csv",
    );
    refuse(
        &[("always.csv", "a,b,label\n1,2,1\n")],
        "eval news.jsonl --gold always.csv",
    );
    refuse(
        &[],
        "eval news.jsonl --gold cluster --unjudged-within version",
    );
    refuse(&[], "eval news.jsonl --gold cluster --classes class");
    refuse(&[], "eval news.jsonl --gold cluster --classes class:spam");
    refuse(&[], "eval news.jsonl --gold cluster --methods shingle");
    refuse(&[], "eval news.jsonl --gold cluster --methods exact:k=3");
    refuse(&[], "eval news.jsonl --gold cluster --methods exact,exact");
    refuse(&[], "eval news.jsonl --gold cluster --methods exact --k 3");
    refuse(&[], "eval news.jsonl --gold cluster --results x.jsonl");
    refuse(
        &[],
        "eval news.jsonl --gold cluster --method spotsigs --unsigned x.csv",
    );
    refuse(&[], "eval news.jsonl --gold cluster --floor 0");
    refuse(&[], "eval news.jsonl --gold cluster --json nowhere/x.json");
    refuse(&[], "eval news.jsonl --gold cluster --report news.jsonl");
    refuse(&[], "eval --suite missing.toml");
    refuse(
        &[(
            "bad.toml",
            "title = \"x\"\n[[data]]\ninputs = []\ngold = \"c\"\n[[method]]\n",
        )],
        "eval --suite bad.toml",
    );
    golden("eval_mistakes", &told);
}
