//! Relative links in the Markdown files must lead somewhere.
//!
//! A moved file breaks links that no compiler sees. Checked are links to files
//! and folders of the repository, and to headings within Markdown files.
//! Addresses on the web are not: a check must not depend on other people's
//! servers.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Checks all Markdown files below a folder.
pub fn check(root: &Path) -> Result<()> {
    let mut files = Vec::new();
    collect(root, "md", &mut files)?;
    files.sort();
    let mut broken = Vec::new();
    let mut checked = 0;
    for file in &files {
        let text =
            fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        for (line, target) in links(&text) {
            if is_elsewhere(target) {
                continue;
            }
            checked += 1;
            if let Some(reason) = problem(root, file, &text, target) {
                let name = file.strip_prefix(root).unwrap_or(file);
                broken.push(format!("{}:{line}: {target}: {reason}", name.display()));
            }
        }
    }
    if !broken.is_empty() {
        bail!("broken links\n{}", broken.join("\n"));
    }
    println!("    {checked} links in {} files", files.len());
    Ok(())
}

/// Files with an extension, leaving out hidden folders and build products.
pub fn collect(folder: &Path, wanted: &str, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            if !name.starts_with('.') && name != "target" && name != "node_modules" {
                collect(&path, wanted, files)?;
            }
        } else if path
            .extension()
            .is_some_and(|extension| extension == wanted)
        {
            files.push(path);
        }
    }
    Ok(())
}

/// Whether a link leaves the repository: it has a scheme, as in `https:`.
fn is_elsewhere(target: &str) -> bool {
    target.split_once(':').is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

fn problem(root: &Path, file: &Path, text: &str, target: &str) -> Option<String> {
    let (path, anchor) = match target.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor)),
        None => (target, None),
    };
    let goal = if path.is_empty() {
        file.to_owned()
    } else if let Some(path) = path.strip_prefix('/') {
        root.join(path)
    } else {
        file.parent()?.join(path)
    };
    if !goal.exists() {
        return Some("no such file".to_owned());
    }
    let anchor = anchor?;
    if goal.extension().is_none_or(|extension| extension != "md") {
        return None;
    }
    let found = if goal == file {
        anchors(text).contains(anchor)
    } else {
        anchors(&fs::read_to_string(&goal).ok()?).contains(anchor)
    };
    (!found).then(|| "no such heading".to_owned())
}

/// The lines of a text that are not code, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    text.lines().enumerate().filter_map(move |(at, line)| {
        let start = line.trim_start();
        if start.starts_with("```") || start.starts_with("~~~") {
            fenced = !fenced;
            return None;
        }
        (!fenced).then_some((at + 1, line))
    })
}

/// The targets of all links, with the lines they stand in.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (number, line) in prose(text) {
        if let Some(target) = definition(line) {
            found.push((number, target));
            continue;
        }
        let mut rest = line;
        while let Some(at) = rest.find(['`', ']']) {
            let after = &rest[at + 1..];
            if rest.as_bytes()[at] == b'`' {
                // Code within a line: whatever is in it is no link.
                rest = after.find('`').map_or("", |end| &after[end + 1..]);
                continue;
            }
            rest = after;
            if let Some(inner) = after.strip_prefix('(')
                && let Some(end) = inner.find(')')
            {
                let target = inner[..end].split_whitespace().next().unwrap_or("");
                found.push((number, target.trim_matches(['<', '>'])));
                rest = &inner[end..];
            }
        }
    }
    found
}

/// The target of a line such as `[name]: target`.
fn definition(line: &str) -> Option<&str> {
    let (name, target) = line.strip_prefix('[')?.split_once("]:")?;
    if name.contains(']') {
        return None;
    }
    target.split_whitespace().next()
}

/// What headings can be linked to by, in the way of the usual hosts: lower
/// case, words joined by hyphens, punctuation left out, repeats numbered.
fn anchors(text: &str) -> HashSet<String> {
    let mut found = HashSet::new();
    for (_, line) in prose(text) {
        let heading = line.trim_start_matches('#');
        if heading.len() == line.len() || !heading.starts_with(' ') {
            continue;
        }
        let base: String = heading
            .trim()
            .to_lowercase()
            .chars()
            .filter_map(|letter| match letter {
                ' ' => Some('-'),
                '-' | '_' => Some(letter),
                letter => letter.is_alphanumeric().then_some(letter),
            })
            .collect();
        let mut name = base.clone();
        let mut repeat = 0;
        while !found.insert(name) {
            repeat += 1;
            name = format!("{base}-{repeat}");
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_outside_code() {
        let text = "\
See [the guide](GUIDE.md#first-steps), ![a picture](<a.png> \"title\") and `[no](x)`.
```
[no](link)
```
[ref]: docs/ref.md
Both [one](1.md) and [two][ref] and [web](https://a.example/b(c)).
";
        let targets: Vec<(usize, &str)> = links(text);
        assert_eq!(
            targets,
            [
                (1, "GUIDE.md#first-steps"),
                (1, "a.png"),
                (5, "docs/ref.md"),
                (6, "1.md"),
                (6, "https://a.example/b(c"),
            ]
        );
        assert!(is_elsewhere("https://a.example") && is_elsewhere("mailto:a@b.example"));
        assert!(!is_elsewhere("a/b.md#c:d"));
    }

    #[test]
    fn headings_have_anchors() {
        let found = anchors("# What's `new`?\n## Use\n## Use\n#no heading\n```\n# code\n```\n");
        let mut found: Vec<&str> = found.iter().map(String::as_str).collect();
        found.sort_unstable();
        assert_eq!(found, ["use", "use-1", "whats-new"]);
    }

    #[test]
    fn broken_links_are_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            fs::write(folder.path().join(name), text).expect("written");
        };
        write(
            "b.md",
            "# Here\n[up](a.md) [folder](.) [own](#here) [root](/a.md)\n",
        );
        write("a.md", "[b](b.md#here) [web](https://x.example)\n");
        check(folder.path()).expect("all fine");
        write("a.md", "fine\n\n[b](b.md#there) and [c](c.md)\n");
        let error = check(folder.path()).expect_err("two broken links");
        assert_eq!(
            error.to_string(),
            "broken links\na.md:3: b.md#there: no such heading\na.md:3: c.md: no such file"
        );
    }
}
