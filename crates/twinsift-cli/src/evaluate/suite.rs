//! A suite: collections, methods and splits in one TOML file.
//!
//! ```toml
//! title = "News"
//! floor = 0.02
//!
//! [[data]]
//! name = "gold"
//! inputs = ["news-gold.jsonl.zst"]
//! gold = "cluster"
//! content = "all"
//!
//! [[method]]
//! name = "shingles"
//! k = [1, 3]
//!
//! [split]
//! train = 0.5
//! seeds = [1, 2, 3, 4, 5]
//! ```
//!
//! In place of collections and methods, or besides, there may be studies of signals
//! ([`studies`](super::studies)).
//!
//! Inputs are looked for beside the file, or in the folder that `--data` names.
//! How a collection is read is said as in a config file.

use super::base::Base;
use super::collection::Task;
use super::gold_source::{GoldSource, Reference};
use super::splits::{Parts, SplitTable, Splits};
use super::studies::SignalStudy;
use super::variants::{Variant, grid};
use crate::exit::{bad_input, bad_input_at};
use crate::plan::config::RunConfig;
use serde::Deserialize;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use toml::{Table, Value};
use twinsift::Choices;
use twinsift_eval::PRICE;

/// What is to be tried on what.
#[derive(Debug)]
pub struct Suite {
    /// What it is called; its file, if it does not say.
    pub title: String,
    pub floor: Option<f64>,
    pub resamples: Option<u32>,
    /// How many random documents are queries; all if left out.
    pub query_sample: Option<usize>,
    /// How often each method runs, for its cost.
    pub repeat: Option<u32>,
    pub data: Vec<Data>,
    pub methods: Vec<Variant>,
    pub splits: Option<Splits>,
    pub studies: Vec<SignalStudy>,
}

/// A collection of a suite.
#[derive(Debug)]
pub struct Data {
    pub task: Task,
    pub inputs: Vec<PathBuf>,
    pub read: RunConfig,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: Option<String>,
    floor: Option<f64>,
    resamples: Option<u32>,
    query_sample: Option<usize>,
    repeat: Option<u32>,
    #[serde(default)]
    data: Vec<Table>,
    #[serde(default)]
    method: Vec<Table>,
    split: Option<SplitTable>,
    #[serde(default)]
    study: Vec<Table>,
}

/// What a collection says besides how it is read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DataTable {
    name: Option<String>,
    inputs: Vec<PathBuf>,
    /// As after `--gold`, or the table of a method.
    gold: Value,
    #[serde(alias = "group")]
    unjudged_within: Option<String>,
    classes: Option<String>,
    cost: Option<f64>,
    queries: Option<PathBuf>,
}

const DATA_KEYS: [&str; 8] = [
    "name",
    "inputs",
    "gold",
    "unjudged_within",
    "group",
    "classes",
    "cost",
    "queries",
];

impl Suite {
    /// Reads a suite; its inputs are in `folder`, or beside the file. `base` holds
    /// for every method that does not say otherwise.
    pub fn load(path: &Path, folder: Option<&Path>, base: &Choices) -> anyhow::Result<Self> {
        let name = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| bad_input(format!("cannot read the suite {name}: {error}")))?;
        let beside = path.parent().unwrap_or(Path::new(""));
        parse(&text, folder.unwrap_or(beside), base, &name.to_string())
            .map_err(|error| bad_input(format!("{name}: {error}")))
    }
}

fn parse(text: &str, folder: &Path, base: &Choices, name: &str) -> anyhow::Result<Suite> {
    let file: File = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let line = text[..at].matches('\n').count() + 1;
        bad_input(format!("line {line}: {}", error.message()))
    })?;
    let base = Base::new(base.clone(), folder);
    let splits = file.split.map(Splits::of).transpose()?;
    let mut data = Vec::new();
    for (number, table) in (1..).zip(file.data) {
        let made = collection(table, &base, splits.as_ref());
        data.push(made.map_err(|error| bad_input_at(format!("data {number}"), &error))?);
    }
    let mut methods = Vec::new();
    for (number, table) in (1..).zip(file.method) {
        let made = grid(table, &base);
        methods.extend(made.map_err(|error| bad_input_at(format!("method {number}"), &error))?);
    }
    if file
        .floor
        .is_some_and(|floor| !(floor > 0.0 && floor < 1.0))
    {
        return Err(bad_input("floor must be above 0 and below 1"));
    }
    let mut studies = Vec::new();
    for (number, table) in (1..).zip(file.study) {
        let made = SignalStudy::parse(table, folder);
        studies.push(made.map_err(|error| bad_input_at(format!("study {number}"), &error))?);
    }
    if data.is_empty() != methods.is_empty() || data.is_empty() && studies.is_empty() {
        return Err(bad_input(
            "a suite needs at least one [[data]] and one [[method]], or one [[study]]",
        ));
    }
    unique("study", studies.iter().map(|study| study.name.as_str()))?;
    let data_names = data.iter().map(|data: &Data| data.task.name.as_str());
    unique("data", data_names)?;
    unique("method", methods.iter().map(|method| method.name.as_str()))?;
    Ok(Suite {
        title: file.title.unwrap_or_else(|| name.to_owned()),
        floor: file.floor,
        resamples: file.resamples,
        query_sample: file.query_sample,
        repeat: file.repeat,
        data,
        methods,
        splits,
        studies,
    })
}

