//! What makes no sense is refused with a sentence that says why, before any work
//! is done.

use super::Folder;
use super::texts::{BRIDGE, line, news};

/// A folder with a file of which the second line is broken; a run that reads it
/// says so.
fn folder() -> Folder {
    Folder::with("a.jsonl", line("1", BRIDGE) + "{broken\n")
}

#[test]
fn combinations_that_mean_nothing() {
    let folder = folder();
    let mut text = String::new();
    for flags in [
        "--threshold 0",
        "--threshold 1.5",
        "--threshold=-0.5",
        "--threshold nan",
        "--threshold inf",
        "--k 0",
        "--k 5000",
        "--features words --k 3",
        "--method exact --threshold 0.9",
        "--method exact --match join",
        "--method supershingles --features words",
        "--method supershingles --match lsh",
        "--method supershingles --threshold 0.5",
        "--method simhash --threshold 0.9",
        "--method simhash --bits 100",
        "--method simhash --distance 64",
        "--method minhash --weights tfidf",
        "--method minhash --similarity cosine",
        "--method minhash --bands 0",
        "--method minhash --bands 1000 --rows 1000",
        "--bands 4",
        "--rows 4",
        "--bits 64",
        "--distance 3",
        "--match hash --weights counts",
        "--spots 2:3",
        "--method minhash --min-spots 3",
        "--language de",
        "--fallback shingles",
        "--unsigned few.csv",
        "--method spotsigs --k 3",
        "--method spotsigs --features words",
        "--method spotsigs --idf 0.8,0.2",
        "--method spotsigs --weights tfidf --match lsh",
        "--method exact --idf 0.2,0.8",
        "--method supershingles --features spots",
        "--method minhash --join prefix",
        "--similarity cosine --join spotsigs",
    ] {
        let told = folder.run(&format!("pairs a.jsonl {flags}")).refuses(2);
        text += &format!("{flags}\n    {told}\n");
        let also = folder
            .run(&format!("dedup a.jsonl -o out.jsonl {flags}"))
            .refuses(2);
        assert_eq!(also, told, "{flags}");
    }
    super::golden("refused", &text);
    assert_eq!(folder.list(), ["a.jsonl"]);
}

#[test]
fn values_that_are_none() {
    let folder = folder();
    for (flags, part) in [
        ("--memory 12Q", "\"q\" is no unit: use K, M, G or T"),
        ("--memory much", "\"much\" is no unit"),
        ("--memory 0", "it is out of range"),
        ("--memory -5M", "unexpected argument '-5'"),
        ("--threads 0", "0 is not in 1.."),
        ("--threads many", "invalid digit"),
        ("--seed x", "invalid digit"),
        ("--threshold high", "invalid float"),
        (
            "--method magic",
            "[possible values: exact, shingles, spotsigs, minhash",
        ),
        (
            "--match fuzzy",
            "[possible values: join, lsh, hash, hamming]",
        ),
        (
            "--features letters",
            "[possible values: words, shingles, spots, lexicon, learned]",
        ),
        ("--spots the:0:1", "have a distance outside 1 to 1000"),
        (
            "--language xx",
            "there are no lists for the language \"xx\"",
        ),
        ("--idf 0.2", "is not two numbers with a comma"),
        ("--fallback words", "[possible values: shingles]"),
        ("--join nopart", "[possible values: prefix, spotsigs]"),
        ("--format docx", "[possible values: jsonl, json"),
        ("--content some", "[possible values: all, main]"),
        ("--bogus", "unexpected argument '--bogus'"),
        (
            "--tmp nowhere",
            "--tmp nowhere is not a folder: make it, or name another",
        ),
        ("--tmp a.jsonl", "--tmp a.jsonl is not a folder"),
    ] {
        let told = folder.run(&format!("pairs a.jsonl {flags}")).fails(2);
        assert!(told.contains(part), "{flags}: {told}");
    }
    for (line, part) in [
        ("pairs", "<IN>..."),
        ("compare a.jsonl", "<B>"),
        ("unknown", "unrecognized subcommand 'unknown'"),
        (
            "clusters a.jsonl --group ring",
            "[possible values: representative, connected]",
        ),
        ("demo --documents -1", "unexpected argument '-1'"),
    ] {
        let told = folder.run(line).fails(2);
        assert!(told.contains(part), "{line}: {told}");
    }
}

