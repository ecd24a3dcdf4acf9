//! `--fold`: the disguises of words undone, in every command.

use super::Folder;
use super::texts::line;

const PLAIN: &str = "Thermal cartridges for actual customers are the cheapest of the market, and delivery is free for all orders that have been placed before the end of the month.";
const DISGUISED: &str = "Th-ermal c@rtr1dges for ac.tual cu$tomers are the cheapset of the m4rket, and delivrey is free for all 0rders that have b3en placed before the end of the mnoth.";
const OTHER: &str = "A storm is expected to reach the coast by tomorrow, and ferries to the islands are suspended until further notice from the harbour office.";

fn mail() -> Folder {
    let mut lines = String::new();
    for (id, text) in [("plain", PLAIN), ("disguised", DISGUISED), ("other", OTHER)] {
        lines += &line(&format!("\"{id}\""), text);
    }
    Folder::with("mail.jsonl", lines)
}

#[test]
fn a_mail_in_disguise_is_found_by_every_method() {
    let folder = mail();
    folder
        .run("lexicon mail.jsonl --fold --min-df 1 -o mail.lexicon -q")
        .ok();
    for method in [
        "exact",
        "shingles",
        "shingles --features words",
        "spotsigs",
        "minhash",
        "supershingles",
        "simhash",
        "imatch --idf 0,1 --lexicon mail.lexicon",
        "imatch --idf 0,1 --lexicon mail.jsonl",
        "imatch --idf 0,1",
    ] {
        let found = folder
            .run(&format!("pairs mail.jsonl --method {method} --fold"))
            .ok();
        assert!(
            found.text().contains("\"a\":\"plain\",\"b\":\"disguised\""),
            "{found:?}"
        );
        assert!(found.err.contains("disguises undone"), "{found:?}");
        if method.contains("--lexicon") {
            continue;
        }
        let missed = folder
            .run(&format!("pairs mail.jsonl --method {method}"))
            .ok();
        assert!(!missed.text().contains("disguised"), "{missed:?}");
        assert!(!missed.err.contains("disguises undone"), "{missed:?}");
    }
    let left = folder.run("dedup mail.jsonl --fold -q").ok();
    assert_eq!(left.text().lines().count(), 2);
    let groups = folder.run("clusters mail.jsonl --fold -q").ok();
    assert_eq!(groups.text().lines().count(), 2);
}

#[test]
fn words_are_shown_as_they_stand_in_the_documents() {
    let folder = mail();
    let told = folder
        .run("compare plain disguised --in mail.jsonl --fold")
        .ok();
    assert!(told.text().contains("near duplicates"), "{told:?}");
    let json = folder
        .run("compare disguised plain --in mail.jsonl --fold --json")
        .ok();
    assert!(
        json.text()
            .contains("th-ermal c@rtr1dges for ac.tual cu$tomers"),
        "{json:?}"
    );
}

#[test]
fn signatures_and_filters_undo_disguises_too() {
    let folder = mail();
    folder.add("known.jsonl", line("\"plain\"", PLAIN));
    for line in [
        "lexicon mail.jsonl --fold --min-df 1 -o mail.lexicon -q",
        "signatures known.jsonl --fold --idf 0,1 --lexicon mail.lexicon -o mail.signatures.csv -q",
    ] {
        folder.run(line).ok();
    }
    folder.add("new.jsonl", line("\"new\"", DISGUISED));
    let filter = "filter new.jsonl --fold --idf 0,1 --lexicon mail.lexicon -q --against";
    for known in ["known.jsonl", "mail.signatures.csv"] {
        let told = folder.run(&format!("{filter} {known}")).ok();
        assert!(
            told.text().contains("\"duplicate_of\":\"plain\""),
            "{told:?}"
        );
    }
    // What was signed with it is not compared without.
    folder
        .run("lexicon mail.jsonl --min-df 1 -o words.lexicon -q")
        .ok();
    let told = folder
        .run("pairs new.jsonl --method imatch --idf 0,1 --lexicon words.lexicon --against mail.signatures.csv")
        .fails(2);
    assert!(told.contains("was signed with the lexicon"), "{told}");
}

