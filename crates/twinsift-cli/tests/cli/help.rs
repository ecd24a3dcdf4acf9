//! Help shows what matters: `-h` little, `--help` all that a command takes.

use super::Folder;
use super::docs::flags::known;
use super::texts::{BRIDGE, BRIDGE_EDITED, MUSEUM, STORM};
use std::fmt::Write as _;

/// The most flags that `-h` lists, itself among them.
const MOST: usize = 14;

/// The lines of a help that define a flag.
fn defined(help: &str) -> impl Iterator<Item = &str> {
    let lines = help.lines().map(str::trim_start);
    lines.filter(|line| line.starts_with('-') && !line.starts_with("- "))
}

#[test]
fn short_help_is_short_and_names_the_long_one() {
    let folder = Folder::new();
    for command in known().keys() {
        let short = folder.run(&format!("{command} -h")).ok();
        let long = folder.run(&format!("{command} --help")).ok();
        let (few, all) = (defined(short.text()), defined(long.text()));
        let (few, all) = (few.count(), all.count());
        assert!(few <= MOST, "{command} -h lists {few} flags");
        assert!(few <= all, "{command}: {few} of {all}");
        if few < all {
            assert!(short.text().contains("see more with '--help'"), "{short:?}");
        }
    }
}

/// How each command is called; what is named here is taken by it, as other tests show.
const CALLS: [(&str, &str); 13] = [
    ("pairs", "a.jsonl"),
    ("clusters", "a.jsonl"),
    ("dedup", "a.jsonl"),
    ("compare", "1 2 --in a.jsonl"),
    ("eval", "a.jsonl --gold cluster"),
    ("signals", "a.jsonl --pairs pairs.csv"),
    ("train andd", "a.jsonl --labels cluster -o made.model"),
    ("train signals", "a.jsonl --pairs pairs.csv -o made.json"),
    ("judge", "--run a.run --docs a.jsonl"),
    ("lexicon", "a.jsonl -o made.lexicon"),
    ("signatures", "a.jsonl"),
    ("filter", "a.jsonl --against a.jsonl"),
    ("demo", "--documents 20"),
];

/// What a flag may need beside it.
const BESIDE: [&str; 18] = [
    "",
    "--method shingles",
    "--method minhash",
    "--method minhash --no-verify",
    "--method simhash",
    "--method spotsigs",
    "--method supershingles",
    "--method imatch",
    "--method imatch --lexicon a.lexicon",
    "--method imatch --min-ratio 0.1",
    "--method signals",
    "--method andd",
    "--weights counts",
    "--qrels a.qrels",
    "--suite suite.toml",
    "--classes class:alert",
    "--learn",
    "--search made",
];

/// A sensible value of a flag, by its name or by the word that stands for it in the help.
fn value(flag: &str, word: &str) -> &'static str {
    match (flag, word) {
        ("--format", _) => "jsonl",
        ("--content", _) => "all",
        ("--body", _) => "fetched",
        ("--charset", _) => "utf-8",
        ("--delimiter", _) => ";",
        ("--classes", _) => "class:alert",
        ("--method" | "--methods", _) => "exact",
        ("--candidates" | "--fallback", _) => "shingles",
        ("--features", _) => "words",
        ("--match", _) => "lsh",
        ("--weights", _) => "counts",
        ("--similarity", _) => "cosine",
        ("--digest", _) => "sum",
        ("--join", _) => "prefix",
        ("--keep", _) => "longest",
        ("--broken", _) => "copy",
        ("--group", _) => "connected",
        ("--learner", _) => "rules",
        ("--signals", _) => "F",
        ("--without", _) => "df",
        ("--duplicate-weight", _) => "balanced",
        ("--threshold-by", _) => "f",
        ("--bits", _) => "128",
        ("--show", _) => "1",
        ("--model", _) => "a.model",
        ("--lexicon", _) => "a.lexicon",
        ("--suite", _) => "suite.toml",
        ("--queries", "FILE") => "queries.tsv",
        ("--qrels", _) => "a.qrels",
        ("--config", _) => "config.toml",
        ("--removed" | "--unsigned" | "--curve" | "--csv", _) => "made.csv",
        ("--per-query" | "--contradictions", _) => "made.csv",
        ("--results" | "--out", _) => "made.jsonl",
        ("--report", _) => "made.html",
        ("--json", _) => "made.json",
        ("--antecedents" | "--stop-words", _) => "words.txt",
        ("--search", _) => "made --queries 1",
        (_, "OUT") => "made.jsonl",
        (_, "FIELD") => "class",
        (_, "FOLDER") => ".",
        (_, "SIZE") => "100M",
        (_, "SPOTS") => "2:3",
        (_, "CODE") => "en",
        (_, "MIN,MAX") => "0.1,0.9",
        (_, "MEASURE:T") => "cosine:0.9",
        (_, "OLD" | "KNOWN") => "b.jsonl",
        (_, "QUERY") => "bridge",
        (_, "T" | "P" | "SHARE" | "A" | "G" | "C") => "0.5",
        (_, "N" | "K" | "M") => "2",
        _ => "",
    }
}

