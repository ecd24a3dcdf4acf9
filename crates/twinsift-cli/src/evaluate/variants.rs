//! Which methods are tried, and with which settings.
//!
//! A method is a preset with settings by their names in a config file. On the
//! command line: `shingles:k=3`. In a suite it is a table, where a list of values
//! stands for one method for each of them.

use super::base::Base;
use super::outcome::MethodOutcome;
use super::training::Training;
use crate::exit::{bad_input, bad_input_at};
use crate::plan::model::{self, AnyModel};
use crate::plan::word_lists;
use std::collections::BTreeMap;
use std::sync::Arc;
use toml::{Table, Value};
use twinsift::recipe::{Kind, Method};
use twinsift::{Choices, Recipe};
use twinsift_learn::classify;

/// A method with its settings.
#[derive(Clone, Debug)]
pub struct Variant {
    pub name: String,
    /// How it is compared; before its training, if there is one.
    pub recipe: Recipe,
    pub training: Option<Training>,
    /// The classifier of `signals`.
    pub classifier: Option<Arc<classify::Model>>,
    /// Settings that are numbers.
    pub parameters: BTreeMap<String, f64>,
}

/// Every preset, as it is.
pub fn presets(base: &Base) -> anyhow::Result<Vec<Variant>> {
    let preset = |&method: &Method| {
        let table = Table::from_iter([("method".to_owned(), Value::String(name(method)))]);
        variant(table, None, base)
    };
    Method::ALL.iter().map(preset).collect()
}

/// One method, as the flags of the command have it.
pub fn single(base: &Base) -> anyhow::Result<Variant> {
    let choices = &base.choices;
    let table = Table::try_from(choices).map_err(|error| bad_input(error.to_string()))?;
    let mut table: Table = table;
    table.remove("seed");
    if !table.contains_key("method") {
        let method = choices.resolve()?.method();
        table.insert("method".to_owned(), Value::String(name(method)));
    }
    variant(table, None, base)
}

/// Methods as they are written after `--methods`: `shingles,shingles:k=3`.
pub fn listed(specs: &[String], base: &Base) -> anyhow::Result<Vec<Variant>> {
    let mut variants = Vec::new();
    for spec in specs.iter().flat_map(|list| list.split(',')).map(str::trim) {
        let made = settings(spec).and_then(|table| variant(table, None, base));
        if variants
            .iter()
            .any(|known: &Variant| Some(&known.name) == made.as_ref().ok().map(|v| &v.name))
        {
            return Err(bad_input(format!("--methods names {spec} twice")));
        }
        variants.push(made.map_err(|error| bad_input_at(format!("--methods {spec}"), &error))?);
    }
    Ok(variants)
}

/// A method with its settings, as in `shingles:k=3`; without a preset, settings alone.
pub fn settings(spec: &str) -> anyhow::Result<Table> {
    let mut table = Table::new();
    for (number, part) in spec.split(':').enumerate() {
        let (key, value) = match part.split_once('=') {
            Some((key, value)) => (key.trim(), scalar(value.trim())),
            None if number == 0 => ("method", Value::String(part.trim().to_owned())),
            None => {
                return Err(bad_input(format!(
                    "\"{part}\" is no setting: write name=value, as in shingles:k=3"
                )));
            }
        };
        table.insert(key.to_owned(), value);
    }
    Ok(table)
}

/// A table of a suite: one method for every combination of listed values.
pub fn grid(mut table: Table, base: &Base) -> anyhow::Result<Vec<Variant>> {
    let title = match table.remove("name") {
        None => None,
        Some(Value::String(title)) => Some(title),
        Some(_) => return Err(bad_input("the name of a method must be text")),
    };
    let varied: Vec<(String, Vec<Value>)> = table
        .iter()
        .filter_map(|(key, value)| Some((key.clone(), alternatives(key, value)?)))
        .collect();
    if let Some((key, _)) = varied.iter().find(|(_, values)| values.is_empty()) {
        return Err(bad_input(format!("{key} is an empty list")));
    }
    let mut tables = vec![table];
    for (key, values) in &varied {
        let with = |table: &Table| -> Vec<Table> {
            let one = |value: &Value| {
                let mut table = table.clone();
                table.insert(key.clone(), value.clone());
                table
            };
            values.iter().map(one).collect()
        };
        tables = tables.iter().flat_map(with).collect();
    }
    tables
        .into_iter()
        .map(|table| {
            let title = title.as_ref().map(|title| {
                let settings = varied.iter().map(|(key, _)| shown(key, &table[key]));
                [title.clone()]
                    .into_iter()
                    .chain(settings)
                    .collect::<Vec<_>>()
                    .join(" ")
            });
            variant(table, title, base)
        })
        .collect()
}

