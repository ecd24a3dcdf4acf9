"""Files and folders: documents are known by their ids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinsift._tables.adapter import Adapter, Reading
from twinsift._tables.rows import Removed, named_rows
from twinsift._twinsift import Recipe, Source, usual_recipe_of_files


class FilesAdapter(Adapter):
    """Files, read as the command reads them."""

    has_texts = False

    def __init__(self, paths: list[str]) -> None:
        self.paths = paths
        #: Set when the files have been read.
        self.ids: list[Any] = []

    def usual_recipe(self, reading: Reading, parameters: dict[str, Any]) -> Recipe:
        return usual_recipe_of_files(self.paths, reading, parameters)

    def source(self, reading: Reading) -> Source:
        return Source.files(self.paths, reading)

    def take(self, positions: Sequence[int]) -> Any:
        return [self.ids[position] for position in positions]

    def removed(
        self, positions: Sequence[int], duplicate_of: Sequence[Any], score: Sequence[float]
    ) -> Any:
        ids = self.take(positions)
        return [Removed(*row) for row in zip(ids, duplicate_of, score)]

    def table(self, columns: dict[str, list[Any]]) -> Any:
        return named_rows(columns)
