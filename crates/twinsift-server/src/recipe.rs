//! Recipes as clients write them: the keys of a config file, as JSON.

use crate::body;
use crate::error::{Answered, ApiError};
use serde_json::{Map, Value, json};
use twinsift::recipe::{Body, Content};
use twinsift::{Choices, Error, Recipe, Statistics};

/// What a client cannot send, and where such a collection comes from.
const NEEDS_FILES: &str = "recipes with a lexicon, a model or statistics of a collection cannot be sent: make the index with twinsift index create in the folder of the service, and start it again";

/// Keys of a config file that name files.
const FILES: [&str; 4] = ["lexicon", "model", "antecedents", "stop_words"];

/// The recipe that a body spells; nothing stands for the default one.
pub(crate) fn read(bytes: &[u8]) -> Answered<Recipe> {
    if bytes.trim_ascii().is_empty() {
        return Ok(Recipe::default());
    }
    match body::value(bytes)? {
        Value::Object(map) => resolve(map),
        _ => Err(ApiError::malformed("a recipe is a JSON object")),
    }
}

/// The recipe of the keys and values of a config file.
pub(crate) fn resolve(mut said: Map<String, Value>) -> Answered<Recipe> {
    if FILES.iter().any(|file| said.contains_key(*file)) {
        return Err(ApiError::unprocessable(NEEDS_FILES));
    }
    let content = word(said.remove("content"), "content", &["main", "all"])?;
    let body = word(said.remove("body"), "body", &["rendered", "fetched"])?;
    let choices: Choices = serde_json::from_value(said.into())
        .map_err(|error| ApiError::unprocessable(format!("this is no recipe: {error}")))?;
    let choices = choices
        .content(if content == Some(1) {
            Content::All
        } else {
            Content::Main
        })
        .body(if body == Some(1) {
            Body::Fetched
        } else {
            Body::Rendered
        });
    let needs_model = |choices: &Choices| {
        use twinsift::recipe::{FeatureKind, Method};
        matches!(choices.method, Some(Method::Andd | Method::Signals))
            || choices.features == Some(FeatureKind::Learned)
    };
    if needs_model(&choices) {
        return Err(ApiError::unprocessable(NEEDS_FILES));
    }
    let recipe = choices.resolve().map_err(|error| refused(&error))?;
    match Statistics::are_needed_by(&recipe) {
        true => Err(ApiError::unprocessable(NEEDS_FILES)),
        false => Ok(recipe),
    }
}

/// A refusal of the engine, with names of parameters as they stand in JSON.
pub(crate) fn refused(error: &Error) -> ApiError {
    match error {
        Error::Recipe(refusal) => {
            ApiError::unprocessable(refusal.spelled(|name| format!("\"{name}\"")))
        }
        other => ApiError::unprocessable(other.to_string()),
    }
}

/// Which of some words a value is.
fn word(value: Option<Value>, key: &str, words: &[&str]) -> Answered<Option<usize>> {
    let Some(value) = value else {
        return Ok(None);
    };
    let at = words.iter().position(|word| value == *word);
    let known = words.join(" or ");
    at.map(Some)
        .ok_or_else(|| ApiError::unprocessable(format!("\"{key}\" is {known}")))
}

/// A JSON schema of what [`resolve`] takes.
pub(crate) fn schema() -> Value {
    let mut schema = Choices::schema();
    if let Some(map) = schema.as_object_mut() {
        map.remove("$schema");
    }
    if let Some(properties) = schema["properties"].as_object_mut() {
        let content = json!({"enum": ["main", "all"], "default": "main", "description": "How much of a page is its text"});
        let body = json!({"enum": ["rendered", "fetched"], "default": "rendered", "description": "Which body of a page is compared"});
        properties.insert("content".to_owned(), content);
        properties.insert("body".to_owned(), body);
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        read(text.as_bytes())
            .expect_err("refused")
            .sentence()
            .to_owned()
    }

    #[test]
    fn a_recipe_has_the_keys_of_a_config_file() {
        assert_eq!(read(b" ").expect("valid"), Recipe::default());
        assert_eq!(read(b"{}").expect("valid"), Recipe::default());
        let text = r#"{"method":"spotsigs","threshold":0.4,"content":"all","body":"fetched"}"#;
        let expected = Recipe::spotsigs().threshold(0.4);
        let expected = expected.content(Content::All).body(Body::Fetched);
        assert_eq!(
            read(text.as_bytes()).expect("valid"),
            expected.resolve().expect("valid")
        );
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_a_sentence() {
        assert_eq!(
            refusal(r#"{"threshold":7}"#).split(' ').next(),
            Some("\"threshold\"")
        );
        assert!(refusal(r#"{"treshold":0.7}"#).contains("treshold"));
        assert_eq!(
            refusal(r#"{"content":"some"}"#),
            "\"content\" is main or all"
        );
        assert_eq!(refusal("[]"), "a recipe is a JSON object");
        for needy in [
            r#"{"method":"imatch"}"#,
            r#"{"method":"andd"}"#,
            r#"{"method":"signals"}"#,
            r#"{"weights":"tfidf","match":"join","similarity":"cosine"}"#,
            r#"{"lexicon":"/etc/passwd"}"#,
        ] {
            assert_eq!(refusal(needy), NEEDS_FILES, "{needy}");
        }
    }
}