/// Names that flags, keys and values had earlier are still understood, and not shown.
#[test]
fn earlier_names() {
    let folder = Folder::with("a.jsonl", news());
    folder.add("old.toml", "match = \"exact\"\nfeatures = \"words\"\n");
    folder.add("new.toml", "match = \"join\"\nfeatures = \"words\"\n");
    folder.add("imatch-old.toml", "method = \"imatch\"\nlexicons = 3\n");
    folder.add(
        "imatch-new.toml",
        "method = \"imatch\"\nrandom_lexicons = 3\n",
    );
    let recipe = |line: &str| {
        let told = folder.run(line).ok().err;
        let line = told.lines().find(|line| line.contains("recipe"));
        line.map(str::to_owned).unwrap()
    };
    for (old, new) in [
        ("pairs a.jsonl --match exact", "pairs a.jsonl --match join"),
        (
            "pairs a.jsonl --config old.toml",
            "pairs a.jsonl --config new.toml",
        ),
        (
            "pairs a.jsonl --method imatch --lexicons 3",
            "pairs a.jsonl --method imatch --random-lexicons 3",
        ),
        (
            "pairs a.jsonl --config imatch-old.toml",
            "pairs a.jsonl --config imatch-new.toml",
        ),
    ] {
        assert_eq!(recipe(old), recipe(new), "{old}");
    }
    for (line, flag) in [
        ("eval a.jsonl --gold cluster --group x", "--unjudged-within"),
        (
            "train andd a.jsonl --labels cluster --group x -o m",
            "--unjudged-within",
        ),
        (
            "train signals a.jsonl --pairs p.csv --group x -o m",
            "--split-by",
        ),
        ("judge --run r --docs a.jsonl --k 5", "--depth"),
    ] {
        let ran = folder.run(line);
        assert!(!ran.err.contains("unexpected argument"), "{ran:?}");
        let command = line.split(" a.jsonl").next().unwrap();
        let command = command.split(" --").next().unwrap();
        let help = folder.run(&format!("{command} --help")).ok();
        assert!(help.text().contains(flag), "{line}");
        assert!(!help.text().contains("--group"), "{line}");
    }
}

#[test]
fn rules_that_are_none() {
    let folder = folder();
    for (rule, expected) in [
        (
            "best",
            "--keep best is unknown: use first, longest, max:FIELD or min:FIELD",
        ),
        (
            "max",
            "--keep max is unknown: use first, longest, max:FIELD or min:FIELD",
        ),
        ("max:", "--keep max: names no field: write max:FIELD"),
        ("min:", "--keep min: names no field: write min:FIELD"),
    ] {
        let told = folder.run(&format!("dedup a.jsonl -o out.jsonl --keep {rule}"));
        assert_eq!(told.refuses(2), expected);
    }
}

/// What is read is not written over, by itself or as one of a folder; and no output is
/// written over by another.
#[test]
fn outputs_that_would_be_lost() {
    let folder = Folder::with("all/a.jsonl", line("1", BRIDGE));
    folder.add("new.jsonl", line("2", BRIDGE));
    for run in [
        "pairs all -o all/a.jsonl",
        "clusters new.jsonl --against all -o all/a.jsonl",
        "dedup new.jsonl --against all -o all/a.jsonl",
        "dedup all -o out.jsonl --removed all/a.jsonl",
    ] {
        let told = folder.run(run).refuses(2);
        assert!(told.contains("all/a.jsonl is one of the inputs"), "{told}");
    }
    for run in [
        "clusters new.jsonl --method spotsigs -o x.csv --unsigned x.csv",
        "dedup new.jsonl --method spotsigs -o x.jsonl --removed y.csv --unsigned y.csv",
        "dedup new.jsonl -o x.jsonl --removed x.jsonl",
    ] {
        let told = folder.run(run).refuses(2);
        assert!(told.contains("name the same file"), "{told}");
    }
    let told = folder.run("dedup all new.jsonl -o clean/ --removed clean/went.csv");
    assert_eq!(
        told.refuses(2),
        "--removed stands in the folder that -o names, which is for survivors alone: name another place"
    );
    let told = folder.run("dedup new.jsonl --removed -").refuses(2);
    assert_eq!(
        told,
        "-o and --removed both go to standard output: name a file"
    );
    assert_eq!(folder.list(), ["all/a.jsonl", "new.jsonl"]);
    let ran = folder.run("dedup all/a.jsonl new.jsonl -o x.jsonl --removed -");
    assert_eq!(
        ran.ok().text(),
        "{\"id\":2,\"duplicate_of\":1,\"score\":1.0}\n"
    );
}

