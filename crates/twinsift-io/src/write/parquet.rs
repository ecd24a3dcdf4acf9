//! Parquet, for data frames.
//!
//! A Parquet column has one type, decided before the first row is seen. Names
//! of documents are therefore strings, unless the caller knows that all of
//! them are integers and says so ([`IdKind::AllIntegers`]). Rows are gathered
//! into batches, batches into row groups, so that memory stays bounded however
//! long the table gets.

use std::io;
use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Float64Builder, Int64Builder, StringBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use super::{Column, IdKind, Kind, Value};
use crate::output::{AtomicFile, ParquetFile, WriteError};

const BATCH: usize = 8192;
const ROW_GROUP: usize = 100_000;

/// Writes rows as Parquet.
pub(super) struct ParquetRows {
    name: String,
    file: ParquetFile,
    schema: SchemaRef,
    builders: Vec<Builder>,
    pending: usize,
}

enum Builder {
    Text(StringBuilder),
    Integer(Int64Builder),
    Number(Float64Builder),
    Bool(BooleanBuilder),
}

impl ParquetRows {
    pub(super) fn new(file: AtomicFile, columns: &[Column<'_>]) -> Result<Self, WriteError> {
        let name = file.name().to_owned();
        let builders: Vec<Builder> = columns
            .iter()
            .map(|column| Builder::new(column.kind))
            .collect();
        let fields: Vec<Field> = columns
            .iter()
            .zip(&builders)
            .map(|(column, builder)| Field::new(column.name, builder.data_type(), true))
            .collect();
        let schema = Arc::new(Schema::new(fields));
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_max_row_group_row_count(Some(ROW_GROUP));
        for column in columns.iter().filter(|column| column.kind == Kind::Digest) {
            let path = vec![column.name.to_owned()].into();
            properties = properties.set_column_dictionary_enabled(path, false);
        }
        Ok(Self {
            name,
            file: ParquetFile::new(file, Arc::clone(&schema), properties.build())?,
            schema,
            builders,
            pending: 0,
        })
    }

    pub(super) fn row(&mut self, values: &[Value<'_>]) -> Result<(), WriteError> {
        for (column, (builder, value)) in self.builders.iter_mut().zip(values).enumerate() {
            if let (Builder::Integer(_), Value::Id(id)) = (&*builder, value) {
                let Ok(number) = id.text.parse() else {
                    return Err(WriteError::NotAnInteger {
                        target: self.name.clone(),
                        column: self.schema.field(column).name().clone(),
                        id: id.text.to_string(),
                    });
                };
                builder.push(&Value::Integer(number));
            } else {
                builder.push(value);
            }
        }
        self.pending += 1;
        if self.pending == BATCH {
            self.write_batch()?;
        }
        Ok(())
    }

    fn write_batch(&mut self) -> Result<(), WriteError> {
        self.pending = 0;
        let arrays = self.builders.iter_mut().map(Builder::take).collect();
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), arrays)
            .map_err(|error| WriteError::new(&self.name, io::Error::other(error)))?;
        self.file.write(&batch)
    }

    pub(super) fn finish(mut self) -> Result<(), WriteError> {
        if self.pending > 0 {
            self.write_batch()?;
        }
        self.file.finish()
    }
}

impl Builder {
    fn new(kind: Kind) -> Self {
        match kind {
            Kind::Text | Kind::Digest | Kind::Id(IdKind::Mixed) => {
                Builder::Text(StringBuilder::new())
            }
            Kind::Integer | Kind::Id(IdKind::AllIntegers) => Builder::Integer(Int64Builder::new()),
            Kind::Number => Builder::Number(Float64Builder::new()),
            Kind::Bool => Builder::Bool(BooleanBuilder::new()),
        }
    }

    fn data_type(&self) -> DataType {
        match self {
            Builder::Text(_) => DataType::Utf8,
            Builder::Integer(_) => DataType::Int64,
            Builder::Number(_) => DataType::Float64,
            Builder::Bool(_) => DataType::Boolean,
        }
    }

    /// Adds a value that [`Kind::takes`] has let through.
    fn push(&mut self, value: &Value<'_>) {
        match (self, value) {
            (Builder::Text(to), Value::Text(text)) => to.append_value(text),
            (Builder::Text(to), Value::Id(id)) => to.append_value(&id.text),
            (Builder::Integer(to), Value::Integer(number)) => to.append_value(*number),
            (Builder::Number(to), Value::Number(number)) if number.is_finite() => {
                to.append_value(*number);
            }
            (Builder::Bool(to), Value::Bool(yes)) => to.append_value(*yes),
            (Builder::Text(to), _) => to.append_null(),
            (Builder::Integer(to), _) => to.append_null(),
            (Builder::Number(to), _) => to.append_null(),
            (Builder::Bool(to), _) => to.append_null(),
        }
    }

    fn take(&mut self) -> ArrayRef {
        match self {
            Builder::Text(from) => ArrayBuilder::finish(from),
            Builder::Integer(from) => ArrayBuilder::finish(from),
            Builder::Number(from) => ArrayBuilder::finish(from),
            Builder::Bool(from) => ArrayBuilder::finish(from),
        }
    }
}
