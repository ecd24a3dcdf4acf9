//! Which columns hold what, and how files are read.

use crate::errors::usage;
use pyo3::prelude::*;
use pyo3::types::PyBool;
use twinsift::recipe::{Body, Content};
use twinsift_io::{CharsetName, FieldNames, Format, MAX_DOCUMENT, ReadOptions, RowReader};

/// The arguments that name columns, and those for files.
#[derive(Clone, Debug, Default, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Reading {
    id: Named,
    text: Named,
    html: Named,
    title: Named,
    subject: Named,
    url: Named,
    rendered: Named,
    rank: Option<String>,
    extra: Vec<String>,
    format: Option<String>,
    charset: Option<String>,
    delimiter: Option<String>,
    max_document: Option<usize>,
    id_per_file: bool,
}

/// The name of a column: `None` for the usual guesses, `False` for no column at all.
#[derive(Clone, Debug, Default)]
struct Named(Option<String>);

impl<'py> FromPyObject<'_, 'py> for Named {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(truth) = value.cast::<PyBool>()
            && !truth.is_true()
        {
            return Ok(Self(Some(FieldNames::NONE.to_owned())));
        }
        match value.extract() {
            Ok(name) => Ok(Self(name)),
            Err(_) => Err(usage(
                value.py(),
                "a column is named by a text, None stands for the usual names, and False for no column",
            )),
        }
    }
}

impl Reading {
    pub(crate) fn names(&self) -> FieldNames {
        FieldNames {
            id: self.id.0.clone(),
            text: self.text.0.clone(),
            html: self.html.0.clone(),
            title: self.title.0.clone(),
            subject: self.subject.0.clone(),
            url: self.url.0.clone(),
            rendered: self.rendered.0.clone(),
            rank: self.rank.clone(),
            extra: self.extra.clone(),
            no_text: false,
        }
    }

    /// Whether rows are to be named by their position.
    pub(crate) fn is_by_position(&self) -> bool {
        self.id.0.as_deref() == Some(FieldNames::NONE)
    }

    /// A reader of rows for a recipe.
    pub(crate) fn rows(&self, recipe: &twinsift::Recipe) -> RowReader {
        RowReader::new(&self.names(), content_of(recipe), body_of(recipe))
    }

    /// A reader of rows that hands over pages as such, with both bodies.
    pub(crate) fn pages(&self) -> RowReader {
        let (content, body) = (twinsift_io::Content::Html, twinsift_io::Body::Both);
        RowReader::new(&self.names(), content, body)
    }

    /// How files are read for a recipe.
    pub(crate) fn options(
        &self,
        py: Python<'_>,
        recipe: &twinsift::Recipe,
        tmp: &std::path::Path,
    ) -> PyResult<ReadOptions> {
        let format = self.format.as_deref().map(|name| {
            Format::of_extension(name)
                .ok_or_else(|| usage(py, format!("format= \"{name}\" is unknown")))
        });
        let charset = self.charset.as_deref().map(|name| {
            let known = CharsetName::of(name).filter(|charset| !charset.hides_ascii());
            known.ok_or_else(|| {
                let sentence = format!("charset= \"{name}\" is unknown: use a name such as utf-8");
                usage(py, sentence)
            })
        });
        let delimiter = self.delimiter.as_deref().map(|text| match text.as_bytes() {
            &[byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(byte),
            _ if text == "tab" => Ok(b'\t'),
            _ => {
                let sentence = format!("delimiter= \"{text}\" is not one character of ASCII");
                Err(usage(py, sentence))
            }
        });
        Ok(ReadOptions {
            fields: self.names(),
            content: content_of(recipe),
            body: body_of(recipe),
            id_per_file: self.id_per_file,
            format: format.transpose()?,
            charset: charset.transpose()?,
            delimiter: delimiter.transpose()?,
            max_document: self.max_document.unwrap_or(MAX_DOCUMENT),
            to_copy: false,
            tmp: tmp.to_owned(),
        })
    }
}

fn content_of(recipe: &twinsift::Recipe) -> twinsift_io::Content {
    match recipe.content() {
        Content::All => twinsift_io::Content::All,
        _ => twinsift_io::Content::Main,
    }
}

fn body_of(recipe: &twinsift::Recipe) -> twinsift_io::Body {
    match recipe.body() {
        Body::Fetched => twinsift_io::Body::Fetched,
        _ => twinsift_io::Body::Rendered,
    }
}
