//! Parameters as data: all that a front end needs to offer them to people, by flags, forms
//! or a schema.

use super::Choices;
use super::misplaced::Owner;
use crate::detector::Find;
use crate::error::{Result, refuse};
use crate::features::Weights;
use crate::features::spots::{Fallback, Language, Specification};
use crate::recipe::{FeatureKind, Matcher, Method, Verify};
use crate::refusal::spelled;
use crate::similarity::Similarity;
use crate::sketch::imatch::Digest;
use serde::de::value::{Error as NameError, StrDeserializer};
use serde::de::{DeserializeOwned, Deserializer, Error as _, IntoDeserializer, Visitor};
use serde::{Serialize, forward_to_deserialize_any};
use serde_json::{Map, Value, json};

/// A parameter that people can choose in writing. Lexicons, models and lists of words are
/// values of their own, which [`Choices`] take besides.
///
/// ```
/// use twinsift::Choices;
/// use twinsift::recipe::Kind;
///
/// let rows = Choices::parameter("rows").expect("declared");
/// assert_eq!(rows.kind, Kind::Whole);
/// assert_eq!(rows.belongs_to(|name| format!("{name}=")), Some("match= lsh".to_owned()));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Parameter {
    /// Its name, which is its key in a config file.
    pub name: &'static str,
    /// Names that it had earlier, which are still understood.
    pub earlier: &'static [&'static str],
    /// What a value of it looks like.
    pub kind: Kind,
    /// A word that stands for its value, where the name itself does not serve.
    pub value: Option<&'static str>,
    /// What holds if nothing is chosen, in words.
    pub default: Option<&'static str>,
    /// Under which heading it is listed.
    pub heading: &'static str,
    pub(super) about: &'static str,
    pub(super) owner: Owner,
    pub(super) set: fn(&mut Choices, &str) -> std::result::Result<(), String>,
}

/// What a value looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// True or false; on a command line, said or not.
    Switch,
    /// A whole number, 0 or more.
    Whole,
    /// A number.
    Number,
    /// Two numbers, as in `0.2,0.8`.
    Range,
    /// A text that the parameter describes.
    Text,
    /// Any number of such texts.
    Texts,
    /// One of these names.
    Name(Vec<Name>),
}

impl Kind {
    /// All names but these.
    pub(super) fn without(mut self, except: &[&str]) -> Self {
        if let Self::Name(names) = &mut self {
            names.retain(|name| !except.contains(&name.name));
        }
        self
    }
}

/// A value that is known by a name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Name {
    /// The name.
    pub name: &'static str,
    /// Names that it had earlier, which are still understood.
    pub earlier: Vec<&'static str>,
}

impl Parameter {
    /// What it does, without a full stop, with each parameter as `spell` writes it.
    pub fn about(&self, spell: impl Fn(&str) -> String) -> String {
        spelled(self.about, spell)
    }

    /// The methods, features or matchers that it belongs to, where they are few: elsewhere it
    /// is refused.
    pub fn belongs_to(&self, spell: impl Fn(&str) -> String) -> Option<String> {
        (self.owner != Owner::Any).then(|| spelled(self.owner.in_words(), spell))
    }

    /// Chooses the value that a text stands for; where there may be several, one more.
    pub fn set(&self, choices: &mut Choices, text: &str) -> std::result::Result<(), String> {
        (self.set)(choices, text)
    }

    fn schema(&self) -> Map<String, Value> {
        let kind = match &self.kind {
            Kind::Switch => json!({"type": "boolean"}),
            Kind::Whole => json!({"type": "integer", "minimum": 0}),
            Kind::Number => json!({"type": "number"}),
            Kind::Range => {
                json!({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2})
            }
            Kind::Text => json!({"type": "string"}),
            Kind::Texts => json!({"type": "array", "items": {"type": "string"}}),
            Kind::Name(names) => {
                let earlier = names.iter().flat_map(|name| &name.earlier);
                let names = names.iter().map(|name| &name.name);
                json!({"type": "string", "enum": names.chain(earlier).collect::<Vec<_>>()})
            }
        };
        let Value::Object(mut schema) = kind else {
            return Map::new();
        };
        let code = |name: &str| format!("`{name}`");
        let mut about = self.about(code);
        if let Some(owner) = self.belongs_to(code) {
            about += &format!("; belongs to {owner}");
        }
        if let Some(default) = self.default {
            about += &format!(" (default: {default})");
        }
        schema.insert("description".to_owned(), about.into());
        schema
    }
}

impl Choices {
    /// The parameter of a name, or of an earlier one.
    pub fn parameter(name: &str) -> Option<&'static Parameter> {
        let is_called = |known: &&Parameter| known.name == name || known.earlier.contains(&name);
        Self::parameters().iter().find(is_called)
    }

    /// Chooses the value that a text stands for, as in `threshold` and `0.4`. Several texts
    /// have spaces between them.
    pub(super) fn set(&mut self, name: &str, text: &str) -> Result<()> {
        let name = name.replace('-', "_");
        let Some(parameter) = Self::parameter(&name) else {
            let names: Vec<&str> = Self::parameters().iter().map(|known| known.name).collect();
            return refuse(format!(
                "there is no parameter \"{name}\"; there are {}",
                names.join(", ")
            ));
        };
        let texts = match parameter.kind {
            Kind::Texts => text.split_whitespace().collect(),
            _ => vec![text],
        };
        let mut texts = texts.into_iter();
        texts
            .try_for_each(|text| parameter.set(self, text))
            .or_else(|why| refuse(format!("‹{}›: {why}", parameter.name)))
    }

    /// A JSON schema of choices, such as a config file holds.
    pub fn schema() -> Value {
        let mut properties = Map::new();
        for parameter in Self::parameters() {
            let schema = parameter.schema();
            for &earlier in parameter.earlier {
                let mut schema = schema.clone();
                schema.insert("deprecated".to_owned(), true.into());
                properties.insert(earlier.to_owned(), schema.into());
            }
            properties.insert(parameter.name.to_owned(), schema.into());
        }
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "additionalProperties": false,
            "properties": properties,
        })
    }
}

