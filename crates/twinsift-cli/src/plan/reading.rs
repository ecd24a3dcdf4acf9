//! Flags and config file about reading, resolved.

use super::config::RunConfig;
use super::model_reading;
use crate::args::{CommonArgs, ReadArgs};
use crate::exit::bad_input;
use twinsift::Settings;
use twinsift::features::learned::model::Model;
use twinsift_io::{Body, CharsetName, Content, FieldNames, Format, MAX_DOCUMENT, ReadOptions};

/// A run with a given memory takes documents of at most one in so many bytes of it: with all
/// that is made of a document, one takes about as much.
const MEMORY_PER_DOCUMENT: u64 = 8;

/// The size of documents above which they are skipped.
fn max_document(read: &ReadArgs, common: &CommonArgs, config: &RunConfig) -> anyhow::Result<usize> {
    let asked = read.max_document.or(config.max_document_bytes()?);
    // Only by what was asked for: the same command gives the same result on any machine.
    let memory = common.memory.or(config.memory_bytes()?);
    let usual = memory.map_or(MAX_DOCUMENT as u64, |memory| {
        (memory / MEMORY_PER_DOCUMENT).clamp(1 << 20, MAX_DOCUMENT as u64)
    });
    Ok(usize::try_from(asked.unwrap_or(usual)).unwrap_or(usize::MAX))
}

/// The charset of a name.
pub fn charset(name: &str) -> anyhow::Result<CharsetName> {
    match CharsetName::of(name) {
        None => Err(bad_input(format!(
            "the charset \"{name}\" is unknown: use a name such as utf-8, utf-16le or windows-1252"
        ))),
        Some(charset) if charset.hides_ascii() => Err(bad_input(format!(
            "the charset \"{name}\" cannot be given: turn the files to UTF-8 first"
        ))),
        Some(charset) => Ok(charset),
    }
}

/// The delimiter that was asked for: one character of ASCII.
pub fn delimiter(text: &str) -> anyhow::Result<u8> {
    match (text, text.as_bytes()) {
        ("tab" | "\\t", _) => Ok(b'\t'),
        (_, &[byte]) if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(byte),
        _ => Err(bad_input(format!(
            "the delimiter \"{text}\" is not one character of ASCII: use one such as , ; | or tab"
        ))),
    }
}

/// How inputs are read: as the flags say, then the config file, then the model.
pub fn read_options(
    read: &ReadArgs,
    common: &CommonArgs,
    config: &RunConfig,
    settings: &Settings,
    model: Option<&Model>,
) -> anyhow::Result<ReadOptions> {
    let either = |flag: &Option<String>, file: &Option<String>| flag.clone().or(file.clone());
    let of_model = model.and_then(|model| model.reading.clone());
    let (content, body) = of_model.map_or((None, None), |r| (Some(r.content), r.body));
    let content = either(&read.content, &config.content).or(content);
    let content = match content.as_deref() {
        Some("all") => Content::All,
        None | Some("main") => Content::Main,
        Some(other) => {
            return Err(bad_input(format!(
                "content \"{other}\" is unknown: use all or main"
            )));
        }
    };
    let asked = either(&read.body, &config.body).or(body);
    let body = match asked.as_deref() {
        None | Some("rendered") => Body::Rendered,
        Some("fetched") => Body::Fetched,
        Some(other) => {
            return Err(bad_input(format!(
                "body \"{other}\" is unknown: use fetched or rendered"
            )));
        }
    };
    // To ask for it is to name its usual field, which then wins over other names.
    let usual = (asked.is_some() && body == Body::Rendered).then(|| "rendered".to_owned());
    let format = match either(&read.format, &config.format) {
        None => None,
        Some(name) => Some(
            Format::of_extension(&name)
                .ok_or_else(|| bad_input(format!("the format \"{name}\" is unknown")))?,
        ),
    };
    let options = ReadOptions {
        fields: FieldNames {
            id: either(&read.id_field, &config.id_field),
            text: either(&read.text_field, &config.text_field),
            html: either(&read.html_field, &config.html_field),
            rendered: either(&read.rendered_field, &config.rendered_field).or(usual),
            title: either(&read.title_field, &config.title_field),
            subject: either(&read.subject_field, &config.subject_field),
            url: either(&read.url_field, &config.url_field),
            ..FieldNames::default()
        },
        content,
        body,
        id_per_file: read.id_per_file || config.id_per_file.unwrap_or(false),
        format,
        charset: either(&read.charset, &config.charset)
            .map(|name| charset(&name))
            .transpose()?,
        delimiter: either(&read.delimiter, &config.delimiter)
            .map(|text| delimiter(&text))
            .transpose()?,
        max_document: max_document(read, common, config)?,
        to_copy: false,
        tmp: settings.tmp.clone(),
    };
    if let Some(model) = model {
        model_reading::check(model, &options)?;
    }
    Ok(options)
}
