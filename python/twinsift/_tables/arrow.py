"""Tables, arrays and streams of pyarrow, and all that exports Arrow data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from twinsift._tables.adapter import Adapter, Reading, wanted_columns
from twinsift._twinsift import Source
from twinsift.errors import UsageError


def pyarrow(why: str) -> Any:
    """Return the module pyarrow."""
    try:
        import pyarrow
    except ImportError as error:
        raise UsageError(f"{why} needs pyarrow: install it with pip install pyarrow") from error
    return pyarrow


class ArrowAdapter(Adapter):
    """Arrow data; the texts are read where they are."""

    def __init__(self, data: Any, retain: bool) -> None:
        self._data = data
        self._is_array = False
        name = type(data).__name__
        if name in ("Array", "ChunkedArray", "StringArray", "LargeStringArray", "StringViewArray"):
            self._is_array = True
            self._data = pyarrow("an array").table({"text": data})
        elif name == "RecordBatch":
            self._data = pyarrow("a record batch").Table.from_batches([data])
        elif name == "RecordBatchReader":
            self.has_rows = retain
            if retain:
                self._data = data.read_all()
        elif not name.endswith("Table"):
            self.has_rows = retain
            if retain:
                self._data = pyarrow("a result of Arrow data").table(data)

    def columns(self) -> Sequence[Any]:
        schema = getattr(self._data, "schema", None)
        return list(getattr(schema, "names", ()))

    def source(self, reading: Reading) -> Source:
        return Source.table(self._data, reading)

    def take(self, positions: Sequence[int]) -> Any:
        taken = _taken(self._data, positions)
        return taken.column(0) if self._is_array else taken

    def removed(
        self, positions: Sequence[int], duplicate_of: Sequence[Any], score: Sequence[float]
    ) -> Any:
        array = pyarrow("a table").array
        taken = _taken(self._data, positions)
        taken = taken.append_column("duplicate_of", array(_ids(duplicate_of)))
        return taken.append_column("score", array(score, "float64"))

    def table(self, columns: dict[str, list[Any]]) -> Any:
        return pyarrow("a table").table(
            {name: typed(name, values) for name, values in columns.items()}
        )

    def records(self, reading: Reading) -> Iterator[dict[str, Any]]:
        table = self._data.read_all() if hasattr(self._data, "read_all") else self._data
        for batch in table.select(wanted_columns(table.column_names, reading)).to_batches():
            yield from batch.to_pylist()


def _taken(table: Any, positions: Sequence[int]) -> Any:
    """Return some rows of a table."""
    arrow = pyarrow("a table")
    try:
        return table.take(arrow.array(positions, "int64"))
    except arrow.ArrowNotImplementedError:
        # Some types, such as views of strings, have no kernel for that.
        slices = [table.slice(position, 1) for position in positions]
        return arrow.concat_tables(slices) if slices else table.slice(0, 0)


def typed(name: str, values: list[Any]) -> Any:
    """Return a column of a result, with a type also if it has no rows."""
    array = pyarrow("a table").array
    if name == "score":
        return array(values, "float64")
    if name == "size":
        return array(values, "int64")
    if name == "label":
        return array(values, "string")
    return array(_ids(values)) if values else array(values, "string")


def _ids(values: Sequence[Any]) -> list[Any]:
    """Return ids of one type: texts if they are mixed."""
    kinds = {type(value) for value in values if value is not None}
    return list(values) if len(kinds) < 2 else [str(value) for value in values]