fn collection(table: Table, base: &Base, splits: Option<&Splits>) -> anyhow::Result<Data> {
    let (own, read): (Table, Table) = table
        .into_iter()
        .partition(|(key, _)| DATA_KEYS.contains(&key.as_str()));
    let wrong = |error: toml::de::Error| bad_input(error.message().to_owned());
    let own: DataTable = Value::Table(own).try_into().map_err(wrong)?;
    let read: RunConfig = Value::Table(read).try_into().map_err(wrong)?;
    let stem = own.inputs.first().and_then(|path| path.file_stem());
    let name = own
        .name
        .or_else(|| stem.map(|stem| stem.to_string_lossy().into_owned()));
    let gold = match own.gold {
        Value::String(text) => GoldSource::parse(&text, base)?,
        Value::Table(table) => match Reference::of(table, base) {
            Ok(reference) => GoldSource::Method(Box::new(reference)),
            Err(error) => return Err(bad_input_at("gold", &error)),
        },
        _ => {
            return Err(bad_input(
                "gold must be a field, a file, cosine:0.9 or the table of a method",
            ));
        }
    };
    if own.cost.is_some() && own.classes.is_none() {
        return Err(bad_input("cost belongs to classes, which are not given"));
    }
    if own
        .cost
        .is_some_and(|cost| !(cost >= 0.0 && cost.is_finite()))
    {
        return Err(bad_input("cost must be 0 or more"));
    }
    let folder = &base.folder;
    Ok(Data {
        task: Task {
            name: name.ok_or_else(|| bad_input("inputs is empty"))?,
            gold,
            unjudged_within: own.unjudged_within,
            classes: own.classes.as_deref().map(class_and_target).transpose()?,
            cost: own.cost.unwrap_or(PRICE),
            split_by: match splits.map(|splits| &splits.parts) {
                Some(Parts::Field(field, _)) => Some(field.clone()),
                _ => None,
            },
            queries: own.queries.map(|path| folder.join(path)),
            flag: "--gold",
        },
        inputs: own.inputs.iter().map(|path| folder.join(path)).collect(),
        read,
    })
}

/// `label:spam` is the field and the class that is looked for.
pub fn class_and_target(text: &str) -> anyhow::Result<(String, String)> {
    match text.split_once(':') {
        Some((field, target)) if !field.is_empty() && !target.is_empty() => {
            Ok((field.to_owned(), target.to_owned()))
        }
        _ => Err(bad_input(format!(
            "classes \"{text}\" must name a field and the class that is looked for, as in label:spam"
        ))),
    }
}

