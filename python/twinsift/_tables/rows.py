"""Lists and other iterables of texts or dicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple, Union

from twinsift._tables.adapter import Adapter, Reading
from twinsift._twinsift import Source

#: The name of a document: as the data has it, or its position.
Id = Union[int, float, str]


class Pair(NamedTuple):
    """Two near duplicates."""

    a: Id
    b: Id
    score: float


class Member(NamedTuple):
    """A document with the group that it belongs to."""

    id: Id
    #: The first member of the group.
    cluster: Id
    size: int
    #: The member that this one was verified against; with `score`, `None` in a group of whatever
    #: pairs connect.
    representative: Id | None
    score: float | None


class Removed(NamedTuple):
    """A document that was removed, and the one that is kept for it."""

    document: Any
    duplicate_of: Id
    score: float


class Duplicate(NamedTuple):
    """A document with a known one that it is a near duplicate of, by an index."""

    id: Id
    #: With the two below, `None` for a document without a match.
    duplicate_of: Id | None
    score: float | None
    #: What is said of the known one.
    label: str | None


class Match(NamedTuple):
    """A known document of an index that another one is a near duplicate of."""

    duplicate_of: Id
    score: float
    label: str | None


def named_rows(columns: dict[str, list[Any]]) -> list[Any]:
    """Return the rows of a table of results."""
    kinds: dict[frozenset[str], Any] = {
        frozenset(kind._fields): kind for kind in (Pair, Member, Duplicate)
    }
    kind = kinds[frozenset(columns)]
    return [kind(*row) for row in zip(*columns.values())]


class RowsAdapter(Adapter):
    """Rows of Python objects."""

    def __init__(self, rows: Iterable[Any], retained: list[Any] | None) -> None:
        self._rows = rows
        self._retained = retained
        self.has_rows = retained is not None or isinstance(rows, Sequence)

    def columns(self) -> Sequence[Any]:
        if not isinstance(self._rows, Sequence):
            rows = iter(self._rows)
            first = list(islice(rows, 1))
            self._rows = chain(first, rows)
        else:
            first = list(self._rows[:1])
        return [name for row in first if isinstance(row, Mapping) for name in row]

    def source(self, reading: Reading) -> Source:
        return Source.rows(self._rows, reading, self._retained)

    @property
    def _kept(self) -> Sequence[Any]:
        if self._retained is not None:
            return self._retained
        assert isinstance(self._rows, Sequence)
        return self._rows

    def take(self, positions: Sequence[int]) -> Any:
        rows = self._kept
        return [rows[position] for position in positions]

    def removed(
        self, positions: Sequence[int], duplicate_of: Sequence[Any], score: Sequence[float]
    ) -> Any:
        return [
            {**row, "duplicate_of": other, "score": value}
            if isinstance(row, Mapping)
            else Removed(row, other, value)
            for row, other, value in zip(self.take(positions), duplicate_of, score)
        ]

    def table(self, columns: dict[str, list[Any]]) -> Any:
        return named_rows(columns)

    def records(self, reading: Reading) -> Iterator[dict[str, Any]]:
        name = reading["text"] or "text"
        for row in self._rows:
            yield dict(row) if isinstance(row, Mapping) else {name: row}
