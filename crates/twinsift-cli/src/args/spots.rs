//! Files that replace the lists behind spot signatures.

use crate::exit::bad_input;
use std::path::Path;

/// The words of a list: separated by white space, `#` begins a comment.
pub fn words(flag: &str, path: Option<&Path>) -> anyhow::Result<Option<Vec<String>>> {
    let Some(path) = path else {
        return Ok(None);
    };
    let name = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| bad_input(format!("{flag}: cannot read {name}: {error}")))?;
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default());
    let words: Vec<String> = lines
        .flat_map(str::split_whitespace)
        .map(str::to_owned)
        .collect();
    match words.is_empty() {
        true => Err(bad_input(format!("{flag}: {name} holds no words"))),
        false => Ok(Some(words)),
    }
}
