"""`datasets.Dataset` of Hugging Face."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from twinsift._tables.adapter import Adapter, Reading, refuse_missing, wanted_columns
from twinsift._twinsift import Source


class DatasetAdapter(Adapter):
    """A dataset; its texts are read where they are."""

    def __init__(self, data: Any) -> None:
        self._data = data

    def columns(self) -> Sequence[Any]:
        columns: list[str] = self._data.column_names
        return columns

    def source(self, reading: Reading) -> Source:
        refuse_missing(self._data.column_names, reading)
        wanted = wanted_columns(self._data.column_names, reading)
        table = self._data.select_columns(wanted).with_format("arrow")[:]
        return Source.table(table, reading)

    def take(self, positions: Sequence[int]) -> Any:
        return self._data.select(list(positions))

    def removed(
        self, positions: Sequence[int], duplicate_of: Sequence[Any], score: Sequence[float]
    ) -> Any:
        taken = self.take(positions)
        taken = taken.add_column("duplicate_of", list(duplicate_of))
        return taken.add_column("score", list(score))

    def table(self, columns: dict[str, list[Any]]) -> Any:
        import datasets

        return datasets.Dataset.from_dict(columns)

    def records(self, reading: Reading) -> Iterator[dict[str, Any]]:
        wanted = wanted_columns(self._data.column_names, reading)
        return iter(self._data.select_columns(wanted))
