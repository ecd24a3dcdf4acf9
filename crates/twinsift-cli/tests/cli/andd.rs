//! `twinsift train andd` and what its models do, as the guide tells it.

use super::{Folder, golden};
use std::fmt::Write as _;

/// Pages of the demonstration corpus, and a model that was trained on them.
fn trained() -> Folder {
    let folder = Folder::new();
    folder
        .run("demo --documents 150 --out pages.jsonl --quiet")
        .ok();
    folder
        .run(
            "train andd pages.jsonl --labels story --content all --steps 30 -o pages.model --quiet",
        )
        .ok();
    folder
}

#[test]
fn a_model_finds_what_it_was_trained_for() {
    let folder = trained();
    let read = "pages.jsonl --content all --method andd --model pages.model";
    let mut text = folder.run("train show pages.model").ok().transcript();
    for line in [
        format!("pairs {read} -o pairs.csv"),
        format!("pairs {read} --match lsh -o lsh.csv"),
        format!("pairs {read} --match lsh --no-verify --bits 1024 -o bits.csv"),
        format!("clusters {read} --top-terms 20 -o groups.csv"),
        format!("dedup {read} -o left.jsonl"),
    ] {
        text += &folder.run(&line).ok().transcript();
    }
    golden("andd", &text);
    let rows = |name: &str| folder.text(name).lines().count();
    assert!(rows("pairs.csv") > 50);
    assert!(rows("lsh.csv") * 100 >= rows("pairs.csv") * 97);
}

#[test]
fn the_same_seed_gives_the_same_model() {
    let folder = trained();
    let first = folder.text("pages.model");
    for threads in [1, 3] {
        let line = format!(
            "train andd pages.jsonl --labels story --content all --steps 30 -o again.model --threads {threads}"
        );
        let told = folder.run(&line).ok().err;
        assert!(told.contains("threshold"), "{told}");
        assert_eq!(folder.text("again.model"), first);
    }
}

#[test]
fn compare_shows_the_terms_that_carry_the_similarity() {
    let folder = trained();
    folder
        .run("pairs pages.jsonl --content all --method andd --model pages.model -o pairs.csv -q")
        .ok();
    let pairs = folder.text("pairs.csv");
    let mut cells = pairs.lines().nth(1).unwrap().split(',');
    let (a, b) = (cells.next().unwrap(), cells.next().unwrap());
    let line =
        format!("compare {a} {b} --in pages.jsonl --content all --method andd --model pages.model");
    let told = folder.run(&line).ok();
    assert!(told.text().contains("near duplicates"), "{told:?}");
    assert!(
        told.text().contains("terms that carry the similarity"),
        "{told:?}"
    );
    let json = folder.run(&format!("{line} --json")).ok();
    let json: serde_json::Value = serde_json::from_str(json.text()).unwrap();
    let terms = json["terms"].as_array().unwrap();
    assert!(terms.len() > 10);
    assert!(terms[0]["share"].as_f64() >= terms[1]["share"].as_f64());
}

/// There are more of them than of any other signature.
#[test]
fn min_hashes_are_written_once_and_matched_later() {
    let folder = Folder::new();
    for line in [
        "demo --documents 100 --out pages.jsonl --quiet",
        "train andd pages.jsonl --labels story --similarity extended-jaccard --steps 10 -o pages.model --quiet",
    ] {
        folder.run(line).ok();
    }
    let model = "--method andd --model pages.model --match lsh --no-verify -q";
    for line in [
        format!("signatures pages.jsonl {model} -o signatures.jsonl"),
        format!("pairs pages.jsonl {model} -o straight.csv"),
        format!("pairs signatures.jsonl {model} -o stored.csv"),
    ] {
        folder.run(&line).ok();
    }
    assert!(folder.text("straight.csv").lines().count() > 10);
    assert_eq!(folder.text("straight.csv"), folder.text("stored.csv"));
    let line = format!("signatures pages.jsonl {model} --bands 600 -o many.jsonl");
    let told = folder.run(&line).fails(2);
    assert!(told.contains("at most 512 values"), "{told}");
}

#[test]
fn signatures_are_written_once_and_matched_later() {
    let folder = trained();
    let model = "--content all --method andd --model pages.model --match lsh --no-verify";
    folder
        .run(&format!(
            "signatures pages.jsonl {model} -o pages.signatures.csv"
        ))
        .ok();
    // 384 bits are six numbers of 16 hexadecimal digits.
    let signatures = folder.text("pages.signatures.csv");
    assert!(
        signatures.starts_with("id,s0,s1,s2,s3,s4,s5,"),
        "{signatures:.60}"
    );
    folder
        .run(&format!("pairs pages.jsonl {model} -o straight.csv -q"))
        .ok();
    folder
        .run(&format!(
            "pairs pages.signatures.csv {model} -o stored.csv -q"
        ))
        .ok();
    assert_eq!(folder.text("stored.csv"), folder.text("straight.csv"));
}

