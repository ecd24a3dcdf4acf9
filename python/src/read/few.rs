//! A few rows, read at once on the calling thread.

use crate::errors::usage;
use crate::rows::Puller;
use crate::source::{Kind, Source};
use pyo3::prelude::*;
use twinsift::{Document, Item, Skipped};

/// The documents of some rows, and the first row that is none.
pub(crate) fn documents(
    py: Python<'_>,
    source: &Source,
    recipe: &twinsift::Recipe,
) -> PyResult<(Vec<Document<'static>>, Option<Skipped>)> {
    let Kind::Rows(rows, _) = &source.kind else {
        return Err(usage(py, "documents are texts or dicts here"));
    };
    let reader = source.reading.rows(recipe);
    let mut puller = Puller::new(rows.bind(py), None)?;
    let (mut documents, mut wrong) = (Vec::new(), None);
    while let Some(rows) = puller.next(&reader)? {
        rows.expand(&reader, &mut |item| match item {
            Item::Document(document) => documents.push(document.into_owned()),
            Item::Skipped(skipped) => wrong = wrong.take().or(Some(skipped)),
        });
    }
    Ok((documents, wrong))
}