#[test]
fn a_lexicon_or_a_model_of_the_other_kind_is_refused() {
    let folder = mail();
    for line in [
        "lexicon mail.jsonl --fold --min-df 1 -o folded.lexicon",
        "lexicon mail.jsonl --min-df 1 -o words.lexicon",
    ] {
        folder.run(line).ok();
    }
    let told = folder
        .run("lexicon show folded.lexicon --word CARTIRDGES")
        .ok();
    assert!(told.text().contains("disguises undone"), "{told:?}");
    assert!(told.text().contains("(idf 0.369, 2 documents)"), "{told:?}");
    let told = folder
        .run("pairs mail.jsonl --method imatch --lexicon folded.lexicon")
        .fails(2);
    assert!(
        told.contains("the lexicon was counted with --fold"),
        "{told}"
    );
    let told = folder
        .run("pairs mail.jsonl --method imatch --fold --lexicon words.lexicon")
        .fails(2);
    assert!(
        told.contains("the lexicon was counted without --fold"),
        "{told}"
    );
    let told = folder
        .run("lexicon merge folded.lexicon words.lexicon -o both.lexicon")
        .fails(2);
    assert!(
        told.contains("some of these lexicons were counted with --fold"),
        "{told}"
    );
    folder
        .run("demo --documents 60 --out pages.jsonl --quiet")
        .ok();
    let train = "train andd pages.jsonl --labels story --steps 5 -q -o";
    folder.run(&format!("{train} plain.model")).ok();
    folder.run(&format!("{train} folded.model --fold")).ok();
    let pairs = "pairs pages.jsonl --method andd -q --model";
    folder.run(&format!("{pairs} folded.model")).ok();
    folder.run(&format!("{pairs} folded.model --fold")).ok();
    let told = folder.run(&format!("{pairs} plain.model --fold")).fails(2);
    assert!(
        told.contains("the model was trained without --fold"),
        "{told}"
    );
    folder.add("plain.toml", "fold = false\n");
    let told = folder
        .run(&format!("{pairs} folded.model --config plain.toml"))
        .fails(2);
    assert!(told.contains("the model was trained with --fold"), "{told}");
}

#[test]
fn a_config_file_and_a_suite_may_say_so() {
    let folder = mail();
    folder.add("fold.toml", "fold = true\n");
    let found = folder.run("pairs mail.jsonl --config fold.toml").ok();
    assert_eq!(found.text().lines().count(), 1, "{found:?}");
    folder
        .run("lexicon mail.jsonl --config fold.toml --min-df 1 -o mail.lexicon -q")
        .ok();
    folder
        .run("pairs mail.jsonl --method imatch --fold --lexicon mail.lexicon -q")
        .ok();
    folder.add("labels.csv", "id,cluster\nplain,1\ndisguised,1\nother,2\n");
    let tried = folder
        .run("eval mail.jsonl --gold labels.csv --fold --json all.json -q")
        .ok();
    assert!(tried.text().contains("supershingles"), "{tried:?}");
    assert_eq!(
        folder.text("all.json").matches("disguises undone").count(),
        7
    );
    let suite = "title = \"Mail\"\n[[data]]\nname = \"mail\"\ninputs = [\"mail.jsonl\"]\ngold = \"labels.csv\"\n[[method]]\nmethod = \"shingles\"\nfold = [false, true]\n";
    folder.add("suite.toml", suite);
    let tried = folder
        .run("eval --suite suite.toml --json suite.json -q")
        .ok();
    assert!(tried.text().contains("shingles fold=true"), "{tried:?}");
    let told: serde_json::Value = serde_json::from_str(&folder.text("suite.json")).unwrap();
    let f1 = |at: usize| told["methods"][at]["f1"].as_f64().unwrap();
    assert_eq!((f1(0), f1(1)), (0.0, 1.0));
}
