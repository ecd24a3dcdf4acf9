//! Commands that the documentation speaks of: they and their flags must exist.

use super::markdown::{Kind, sections};
use crate::Folder;
use std::collections::{BTreeMap, BTreeSet};

/// All documentation with commands in it.
const FILES: [&str; 6] = [
    "README.md",
    "GUIDE.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "benchsuite/README.md",
    "docs/results.md",
];

/// What follows the command's name in a line that calls it.
pub fn command(line: &str) -> Option<&str> {
    let line = line.trim_start_matches("$ ");
    let piped = line.split_once("| twinsift ").map(|(_, rest)| rest);
    line.strip_prefix("twinsift ").or(piped)
}

/// Whether code in a sentence can be run: nothing is to be filled in, and there is more
/// than the name of a command.
pub fn is_whole_command(span: &str) -> bool {
    let Some(rest) = span.strip_prefix("twinsift ") else {
        return false;
    };
    let to_fill_in = |word: &str| {
        let stem = word.split('.').next().unwrap_or_default();
        word.contains(['…', '|'])
            || !stem.is_empty() && stem.chars().all(|c| c.is_ascii_uppercase())
    };
    let is_name = |word: &str| word.chars().all(|c| c.is_ascii_lowercase());
    let words: Vec<&str> = rest.split_whitespace().collect();
    !words.iter().any(|word| to_fill_in(word)) && !words.iter().all(|word| is_name(word))
}

/// The flags of every command, by its name; `train` and `lexicon` have commands of their own.
pub fn known() -> BTreeMap<String, BTreeSet<String>> {
    let folder = Folder::new();
    let mut known = BTreeMap::new();
    let mut names = vec![String::new()];
    while let Some(name) = names.pop() {
        let help = folder.run(&format!("{name} --help")).ok();
        let word = |text: &str| {
            let end = text.find(|c: char| !c.is_ascii_lowercase() && c != '-');
            text[..end.unwrap_or(text.len())].to_owned()
        };
        if let Some((_, rest)) = help.text().split_once("Commands:\n") {
            for line in rest.lines().take_while(|line| !line.is_empty()) {
                let below = word(line.strip_prefix("  ").unwrap_or_default());
                if !below.is_empty() && below != "help" {
                    names.push(format!("{name} {below}").trim().to_owned());
                }
            }
        }
        // The lines that define one, up to what it is for.
        let defined = help.text().lines().map(str::trim_start);
        let defined = defined.filter(|line| line.starts_with('-'));
        let defined = defined.filter_map(|line| line.split("  ").next());
        let flags = defined.flat_map(flags).map(str::to_owned);
        known.insert(name, flags.collect());
    }
    known
}

/// Every flag in a text.
fn flags(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_ascii_lowercase() && c != '-');
    words.filter(|word| word.starts_with("--") && word.len() > 2)
}

#[test]
fn commands_and_flags_in_the_documentation_exist() {
    let known = known();
    let mut faults = Vec::new();
    let mut check = |place: &str, line: &str| {
        let Some(rest) = command(line) else { return };
        let mut words = rest.split_whitespace();
        let first = words.next().unwrap_or_default();
        let both = format!("{first} {}", words.next().unwrap_or_default());
        match known.get(&both).or_else(|| known.get(first)) {
            None => faults.push(format!("{place}: there is no twinsift {first}")),
            Some(known) => {
                for flag in flags(rest).filter(|flag| !known.contains(*flag)) {
                    faults.push(format!("{place}: twinsift {first} has no {flag}"));
                }
            }
        }
    };
    let mut alone = Vec::new();
    for code in FILES
        .iter()
        .flat_map(|name| sections(name))
        .flat_map(|section| section.code)
    {
        match code.kind {
            Kind::Block(_, block) => {
                for line in block.replace("\\\n", " ").lines() {
                    check(&code.place, line);
                }
            }
            Kind::Span(span) if span.starts_with("--") => alone.push((code.place, span)),
            Kind::Span(span) => check(&code.place, &span),
        }
    }
    let folder = Folder::new();
    for name in known.keys() {
        let help = folder.run(&format!("{name} --help")).ok();
        for line in help.text().lines() {
            check(&format!("the help of {name}"), line.trim_start());
        }
    }
    for (place, span) in alone {
        for flag in flags(&span) {
            if !known.values().any(|known| known.contains(flag)) && !place.starts_with("benchsuite")
            {
                faults.push(format!("{place}: no command has {flag}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
