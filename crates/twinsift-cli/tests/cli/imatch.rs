//! Lexicons, I-Match, stored signatures and the filter, from the command line.

use super::texts::{BRIDGE, BRIDGE_EDITED, MUSEUM, STORM, line, news};
use super::{Folder, golden};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

/// Documents, and a lexicon of others.
fn folder() -> Folder {
    let folder = Folder::with("news.jsonl", news());
    let mut other = String::new();
    for (at, text) in [BRIDGE, STORM, MUSEUM, "Lorem ipsum dolor amet"]
        .iter()
        .enumerate()
    {
        for copy in 0..3 + at {
            other += &line(&format!("\"{at}-{copy}\""), text);
        }
    }
    folder.add("other.jsonl", other);
    folder.run("lexicon other.jsonl -q -o other.lexicon").ok();
    folder
}

const IMATCH: &str = "--method imatch --lexicon other.lexicon";

#[test]
fn a_lexicon_is_made_shown_and_merged() {
    let folder = folder();
    let mut text = String::new();
    for line in [
        "lexicon other.jsonl -o again.lexicon",
        "lexicon news.jsonl -o news.lexicon --min-df 1",
        "lexicon show news.lexicon --idf 0.3,0.7 --word Bridge --word the --word zebra",
        "lexicon show news.lexicon --word bridge --json",
        "lexicon merge other.lexicon news.lexicon -o both.lexicon --max-terms 20",
    ] {
        text += &folder.run(line).ok().transcript();
        text += "\n";
    }
    golden("lexicon", &text);
    assert_eq!(folder.read("other.lexicon"), folder.read("again.lexicon"));
    for (threads, memory) in [("1", "1M"), ("8", "1G")] {
        let line =
            format!("lexicon other.jsonl -q -o t.lexicon --threads {threads} --memory {memory}");
        folder.run(&line).ok();
        assert_eq!(folder.read("t.lexicon"), folder.read("other.lexicon"));
    }
}

#[test]
fn imatch_in_every_command() {
    let folder = folder();
    let mut text = String::new();
    for line in [
        format!("pairs news.jsonl {IMATCH} --unsigned few.csv"),
        format!("pairs news.jsonl {IMATCH} --random-lexicons 0"),
        format!("pairs news.jsonl {IMATCH} --random-lexicons 20 --drop 0.5 --require 2"),
        format!("pairs news.jsonl {IMATCH} --verify cosine:0.9"),
        format!("pairs news.jsonl {IMATCH} --min-ratio 0.9"),
        format!("pairs news.jsonl {IMATCH} --idf 0.2,0.3 --expand-to 12"),
        format!("clusters news.jsonl {IMATCH}"),
        format!("dedup news.jsonl {IMATCH} --removed removed.csv -o out.jsonl"),
        format!("compare bridge bridge-2 --in news.jsonl {IMATCH}"),
        "compare bridge storm --in news.jsonl --method imatch --idf 0,0.8 --json".to_owned(),
        "pairs news.jsonl --method imatch".to_owned(),
        "pairs news.jsonl --features lexicon --match join --threshold 0.7 --lexicon other.lexicon"
            .to_owned(),
        "pairs news.jsonl --features lexicon --match join --similarity cosine --idf 0,1"
            .to_owned(),
        "pairs news.jsonl --features lexicon --match join --weights tfidf --threshold 0.3 --idf 0,1"
            .to_owned(),
        "pairs news.jsonl --features lexicon --match hamming --distance 20 --idf 0,1".to_owned(),
        "pairs news.jsonl --features spots --match hash --random-lexicons 5 --idf 0,1".to_owned(),
    ] {
        text += &folder.run(&line).ok().transcript();
        text += "\n";
    }
    text += &folder.text("few.csv");
    text += &folder.text("removed.csv");
    golden("imatch", &text);
}