/// A file may be called as standard input is.
#[test]
fn a_file_called_like_standard_input_takes_nothing_from_it() {
    let folder = Folder::with("-", "what?\n");
    let input = line("1", BRIDGE) + &line("2", BRIDGE);
    let ran = folder.run_on("pairs - -q", input.as_bytes()).ok();
    assert_eq!(ran.text(), "{\"a\":1,\"b\":2,\"score\":1.0}\n");
}

/// A method is features and a matcher, so the file's own give way to it.
#[test]
fn a_method_on_the_command_line_takes_the_place_of_the_files() {
    let folder = folder();
    folder.add(
        "c.toml",
        "features = \"words\"\nmatch = \"lsh\"\nseed = 7\n",
    );
    let told = folder.run("pairs a.jsonl --config c.toml").ok().err;
    assert!(told.contains("words, min-hash 18 bands"), "{told}");
    let line = "pairs a.jsonl --config c.toml --method simhash";
    let told = folder.run(line).ok().err;
    let plain = folder
        .run("pairs a.jsonl --method simhash --seed 7")
        .ok()
        .err;
    let recipe = |told: &str| {
        told.lines()
            .find(|line| line.contains("recipe"))
            .map(str::to_owned)
    };
    assert!(recipe(&told).is_some());
    assert_eq!(recipe(&told), recipe(&plain));
}

#[test]
fn config_files_that_are_wrong() {
    let folder = folder();
    let run = |content: &str| {
        folder.add("c.toml", content);
        folder.run("pairs a.jsonl --config c.toml").refuses(2)
    };
    let told = run("k = 3\nthreshold = = 4\n");
    assert!(told.starts_with("c.toml, line 2: "), "{told}");
    let told = run("k = 3\n\ntreshold = 0.4\n");
    assert!(
        told.starts_with(
            "c.toml, line 3: there is no setting \"treshold\"; there are find, method, "
        ),
        "{told}"
    );
    let told = run("threads = 2\nthreshold = \"high\"\n");
    assert!(told.starts_with("c.toml, line 2: threshold: "), "{told}");
    let told = run("method = \"magic\"\n");
    assert!(told.starts_with("c.toml, line 1: method: "), "{told}");
    let told = run("seed = 1\nmemory = \"lots\"\n");
    assert!(told.starts_with("c.toml, line 2: memory: "), "{told}");
    for threads in ["-1", "0"] {
        let told = run(&format!("threads = {threads}\n"));
        assert!(told.starts_with("c.toml, line 1: threads: "), "{told}");
    }
    let told = run("content = \"some\"\n");
    assert_eq!(told, "content \"some\" is unknown: use all or main");
    let told = run("threshold = 7\n");
    assert!(told.contains("above 0 and at most 1"), "{told}");
    let told = run("bands = 7\n");
    assert_eq!(
        told,
        "--bands has no meaning here: it belongs to --match lsh (c.toml has a say in this)"
    );
    let told = folder.run("pairs a.jsonl --config gone.toml").refuses(2);
    assert_eq!(
        told,
        "cannot read the config file gone.toml: No such file or directory"
    );
}

