//! Keyword arguments as the parameters of a recipe.
//!
//! Every parameter that the engine declares is a keyword argument of the same name: none is
//! listed here.

use crate::errors::{keyword, usage};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use twinsift::Choices;
use twinsift::recipe::{Kind, Parameter};

/// The parameters of a recipe: name, kind of value, names of values, meaning, default.
#[pyfunction]
pub(crate) fn parameters(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let all = Choices::parameters().iter();
    all.map(|parameter| described(py, parameter)).collect()
}

fn described<'py>(py: Python<'py>, parameter: &Parameter) -> PyResult<Bound<'py, PyDict>> {
    let row = PyDict::new(py);
    let (kind, names) = match &parameter.kind {
        Kind::Switch => ("bool", Vec::new()),
        Kind::Whole => ("int", Vec::new()),
        Kind::Number => ("float", Vec::new()),
        Kind::Range => ("range", Vec::new()),
        Kind::Texts => ("texts", Vec::new()),
        Kind::Name(names) => ("name", names.iter().map(|name| name.name).collect()),
        _ => ("str", Vec::new()),
    };
    row.set_item("name", parameter.name)?;
    row.set_item("kind", kind)?;
    row.set_item("names", names)?;
    row.set_item("about", parameter.about(keyword))?;
    row.set_item("default", parameter.default)?;
    row.set_item("belongs_to", parameter.belongs_to(keyword))?;
    Ok(row)
}

/// Takes the parameters out of `arguments`; what is left is none.
pub(crate) fn take(arguments: &Bound<'_, PyDict>) -> PyResult<Choices> {
    let py = arguments.py();
    let mut choices = Choices::default();
    for (name, value) in arguments.copy()?.iter() {
        let name: String = name.extract()?;
        let Some(parameter) = Choices::parameter(&name) else {
            continue;
        };
        arguments.del_item(&name)?;
        if value.is_none() {
            continue;
        }
        for text in texts(parameter, &value)? {
            parameter
                .set(&mut choices, &text)
                .map_err(|why| usage(py, format!("{}: {why}", keyword(parameter.name))))?;
        }
    }
    Ok(choices)
}

/// A list of words, such as stop words.
pub(crate) fn words(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if value.is_instance_of::<PyString>() {
        let sentence = format!(
            "{}: this is a text, and a list of words is wanted",
            keyword(name)
        );
        return Err(usage(value.py(), sentence));
    }
    value.extract()
}

/// Refuses arguments that nobody knows.
pub(crate) fn refuse_rest(arguments: &Bound<'_, PyDict>, others: &[&str]) -> PyResult<()> {
    let Some((name, _)) = arguments.iter().next() else {
        return Ok(());
    };
    let name: String = name.extract()?;
    let names = Choices::parameters().iter().map(|known| known.name);
    let names: Vec<&str> = names.chain(others.iter().copied()).collect();
    let sentence = format!(
        "there is no parameter {}; there are {}",
        keyword(&name),
        names.join(", ")
    );
    Err(usage(arguments.py(), sentence))
}

/// The texts that a value is spelt as, one for each value of a parameter that has several.
fn texts(parameter: &Parameter, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let py = value.py();
    let several = value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>();
    if !several {
        return Ok(vec![spelled(parameter, value)?]);
    }
    let values = value.try_iter()?.map(|value| spelled(parameter, &value?));
    let values: Vec<String> = values.collect::<PyResult<_>>()?;
    match parameter.kind {
        Kind::Texts => Ok(values),
        Kind::Range => Ok(vec![values.join(",")]),
        _ => Err(usage(
            py,
            format!(
                "{}: one value is wanted, not several",
                keyword(parameter.name)
            ),
        )),
    }
}

fn spelled(parameter: &Parameter, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(truth) = value.cast::<PyBool>() {
        return Ok(truth.is_true().to_string());
    }
    if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyString>() {
        return value.str()?.extract();
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        return Ok(number.value().to_string());
    }
    // Numbers of other libraries.
    let number = (value.call_method0("__index__")).or_else(|_| value.call_method0("__float__"));
    match number {
        Ok(number) => number.str()?.extract(),
        Err(_) => Err(usage(
            value.py(),
            format!(
                "{}: a {} cannot be its value",
                keyword(parameter.name),
                value.get_type().name()?
            ),
        )),
    }
}