/// Whether a setting is a list itself; alternatives are then lists of lists.
fn is_list(key: &str) -> bool {
    let kind = Choices::parameter(key).map(|parameter| &parameter.kind);
    matches!(key, "antecedents" | "stop_words") || matches!(kind, Some(Kind::Range | Kind::Texts))
}

fn alternatives(key: &str, value: &Value) -> Option<Vec<Value>> {
    let values = value.as_array()?;
    let is_one = is_list(key) && !values.iter().all(Value::is_array);
    (!is_one).then(|| values.clone())
}

/// The method of a table without alternatives.
pub fn variant(mut table: Table, title: Option<String>, base: &Base) -> anyhow::Result<Variant> {
    let parameters = table
        .iter()
        .filter_map(|(key, value)| {
            let number = value.as_float().or(value.as_integer().map(|n| n as f64));
            Some((key.clone(), number?))
        })
        .collect();
    let name = title.unwrap_or_else(|| {
        let method = table.get("method").and_then(Value::as_str).unwrap_or("");
        let settings = table.iter().filter(|(key, _)| *key != "method");
        [method.to_owned()]
            .into_iter()
            .filter(|method| !method.is_empty())
            .chain(settings.map(|(key, value)| shown(key, value)))
            .collect::<Vec<_>>()
            .join(" ")
    });
    let is_andd = table.get("method").and_then(Value::as_str) == Some("andd");
    let fold = (table.get("fold").and_then(Value::as_bool)).or(base.choices.fold);
    let lexicon = match table.remove("lexicon") {
        None => None,
        // A model undoes disguises in the lexicon itself.
        Some(Value::String(path)) => Some(base.lexicon(&path, fold == Some(true) && !is_andd)?),
        Some(_) => return Err(bad_input("lexicon must be the name of a file")),
    };
    let (model, classifier, detector) = match table.remove("model") {
        None => (None, None, None),
        Some(Value::String(path)) => match model::read_any(&base.folder.join(path))? {
            AnyModel::Learned(model) => (Some(Arc::new(model)), None, None),
            AnyModel::Signals(model) => (None, Some(Arc::new(model)), None),
            AnyModel::Detector(model) => (None, None, Some(Arc::new(model.detector))),
        },
        Some(_) => return Err(bad_input("model must be the name of a file")),
    };
    let antecedents = words("antecedents", &mut table, base)?;
    let stop_words = words("stop_words", &mut table, base)?;
    let training = match is_andd && model.is_none() && base.choices.model.is_none() {
        true => Some(Training::take(
            &mut table,
            lexicon.clone(),
            fold == Some(true),
            &base.folder,
        )?),
        false => None,
    };
    let mut choices: Choices = Value::Table(table)
        .try_into()
        .map_err(|error: toml::de::Error| bad_input(error.message().to_owned()))?;
    (choices.lexicon, choices.model, choices.detector) = (lexicon, model, detector);
    choices.classifier = classifier.as_ref().map(|model| model.for_recipe());
    (choices.antecedents, choices.stop_words) = (antecedents, stop_words);
    let choices = choices.or(base.choices.clone());
    let classifier = classifier.or_else(|| base.classifier.clone());
    let training = training.map(|training| training.with(choices.clone()));
    Ok(Variant {
        name,
        recipe: match &training {
            Some(training) => training.untrained()?,
            None => choices.resolve()?,
        },
        training,
        classifier,
        parameters,
    })
}

/// A list of words: written out, or in a file.
fn words(key: &str, table: &mut Table, base: &Base) -> anyhow::Result<Option<Vec<String>>> {
    let wrong = || {
        bad_input(format!(
            "{key} must be a list of words, or the name of a file"
        ))
    };
    match table.remove(key) {
        None => Ok(None),
        Some(Value::String(path)) => word_lists::load(key, Some(&base.folder.join(path))),
        Some(Value::Array(words)) => {
            let word = |word: &Value| word.as_str().map(str::to_owned).ok_or_else(wrong);
            words
                .iter()
                .map(word)
                .collect::<anyhow::Result<_>>()
                .map(Some)
        }
        Some(_) => Err(wrong()),
    }
}

/// The most values of a list that are shown.
const SHOWN: usize = 8;

fn shown(key: &str, value: &Value) -> String {
    match value {
        Value::Array(values) => {
            let more = match values.len() > SHOWN {
                true => format!(",… ({})", values.len()),
                false => String::new(),
            };
            let values: Vec<String> = values.iter().take(SHOWN).map(plain).collect();
            format!("{key}={}{more}", values.join(","))
        }
        other => format!("{key}={}", plain(other)),
    }
}