#[test]
fn signatures_stand_in_for_documents() {
    let folder = folder();
    // The first one has no signature.
    let news = line("\"short\"", "the of and") + &news();
    folder.add("news.jsonl", &news);
    let lines: Vec<String> = news.lines().map(|line| format!("{line}\n")).collect();
    folder.add("new.jsonl", lines[..3].concat());
    folder.add("old.jsonl", lines[3..].concat());
    let expected = folder.run(&format!("pairs news.jsonl -q {IMATCH}")).ok();
    let against = folder
        .run(&format!("pairs new.jsonl -q {IMATCH} --against old.jsonl"))
        .ok();
    assert!(!expected.text().is_empty() && !against.text().is_empty());
    for name in ["s.jsonl", "s.csv", "s.tsv.gz", "s.parquet"] {
        for digest in ["sum", "sha1"] {
            let flags = format!("{IMATCH} --digest {digest}");
            folder
                .run(&format!("signatures news.jsonl -q {flags} -o {name}"))
                .ok();
            let found = folder.run(&format!("pairs {name} -q")).ok();
            assert_eq!(found.text(), expected.text(), "{name} {digest}");
            let groups = folder.run(&format!("clusters {name} -q")).ok();
            assert!(groups.text().contains("bridge-2"), "{groups:?}");
            folder.run(&format!("dedup {name} -q -o left-{name}")).ok();
            let left = folder.run(&format!("clusters left-{name} -q --all")).ok();
            assert_eq!(left.text().lines().count(), 5, "{left:?}");
            folder
                .run(&format!("signatures old.jsonl -q {flags} -o old-{name}"))
                .ok();
            let found = folder
                .run(&format!("pairs new.jsonl -q {flags} --against old-{name}"))
                .ok();
            assert_eq!(found.text(), against.text(), "{name} {digest}");
            folder
                .run(&format!("signatures new.jsonl -q {flags} -o new-{name}"))
                .ok();
            let found = folder
                .run(&format!("pairs new-{name} -q --against old-{name}"))
                .ok();
            assert_eq!(found.text(), against.text(), "{name} {digest}");
        }
    }
    for method in ["exact", "supershingles"] {
        let line = format!("signatures news.jsonl -q --method {method} -o {method}.csv");
        folder.run(&line).ok();
        let line = |input: &str| format!("pairs {input} -q --method {method}");
        let expected = folder.run(&line("news.jsonl")).ok();
        let found = folder.run(&line(&format!("{method}.csv"))).ok();
        assert_eq!(found.text(), expected.text(), "{method}");
    }
    let text = folder
        .run("signatures news.jsonl --lexicon other.lexicon --random-lexicons 2")
        .ok();
    golden("signatures", &text.transcript());
}

#[test]
fn what_makes_no_sense_is_said() {
    let folder = folder();
    folder.run("lexicon news.jsonl -q -o news.lexicon").ok();
    folder.add("one.jsonl", line("1", BRIDGE));
    folder.add("empty.jsonl", "");
    folder
        .run(&format!("signatures news.jsonl -q {IMATCH} -o s.csv"))
        .ok();
    folder
        .run("signatures news.jsonl -q --lexicon news.lexicon -o n.csv")
        .ok();
    let whole = folder.read("other.lexicon");
    folder.add("cut.lexicon", &whole[..whole.len() / 2]);
    let mut damaged = whole.clone();
    damaged[100] ^= 1;
    folder.add("damaged.lexicon", damaged);
    let mut newer = whole;
    newer[8] = 9;
    folder.add("newer.lexicon", newer);
    let mut text = String::new();
    for line in [
        "pairs news.jsonl --method imatch --lexicon missing.lexicon",
        "pairs news.jsonl --method imatch --lexicon cut.lexicon",
        "pairs news.jsonl --method imatch --lexicon damaged.lexicon",
        "pairs news.jsonl --method imatch --lexicon newer.lexicon",
        "lexicon show news.jsonl",
        "lexicon show other.lexicon --idf 0.8,0.2",
        "lexicon show other.lexicon --word two_words,or_more",
        "lexicon merge other.lexicon -o both.lexicon",
        "lexicon news.jsonl -o news.jsonl",
        "lexicon news.jsonl",
        "pairs news.jsonl --lexicon other.lexicon",
        "pairs news.jsonl --random-lexicons 3",
        "pairs news.jsonl --method imatch --random-lexicons 64",
        "pairs news.jsonl --method imatch --random-lexicons 2 --require 4",
        "pairs news.jsonl --method imatch --drop 1",
        "pairs news.jsonl --method imatch --random-lexicons 0 --drop 0.5",
        "pairs news.jsonl --method imatch --min-ratio 2",
        "pairs news.jsonl --method imatch --expand-to 3",
        "pairs news.jsonl --method imatch --secondary 10",
        "pairs news.jsonl --method imatch --digest sha1",
        "pairs news.jsonl --method imatch --verify cosine",
        "pairs news.jsonl --method imatch --threshold 0.5",
        "pairs news.jsonl --method imatch --features words",
        "pairs news.jsonl --method imatch --lexicon news.lexicon --against s.csv",
        "pairs news.jsonl --method imatch --against s.csv",
        "pairs news.jsonl --method imatch --lexicon other.lexicon --seed 1 --against s.csv",
        "pairs news.jsonl --method shingles --against s.csv",
        "pairs s.csv --against n.csv",
        "pairs s.csv news.jsonl",
        "pairs s.csv --verify cosine:0.9",
        "pairs s.csv --method shingles",
        "signatures s.csv",
        "signatures news.jsonl --method shingles",
        "compare bridge storm --method imatch",
        "filter --against news.jsonl --method signals",
        "filter --learn --method simhash",
        "filter --against s.csv",
        "filter --against s.csv --lexicon other.lexicon --verify cosine:0.9",
        "filter s.csv --against news.jsonl",
        "filter --against news.jsonl --remember 5",
        "filter",
        "filter --learn",
        "filter --against one.jsonl",
        "filter --against empty.jsonl --learn",
        "filter --against one.jsonl --unsigned few.csv",
        "filter --against one.jsonl --method exact --threshold 0.5",
        "signatures news.jsonl",
        "signatures news.jsonl --features spots --match hash --random-lexicons 3",
        "signatures news.jsonl --lexicon other.lexicon --unsigned few.csv",
        "signatures news.jsonl --lexicon other.lexicon --verify cosine:0.9",
    ] {
        let ran = folder.run(line);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        text += &ran.transcript();
        text += "\n";
    }
    golden("imatch_refusals", &text);
}