/// What a model was made of is read again in the same way, unless told otherwise, and that is
/// refused.
#[test]
fn a_model_says_how_documents_are_read() {
    let folder = trained();
    let pairs = |name: &str, flags: &str| {
        let line = format!("pairs pages.jsonl --method andd --model {flags} -o {name}.csv -q");
        folder.run(&line).ok();
        folder.text(&format!("{name}.csv"))
    };
    let whole = pairs("whole", "pages.model --content all");
    assert_eq!(pairs("unsaid", "pages.model"), whole);
    folder.add("config.toml", "content = \"main\"\n");
    let contradicted = "pairs pages.jsonl --method andd --model pages.model";
    for flags in ["--content main", "--config config.toml"] {
        let told = folder.run(&format!("{contradicted} {flags}")).refuses(2);
        assert!(told.contains("trained with --content all"), "{told}");
    }
    // Files of version 1 do not say: flags and their defaults hold, as they did.
    let model = folder.text("pages.model");
    let (head, rest) = model.split_once("  \"reading\": {").unwrap();
    let (_, rest) = rest.split_once("},\n").unwrap();
    let older = format!("{head}{rest}").replacen("\"version\": 2", "\"version\": 1", 1);
    folder.add("older.model", older);
    assert_eq!(pairs("older", "older.model --content all"), whole);
    assert_ne!(pairs("main", "older.model"), whole);
    let shown = folder.run("train show older.model").ok();
    assert!(shown.text().contains("is not noted"), "{shown:?}");
}

/// Min-hashes of sets need no model.
#[test]
fn unverified_min_hashes_are_written_once_and_matched_later() {
    let folder = Folder::new();
    folder
        .run("demo --documents 60 --out pages.jsonl --quiet")
        .ok();
    let method = "--method minhash --no-verify --bands 84 --threshold 0.5";
    let told = folder
        .run(&format!("pairs pages.jsonl {method} -o straight.csv"))
        .ok();
    assert!(
        told.err.contains("84 min-hashes, estimated Jaccard"),
        "{told:?}"
    );
    assert!(
        told.err.contains("approximate: the chance to find a pair"),
        "{told:?}"
    );
    for line in [
        format!("signatures pages.jsonl {method} -o signatures.csv -q"),
        format!("pairs signatures.csv {method} -o stored.csv -q"),
        format!("clusters pages.jsonl {method} -o groups.csv -q"),
        format!("dedup pages.jsonl {method} -o left.jsonl -q"),
        "eval pages.jsonl --gold story --methods minhash:no_verify=true:bands=84,supershingles:require=1:k=1,simhash:bits=384:weights=binary,shingles:features=words:weights=tfidf:top_terms=5:similarity=cosine --csv scores.csv -q".to_owned(),
    ] {
        folder.run(&line).ok();
    }
    assert!(folder.text("straight.csv").lines().count() > 5);
    assert_eq!(folder.text("straight.csv"), folder.text("stored.csv"));
    let told = folder
        .run("signatures pages.jsonl --method supershingles --idf 0.1,0.9 -o s.csv")
        .fails(2);
    assert!(told.starts_with("--idf without a lexicon"), "{told}");
}

#[test]
fn a_lexicon_must_be_the_one_of_the_training() {
    let folder = trained();
    folder
        .run("lexicon pages.jsonl --content all -o pages.lexicon -q")
        .ok();
    folder
        .run("lexicon pages.jsonl --content main -o other.lexicon -q")
        .ok();
    folder
        .run("train andd pages.jsonl --labels story --content all --steps 5 --lexicon pages.lexicon -o df.model -q")
        .ok();
    let pairs = "pairs pages.jsonl --content all --method andd -q -o p.csv";
    folder
        .run(&format!("{pairs} --model df.model --lexicon pages.lexicon"))
        .ok();
    let mut text = String::new();
    for flags in [
        "--model df.model",
        "--model df.model --lexicon other.lexicon",
        "--model pages.model --lexicon pages.lexicon",
    ] {
        let told = folder.run(&format!("{pairs} {flags}")).refuses(2);
        assert!(told.contains("lexicon"), "{told}");
        let _ = writeln!(text, "{flags}\n  {}", hide_ids(&told));
    }
    golden("andd_lexicons", &text);
}

