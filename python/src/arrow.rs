//! Arrow data across the border: tables through capsules of the Arrow C interface.

use crate::errors::input;
use arrow_array::RecordBatch;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_schema::ArrowError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

const STREAM: &std::ffi::CStr = c"arrow_array_stream";

/// The record batches of an object with `__arrow_c_stream__`.
pub(crate) fn stream(object: &Bound<'_, PyAny>) -> PyResult<RecordBatchStreamReader> {
    let capsule = object.call_method0("__arrow_c_stream__")?;
    let capsule = capsule.cast::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(STREAM))?;
    let stream: *mut FFI_ArrowArrayStream = pointer.cast().as_ptr();
    // SAFETY: the capsule has the name that the Arrow C interface gives to a pointer to such a
    // struct; the struct is moved out, and what is left is marked as released.
    let reader = unsafe { RecordBatchStreamReader::from_raw(stream) };
    reader.map_err(|error| unreadable(object.py(), &error))
}

/// What went wrong with a stream.
pub(crate) fn unreadable(py: Python<'_>, error: &ArrowError) -> PyErr {
    input(py, format!("the Arrow data cannot be read: {error}"))
}

/// Slices of a batch of about so many bytes. The slices
/// share the memory of the batch.
pub(crate) fn slices(batch: &RecordBatch, bytes: usize) -> impl Iterator<Item = RecordBatch> {
    let rows = batch.num_rows();
    // What the rows themselves take: their memory may be shared with many others.
    let sizes = batch.columns().iter().map(|column| {
        let size = column.to_data().get_slice_memory_size();
        size.unwrap_or_else(|_| column.get_array_memory_size())
    });
    let row_bytes = (sizes.sum::<usize>() / rows.max(1)).max(1);
    let step = (bytes / row_bytes).clamp(1, 1 << 14);
    let batch = batch.clone();
    (0..rows)
        .step_by(step)
        .map(move |start| batch.slice(start, step.min(rows - start)))
}
