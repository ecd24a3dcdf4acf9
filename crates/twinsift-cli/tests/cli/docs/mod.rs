//! README and guide do what they say: every example in them is run here, on files made for
//! it, and must print what is shown.
//!
//! An example is a fenced block of commands, or a whole command in a sentence. Those of one
//! section run in one folder, in their order. A command with words in capitals (`IN…`, `FILE`)
//! says what to fill in: it is not run, but the flags in it must exist. What is not run
//! for another reason is in [`NOT_RUN`].

pub mod flags;
mod made;
pub mod markdown;
mod shell;

use self::markdown::{Code, Kind, Section, sections, text};
use self::shell::{Command, run};
use crate::Folder;
use crate::render::server::{Server, page};
use crate::texts::{BRIDGE, BRIDGE_EDITED, STORM};

/// Blocks that are not run: how they begin, and why.
const NOT_RUN: &[(&str, &str)] = &[
    (
        "cargo run --release -p twinsift-cli -- demo",
        "it builds a release",
    ),
    ("pip install twinsift", "it needs a release"),
    ("pip install \"twinsift[spark]\"", "it needs a release"),
    (
        "twinsift serve collections/",
        "it does not end; tests of the service start it",
    ),
    (
        "twinsift review ",
        "it does not end; tests of the review start it, and compare raters",
    ),
    (
        "a,b,label,when,why",
        "rows of a file that a review writes; its tests look at them",
    ),
    (
        "curl ",
        "tests of the service send what is shown to a service",
    ),
    ("{\"id\":null,\"verdict\"", "tests of the service expect it"),
    (
        "mkdir -p /etc/rspamd/",
        "a test of its own takes the walk with the real rspamd",
    ),
    (
        "$ rspamc ",
        "a test of its own takes the walk with the real rspamd",
    ),
    (
        "rspamc ",
        "a test of its own takes the walk with the real rspamd",
    ),
    ("spark-submit", "tests of the Python package run the job"),
    (
        "id,cluster\n",
        "three rows of a file that the reader writes",
    ),
];

/// What is run in place of something else, and why.
const INSTEAD: &[(&str, &str, &str)] = &[
    ("--tmp /big/disk", "--tmp .", "not every machine has one"),
    ("tail -f ", "cat ", "the stream must end"),
    (
        "--search ev/",
        "--search ev/ --queries 4",
        "900 pages take minutes",
    ),
];

/// What the output of a command must hold where the documentation shows none.
const PRINTED: &[(&str, &str)] = &[
    ("twinsift compare", "near duplicates"),
    ("twinsift filter", "\"duplicate_of\":\""),
    ("twinsift judge", "repeats"),
    ("twinsift signals --list", "snippet_mcd"),
    ("twinsift spots --show de", "der"),
    ("twinsift train show", "duplicate"),
];

#[test]
fn examples_of_the_readme() {
    assert!(run_examples("README.md", false) >= 4);
}

#[test]
fn examples_of_the_guide() {
    assert!(run_examples("GUIDE.md", false) >= 25);
}

#[test]
fn examples_that_need_a_browser() {
    assert!(run_examples("README.md", true) + run_examples("GUIDE.md", true) >= 1);
}

/// Runs the examples of a file that need a browser, or all others; how many these are.
fn run_examples(name: &str, in_browser: bool) -> usize {
    let (mut count, mut faults) = (0, Vec::new());
    for section in sections(name) {
        let mut examples = examples(&section);
        examples.retain(|example| example.needs_browser() == in_browser);
        let folder = Folder::new();
        make_files(&folder, &examples);
        for example in &examples {
            let place = &example.place;
            let fault = example.run(&folder).err();
            faults.extend(fault.map(|fault| format!("{place}: {fault}")));
        }
        count += examples.len();
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    count
}

/// Something to run, or a file that what follows needs.
struct Example {
    place: String,
    file: Option<(String, String)>,
    commands: Vec<Command>,
}

impl Example {
    fn needs_browser(&self) -> bool {
        self.names("twinsift render")
    }

    fn names(&self, words: &str) -> bool {
        self.commands
            .iter()
            .any(|command| command.text.contains(words))
    }

    fn run(&self, folder: &Folder) -> Result<(), String> {
        if let Some((name, text)) = &self.file {
            folder.add(name, text);
        }
        let printed = run(folder, &self.commands)?;
        for (command, printed) in self.commands.iter().zip(printed) {
            let missing = PRINTED
                .iter()
                .find(|(begin, words)| command.text.contains(begin) && !printed.contains(words));
            if let Some((_, words)) = missing {
                return Err(format!("{}: no {words}\n{printed}", command.text));
            }
        }
        Ok(())
    }
}

/// Makes the files that examples name.
fn make_files(folder: &Folder, examples: &[Example]) {
    for (name, make) in made::FILES {
        let is_named =
            |command: &Command| command.text.split_whitespace().any(|word| word == *name);
        if examples
            .iter()
            .any(|example| example.commands.iter().any(is_named))
        {
            make(folder, name);
        }
    }
    if examples.iter().any(|example| example.names("urls.txt")) {
        let site = Server::start(|asked, _, stream| match asked.path.as_str() {
            "/storm" => page(stream, &format!("<p>{STORM}")),
            "/bridge" => page(stream, &format!("<p>{BRIDGE}")),
            _ => page(
                stream,
                &format!("<p id=p><script>p.append('{BRIDGE_EDITED}')</script>"),
            ),
        });
        let urls = ["/bridge", "/storm", "/written"].map(|path| site.at("site", path));
        folder.add("urls.txt", urls.join("\n"));
    }
}

/// The examples of a section.
fn examples(section: &Section) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    for Code { place, kind } in &section.code {
        let mut add = |file, commands| {
            examples.push(Example {
                place: place.clone(),
                file,
                commands,
            })
        };
        match kind {
            Kind::Span(span) if flags::is_whole_command(span) => add(None, commands(span)),
            Kind::Span(_) => {}
            Kind::Block(_, block) if NOT_RUN.iter().any(|(begin, _)| block.starts_with(begin)) => {}
            Kind::Block(language, block) => match language.as_str() {
                "" if block.starts_with("$ ") => add(None, transcript(block)),
                "" if block.lines().any(|line| flags::command(line).is_some()) => {
                    add(None, commands(block))
                }
                // What the block before prints.
                "" => {
                    let before = examples
                        .last_mut()
                        .and_then(|example| example.commands.last_mut());
                    let before =
                        before.unwrap_or_else(|| panic!("{place}: neither run nor listed"));
                    before.shown.extend(block.lines().map(str::to_owned));
                }
                "toml" => {
                    let name = block
                        .lines()
                        .next()
                        .and_then(|line| line.strip_prefix("# "));
                    let name = name.unwrap_or_else(|| panic!("{place}: a file without a name"));
                    add(Some((name.to_owned(), block.clone())), Vec::new());
                }
                // Held to be the library's own, which runs as a documentation test.
                "rust" => {}
                // Run by the tests of the Python package.
                "python" => {}
                _ => panic!("{place}: neither run nor listed"),
            },
        }
    }
    examples
}

