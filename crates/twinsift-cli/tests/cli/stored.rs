//! Files of signatures give the results of the documents that they were made of.

use super::{Folder, texts};
use std::fmt::Write as _;

/// A word of letters, so that it counts for a lexicon.
fn word(number: usize) -> String {
    let letter = |n: usize| char::from(b'a' + (n % 26) as u8);
    format!("word{}{}", letter(number / 26), letter(number))
}

/// A document of `count` words, of which the last is `last`.
fn text(group: usize, count: usize, last: usize) -> String {
    let mut words: Vec<String> = (0..count).map(|at| word(group * 7 + at * 3 % 61)).collect();
    words[count - 1] = word(last);
    words.join(" ")
}

fn line(id: &str, group: usize, text: &str) -> String {
    format!("{{\"id\":{id},\"group\":\"{group}\",\"text\":\"{text}\"}}\n")
}

/// Documents that come in groups, new and old ones, and a lexicon. Most have so few words
/// that some of their signatures are rejected, the very first ones among them.
fn folder() -> Folder {
    let folder = Folder::new();
    let mut other = String::new();
    for at in 0..60 {
        let text: Vec<String> = (0..12).map(|n| word((at * 13 + n * n * 5) % 97)).collect();
        other += &texts::line(&format!("\"o{at}\""), &text.join(" "));
    }
    folder.add("other.jsonl", other);
    let (mut new, mut old) = (String::new(), String::new());
    for at in 0..24 {
        let group = at % 8;
        let count = [6, 5, 30, 7, 3, 40, 9, 12][group];
        let own = text(group, count, 90 + at % 3 * usize::from(group != 3));
        let (side, name) = match at % 2 {
            0 => (&mut old, "old"),
            _ => (&mut new, "new"),
        };
        *side += &line(&format!("\"{name}-{at}\""), group, &own);
        // A copy on the other side, changed in the end.
        let copy = text(group, count, 70 + at % 5);
        let (side, name) = match at % 2 {
            0 => (&mut new, "new"),
            _ => (&mut old, "old"),
        };
        *side += &line(&format!("\"{name}-copy-{at}\""), group, &copy);
    }
    folder.add("all.jsonl", format!("{old}{new}"));
    folder.add("new.jsonl", new);
    folder.add("old.jsonl", old);
    folder.run("lexicon other.jsonl -q -o other.lexicon").ok();
    folder
}

const IMATCH: &str = "--method imatch --lexicon other.lexicon --idf 0.1,0.9";

/// Every table that can be written.
const FORMATS: [&str; 8] = [
    "jsonl", "csv", "tsv", "parquet", "jsonl.gz", "csv.zst", "tsv.bz2", "jsonl.xz",
];

/// Holds `flags` to give the same with signatures as with documents, in some formats.
/// `sign` are the flags that say how to sign, `compare` those of the comparison alone.
#[track_caller]
fn check(folder: &Folder, sign: &str, compare: &str, formats: &[&str]) {
    let out = |line: &str| folder.run(line).ok().text().to_owned();
    let across = out(&format!(
        "pairs new.jsonl -q {sign} {compare} --against old.jsonl"
    ));
    let among = out(&format!("pairs all.jsonl -q {sign} {compare}"));
    assert!(!across.is_empty() && across.len() < among.len(), "{sign}");
    let is_filter = !sign.contains("andd");
    let answers = match is_filter {
        true => out(&format!(
            "filter new.jsonl -q {sign} {compare} --against old.jsonl"
        )),
        false => String::new(),
    };
    for format in formats {
        for side in ["new", "old", "all"] {
            out(&format!(
                "signatures {side}.jsonl -q {sign} -o s-{side}.{format}"
            ));
        }
        let same = |line: &str, expected: &str| {
            let line = format!("{line}.{format}");
            assert_eq!(out(&line), expected, "{line}");
        };
        let flags = format!("-q {sign} {compare}");
        same(&format!("pairs new.jsonl {flags} --against s-old"), &across);
        same(
            &format!("pairs s-new.{format} {flags} --against s-old"),
            &across,
        );
        // What they were signed with need not be said again, but for a model.
        let known = match sign.contains("andd") {
            true => sign,
            false => "",
        };
        same(&format!("pairs -q {known} {compare} s-all"), &among);
        if is_filter {
            same(
                &format!("filter new.jsonl {flags} --against s-old"),
                &answers,
            );
        }
    }
}