/// Ids of lexicons depend on every word of the corpus.
fn hide_ids(text: &str) -> String {
    let is_id = |word: &str| {
        let word = word.trim_end_matches([':', ',']);
        word.len() == 32 && word.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let words = text.split(' ').map(|word| match is_id(word) {
        true => "ID",
        false => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn what_cannot_be_done_is_refused_in_one_sentence() {
    let folder = trained();
    let line = |id: u32, cluster: &str| {
        format!("{{\"id\": {id}, \"cluster\": \"{cluster}\", \"text\": \"one two three {id}\"}}\n")
    };
    folder.add("one.jsonl", line(1, "a") + &line(2, "a"));
    folder.add("singles.jsonl", line(1, "a") + &line(2, "b"));
    folder.add("pairs.csv", "a,b,label\n1,2,1\n1,3,0\n");
    folder.add("three.jsonl", line(1, "a") + &line(2, "a") + &line(3, "b"));
    let model = folder.text("pages.model");
    let broken = |name: &str, from: &str, to: &str| {
        assert!(model.contains(from), "{from}");
        folder.add(name, model.replacen(from, to, 1));
    };
    broken("newer.model", "\"version\": 2", "\"version\": 3");
    broken("other.model", "\"andd\"", "\"signals\"");
    broken("unknown.model", "\"cap\"", "\"hat\"");
    broken(
        "nan.model",
        "\"threshold\":",
        "\"threshold\": NaN, \"was\":",
    );
    folder.add("empty.model", "");
    let mut text = String::new();
    for command in [
        "train andd one.jsonl --labels cluster -o m",
        "train andd singles.jsonl --labels cluster -o m",
        "train andd three.jsonl --labels colour -o m",
        "train andd three.jsonl --labels pairs.csv -o m",
        "train andd three.jsonl --labels cosine:0.9 -o m",
        "train andd three.jsonl --labels cluster -o no/folder/m",
        "train andd three.jsonl --labels cluster --k 9 -o m",
        "train andd three.jsonl --labels cluster --without colour -o m",
        "train andd three.jsonl --labels cluster --queries no.tsv -o m",
        "train show newer.model",
        "train show other.model",
        "train show unknown.model",
        "train show nan.model",
        "train show empty.model",
        "train show no.model",
        "pairs three.jsonl --method andd",
        "pairs three.jsonl --method andd --model newer.model",
        "pairs three.jsonl --model pages.model",
        "pairs three.jsonl --method andd --model pages.model --k 3",
        "pairs three.jsonl --method andd --model pages.model --bits 384",
        "pairs three.jsonl --method andd --model pages.model --match lsh --bits 100",
        "pairs three.jsonl --method andd --model pages.model --content main",
        "pairs three.jsonl --method andd --model pages.model --body fetched",
        "eval pages.jsonl --gold story --methods andd:model=pages.model",
        "pairs three.jsonl --top-terms 5",
        "eval three.jsonl --gold cluster --methods andd",
    ] {
        let told = folder.run(command).refuses(2);
        let _ = writeln!(text, "{command}\n  {told}");
    }
    golden("andd_refused", &text);
    assert!(!folder.list().contains(&"m".to_owned()));
}

#[test]
fn a_suite_trains_on_one_half_and_scores_the_other() {
    let folder = trained();
    folder.add(
        "suite.toml",
        "resamples = 0\n[[data]]\ninputs = [\"pages.jsonl\"]\ngold = \"story\"\ncontent = \"all\"\n\
         [[method]]\nname = \"learned\"\nmethod = \"andd\"\ndocuments = [20, 60]\n\
         [[method]]\nname = \"binary\"\nfeatures = \"words\"\nsimilarity = \"cosine\"\n\
         [split]\nseeds = [1, 2]\n",
    );
    let told = folder.run("eval --suite suite.toml --csv scores.csv").ok();
    assert!(told.text().contains("learned documents=60"), "{told:?}");
    let again = folder
        .run("eval --suite suite.toml --results new.jsonl --csv again.csv")
        .ok();
    let without_cost = |name: &str| -> Vec<String> {
        let rows = folder.text(name);
        let row = |row: &str| row.split(',').take(12).collect::<Vec<_>>().join(",");
        rows.lines().map(row).collect()
    };
    assert_eq!(
        without_cost("scores.csv"),
        without_cost("again.csv"),
        "{again:?}"
    );
}