/// A command in each line, or in several that end in a backslash.
fn commands(block: &str) -> Vec<Command> {
    let joined = block.replace("\\\n", " ");
    joined.lines().map(command).collect()
}

fn command(text: &str) -> Command {
    let mut text = text.to_owned();
    for (shown, instead, _) in INSTEAD {
        text = text.replace(shown, instead);
    }
    let shown = Vec::new();
    Command { text, shown }
}

/// Commands behind `$ `, and below each what it prints.
fn transcript(block: &str) -> Vec<Command> {
    let mut commands: Vec<Command> = Vec::new();
    for line in block.lines() {
        match line.strip_prefix("$ ") {
            Some(text) => commands.push(command(text)),
            None => commands.last_mut().unwrap().shown.push(line.to_owned()),
        }
    }
    commands
}

/// The mail that examples run on is as mail is: some values of its signatures are rejected,
/// of the first message too.
#[test]
fn the_first_known_mail_has_rejected_values() {
    let example = Example {
        place: String::new(),
        file: None,
        commands: commands(
            "twinsift lexicon old-mail.mbox -o mail.lexicon\n\
             twinsift signatures spam/ --lexicon mail.lexicon --idf 0.2,0.3 -o spam.csv",
        ),
    };
    let folder = Folder::new();
    make_files(&folder, std::slice::from_ref(&example));
    example.run(&folder).unwrap();
    let rows = folder.text("spam.csv");
    let first: Vec<&str> = rows.lines().nth(1).unwrap().split(',').collect();
    let rejected = first
        .iter()
        .filter(|cell| cell.trim_matches('"').is_empty());
    assert!((1..11).contains(&rejected.count()), "{first:?}");
}

#[test]
fn the_readme_names_every_command() {
    let help = Folder::new().run("--help").ok();
    let (_, commands) = help.text().split_once("Commands:\n").unwrap();
    let (commands, _) = commands.split_once("\n\n").unwrap();
    let readme = text("README.md");
    for line in commands.lines() {
        let name = line[2..].split(' ').next().unwrap();
        let is_named = readme.contains(&format!("| `twinsift {name}"));
        assert!(is_named || matches!(name, "" | "help"), "{name}");
    }
}

/// The library's own example is run as a documentation test; the README has the same.
#[test]
fn the_code_of_the_readme_is_the_librarys() {
    let library = text("crates/twinsift/src/lib.rs");
    let mut lines = library
        .lines()
        .skip_while(|line| *line != "//! ```")
        .skip(1);
    let code: Vec<&str> = lines
        .by_ref()
        .take_while(|line| *line != "//! ```")
        .map(|line| line.trim_start_matches("//!").trim_start_matches(' '))
        .filter(|line| !line.starts_with("# "))
        .collect();
    let blocks = sections("README.md")
        .into_iter()
        .flat_map(|section| section.code);
    let shown: Vec<String> = blocks
        .filter_map(|code| match code.kind {
            Kind::Block(language, block) if language == "rust" => Some(block),
            _ => None,
        })
        .collect();
    let plain = |code: &str| code.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    assert_eq!(
        shown.iter().map(|block| plain(block)).collect::<Vec<_>>(),
        [plain(&code.join("\n"))]
    );
}

/// The library runs the examples that the guide leads to as documentation tests.
#[test]
fn examples_that_the_guide_leads_to_are_run() {
    let library = text("crates/twinsift/src/lib.rs");
    let guide = text("GUIDE.md");
    let leads = guide.split("(crates/twinsift/examples/").skip(1);
    let names: Vec<&str> = leads.filter_map(|rest| rest.split(')').next()).collect();
    assert!(names.len() > 3, "{names:?}");
    for name in names {
        let run = format!("include_str!(\"../examples/{name}\")");
        assert!(library.contains(&run), "{name} is not run");
    }
}
