"""Data frames, lazy frames and series of polars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from twinsift._tables.adapter import Adapter, Reading, refuse_missing, wanted_columns
from twinsift._twinsift import Source


class PolarsAdapter(Adapter):
    """A frame or a series of polars; the texts are read where they are."""

    def __init__(self, data: Any) -> None:
        if type(data).__name__ == "LazyFrame":
            data = data.collect()
        self._is_series = type(data).__name__ == "Series"
        self._original = data
        self._frame = data.alias("text").to_frame() if self._is_series else data

    def columns(self) -> Sequence[Any]:
        columns: list[str] = self._frame.columns
        return columns

    def source(self, reading: Reading) -> Source:
        refuse_missing(self._frame.columns, reading)
        wanted = wanted_columns(self._frame.columns, reading)
        return Source.table(self._frame.select(wanted), reading)

    def take(self, positions: Sequence[int]) -> Any:
        return self._original[list(positions)] if positions else self._original.clear()

    def removed(
        self, positions: Sequence[int], duplicate_of: Sequence[Any], score: Sequence[float]
    ) -> Any:
        import polars

        taken = self._frame[list(positions)] if positions else self._frame.clear()
        return taken.with_columns(
            polars.Series("duplicate_of", list(duplicate_of), strict=False),
            polars.Series("score", list(score), dtype=polars.Float64),
        )

    def table(self, columns: dict[str, list[Any]]) -> Any:
        import polars

        types: dict[str, Any] = {
            "score": polars.Float64(),
            "size": polars.Int64(),
            "label": polars.String(),
        }
        empty = polars.String()
        return polars.DataFrame(
            [
                polars.Series(
                    name,
                    values,
                    dtype=types.get(name) or (None if values else empty),
                    strict=False,
                )
                for name, values in columns.items()
            ]
        )

    def records(self, reading: Reading) -> Iterator[dict[str, Any]]:
        wanted = wanted_columns(self._frame.columns, reading)
        rows: Iterator[dict[str, Any]] = self._frame.select(wanted).iter_rows(named=True)
        return rows
