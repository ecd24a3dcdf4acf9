//! Why two documents are, or are not, near duplicates.

use crate::errors::{engine, input, usage};
use crate::read::few::documents;
use crate::recipe::Recipe;
use crate::source::Source;
use crate::verbs::Statistics;
use pyo3::prelude::*;
use twinsift::Document;

/// Compares the two rows of a source. Returns JSON, as `twinsift compare --json` prints it.
#[pyfunction]
pub(crate) fn compare(
    py: Python<'_>,
    source: &Bound<'_, Source>,
    recipe: &Bound<'_, Recipe>,
    statistics: Option<&Bound<'_, Statistics>>,
) -> PyResult<String> {
    let (source, recipe) = (source.get(), &recipe.get().recipe);
    let [a, b] = two_documents(py, source, recipe)?;
    let statistics = statistics.map(|counted| counted.get().statistics.clone());
    let compared = py.detach(|| match &statistics {
        Some(statistics) => twinsift::compare_in(&a, &b, recipe, statistics),
        None => twinsift::compare(&a, &b, recipe),
    });
    let comparison = compared.map_err(|error| engine(py, &error))?;
    let spelled = serde_json::to_string(&comparison);
    spelled.map_err(|error| input(py, error.to_string()))
}

/// The texts that a recipe compares of some rows: of pages, what they say.
#[pyfunction]
pub(crate) fn texts(
    py: Python<'_>,
    source: &Bound<'_, Source>,
    recipe: &Bound<'_, Recipe>,
) -> PyResult<Vec<String>> {
    let (documents, _) = documents(py, source.get(), &recipe.get().recipe)?;
    let texts = documents.into_iter().map(|document| document.text);
    Ok(texts.map(|text| text.into_owned()).collect())
}

fn two_documents(
    py: Python<'_>,
    source: &Source,
    recipe: &twinsift::Recipe,
) -> PyResult<[Document<'static>; 2]> {
    let (documents, wrong) = documents(py, source, recipe)?;
    if let Some(skipped) = wrong {
        let name = ["a", "b"][(skipped.place.record as usize - 1).min(1)];
        return Err(input(py, format!("{name}: {}", skipped.reason)));
    }
    let documents: Result<[Document<'static>; 2], _> = documents.try_into();
    documents.map_err(|_| usage(py, "two documents are compared, neither more nor fewer"))
}