#[test]
fn imatch_signatures_of_every_format_stand_for_documents() {
    let folder = folder();
    check(&folder, IMATCH, "", &FORMATS);
    // The first row has values that were rejected, and others.
    let first = folder.text("s-old.csv").lines().nth(1).unwrap().to_owned();
    let values: Vec<&str> = first.split(',').skip(1).take(11).collect();
    assert!(
        values.contains(&"") && values.iter().any(|value| value.len() == 16),
        "{first}"
    );
    check(&folder, IMATCH, "--require 3", &["jsonl", "parquet"]);
    let sha1 = format!("{IMATCH} --digest sha1 --random-lexicons 4");
    check(&folder, &sha1, "", &["jsonl", "csv", "tsv", "parquet"]);
    check(
        &folder,
        &format!("{IMATCH} --random-lexicons 0"),
        "",
        &["jsonl", "csv"],
    );
}

#[test]
fn other_signatures_stand_for_documents() {
    let folder = folder();
    let tables = ["jsonl", "csv", "tsv", "parquet"];
    check(&folder, "--method supershingles --k 2", "", &tables);
    // Only equal texts, of which there are none across.
    let mut new = folder.text("new.jsonl");
    let copied = folder
        .text("old.jsonl")
        .lines()
        .nth(4)
        .unwrap()
        .replace("\"old-", "\"new-old-");
    writeln!(new, "{copied}").unwrap();
    folder.add(
        "all.jsonl",
        folder.text("all.jsonl") + &new.replace("\"new-", "\"again-"),
    );
    folder.add("new.jsonl", new);
    check(&folder, "--method exact", "", &tables);
}

#[test]
fn learned_signatures_stand_for_documents() {
    let folder = folder();
    for similarity in ["cosine", "extended-jaccard"] {
        let line = format!(
            "train andd all.jsonl --labels group --steps 3 --similarity {similarity} -q -o {similarity}.model"
        );
        folder.run(&line).ok();
        let sign = format!("--method andd --model {similarity}.model --match lsh --no-verify");
        check(
            &folder,
            &sign,
            "--threshold 0.5",
            &["jsonl", "csv", "tsv", "parquet"],
        );
    }
}

/// Whatever is required later, all documents with a value are there.
#[test]
fn how_many_must_be_equal_is_said_where_they_are_compared() {
    let folder = folder();
    let line = format!("signatures old.jsonl -q {IMATCH} -o s.csv --require 4");
    let told = folder.run(&line).refuses(2);
    assert!(told.starts_with("--require has no meaning here"), "{told}");
    folder.add("twinsift.toml", "require = 4\nverify = \"cosine:0.9\"\n");
    for (name, flags) in [("a.csv", ""), ("b.csv", "--config twinsift.toml")] {
        folder
            .run(&format!(
                "signatures old.jsonl -q {IMATCH} {flags} -o {name}"
            ))
            .ok();
    }
    assert_eq!(folder.text("a.csv"), folder.text("b.csv"));
}

#[test]
fn a_file_in_which_nothing_has_a_signature_is_told() {
    let folder = folder();
    folder.add(
        "short.jsonl",
        line("1", 0, "a few") + &line("2", 0, "a few"),
    );
    for format in ["jsonl", "csv", "tsv", "parquet", "jsonl.zst"] {
        let name = format!("short.signatures.{format}");
        folder
            .run(&format!("signatures short.jsonl -q {IMATCH} -o {name}"))
            .ok();
        let against = format!("new.jsonl -q {IMATCH} --against {name}");
        let told = "note: not one row of";
        let ran = folder.run(&format!("pairs {against}")).ok();
        assert!(ran.out.is_empty() && ran.err.starts_with(told), "{ran:?}");
        let ran = folder.run(&format!("pairs {name}")).ok();
        assert!(ran.out.is_empty() && ran.err.starts_with(told), "{ran:?}");
        assert!(ran.err.contains("2 without a signature"), "{ran:?}");
        let told = folder.run(&format!("filter {against}")).refuses(2);
        assert!(
            told.starts_with("nothing is known: of 2 documents"),
            "{told}"
        );
        let ran = folder.run(&format!("filter {against} --learn")).ok();
        assert!(ran.err.starts_with("note: nothing is known"), "{ran:?}");
        assert!(ran.text().contains("\"verdict\":\"duplicate\""), "{ran:?}");
    }
}