fn unique<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> anyhow::Result<()> {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(bad_input(format!(
                "{what} \"{name}\" is there twice: give each a name of its own"
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use twinsift_eval::Cut;

    const WHOLE: &str = "title = \"T\"\n[[data]]\nname = \"d\"\ninputs = [\"a.jsonl\"]\ngold = \"cluster\"\ncontent = \"all\"\n[[method]]\nmethod = \"shingles\"\nk = [1, 3]\n[split]\nseeds = [1, 2]\n";

    #[test]
    fn a_whole_suite() {
        let suite = parse(
            WHOLE,
            Path::new("folder"),
            &Choices::default(),
            "suite.toml",
        )
        .expect("valid");
        assert_eq!(suite.data[0].inputs, [Path::new("folder/a.jsonl")]);
        assert_eq!(suite.data[0].read.content.as_deref(), Some("all"));
        let names: Vec<_> = suite.methods.iter().map(|m| m.name.as_str()).collect();
        assert_eq!(names, ["shingles k=1", "shingles k=3"]);
        assert_eq!(suite.splits.expect("splits").parts, Parts::Random(0.5));
    }

    #[test]
    fn gold_by_a_method_and_a_split_by_a_field() {
        let text = WHOLE
            .replace("\"cluster\"", "{ name = \"I-Match-S\", features = \"spots\", match = \"hash\", idf = [0.4, 0.75] }")
            .replace("seeds = [1, 2]", "by = \"sent\"\nbefore = 2009-01-05");
        let suite = parse(&text, Path::new(""), &Choices::default(), "suite.toml").expect("valid");
        let task = &suite.data[0].task;
        assert_eq!(task.split_by.as_deref(), Some("sent"));
        assert_eq!(
            task.gold.describe(),
            "the pairs of I-Match-S (spotsigs: spots (2, 3), normalised idf 0.4 to 0.75, equality)"
        );
        let splits = suite.splits.expect("splits");
        assert_eq!(splits.seeds, [1]);
        let cut = Cut::Before("2009-01-05".to_owned());
        assert_eq!(splits.parts, Parts::Field("sent".to_owned(), cut));
    }

    /// All but the files that they name.
    #[test]
    fn the_suites_of_the_project_are_valid() {
        let suites = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites");
        let mut count = 0;
        for entry in std::fs::read_dir(suites).expect("suites") {
            let path = entry.expect("a suite").path();
            let text = std::fs::read_to_string(&path).expect("text");
            let names_no_file = |line: &&str| {
                let mut files = ["lexicon", "queries", "model"].into_iter();
                // There is no such method without its model.
                *line != "method = \"signals\""
                    && !files.any(|key| line.starts_with(&format!("{key} = \"")))
            };
            let text: Vec<&str> = text.lines().filter(names_no_file).collect();
            let name = path.display().to_string();
            let made = parse(&text.join("\n"), Path::new(""), &Choices::default(), &name);
            if let Err(error) = made {
                panic!("{name}: {error}");
            }
            count += 1;
        }
        assert!(count > 9, "{count}");
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = |from: &str, to: &str| {
            let text = WHOLE.replace(from, to);
            let error =
                parse(&text, Path::new(""), &Choices::default(), "suite.toml").expect_err("wrong");
            error.to_string()
        };
        assert!(wrong("title", "titel").contains("line 1: unknown field `titel`"));
        assert!(wrong("content", "contents").starts_with("data 1: unknown field `contents`"));
        assert!(wrong("k = [1, 3]", "k = [1, 1]").contains("is there twice"));
        assert!(wrong("k = [1, 3]", "k = 0").contains("method 1: --k must be"));
        assert!(wrong("seeds = [1, 2]", "seeds = []").contains("at least one"));
        assert!(wrong("[1, 2]", "[1]\ntrain = 1.0").contains("between 0 and 1"));
        assert!(wrong("[1, 2]", "[1, 1]").contains("twice"));
        assert!(wrong("[1, 2]", "[1]\nmin_precision = 7").contains("min_precision"));
        assert!(
            wrong("seeds = [1, 2]", "by = \"t\"\ntrain = 0.5\nbefore = 3").contains("one of train")
        );
        assert!(wrong("[1, 2]", "[1]\nbefore = 3").contains("name it"));
        assert!(wrong("\"cluster\"", "7").contains("data 1: gold must be"));
        assert!(wrong("\"cluster\"", "{ k = 0 }").contains("data 1: gold: --k must be"));
        assert!(wrong("\"cluster\"", "\"c\"\ncost = 3").contains("cost belongs to classes"));
        assert!(wrong("[1, 3]", "[]").contains("k is an empty list"));
        assert!(wrong("title = \"T\"", "floor = 5").contains("floor must be"));
        assert!(wrong("[[method]]", "[[split]]").contains("line"));
        let study = "[[study]]\ninputs = [\"a.jsonl\"]\npairs = \"p.csv\"\nfolds = 1\n[split]";
        assert!(wrong("[split]", study).contains("study 1: a study rests"));
        let method = "[[method]]\nmethod = \"shingles\"\nk = [1, 3]";
        assert!(wrong(method, "").contains("needs at least one [[data]] and"));
        assert!(parse("", Path::new(""), &Choices::default(), "suite.toml").is_err());
    }
}