/// A value as text.
pub fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Boolean(yes) => yes.to_string(),
        Value::Datetime(date) => date.to_string(),
        other => format!("{other:?}"),
    }
}

/// A value as it would stand in a config file; without quotes it is text.
fn scalar(text: &str) -> Value {
    let whole = format!("value = {text}");
    let parsed = toml::from_str::<Table>(&whole).ok();
    parsed
        .and_then(|mut table| table.remove("value"))
        .unwrap_or_else(|| Value::String(text.to_owned()))
}

/// The preset's name, as the user writes it.
fn name(method: Method) -> String {
    let value = serde_json::to_value(method).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

impl Variant {
    /// The same for documents that were read as `other` says.
    pub fn of_documents_read_for(&self, other: &Recipe) -> Self {
        Self {
            recipe: self.recipe.of_documents_read_for(other),
            ..self.clone()
        }
    }

    /// The part of an outcome that is known before anything is run.
    pub fn outcome(&self, data: &str) -> MethodOutcome {
        MethodOutcome {
            data: data.to_owned(),
            name: self.name.clone(),
            method: name(self.recipe.method()),
            description: self.recipe.to_string(),
            recipe: self.recipe.id(),
            parameters: self.parameters.clone(),
            threshold: self.recipe.threshold(),
            ..MethodOutcome::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::sentence;
    use std::path::Path;

    fn base() -> Base {
        Base::new(Choices::default(), Path::new(""))
    }

    #[test]
    fn a_list_of_values_is_a_grid() {
        let table = "name = \"s\"\nmethod = \"shingles\"\nk = [1, 3]\nthreshold = [0.5, 0.8]";
        let table = toml::from_str(table).expect("valid");
        let variants = grid(table, &base()).expect("valid");
        let names: Vec<_> = variants.iter().map(|v| v.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "s k=1 threshold=0.5",
                "s k=1 threshold=0.8",
                "s k=3 threshold=0.5",
                "s k=3 threshold=0.8"
            ]
        );
        assert_eq!(variants[3].parameters["k"], 3.0);
    }

    #[test]
    fn a_setting_that_is_a_list_is_one_value() {
        let table = "name = \"s\"\nmethod = \"spotsigs\"\nidf = [0.2, 0.85]\nspots = [[\"1:2\"], [\"2:3\", \"the:1:1\"]]";
        let variants = grid(toml::from_str(table).expect("valid"), &base()).expect("valid");
        assert_eq!(variants.len(), 2);
    }

    #[test]
    fn antecedents_are_words_or_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("words.txt"), "is are # be\n").expect("written");
        let base = Base::new(Choices::default(), folder.path());
        let made = |text: &str| grid(toml::from_str(text).expect("valid"), &base);
        let of = |variant: &Variant| {
            let rules = variant.recipe.spot_rules().cloned().expect("spots");
            (rules.antecedents, rules.stop_words)
        };
        let words = |list: &[&str]| Some(list.iter().map(|&word| word.to_owned()).collect());
        let table = "name = \"s\"\nmethod = \"spotsigs\"\nantecedents = [[\"the\"], [\"a\", \"an\"]]\nstop_words = [\"of\"]";
        let variants = made(table).expect("valid");
        assert_eq!(variants[1].name, "s antecedents=a,an");
        assert_eq!(of(&variants[0]), (words(&["the"]), words(&["of"])));
        assert_eq!(of(&variants[1]), (words(&["a", "an"]), words(&["of"])));
        assert_ne!(variants[0].recipe.id(), variants[1].recipe.id());
        let file = made("method = \"spotsigs\"\nantecedents = \"words.txt\"").expect("valid");
        assert_eq!(of(&file[0]).0, words(&["is", "are"]));
        let wrong = made("method = \"spotsigs\"\nantecedents = 3").expect_err("wrong");
        assert!(wrong.to_string().contains("list of words"));
        let wrong = made("method = \"shingles\"\nantecedents = [\"the\"]").expect_err("wrong");
        assert!(sentence(&wrong).contains("--antecedents has no meaning here"));
    }

    #[test]
    fn settings_follow_the_method() {
        let specs = ["minhash, shingles:features=words:similarity=cosine".to_owned()];
        let variants = listed(&specs, &base()).expect("valid");
        assert_eq!(variants[0].name, "minhash");
        assert_eq!(
            variants[1].name,
            "shingles features=words similarity=cosine"
        );
        let wrong = listed(&["shingles:k".to_owned()], &base());
        assert!(wrong.expect_err("wrong").to_string().contains("name=value"));
        let wrong = listed(&["shingles:q=1".to_owned()], &base());
        assert!(
            wrong
                .expect_err("wrong")
                .to_string()
                .contains("unknown field")
        );
    }
}