/// A file without rows can stand beside documents and beside signatures.
#[test]
fn an_empty_file_holds_no_documents() {
    let folder = folder();
    folder.add("empty.jsonl", "");
    for format in ["jsonl", "csv", "parquet"] {
        let (none, some) = (format!("none.{format}"), format!("some.{format}"));
        folder
            .run(&format!("signatures empty.jsonl -q {IMATCH} -o {none}"))
            .ok();
        folder
            .run(&format!("signatures old.jsonl -q {IMATCH} -o {some}"))
            .ok();
        let run = |command: &str, against: &str| {
            folder
                .run(&format!(
                    "{command} new.jsonl -q {IMATCH} --against {against}"
                ))
                .ok()
        };
        assert_eq!(run("pairs", &none).out, b"");
        let ran = run("filter", &none);
        assert!(ran.err.starts_with("note: nothing is known"), "{ran:?}");
        assert!(!ran.text().contains("duplicate\""), "{ran:?}");
        let all = run("pairs", &some);
        for both in [format!("{none} {some}"), format!("{some} {none}")] {
            assert_eq!(run("pairs", &both).out, all.out, "{both}");
        }
    }
}

/// By rows: what is wrong is reported, and everything else used.
#[test]
fn a_row_that_contradicts_its_file_is_reported() {
    let folder = folder();
    folder
        .run(&format!("signatures old.jsonl -q {IMATCH} -o s.csv"))
        .ok();
    let whole = folder.text("s.csv");
    let mut lines: Vec<String> = whole.lines().map(str::to_owned).collect();
    let expected = {
        let mut kept = lines.clone();
        kept.drain(5..9);
        folder.add("kept.csv", kept.join("\n"));
        folder
            .run(&format!("pairs new.jsonl -q {IMATCH} --against kept.csv"))
            .ok()
    };
    lines[5] = lines[5].replace(",imatch,11,64,", ",imatch,7,64,");
    lines[6] = lines[6].replace(",imatch,11,64,", ",exact,11,64,");
    let recipe = lines[7].rfind(',').unwrap();
    lines[7].replace_range(recipe.., ",0000000000000000");
    let value = lines[8].find(',').unwrap();
    lines[8].insert_str(value + 1, "+0");
    folder.add("s.csv", lines.join("\n"));
    for command in ["pairs", "filter"] {
        let ran = folder
            .run(&format!("{command} new.jsonl -q {IMATCH} --against s.csv"))
            .ok();
        for told in [
            "skipped s.csv: row 5: its width is 7, and that of its file 11",
            "skipped s.csv: row 6: its method is exact, and that of its file imatch",
            "skipped s.csv: row 7: its recipe is 0000000000000000, and that",
            "skipped s.csv: row 8: s0 is no signature",
        ] {
            assert!(ran.err.contains(told), "{told}: {ran:?}");
        }
        if command == "pairs" {
            assert_eq!(ran.text(), expected.text());
        }
        let strict = format!("{command} new.jsonl -q {IMATCH} --against s.csv --strict");
        assert!(
            folder
                .run(&strict)
                .fails(2)
                .contains("(--strict stops here)")
        );
    }
    // All rows say what cannot be.
    lines.truncate(4);
    for line in &mut lines[1..] {
        *line = line.replace(",imatch,11,64,", ",imatch,11,160,");
    }
    folder.add("lies.csv", lines.join("\n"));
    for command in ["pairs", "filter"] {
        let line = format!("{command} new.jsonl -q {IMATCH} --against lies.csv");
        let told = folder.run(&line).refuses(2);
        assert!(told.starts_with("lies.csv is damaged: it says"), "{told}");
    }
}

