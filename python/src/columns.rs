//! Columns of Arrow data, in and out: what Spark, Ray and Daft hand to each other.

use crate::arrow::unreadable;
use crate::errors::input;
use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayRef, StringArray, make_array};
use arrow_schema::DataType;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList, PyTuple};
use std::ffi::CStr;
use std::sync::Arc;

const STREAM: &CStr = c"arrow_array_stream";
const ARRAY: &CStr = c"arrow_array";
const SCHEMA: &CStr = c"arrow_schema";

/// An Arrow array. `pyarrow.array(x)`, `polars.Series(x)` and the like take it as it is.
#[pyclass(module = "twinsift", frozen)]
pub(crate) struct ArrowArray {
    pub(crate) array: ArrayRef,
}

#[pymethods]
impl ArrowArray {
    /// Number of rows.
    fn __len__(&self) -> usize {
        self.array.len()
    }

    /// The array for another library, by the Arrow C interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // Another type than its own may be asked for, and need not be given.
        drop(requested_schema);
        let exported = to_ffi(&self.array.to_data());
        let (array, schema) = exported.map_err(|error| unreadable(py, &error))?;
        Ok((
            PyCapsule::new_with_value(py, schema, SCHEMA)?,
            PyCapsule::new_with_value(py, array, ARRAY)?,
        ))
    }

    fn __repr__(&self) -> String {
        format!(
            "<twinsift.ArrowArray: {} rows of {}>",
            self.array.len(),
            self.array.data_type()
        )
    }
}

/// The chunks of a column: an object with `__arrow_c_stream__` or `__arrow_c_array__`, or a list
/// of texts.
pub(crate) fn chunks(column: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    let py = column.py();
    if let Ok(texts) = column.cast::<PyList>() {
        let texts: Vec<Option<String>> = texts.extract()?;
        return Ok(vec![Arc::new(StringArray::from(texts))]);
    }
    if column.hasattr("__arrow_c_stream__")? {
        let capsule = column.call_method0("__arrow_c_stream__")?;
        let pointer = capsule.cast::<PyCapsule>()?.pointer_checked(Some(STREAM))?;
        let stream: *mut FFI_ArrowArrayStream = pointer.cast().as_ptr();
        // SAFETY: the name of the capsule says what it points to; the struct is moved out, and
        // what is left is marked as released.
        let reader = unsafe { ArrayStreamReader::from_raw(stream) };
        let chunks = reader.and_then(|reader| py.detach(|| reader.collect()));
        return chunks.map_err(|error| unreadable(py, &error));
    }
    if !column.hasattr("__arrow_c_array__")? {
        let name = column.get_type().name()?;
        let sentence = format!(
            "a {name} is no column: use an array of pyarrow, a series of polars, or a list of texts"
        );
        return Err(input(py, sentence));
    }
    let capsules = column.call_method0("__arrow_c_array__")?;
    let capsules = capsules.cast::<PyTuple>()?;
    let (schema, array) = (capsules.get_item(0)?, capsules.get_item(1)?);
    let schema = schema.cast::<PyCapsule>()?.pointer_checked(Some(SCHEMA))?;
    let array = array.cast::<PyCapsule>()?.pointer_checked(Some(ARRAY))?;
    // SAFETY: the names of the capsules say what they point to; the array is moved out, and what
    // is left is marked as released.
    let data = unsafe {
        let array = FFI_ArrowArray::from_raw(array.cast().as_ptr());
        let schema: &FFI_ArrowSchema = schema.cast().as_ref();
        from_ffi(array, schema)
    };
    Ok(vec![make_array(
        data.map_err(|error| unreadable(py, &error))?,
    )])
}

/// A text of a column, `None` where there is none; fails if the column holds none at all.
pub(crate) fn text(array: &dyn Array, row: usize) -> Result<Option<&str>, String> {
    if array.is_null(row) {
        return Ok(None);
    }
    Ok(Some(match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().value(row),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row),
        DataType::Utf8View => array.as_string_view().value(row),
        DataType::Null => return Ok(None),
        other => {
            return Err(format!(
                "a column of texts is wanted, and this one is of {other}"
            ));
        }
    }))
}

/// The bytes of a row of a column, `None` where there are none.
pub(crate) fn bytes(array: &dyn Array, row: usize) -> Result<Option<&[u8]>, String> {
    if array.is_null(row) {
        return Ok(None);
    }
    Ok(Some(match array.data_type() {
        DataType::Binary => array.as_binary::<i32>().value(row),
        DataType::LargeBinary => array.as_binary::<i64>().value(row),
        DataType::BinaryView => array.as_binary_view().value(row),
        DataType::Null => return Ok(None),
        other => {
            return Err(format!(
                "a column of signatures is wanted, as extract_batch makes them, and this one is of {other}"
            ));
        }
    }))
}
