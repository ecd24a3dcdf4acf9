"""What a run found, in the types of its input."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from twinsift._html import SIDES, Shown, fragment, page
from twinsift._tables import Adapter, adapt
from twinsift._tables.adapter import Reading
from twinsift._twinsift import Matches, Recipe, Source, texts
from twinsift.errors import UsageError

T = TypeVar("T")


@dataclass(frozen=True)
class Report:
    """Numbers about a run, as the command's summary has them."""

    #: Documents, without those of `against=`.
    documents: int
    #: Documents of `against=`.
    against: int
    #: Words that were read.
    words: int
    #: Records of files that could not be read.
    skipped: int
    #: Documents without anything to compare, never matched.
    unjudged: int
    #: Documents with fewer words than a feature takes, compared as a whole.
    short: int
    #: Documents with too few spots, or words of the lexicon, to be judged by them.
    unsigned: int
    #: Documents that had no feature left in the range of `idf=`.
    emptied: int
    #: Pairs that were compared in full.
    compared: int
    #: Bytes that went to disk.
    spilled_bytes: int
    reading_seconds: float
    matching_seconds: float


class Result(Generic[T]):
    """The near duplicates of some documents. Rows come back in the type of the input."""

    def __init__(
        self, matches: Matches, data: Adapter, keep: str, group: str, how: Reading
    ) -> None:
        self._matches = matches
        self._data = data
        self._keep = keep
        self._group = group
        self._how = how

    @property
    def recipe(self) -> Recipe:
        """How documents were compared."""
        return self._matches.recipe

    @cached_property
    def report(self) -> Report:
        """Numbers about the run."""
        return Report(**self._matches.report())

    @cached_property
    def skipped(self) -> list[tuple[str, str]]:
        """The records of files that could not be read: where each stands, and why."""
        return self._matches.skipped()

    @cached_property
    def _ids(self) -> list[Any]:
        return self._matches.ids()

    @cached_property
    def _verdicts(self) -> tuple[list[int], list[int], list[int], list[float]]:
        return self._matches.verdicts(self._keep)

    def _rows(self) -> Adapter:
        if not self._data.has_rows:
            raise UsageError(
                "the rows of a stream are gone once they are read: call dedup(), which keeps "
                "them, or make a list of the stream first"
            )
        return self._data

    @cached_property
    def kept(self) -> T:
        """The documents that stay when near duplicates are removed."""
        rows: T = self._rows().take(self._verdicts[0])
        return rows

    @cached_property
    def removed(self) -> Any:
        """The documents that go, each with `duplicate_of` and `score`.

        `duplicate_of` is the id of the very document that is kept for it.
        """
        _, removed, duplicate_of, score = self._verdicts
        return self._rows().removed(removed, [self._ids[doc] for doc in duplicate_of], score)

    @cached_property
    def _pairs(self) -> tuple[list[int], list[int], list[float]]:
        return self._matches.pairs()

    @cached_property
    def pairs(self) -> Any:
        """Every near-duplicate pair once: `a`, `b`, `score`, in the order of the input."""
        a, b, score = self._pairs
        ids = self._ids
        columns = {"a": [ids[doc] for doc in a], "b": [ids[doc] for doc in b], "score": score}
        return self._data.table(columns)

    @cached_property
    def _clusters(
        self,
    ) -> tuple[list[int], list[int], list[int], list[int | None], list[float | None]]:
        return self._matches.clusters(self._group)

    @cached_property
    def clusters(self) -> Any:
        """A row for each document that is not alone, group by group.

        `id`, `cluster` (the id of the group's first member), `size`, and the `representative` of the
        group that the document was verified against, with the `score`.
        """
        grouped, first, size, representative, score = self._clusters
        ids = self._ids
        return self._data.table(
            {
                "id": [ids[doc] for doc in grouped],
                "cluster": [ids[doc] for doc in first],
                "size": size,
                "representative": [None if doc is None else ids[doc] for doc in representative],
                "score": score,
            }
        )

    @cached_property
    def _groups(self) -> list[list[int]]:
        grouped, first, *_ = self._clusters
        groups: dict[int, list[int]] = {}
        for doc, group in zip(grouped, first):
            groups.setdefault(group, []).append(doc)
        return list(groups.values())

    @property
    def groups(self) -> list[list[Any]]:
        """The ids of each group of near duplicates, that of the representative first."""
        return [[self._ids[doc] for doc in group] for group in self._groups]

    def rethreshold(self, threshold: float) -> Result[T]:
        """Return the result by a higher threshold, without reading anything again.

        >>> import twinsift
        >>> texts = ["one two three four", "one two three five", "one two three four!"]
        >>> result = twinsift.pairs(texts, k=1, threshold=0.5)
        >>> result.pairs
        [Pair(a=0, b=1, score=0.6), Pair(a=0, b=2, score=1.0), Pair(a=1, b=2, score=0.6)]
        >>> result.rethreshold(0.9).pairs
        [Pair(a=0, b=2, score=1.0)]
        """
        raised = self._matches.raised(threshold)
        return Result(raised, self._data, self._keep, self._group, self._how)

    def write(self, path: str | os.PathLike[str]) -> int:
        """Write the survivors of files as `twinsift dedup -o` does: in their own format.

        Return how many documents were written.
        """
        return self._matches.write(os.fspath(path), self._keep)

    def to_html(self, groups: int = 100) -> str:
        """Return a self-contained page: numbers, and the first groups side by side."""
        return page("twinsift", self._shown(groups))

    def _repr_html_(self) -> str:
        return fragment(self._shown(3))

    def _shown(self, groups: int) -> Shown:
        try:
            found = self._groups
        except UsageError:
            found = []
        shown = [
            (
                [str(self._ids[doc]) for doc in group[:SIDES]],
                self._texts(group[:SIDES]),
                len(group),
            )
            for group in found[:groups]
        ]
        report = self.report
        numbers = {"documents": report.documents, "to keep": len(self._verdicts[0])}
        numbers["near duplicates"] = len(self._verdicts[1])
        numbers["groups"] = len(found)
        return Shown(str(self.recipe), self.recipe.id, numbers, shown)

    def _texts(self, group: list[int]) -> list[str] | None:
        """Return the texts that were compared, if all are rows of the data and at hand."""
        data, old_from = self._data, self._matches.old_from
        is_new = old_from is None or all(doc < old_from for doc in group)
        if not (is_new and data.has_rows and data.has_texts):
            return None
        rows = adapt(data.take(group), "the data", False).records(self._how)
        return texts(Source.rows(rows, self._how, None), self.recipe)

    def __repr__(self) -> str:
        report = self.report
        against = f" against {report.against:,}" if report.against else ""
        return f"<twinsift.Result: {report.documents:,} documents{against}, {self._found()}>"

    def _found(self) -> str:
        kept, removed, *_ = self._verdicts
        return f"{len(removed):,} near duplicates to remove, {len(kept):,} to keep"