#[test]
fn outputs_that_cannot_be() {
    let folder = folder();
    std::fs::create_dir(folder.path("folder")).unwrap();
    folder.add("mixed/a.jsonl", line("2", BRIDGE));
    folder.add("mixed/b.txt", BRIDGE);
    let before = folder.list();
    // One line on standard error: the broken record was not even read.
    for (line, code, part) in [
        (
            "pairs a.jsonl -o gone/x.csv",
            1,
            "cannot write gone/x.csv: No such file or directory",
        ),
        (
            "clusters a.jsonl -o gone/x.csv",
            1,
            "cannot write gone/x.csv: No such file or directory",
        ),
        (
            "dedup a.jsonl -o gone/x.jsonl",
            1,
            "cannot write gone/x.jsonl: No such file or directory",
        ),
        (
            "dedup mixed -o gone/x/",
            1,
            "cannot write gone/x/: No such file or directory",
        ),
        (
            "dedup a.jsonl -o x.jsonl --removed gone/x.csv",
            1,
            "cannot write gone/x.csv: No such file or directory",
        ),
        (
            "demo --out x.csv",
            2,
            "cannot write x.csv: these rows are written as JSON lines only; end the name in .jsonl",
        ),
        (
            "demo --out gone/x.jsonl",
            1,
            "cannot write gone/x.jsonl: No such file or directory",
        ),
        (
            "pairs a.jsonl -o a.jsonl/x.csv",
            1,
            "cannot write a.jsonl/x.csv: Not a directory",
        ),
        (
            "pairs a.jsonl -o folder",
            1,
            "cannot write folder: it is a folder",
        ),
        (
            "pairs a.jsonl -o x.doc",
            2,
            "cannot write x.doc: no table format is called .doc",
        ),
        ("clusters a.jsonl -o x.json", 2, "cannot write x.json: "),
        (
            "dedup a.jsonl -o x.jsonl --removed x.txt",
            2,
            "cannot write x.txt: no table format",
        ),
        (
            "dedup a.jsonl -o x.jsonl --removed x.jsonl",
            2,
            "-o and --removed name the same file",
        ),
        (
            "dedup a.jsonl -o x.csv.gz",
            2,
            "cannot write x.csv.gz: the survivors are JSON lines like the inputs: name the output x.jsonl.gz",
        ),
        (
            "dedup mixed -o x.jsonl",
            2,
            "the inputs do not fit into one file x.jsonl: ",
        ),
        (
            "dedup mixed",
            2,
            "the inputs do not fit into one stream: name a folder for the survivors, such as -o clean/",
        ),
    ] {
        let told = folder.run(line).refuses(code);
        assert!(told.starts_with(part), "{line}: {told}");
    }
    assert_eq!(folder.list(), before);
}

#[test]
fn inputs_are_not_written_over() {
    let folder = folder();
    folder.add("b.jsonl", line("2", BRIDGE));
    folder.add("old/c.jsonl", line("3", BRIDGE));
    let before = folder.text("a.jsonl");
    for (line, name) in [
        ("pairs a.jsonl -o a.jsonl", "-o a.jsonl"),
        ("clusters a.jsonl b.jsonl -o ./b.jsonl", "-o ./b.jsonl"),
        ("pairs b.jsonl --against a.jsonl -o a.jsonl", "-o a.jsonl"),
        (
            "dedup b.jsonl --against a.jsonl -o old/../a.jsonl",
            "-o old/../a.jsonl",
        ),
        (
            "dedup b.jsonl -o x.jsonl --removed b.jsonl",
            "--removed b.jsonl",
        ),
    ] {
        let told = folder.run(line).refuses(2);
        let expected =
            format!("{name} is one of the inputs, which it would replace: name another file");
        assert_eq!(told, expected, "{line}");
    }
    let told = folder
        .run("dedup a.jsonl -o x.jsonl --removed ./x.jsonl")
        .refuses(2);
    assert!(
        told.starts_with("-o and --removed name the same file"),
        "{told}"
    );
    assert_eq!(folder.text("a.jsonl"), before);
    assert_eq!(folder.list(), ["a.jsonl", "b.jsonl", "old/c.jsonl"]);
}

#[test]
fn names_that_nothing_has_are_mistakes() {
    let folder = Folder::new();
    folder.add("a.jsonl", news());
    let told = folder
        .run("dedup a.jsonl --keep max:absent -o clean.jsonl")
        .refuses(2);
    assert_eq!(
        told,
        "no document has the field \"absent\" that --keep asks for"
    );
    let ran = folder.run("dedup a.jsonl --text-field absent -o clean.jsonl");
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("not one document could be read"),
        "{}",
        ran.err
    );
    assert_eq!(folder.list(), ["a.jsonl"]);
}