#[test]
fn little_to_go_by_is_counted_and_never_matched() {
    let folder = folder();
    folder.add(
        "stop.jsonl",
        line("1", "the of and to in") + &line("2", "the of and to in") + &line("3", ""),
    );
    let ran = folder.run(&format!("pairs stop.jsonl {IMATCH}")).ok();
    assert_eq!(ran.text(), "");
    assert!(
        ran.err.contains("2 with too few words of the lexicon"),
        "{ran:?}"
    );
    assert!(ran.err.contains("1 without words"), "{ran:?}");
    // An empty window.
    let ran = folder
        .run(&format!("pairs news.jsonl {IMATCH} --idf 0.01,0.02"))
        .ok();
    assert_eq!(ran.text(), "");
    assert!(
        ran.err.contains("5 with too few words of the lexicon"),
        "{ran:?}"
    );
}

#[test]
fn a_filter_answers_every_line() {
    let folder = folder();
    let stream = line("7", BRIDGE_EDITED)
        + "{broken\n"
        + &line("\"m\"", MUSEUM)
        + &line("\"m2\"", MUSEUM)
        + &line("\"e\"", "");
    folder.add("known.jsonl", line("\"spam-1\"", BRIDGE));
    let flags = "--against known.jsonl --lexicon other.lexicon";
    let mut text = String::new();
    for flags in [
        flags.to_owned(),
        format!("{flags} --learn"),
        format!("{flags} --learn --remember 0"),
        format!("{flags} --verify cosine:0.99"),
        "--against known.jsonl --method exact".to_owned(),
        "--against known.jsonl --method supershingles".to_owned(),
    ] {
        text += &folder
            .run_on(&format!("filter {flags}"), stream.as_bytes())
            .ok()
            .transcript();
        text += "\n";
    }
    folder
        .run("signatures known.jsonl -q --lexicon other.lexicon -o known.parquet")
        .ok();
    let line = "filter --against known.parquet --lexicon other.lexicon";
    text += &folder.run_on(line, stream.as_bytes()).ok().transcript();
    golden("filter", &text);
    let ran = folder.run_on(&format!("filter {flags} --strict -q"), stream.as_bytes());
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.text().starts_with("{\"id\":7,") && ran.err.contains("-:2"),
        "{ran:?}"
    );
}

#[test]
fn a_filter_takes_its_lexicon_from_what_it_knows() {
    let folder = folder();
    let known = format!("{}{}{}", news(), line("\"x\"", STORM), line("\"y\"", STORM));
    folder.add("known.jsonl", known);
    let ran = folder
        .run_on("filter --against known.jsonl", line("1", STORM).as_bytes())
        .ok();
    assert!(
        ran.err.contains("counted from the known documents"),
        "{ran:?}"
    );
    assert!(ran.text().contains("\"duplicate_of\":\"y\""), "{ran:?}");
}

/// Without known documents there is nothing to count words in, and nothing needs it.
#[test]
fn a_filter_may_begin_with_nothing() {
    let folder = folder();
    let stream = news();
    for flags in [
        "--lexicon other.lexicon",
        "--method supershingles",
        "--method exact",
    ] {
        let line = format!("filter --learn {flags}");
        let ran = folder.run_on(&line, stream.as_bytes()).ok();
        assert!(ran.text().contains("\"duplicate_of\":\"storm\""), "{ran:?}");
        assert!(ran.text().contains("\"verdict\":\"not judged\""), "{ran:?}");
        assert!(ran.err.contains("    known  0 documents\n"), "{ran:?}");
    }
}

