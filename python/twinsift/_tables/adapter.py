"""What every kind of data can do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from twinsift._twinsift import Recipe, Source, usual_recipe
from twinsift.errors import InputError

#: The usual names of the column with the text, as the readers guess them.
_TEXTS = ("text", "content", "body", "article", "html")

#: A reading, as `twinsift._reading.reading` makes it.
Reading = dict[str, Any]


class Adapter:
    """Some data, as a source of documents and as rows to give back."""

    #: Whether rows can be given back.
    has_rows = True

    #: Whether these rows hold the texts that are compared.
    has_texts = True

    def source(self, reading: Reading) -> Source:
        """Return what the engine reads."""
        raise NotImplementedError

    def usual_recipe(self, reading: Reading, parameters: dict[str, Any]) -> Recipe:
        """Return the recipe of parameters, by default for what is usual among such documents."""
        names = [name for name in self.columns() if isinstance(name, str)]
        return usual_recipe(names, reading, parameters)

    def columns(self) -> Sequence[Any]:
        """Return the names of the columns, as far as they are known before rows are read."""
        return ()

    def take(self, positions: Sequence[int]) -> Any:
        """Return some rows in the type of the data."""
        raise NotImplementedError

    def removed(
        self, positions: Sequence[int], duplicate_of: Sequence[Any], score: Sequence[float]
    ) -> Any:
        """Return some rows with two more columns."""
        raise NotImplementedError

    def table(self, columns: dict[str, list[Any]]) -> Any:
        """Return a table of results in the type that goes with the data."""
        raise NotImplementedError

    def records(self, reading: Reading) -> Iterator[dict[str, Any]]:
        """Return the rows as dicts, with the columns that matter."""
        raise NotImplementedError


def wanted_columns(columns: Sequence[Any], reading: Reading) -> list[Any]:
    """Return the columns that may matter to a reader, so that others need not be converted."""
    usual = {"id", "doc_id", "url", "title", "subject", "rendered", "final_url", *_TEXTS}
    named = {value for value in reading.values() if isinstance(value, str)}
    named.update(reading["extra"])
    return [
        column
        for column in columns
        if isinstance(column, str) and (column in named or column.lower() in usual)
    ]


def refuse_missing(columns: Sequence[Any], reading: Reading) -> None:
    """Refuse names that no column has, and a table without a text."""
    parts = ("id", "text", "html", "title", "subject", "url", "rendered", "rank")
    names = ", ".join(f'"{column}"' for column in columns)
    for name in [*(reading[part] for part in parts), *reading["extra"]]:
        if isinstance(name, str) and name not in columns:
            raise InputError(f'there is no column "{name}": the columns are {names}')
    is_named = any(reading[part] for part in ("text", "html", "rendered", "subject"))
    usual = {*_TEXTS, "rendered", "subject"}
    if columns and not is_named and not any(str(column).lower() in usual for column in columns):
        raise InputError(
            f"no column is called text, content, body, article or html: name the one with the "
            f"text with text=; the columns are {names}"
        )