/// The next run would read the survivors as well.
#[test]
fn survivors_do_not_go_where_they_are_read() {
    let folder = Folder::with("in/a.jsonl", line("1", BRIDGE));
    folder.add("in/deep/b.jsonl", line("2", BRIDGE));
    for out in [
        "in/out",
        "in/out/",
        "in/clean.jsonl",
        "in/deep/x.jsonl",
        "./in/../in/out/",
    ] {
        let told = folder.run(&format!("dedup in -o {out}")).refuses(2);
        assert_eq!(
            told,
            format!(
                "-o {out} stands in in, which is read, so that the next run would read it too: name a place outside"
            )
        );
    }
    assert_eq!(folder.list(), ["in/a.jsonl", "in/deep/b.jsonl"]);
    folder.run("dedup in -o out/").ok();
    folder.run("dedup in/a.jsonl -o in/clean.jsonl").ok();
}

/// What comes by standard input has no name of its own.
#[test]
fn survivors_of_standard_input_have_a_name() {
    let folder = Folder::new();
    let rows = line("1", BRIDGE) + &line("2", BRIDGE);
    folder.run_on("dedup - -o out/ -q", rows.as_bytes()).ok();
    assert_eq!(folder.list(), ["out/stdin.jsonl"]);
    assert_eq!(folder.text("out/stdin.jsonl"), line("1", BRIDGE));
    let packed = super::gzip(rows.as_bytes());
    folder.run_on("dedup - -o packed/ -q", &packed).ok();
    let out = super::gunzip(&folder.read("packed/stdin.jsonl.gz"));
    assert_eq!(out, line("1", BRIDGE).into_bytes());
}

/// Numbers are compared with numbers; a stray text wins nothing.
#[test]
fn text_does_not_outrank_numbers() {
    let row =
        |id: u32, score: &str| format!("{{\"id\":{id},\"text\":\"{BRIDGE}\",\"score\":{score}}}\n");
    let rows = row(1, "\"n/a\"") + &row(2, "3") + &row(3, "10") + &row(4, "null");
    let folder = Folder::with("a.jsonl", rows);
    for (rule, kept) in [("max", 3), ("min", 2)] {
        let ran = folder
            .run(&format!("dedup a.jsonl --keep {rule}:score -o out.jsonl"))
            .ok();
        assert!(
            folder
                .text("out.jsonl")
                .starts_with(&format!("{{\"id\":{kept},"))
        );
        assert_eq!(folder.text("out.jsonl").lines().count(), 1);
        let note =
            "note: the field \"score\" of --keep is text in 1 document, and numbers go first\n";
        assert!(ran.err.starts_with(note), "{ran:?}");
    }
}

/// A killed run cannot clear up; the next one with the same target does.
#[test]
#[cfg(unix)]
fn what_a_killed_run_left_is_cleared_by_the_next() {
    use std::io::Write;
    let folder = Folder::new();
    // The output is begun once all of the input is there, and stays so while a pipe for
    // what went is not read: so the kill meets a file in the making.
    let fifo = folder.path("removed.csv");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.unwrap().success());
    let mut child = folder
        .command(&[
            "dedup",
            "-",
            "-o",
            "out.jsonl",
            "-q",
            "--removed",
            "removed.csv",
        ])
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let rows = line("1", BRIDGE) + &line("2", BRIDGE);
    stdin.write_all(rows.as_bytes()).unwrap();
    drop(stdin);
    let left = || {
        folder
            .list()
            .into_iter()
            .filter(|name| name.contains(".twinsift-"))
            .count()
    };
    let started = std::time::Instant::now();
    while left() == 0 && started.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(left(), 1);
    std::fs::remove_file(&fifo).unwrap();
    for spooled in std::fs::read_dir(folder.temporary.path()).unwrap() {
        std::fs::remove_file(spooled.unwrap().path()).unwrap();
    }
    folder
        .run_on("dedup - -o out.jsonl -q", rows.as_bytes())
        .ok();
    assert_eq!(folder.list(), ["out.jsonl"]);
}
