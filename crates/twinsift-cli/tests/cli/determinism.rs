//! The same bytes come out whatever the number of threads and the memory.

use super::Folder;

/// Pages with near duplicates among them, and some that are copied outright.
fn corpus() -> Folder {
    let folder = Folder::new();
    folder
        .run("demo --documents 400 --seed 5 --show 0 --out pages.jsonl")
        .ok();
    let pages = folder.text("pages.jsonl");
    let copies: String = pages
        .lines()
        .step_by(20)
        .map(|page| page.replacen("\"id\":\"", "\"id\":\"copy-", 1) + "\n")
        .collect();
    folder.add("pages.jsonl", pages + &copies);
    folder
}

/// Ways to run that must not matter.
const WAYS: [&str; 3] = ["--threads 2", "--threads 8", "--memory 1M"];

#[track_caller]
fn check(folder: &Folder, command: &str) {
    let line = |way: &str| format!("{command} -q {way}");
    let first = folder.run(&line("--threads 1")).ok().out;
    assert!(!first.is_empty(), "{command}");
    for way in WAYS {
        let again = folder.run(&line(way)).ok().out;
        assert!(first == again, "{command} {way}");
    }
}

#[test]
fn pairs_of_every_method() {
    let folder = corpus();
    for method in [
        "--method exact",
        "--method shingles",
        "--method minhash",
        "--method supershingles",
        "--method simhash",
        "--method simhash --bits 128",
        "--weights tfidf --similarity cosine",
        "--weights counts --threshold 0.3",
        "--features words --match lsh --threshold 0.6",
        "--features words --match hash",
    ] {
        check(&folder, &format!("pairs pages.jsonl {method}"));
    }
}

#[test]
fn groups() {
    let folder = corpus();
    check(&folder, "clusters pages.jsonl --all");
    check(
        &folder,
        "clusters pages.jsonl --group connected --threshold 0.5",
    );
}

#[test]
fn survivors() {
    let folder = corpus();
    let run = |way: &str, keep: &str| {
        let line =
            format!("dedup pages.jsonl -q --keep {keep} -o clean.jsonl --removed gone.csv {way}");
        folder.run(&line).ok();
        (folder.read("clean.jsonl"), folder.read("gone.csv"))
    };
    for keep in ["longest", "max:story"] {
        let first = run("--threads 1", keep);
        for way in WAYS {
            assert!(first == run(way, keep), "{keep} {way}");
        }
    }
}

#[test]
fn the_seed_of_a_corpus_is_its_name() {
    let (one, two) = (corpus(), corpus());
    assert!(one.read("pages.jsonl") == two.read("pages.jsonl"));
}

#[test]
fn little_memory_means_work_on_disk() {
    let folder = corpus();
    let ran = folder.run("pairs pages.jsonl --memory 1M").ok();
    assert!(ran.err.contains(" kept on disk\n"), "{}", ran.err);
    let ran = folder.run("pairs pages.jsonl --memory 1G").ok();
    assert!(!ran.err.contains("on disk"), "{}", ran.err);
}