/// A type of values that can be written as text.
pub(super) trait Written: Sized {
    fn kind() -> Kind;

    /// The value of a text. A list of values has one more than `before`.
    fn read(text: &str, before: Option<Self>) -> std::result::Result<Self, String>;
}

impl Written for bool {
    fn kind() -> Kind {
        Kind::Switch
    }

    fn read(text: &str, _: Option<Self>) -> std::result::Result<Self, String> {
        let wrong = |_| format!("\"{text}\" is neither true nor false");
        text.parse().map_err(wrong)
    }
}

macro_rules! whole_numbers {
    ($($type:ty),+) => {$(
        impl Written for $type {
            fn kind() -> Kind {
                Kind::Whole
            }

            fn read(text: &str, _: Option<Self>) -> std::result::Result<Self, String> {
                text.parse().map_err(|error: std::num::ParseIntError| match error.kind() {
                    std::num::IntErrorKind::PosOverflow => {
                        format!("{text} is not in 0..={}", Self::MAX)
                    }
                    _ => error.to_string(),
                })
            }
        }
    )+};
}

whole_numbers!(u32, u64);

impl Written for f64 {
    fn kind() -> Kind {
        Kind::Number
    }

    fn read(text: &str, _: Option<Self>) -> std::result::Result<Self, String> {
        let wrong = |error: std::num::ParseFloatError| error.to_string();
        text.parse().map_err(wrong)
    }
}

impl Written for [f64; 2] {
    fn kind() -> Kind {
        Kind::Range
    }

    fn read(text: &str, _: Option<Self>) -> std::result::Result<Self, String> {
        let wrong = || format!("\"{text}\" is not two numbers with a comma, such as 0.2,0.85");
        let (least, most) = text.split_once(',').ok_or_else(wrong)?;
        let number = |part: &str| part.trim().parse().map_err(|_| wrong());
        Ok([number(least)?, number(most)?])
    }
}

impl Written for Language {
    fn kind() -> Kind {
        Kind::Text
    }

    fn read(text: &str, _: Option<Self>) -> std::result::Result<Self, String> {
        Self::try_from(text.to_owned())
    }
}

impl Written for Verify {
    fn kind() -> Kind {
        Kind::Text
    }

    fn read(text: &str, _: Option<Self>) -> std::result::Result<Self, String> {
        Self::try_from(text.to_owned())
    }
}

impl Written for Vec<Specification> {
    fn kind() -> Kind {
        Kind::Texts
    }

    fn read(text: &str, before: Option<Self>) -> std::result::Result<Self, String> {
        let mut all = before.unwrap_or_default();
        all.push(text.parse()?);
        Ok(all)
    }
}

macro_rules! named {
    ($($type:ty),+) => {$(
        impl Written for $type {
            fn kind() -> Kind {
                Kind::Name(names::<Self>())
            }

            fn read(text: &str, _: Option<Self>) -> std::result::Result<Self, String> {
                by_name(text).map_err(|error| error.to_string())
            }
        }
    )+};
}

named!(
    Find,
    Method,
    FeatureKind,
    Matcher,
    Weights,
    Similarity,
    Fallback,
    Digest
);

fn by_name<T: DeserializeOwned>(name: &str) -> std::result::Result<T, NameError> {
    let name: StrDeserializer<'_, NameError> = name.into_deserializer();
    T::deserialize(name)
}

/// The names of an enum's values, as they are read and written by serde.
fn names<T: DeserializeOwned + Serialize>() -> Vec<Name> {
    let mut listed = Listed(&[]);
    let _ = T::deserialize(&mut listed);
    // An earlier name is one that is read, but not written.
    let written = |name: &str| {
        let value: Option<T> = by_name(name).ok();
        serde_json::to_value(value).ok()
    };
    let is_written = |name: &&&'static str| written(name) == Some(Value::from(**name));
    let named = listed.0.iter().filter(is_written).map(|&name| Name {
        name,
        earlier: (listed.0.iter().copied())
            .filter(|&other| other != name && written(other) == written(name))
            .collect(),
    });
    named.collect()
}

/// Takes down the names of the enum that is read, and gives it nothing.
struct Listed(&'static [&'static str]);

impl<'de> Deserializer<'de> for &mut Listed {
    type Error = NameError;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> std::result::Result<V::Value, NameError> {
        Err(NameError::custom("only names are asked for"))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> std::result::Result<V::Value, NameError> {
        self.0 = variants;
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        option unit unit_struct newtype_struct seq tuple tuple_struct map struct identifier
        ignored_any
    }
}