fn folder() -> Folder {
    let folder = Folder::new();
    let (mut rows, mut other) = (String::new(), String::new());
    for (number, text) in [BRIDGE, BRIDGE_EDITED, STORM, MUSEUM].iter().enumerate() {
        let (id, cluster) = (number + 1, number.max(1));
        let class = ["alert", "note"][number % 2];
        let row = |id: usize| {
            format!(
                "{{\"id\":{id},\"text\":\"{text}\",\"cluster\":\"c{cluster}\",\"class\":\"{class}\"}}\n"
            )
        };
        rows += &row(id);
        other += &row(id + 10);
    }
    folder.add("a.jsonl", rows);
    folder.add("b.jsonl", other);
    folder.add("pairs.csv", "a,b,label\n1,2,1\n1,3,0\n2,3,0\n3,4,0\n");
    folder.add("a.run", "q Q0 1 1 3 west\nq Q0 2 2 2 west\n");
    folder.add("a.qrels", "q 0 1 1\nq 0 2 1\n");
    folder.add("queries.tsv", "q\tbridge\n");
    folder.add("words.txt", "the a an\n");
    folder.add("config.toml", "seed = 1\n");
    folder.add(
        "suite.toml",
        "[[data]]\ninputs = [\"a.jsonl\"]\ngold = \"cluster\"\n[[method]]\nmethod = \"exact\"\n",
    );
    folder
        .run("lexicon a.jsonl -o a.lexicon --min-df 1 -q")
        .ok();
    folder
}

/// A flag that is shown is one that the command takes, if not with every method: it is not
/// refused as one that is unknown or has no meaning.
#[test]
fn what_help_shows_is_accepted() {
    let folder = folder();
    let kept = folder.list();
    let mut faults = String::new();
    for (command, call) in CALLS {
        let help = folder.run(&format!("{command} --help")).ok();
        for line in defined(help.text()) {
            let line = line.split("  ").next().unwrap();
            let mut words = line.split_whitespace().filter(|word| !word.ends_with(','));
            let flag = words.next().unwrap();
            let names = [flag, line.split(',').next().unwrap()];
            if flag == "--help" || call.split(' ').any(|word| names.contains(&word)) {
                continue;
            }
            let word = words.next().unwrap_or_default();
            let word = word.trim_start_matches('<').trim_end_matches(['.', '>']);
            let given = match word {
                "" => flag.to_owned(),
                _ => format!("{flag} {}", value(flag, word)),
            };
            let tried = BESIDE.iter().map(|beside| {
                // A suite brings its own inputs and labels.
                let call = match flag == "--suite" || beside.starts_with("--suite") {
                    true => "",
                    false => call,
                };
                let ran = folder.run(&format!("{command} {call} {beside} {given}"));
                for made in folder.list().iter().filter(|made| !kept.contains(made)) {
                    let path = folder.path(made);
                    let removed = match path.is_dir() {
                        true => std::fs::remove_dir(path),
                        false => std::fs::remove_file(path),
                    };
                    removed.unwrap();
                }
                ran
            });
            let is_refused = |told: &str| {
                [
                    "no meaning",
                    "unexpected argument",
                    "invalid value",
                    "belong",
                    "cannot be used with",
                    "required arguments were not provided",
                    "makes no sense",
                ]
                .iter()
                .any(|part| told.contains(part))
            };
            let mut told = tried.map(|ran| ran.err);
            let first = told.next().unwrap();
            if is_refused(&first) && told.all(|told| is_refused(&told)) {
                writeln!(faults, "twinsift {command} {given}: {first}").unwrap();
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
}
