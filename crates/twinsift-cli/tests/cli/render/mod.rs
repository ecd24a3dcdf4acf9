//! `twinsift render`, on a site that is served here.

mod runs;
mod safety;
mod seen;
mod served;
pub mod server;
mod site;

use super::{Folder, Ran};
use serde_json::Value;
use std::collections::BTreeMap;

/// The browsers that pages are shown in: the one that is taken where there are several,
/// and the one that most machines have.
const BROWSERS: [&str; 2] = ["chromium-headless-shell", "chromium"];

/// Runs a command that needs a browser.
fn run(folder: &Folder, line: &str) -> Ran {
    let args: Vec<&str> = line.split_whitespace().collect();
    let mut command = folder.command(&args);
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    folder.ran(line, command.output().unwrap())
}

impl Folder {
    /// A file that can be run.
    fn add_program(&self, name: &str, text: &str) {
        use std::os::unix::fs::PermissionsExt as _;
        self.add(name, text);
        let may_run = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(self.path(name), may_run).unwrap();
    }
}

/// The rows of an output, by id.
fn rows(folder: &Folder, name: &str) -> BTreeMap<String, Value> {
    let text = folder.text(name);
    let rows = text.lines().map(|line| {
        let row: Value = serde_json::from_str(line).unwrap();
        let id = row["id"].as_str().unwrap();
        let path = id.split_once(".localhost").map_or(id, |(_, rest)| rest);
        let path = path.find('/').map_or(path, |at| &path[at..]);
        (path.to_owned(), row)
    });
    rows.collect()
}

/// The text of a rendered body, with one space between words.
fn words(row: &Value) -> String {
    let html = row["rendered"].as_str().unwrap_or("(none)");
    let mut text = String::new();
    let (mut in_tag, mut quoted) = (false, false);
    let body = html.find("<body").map_or(html, |at| &html[at..]);
    for c in body.chars() {
        match c {
            '<' if !in_tag => in_tag = true,
            '"' if in_tag => quoted = !quoted,
            '>' if in_tag && !quoted => {
                in_tag = false;
                text.push(' ');
            }
            c if !in_tag => text.push(c),
            _ => {}
        }
    }
    let text = text.replace("&lt;", "<").replace("&gt;", ">");
    let text = text.replace("&amp;", "&");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