#[test]
fn files_that_are_not_understood_are_refused() {
    let folder = folder();
    folder
        .run(&format!("signatures old.jsonl -q {IMATCH} -o s.jsonl"))
        .ok();
    let rows = folder.text("s.jsonl");
    let cut = |from: &str, to: &str| {
        let changed = rows.replace(from, to);
        assert_ne!(changed, rows);
        folder.add("other-s.jsonl", changed);
        let line = format!("filter new.jsonl {IMATCH} --against other-s.jsonl");
        folder.run(&line).refuses(2)
    };
    let older = "\"method\":\"imatch\",\"width\":11,\"bits\":64,";
    assert!(cut(older, "").contains("holds signatures of an older version"));
    assert!(cut("\"bits\":64", "\"bits\":65").contains("unknown here (method imatch, 65 bits)"));
    assert!(cut("\"width\":11", "\"width\":1000000000").contains("unknown here"));
    assert!(cut("\"imatch\"", "\"immatch\"").contains("unknown here (method immatch"));
    let told = folder
        .run("pairs s.jsonl --method supershingles")
        .refuses(2);
    assert_eq!(
        told,
        "s.jsonl holds signatures of --method imatch, which no other method compares"
    );
    folder
        .run("signatures old.jsonl -q --method supershingles -o ss.jsonl")
        .ok();
    let told = folder.run("pairs ss.jsonl --method imatch").refuses(2);
    assert!(
        told.contains("holds signatures of --method supershingles"),
        "{told}"
    );
    let told = folder.run("pairs s.jsonl --against ss.jsonl").refuses(2);
    assert!(
        told.contains("holds signatures of --method supershingles"),
        "{told}"
    );
}

/// Documents may have such fields of their own.
#[test]
fn recipes_of_a_cook_are_documents() {
    let folder = Folder::new();
    let row = |id: u32| {
        format!(
            "{{\"id\":{id},\"recipe\":\"stir\",\"width\":3,\"method\":\"bake\",\"text\":\"{}\"}}\n",
            texts::BRIDGE
        )
    };
    folder.add("cook.jsonl", row(1) + &row(2));
    assert_eq!(
        folder
            .run("pairs cook.jsonl -q")
            .ok()
            .text()
            .lines()
            .count(),
        1
    );
}

#[test]
fn ids_that_are_numbers_stay_numbers() {
    let folder = folder();
    folder.add("known.jsonl", texts::line("7", texts::BRIDGE));
    folder.add("new.jsonl", texts::line("8", texts::BRIDGE));
    for name in ["known.jsonl", "s.jsonl", "s.parquet"] {
        if name != "known.jsonl" {
            let line = format!("signatures known.jsonl -q --method exact -o {name}");
            folder.run(&line).ok();
        }
        let ran = folder
            .run(&format!(
                "filter new.jsonl -q --method exact --against {name}"
            ))
            .ok();
        let expected = "{\"id\":8,\"duplicate_of\":7,\"score\":1.0,\"verdict\":\"duplicate\"}\n";
        assert_eq!(ran.text(), expected, "{name}");
    }
    let line = "filter --learn -q --method exact known.jsonl new.jsonl";
    assert!(folder.run(line).ok().text().contains("\"duplicate_of\":7,"));
}

/// What of a page was signed is part of the recipe: signatures of main content are not held
/// against whole pages.
#[test]
fn signatures_of_other_content_are_refused() {
    let folder = folder();
    let method = "--method supershingles";
    folder
        .run(&format!(
            "signatures old.jsonl {method} --content all -o old.sig.jsonl -q"
        ))
        .ok();
    let pairs = format!("pairs new.jsonl --against old.sig.jsonl {method} -q");
    folder.run(&format!("{pairs} --content all")).ok();
    let told = folder.run(&pairs).refuses(2);
    assert!(told.contains("was signed with other settings"), "{told}");
}
