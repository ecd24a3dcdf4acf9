//! Dependencies point downwards: between the crates, and between the modules of a crate.
//!
//! The order is declared in ARCHITECTURE.md, in a block that is marked `layers`: what
//! people read there is what is checked. After the name of a crate come its top-level
//! modules, lowest first; `<` separates ranks, and modules of one rank do not name each
//! other. After `crates` come the crates themselves. Tests may name anything.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::links::collect;

/// A crate or module, a file of it, and the crates or modules that are named there.
type Use = (String, PathBuf, Vec<String>);

/// The crate that stands in a folder of its own.
const PYTHON: &str = "twinsift-python";

/// Checks the crates and modules below `root`.
pub fn check(root: &Path) -> Result<()> {
    let text = read(&root.join("ARCHITECTURE.md"))?;
    let mut wrong = Vec::new();
    for (of, ranks) in declared(&text)? {
        let uses = match of {
            "crates" => crates(root)?,
            PYTHON => modules(&root.join("python/src"))?,
            name => modules(&root.join("crates").join(name).join("src"))?,
        };
        for gone in ranks
            .keys()
            .filter(|name| uses.iter().all(|(from, ..)| from != *name))
        {
            wrong.push(format!("{of}: {gone} is declared, and is not there"));
        }
        for (from, file, named) in &uses {
            let file = file.strip_prefix(root).unwrap_or(file).display();
            let Some(own) = ranks.get(from.as_str()) else {
                wrong.push(format!("{file}: {from} is not declared"));
                continue;
            };
            let is_up =
                |to: &&String| *to != from && ranks.get(to.as_str()).is_some_and(|to| to >= own);
            wrong.extend(named.iter().filter(is_up).map(|to| {
                format!("{file} names {to}, which is not below {from} in the order of {of}")
            }));
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => bail!("see the layers in ARCHITECTURE.md\n{}", wrong.join("\n")),
    }
}

/// The rank of each name, by crate.
fn declared(text: &str) -> Result<BTreeMap<&str, BTreeMap<&str, usize>>> {
    let block = text
        .split("```")
        .find_map(|block| block.strip_prefix("layers\n"));
    let block = block.context("ARCHITECTURE.md has no block ```layers")?;
    let mut declared: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
    let (mut of, mut rank) = ("", 0);
    for word in block.split_whitespace() {
        match word.strip_suffix(':') {
            Some(name) => (of, rank) = (name, 0),
            None if word == "<" => rank += 1,
            None => _ = declared.entry(of).or_default().insert(word, rank),
        }
    }
    Ok(declared)
}

/// The crates, and those of ours that each depends on.
fn crates(root: &Path) -> Result<Vec<Use>> {
    let mut uses = Vec::new();
    let mut all = vec![(PYTHON.into(), root.join("python/Cargo.toml"))];
    for entry in fs::read_dir(root.join("crates"))? {
        all.push(entry.map(|entry| (entry.file_name(), entry.path().join("Cargo.toml")))?);
    }
    for (name, file) in all {
        let manifest = read(&file)?;
        let is_runtime =
            |table: &&str| table.contains("dependencies]\n") && !table.starts_with("dev-");
        let lines = manifest
            .split("\n[")
            .filter(is_runtime)
            .flat_map(str::lines);
        let named = lines.filter_map(|line| line.split(['.', ' ', '=']).next());
        let ours = named.filter(|name| name.starts_with("twinsift"));
        let ours = ours.map(str::to_owned).collect();
        uses.push((name.to_string_lossy().into_owned(), file, ours));
    }
    Ok(uses)
}

/// The files of a crate by their top-level module, and the modules that each names.
fn modules(source: &Path) -> Result<Vec<Use>> {
    let (mut files, mut reexported, mut uses) = (Vec::new(), BTreeMap::new(), Vec::new());
    collect(source, "rs", &mut files)?;
    for root in ["lib.rs", "main.rs"].map(|name| source.join(name)) {
        let text = read(&root).unwrap_or_default();
        for path in text
            .split("use ")
            .skip(1)
            .filter_map(|rest| rest.split(';').next())
        {
            let mut words = tokens(path).into_iter();
            let module = words.next().unwrap_or_default().to_owned();
            reexported.extend(words.map(|name| (name.to_owned(), module.clone())));
        }
    }
    for file in files {
        let inside = file.strip_prefix(source)?.with_extension("");
        let path: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
        if path.iter().any(|name| name == "tests") || ["lib", "main"].contains(&&*path[0]) {
            continue;
        }
        let depth = path.iter().filter(|name| *name != "mod").count();
        let module = |name: &str| reexported.get(name).map_or(name, String::as_str).to_owned();
        let named = from_root(&read(&file)?, depth, module);
        uses.push((path[0].to_string(), file.clone(), named));
    }
    Ok(uses)
}

/// The first names of paths from the crate's root, in the code of a module so deep.
fn from_root(text: &str, depth: usize, module: impl Fn(&str) -> String) -> Vec<String> {
    let code = text.split("#[cfg(test)]\n").scan(true, |goes_on, part| {
        // Tests are at the end of a file; other things may be for tests alone.
        *goes_on &= !part
            .lines()
            .next()
            .is_some_and(|line| line.contains("mod ") && line.ends_with('{'));
        goes_on.then_some(part)
    });
    let lines = code
        .flat_map(str::lines)
        .map(|line| line.split("//").next().unwrap_or_default());
    let code = lines.collect::<Vec<_>>().join("\n");
    let tokens = tokens(&code);
    let up = ["super", "::"].repeat(depth);
    let mut names = Vec::new();
    for at in 0..tokens.len() {
        let rest = &tokens[at..];
        let path = rest
            .strip_prefix(&["crate", "::"][..])
            .or(rest.strip_prefix(&up[..]));
        let Some(path) = path.filter(|_| at == 0 || tokens[at - 1] != "::") else {
            continue;
        };
        let mut open = 0;
        let mut is_first = true;
        for &token in path {
            match token {
                "{" => open += 1,
                "}" => open -= 1,
                name if is_first => names.push(module(name)),
                _ => {}
            }
            is_first = open == 1 && (token == "," || is_first && token == "{");
            if open == 0 {
                break;
            }
        }
    }
    names
}

/// The words of some code, and the signs of its paths.
fn tokens(code: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        let len = match c {
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            ':' if rest.starts_with("::") => 2,
            c => c.len_utf8(),
        };
        let (token, after) = rest.split_at(len);
        if is_word(c) || ["::", "{", "}", ","].contains(&token) {
            tokens.push(token);
        }
        rest = after;
    }
    tokens
}

fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_from_the_root_are_found() {
        let names = |text, depth| from_root(text, depth, str::to_owned);
        let code = "use crate::{a, b::{c, d},\n e};\nx(crate::f::g(), super::h); $crate::i!()";
        assert_eq!(names(code, 1), ["a", "b", "e", "f", "h", "i"]);
        assert_eq!(
            names("super::a(); super::super::b(); mycrate::c()", 2),
            ["b"]
        );
        let tests = "crate::a; // crate::b\n#[cfg(test)]\nmod tests {\ncrate::c\n}\n";
        assert_eq!(names(tests, 1), ["a"]);
    }

    #[test]
    fn only_what_is_below_may_be_named() -> Result<()> {
        let root = tempfile::tempdir()?;
        let put = |name: &str, text: &str| fs::write(root.path().join(name), text);
        fs::create_dir_all(root.path().join("crates/one/src"))?;
        put(
            "ARCHITECTURE.md",
            "```layers\ncrates: one\none: low <\n  other top\n```\n",
        )?;
        put("crates/one/Cargo.toml", "[package]\nname = \"one\"\n")?;
        put(
            "crates/one/src/lib.rs",
            "pub use top::{Thing, deep::Other};\n",
        )?;
        put("crates/one/src/top.rs", "use super::low;\n")?;
        put("crates/one/src/other.rs", "")?;
        put("crates/one/src/low.rs", "")?;
        check(root.path())?;
        for (file, from) in [
            ("use crate::{top};", "low"),
            ("use crate::Other;", "low"),
            ("super::top::x()", "other"),
        ] {
            put(&format!("crates/one/src/{from}.rs"), file)?;
            let failure = check(root.path()).expect_err("upwards").to_string();
            let expected = format!(
                "crates/one/src/{from}.rs names top, which is not below {from} in the order of one"
            );
            assert_eq!(failure.lines().nth(1), Some(&*expected));
            put(&format!("crates/one/src/{from}.rs"), "")?;
        }
        Ok(())
    }
}
