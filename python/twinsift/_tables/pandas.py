"""Data frames and series of pandas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from twinsift._tables.adapter import (
    Adapter,
    Reading,
    refuse_missing,
    wanted_columns,
)
from twinsift._twinsift import Source


class PandasAdapter(Adapter):
    """A data frame or a series; rows that are given back keep their index."""

    def __init__(self, data: Any) -> None:
        self._is_series = type(data).__name__ == "Series"
        self._original = data
        self._frame = data.to_frame("text") if self._is_series else data

    def columns(self) -> Sequence[Any]:
        return list(self._frame.columns)

    def source(self, reading: Reading) -> Source:
        frame = self._frame
        refuse_missing(list(frame.columns), reading)
        frame = frame[wanted_columns(list(frame.columns), reading)]
        table = _arrow(frame)
        if table is not None:
            return Source.table(table, reading)
        return Source.rows(self.records(reading), reading, None)

    def records(self, reading: Reading) -> Iterator[dict[str, Any]]:
        frame = self._frame[wanted_columns(list(self._frame.columns), reading)]
        names = list(frame.columns)
        values = [frame.iloc[:, number].tolist() for number in range(len(names))]
        return (dict(zip(names, row)) for row in zip(*values))

    def take(self, positions: Sequence[int]) -> Any:
        return self._original.iloc[list(positions)]

    def removed(
        self, positions: Sequence[int], duplicate_of: Sequence[Any], score: Sequence[float]
    ) -> Any:
        taken = self._frame.iloc[list(positions)]
        return taken.assign(duplicate_of=list(duplicate_of), score=list(score))

    def table(self, columns: dict[str, list[Any]]) -> Any:
        import pandas

        frame = pandas.DataFrame(columns)
        return frame.astype({"score": "float64"}) if "score" in columns else frame


def _arrow(frame: Any) -> Any:
    """Return the frame as Arrow data, or None if it cannot be: then rows say what is wrong."""
    if len(set(frame.columns)) < len(frame.columns):
        from twinsift.errors import InputError

        repeated = next(name for name in frame.columns if list(frame.columns).count(name) > 1)
        raise InputError(f'the column "{repeated}" is there twice: rename one of the two')
    try:
        import pyarrow
    except ImportError:
        return None
    try:
        return pyarrow.Table.from_pandas(frame, preserve_index=False)
    except (pyarrow.ArrowException, TypeError, ValueError, UnicodeError):
        return None
