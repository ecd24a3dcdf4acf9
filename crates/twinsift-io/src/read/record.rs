//! One JSON object to the table of values.
//!
//! Only the fields that matter are built; the rest is skipped over, checked
//! but not kept. A string without escapes is borrowed from the batch. The
//! parser is `serde_json`: `sonic-rs`, with this same visitor, was no faster
//! (both near 500 MB/s on one core of long texts full of escapes), and a
//! nesting limit is built in here.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::charsets::Charset;
use super::fields::{Fields, Value};

/// Reads the object that `bytes` spell. The error is a phrase for people.
pub(super) fn parse<'a>(
    bytes: &'a [u8],
    charset: &Charset,
    fields: &Fields,
    values: &mut [Value<'a>],
) -> Result<(), String> {
    let text = charset
        .text(bytes)
        .map_err(|at| format!("invalid UTF-8 at byte {}", at + 1))?;
    let mended = match &text {
        Cow::Borrowed(text) => {
            let Err(reason) = read(text, fields, values) else {
                return Ok(());
            };
            without_lone_surrogates(text).ok_or(reason)?
        }
        Cow::Owned(text) => without_lone_surrogates(text).unwrap_or_else(|| text.clone()),
    };
    let mut found = fields.blank();
    read(&mended, fields, &mut found)?;
    for (value, found) in values.iter_mut().zip(found) {
        *value = found.into_owned();
    }
    Ok(())
}

fn read<'a>(text: &'a str, fields: &Fields, values: &mut [Value<'a>]) -> Result<(), String> {
    let mut reader = serde_json::Deserializer::from_str(text);
    Record { fields, values }
        .deserialize(&mut reader)
        .and_then(|()| reader.end())
        .map_err(|error| complaint(&error, text))?;
    if values
        .iter()
        .any(|v| matches!(v, Value::Number(n) if n.is_empty()))
    {
        respell(text, fields, values)?;
    }
    Ok(())
}

/// The object with U+FFFD for each escape that is one half of a surrogate pair; `None` if it
/// has no such escape. Python writes and reads them, and the parser does not: one of them
/// must not cost the record.
fn without_lone_surrogates(text: &str) -> Option<String> {
    let unit = |at: usize| {
        let digits = text.get(at..)?.strip_prefix("\\u")?.get(..4)?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut mended = String::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(offset) = memchr::memchr(b'\\', &text.as_bytes()[at..]) {
        at += offset;
        at += match (unit(at), unit(at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                mended.push_str(&text[copied..at]);
                mended.push_str("\\ufffd");
                copied = at + 6;
                6
            }
            // Whatever is escaped, it is no backslash that escapes something.
            _ => 2,
        };
        at = at.min(text.len());
    }
    mended.push_str(&text[copied..]);
    (copied > 0).then_some(mended)
}

/// The names of an object's fields, for a complaint.
pub(super) fn names(bytes: &[u8]) -> Vec<String> {
    serde_json::from_slice::<BTreeMap<String, IgnoredAny>>(bytes)
        .map(|map| map.into_keys().collect())
        .unwrap_or_default()
}

fn complaint(error: &serde_json::Error, text: &str) -> String {
    match text.trim_start().as_bytes().first() {
        Some(b'{') => {}
        _ if error.is_data() => return "not a JSON object".to_owned(),
        _ => {}
    }
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or(&message);
    format!("broken JSON: {message} at byte {}", error.column())
}

/// Numbers that are not plain integers keep their own spelling: they are
/// looked up again, raw. Rare enough for a second pass over the record.
fn respell<'a>(text: &'a str, fields: &Fields, values: &mut [Value<'a>]) -> Result<(), String> {
    let raw: BTreeMap<Cow<'a, str>, &'a RawValue> =
        serde_json::from_str(text).map_err(|error| complaint(&error, text))?;
    for (name, raw) in raw {
        if let Some(slot) = fields.slot(&name)
            && matches!(values[slot], Value::Number(_))
        {
            values[slot] = Value::Number(Cow::Borrowed(raw.get()));
        }
    }
    Ok(())
}

struct Record<'f, 'v, 'a> {
    fields: &'f Fields,
    values: &'v mut [Value<'a>],
}

impl<'a> DeserializeSeed<'a> for Record<'_, '_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'a> Visitor<'a> for Record<'_, '_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(slot) = map.next_key_seed(Key(self.fields))? {
            match slot {
                Some(slot) => self.values[slot] = map.next_value_seed(Slot)?,
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

struct Key<'f>(&'f Fields);

impl<'a> DeserializeSeed<'a> for Key<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<Option<usize>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a field name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Option<usize>, E> {
        Ok(self.0.slot(name))
    }
}

struct Slot;

impl<'a> DeserializeSeed<'a> for Slot {
    type Value = Value<'a>;

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<Value<'a>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'a> Visitor<'a> for Slot {
    type Value = Value<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_borrowed_str<E>(self, text: &'a str) -> Result<Value<'a>, E> {
        Ok(Value::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value<'a>, E> {
        Ok(Value::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value<'a>, E> {
        Ok(Value::Number(Cow::Owned(number.to_string())))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value<'a>, E> {
        Ok(Value::Number(Cow::Owned(number.to_string())))
    }

    /// Left empty: the spelling is found by `respell`.
    fn visit_f64<E>(self, _: f64) -> Result<Value<'a>, E> {
        Ok(Value::Number(Cow::Borrowed("")))
    }

    fn visit_unit<E>(self) -> Result<Value<'a>, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Value<'a>, E> {
        Ok(Value::Truth(truth))
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut items: A) -> Result<Value<'a>, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::Other("a list"))
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Value<'a>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Value::Other("an object"))
    }
}
