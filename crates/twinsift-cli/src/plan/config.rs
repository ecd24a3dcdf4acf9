//! The config file: a recipe, and how to run it, in one flat TOML table.

use crate::args::parse_size;
use crate::exit::bad_input;
use serde::Deserialize;
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use toml::{Table, Value};
use twinsift::Choices;
use twinsift::settings::Join;

/// What a config file may say besides the recipe.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RunConfig {
    pub content: Option<String>,
    pub body: Option<String>,
    pub format: Option<String>,
    pub charset: Option<String>,
    pub delimiter: Option<String>,
    pub max_document: Option<String>,
    pub id_field: Option<String>,
    pub id_per_file: Option<bool>,
    pub text_field: Option<String>,
    pub html_field: Option<String>,
    pub rendered_field: Option<String>,
    pub title_field: Option<String>,
    pub subject_field: Option<String>,
    pub url_field: Option<String>,
    pub strict: Option<bool>,
    pub quiet: Option<bool>,
    pub spreadsheet_safe: Option<bool>,
    pub antecedents: Option<PathBuf>,
    pub stop_words: Option<PathBuf>,
    pub lexicon: Option<PathBuf>,
    pub model: Option<PathBuf>,
    pub join: Option<Join>,
    pub threads: Option<NonZeroU16>,
    pub memory: Option<String>,
    pub tmp: Option<PathBuf>,
}

impl RunConfig {
    pub fn memory_bytes(&self) -> anyhow::Result<Option<u64>> {
        size("memory", &self.memory)
    }

    pub fn max_document_bytes(&self) -> anyhow::Result<Option<u64>> {
        size("max_document", &self.max_document)
    }
}

fn size(key: &str, value: &Option<String>) -> anyhow::Result<Option<u64>> {
    let size = value.as_deref().map(parse_size).transpose();
    size.map_err(|why| bad_input(format!("{key} in the config file: {why}")))
}

/// Keys that belong to the run.
const RUN_KEYS: [&str; 25] = [
    "content",
    "body",
    "format",
    "charset",
    "delimiter",
    "max_document",
    "id_field",
    "id_per_file",
    "text_field",
    "html_field",
    "rendered_field",
    "title_field",
    "subject_field",
    "url_field",
    "strict",
    "quiet",
    "spreadsheet_safe",
    "antecedents",
    "stop_words",
    "lexicon",
    "model",
    "join",
    "threads",
    "memory",
    "tmp",
];

/// Reads a config file; without one, everything is left open.
pub fn load(path: Option<&Path>) -> anyhow::Result<(Choices, RunConfig)> {
    let Some(path) = path else {
        return Ok(Default::default());
    };
    let name = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| bad_input(format!("cannot read the config file {name}: {error}")))?;
    parse(&text).map_err(|(line, why)| bad_input(format!("{name}, line {line}: {why}")))
}

/// A config file's settings, or the line that is wrong and why.
fn parse(text: &str) -> Result<(Choices, RunConfig), (usize, String)> {
    let line_at = |at: usize| text[..at].matches('\n').count() + 1;
    let table: Table = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        (line_at(at), error.message().to_owned())
    })?;
    // One at a time, so that the one that is wrong can be named.
    for (key, value) in &table {
        let alone = Table::from_iter([(key.clone(), value.clone())]);
        checked(key, alone).map_err(|why| (line_at(position(text, key)), why))?;
    }
    let (recipe, run): (Table, Table) = table
        .into_iter()
        .partition(|(key, _)| Choices::parameter(key).is_some());
    let whole = |error: toml::de::Error| (1, error.message().to_owned());
    let choices = Value::Table(recipe).try_into().map_err(whole)?;
    let run = Value::Table(run).try_into().map_err(whole)?;
    Ok((choices, run))
}

fn checked(key: &str, alone: Table) -> Result<(), String> {
    let wrong = |error: toml::de::Error| format!("{key}: {}", error.message());
    if Choices::parameter(key).is_some() {
        return Value::Table(alone)
            .try_into::<Choices>()
            .map(drop)
            .map_err(wrong);
    }
    if !RUN_KEYS.contains(&key) {
        let choices = Choices::parameters().iter();
        let choices: Vec<&str> = choices.map(|parameter| parameter.name).collect();
        return Err(format!(
            "there is no setting \"{key}\"; there are {} and {}",
            choices.join(", "),
            RUN_KEYS.join(", ")
        ));
    }
    let run: RunConfig = Value::Table(alone).try_into().map_err(wrong)?;
    for size in [&run.memory, &run.max_document].into_iter().flatten() {
        parse_size(size).map_err(|why| format!("{key}: {why}"))?;
    }
    Ok(())
}

/// Where the line of a key begins. The table is flat, so that a key begins one.
fn position(text: &str, key: &str) -> usize {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = line.trim_start().trim_start_matches(['"', '\'', '[']);
        let rest = start.strip_prefix(key).unwrap_or("x");
        if !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '-') {
            return at;
        }
        at += line.len();
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_the_run_is_known() {
        let text = "content = \"all\"\nbody = \"fetched\"\nformat = \"csv\"\ncharset = \"utf-8\"\ndelimiter = \"|\"\nmax_document = \"1M\"\nid_field = \"a\"\nid_per_file = true\ntext_field = \"a\"\nhtml_field = \"a\"\nrendered_field = \"a\"\ntitle_field = \"a\"\nsubject_field = \"a\"\nurl_field = \"a\"\nstrict = true\nquiet = true\nspreadsheet_safe = true\nantecedents = \"a\"\nstop_words = \"a\"\nlexicon = \"a\"\nmodel = \"a\"\njoin = \"prefix\"\nthreads = 2\nmemory = \"1G\"\ntmp = \"/\"\n";
        assert_eq!(text.lines().count(), RUN_KEYS.len());
        let (_, run) = parse(text).expect("valid");
        assert_eq!(run.threads, NonZeroU16::new(2));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let wrong = |text| parse(text).expect_err("wrong");
        assert_eq!(wrong("k = 3\nrows = [\n").0, 2);
        let (line, why) = wrong("# note\nk = 3\nthreshold = \"high\"\n");
        assert_eq!(line, 3);
        assert!(why.starts_with("threshold: "), "{why}");
        let (line, why) = wrong("k = 3\n\ntreshold = 0.5\n");
        assert_eq!(line, 3);
        assert!(
            why.starts_with("there is no setting \"treshold\"; there are find, method, features")
        );
        assert_eq!(wrong("\nmemory = \"lots\"\n").0, 2);
        assert_eq!(wrong("threads = 2\n[method]\nx = 1\n").0, 2);
    }
}