/// The flags that help shows are those that the command takes.
#[test]
fn help_shows_what_the_command_does() {
    let folder = folder();
    folder.add("known.jsonl", news());
    let shown = |command: &str| {
        folder
            .run(&format!("{command} --help"))
            .ok()
            .text()
            .to_owned()
    };
    let own = ["--threshold", "--spots"];
    for (command, methods, hidden) in [
        (
            "filter",
            "imatch, supershingles, exact, shingles,",
            &own[..0],
        ),
        (
            "signatures",
            "imatch, supershingles, exact, minhash, andd]",
            &own,
        ),
    ] {
        let help = shown(command);
        assert!(
            help.contains(&format!("[possible values: {methods}")),
            "{help}"
        );
        assert!(help.contains("[default: imatch"), "{help}");
        for flag in ["--unsigned", "--candidates", "--join"]
            .iter()
            .chain(hidden)
        {
            assert!(!help.contains(flag), "{command} {flag}");
        }
        // Every value of --method does something.
        for method in ["imatch --lexicon other.lexicon", "supershingles", "exact"] {
            let inputs = match command {
                "filter" => "filter news.jsonl --against known.jsonl",
                _ => "signatures news.jsonl",
            };
            folder.run(&format!("{inputs} --method {method}")).ok();
        }
    }
    for command in ["signals", "train signals"] {
        assert!(!shown(command).contains("--content"), "{command}");
    }
    let judge = shown("judge");
    assert!(
        judge.contains("a row for each result: query, id, class, size"),
        "{judge}"
    );
}

/// Each answer comes before the next document is sent.
#[test]
fn a_filter_does_not_wait_for_more() {
    let folder = folder();
    folder.add("known.jsonl", line("\"spam-1\"", BRIDGE));
    let mail = |id: usize, text: &str| {
        format!("From a@b Thu Jan  1 00:00:0{id} 2026\nSubject: {id}\n\n{text}\n\n")
    };
    let streams = [
        (vec![line("1", BRIDGE), line("2", STORM)], ""),
        // Where a message ends is known when the next begins.
        (
            vec![
                mail(1, BRIDGE) + "From a@b Thu Jan  1 00:00:09 2026\n",
                "Subject: 2\n\nhello\n\n".to_owned(),
            ],
            "--format mbox",
        ),
    ];
    for (parts, format) in streams {
        let args = format!("filter --against known.jsonl --lexicon other.lexicon -q {format}");
        let args: Vec<&str> = args.split_whitespace().collect();
        let mut child = folder.command(&args).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut answers = BufReader::new(child.stdout.take().unwrap());
        let mut answer = String::new();
        stdin.write_all(parts[0].as_bytes()).unwrap();
        answers.read_line(&mut answer).unwrap();
        assert!(answer.contains("\"duplicate_of\":\"spam-1\""), "{answer}");
        answer.clear();
        stdin.write_all(parts[1].as_bytes()).unwrap();
        drop(stdin);
        answers.read_line(&mut answer).unwrap();
        assert!(answer.contains("\"duplicate_of\":null"), "{answer}");
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn a_filter_reads_a_mail() {
    let folder = folder();
    folder.add("known.jsonl", line("\"spam-1\"", BRIDGE));
    let mail = format!("From: a@b.example\nSubject: News\n\n{BRIDGE_EDITED}\n");
    let ran = folder
        .run_on(
            "filter --against known.jsonl --lexicon other.lexicon -q --format eml",
            mail.as_bytes(),
        )
        .ok();
    assert!(
        ran.text().contains("\"duplicate_of\":\"spam-1\""),
        "{ran:?}"
    );
}

/// What duplicates what must be found again in the mailbox.
#[test]
fn mails_of_a_stream_have_their_own_names() {
    let folder = folder();
    let mail = |id: &str, text: &str| {
        format!("From a@b Thu Jan  1 00:00:00 2026\n{id}Subject: News\n\n{text}\n\n")
    };
    let one = mail("Message-ID: <one@example.org>\n", BRIDGE);
    let other = mail("", STORM);
    folder.add("spam.mbox", format!("{one}{other}{one}"));
    let flags = "--lexicon other.lexicon -q";
    // The same mail twice is no reason to stop.
    let ran = folder
        .run(&format!("pairs spam.mbox --method imatch {flags}"))
        .ok();
    let expected = "{\"a\":\"one@example.org\",\"b\":\"spam.mbox:3\",\"score\":1.0}\n";
    assert_eq!(ran.text(), expected);
    let two = mail("Message-ID: <two@example.org>\n", BRIDGE_EDITED);
    for (format, stream) in [("mbox", format!("{two}{other}")), ("eml", two)] {
        let line = format!("filter --against spam.mbox {flags} --format {format}");
        let ran = folder.run_on(&line, stream.as_bytes()).ok();
        let told = "{\"id\":\"two@example.org\",\"duplicate_of\":\"one@example.org\",";
        assert!(ran.text().starts_with(told), "{ran:?}");
        if format == "mbox" {
            assert!(
                ran.text()
                    .contains("{\"id\":\"-:2\",\"duplicate_of\":\"spam.mbox:2\",")
            );
        }
    }
    let line = "compare one@example.org spam.mbox:3 --in spam.mbox";
    folder.run(line).ok();
}
