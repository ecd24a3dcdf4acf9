"""`Index`: a collection on disk that says at once what a document duplicates."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, Union, overload

from twinsift._progress import Bar
from twinsift._reading import reading, settings
from twinsift._runs import READING, recipe_of
from twinsift._tables import adapt
from twinsift._tables.files import FilesAdapter
from twinsift._tables.rows import Duplicate, Id, Match
from twinsift._twinsift import OpenIndex, Recipe, Source, Statistics, check_index
from twinsift.errors import TwinsiftWarning, UsageError

if TYPE_CHECKING:
    from typing_extensions import Self, TypedDict, Unpack

    from twinsift._parameters import Parameters
    from twinsift._reading import Column, Size
    from twinsift._runs import Paths, Row

    class Columns(TypedDict, total=False):
        """Keyword arguments that say how documents are read."""

        text: Column
        id: Column
        html: Column
        title: Column
        subject: Column
        url: Column
        rendered: Column
        format: str | None
        charset: str | None
        delimiter: str | None
        max_document: Size | None
        id_per_file: bool

    class Options(Columns, total=False):
        """Keyword arguments of `add` and `query` besides their own."""

        threads: int | None
        memory: Size | None
        tmp: str | os.PathLike[str] | None
        progress: bool | None
        strict: bool

    class Definition(Parameters, Columns, total=False):
        """What a new index is made for."""


T = TypeVar("T")

#: How long a document is to be known: a duration, or seconds.
Duration = Union[timedelta, float]

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class Added(NamedTuple):
    """What a call of `Index.add` has added."""

    #: Documents that were added.
    documents: int
    #: Those of them that took the place of another one with the same id.
    replaced: int
    #: Those of them that have too little to be matched.
    unjudged: int


@dataclass(frozen=True)
class Record:
    """What an index knows of a document."""

    id: Id
    label: str | None
    #: When it was added.
    added: datetime
    #: When it expires, if it is not seen again; None if never.
    expires: datetime | None
    #: Whether it has enough to be matched.
    judged: bool


@dataclass(frozen=True)
class IndexStats:
    """Figures of an index."""

    #: Documents that are known.
    documents: int
    #: Documents that were removed or have expired, and still take space.
    removed: int
    #: Immutable files of documents.
    segments: int
    #: Documents that are in the log alone.
    in_log: int
    #: Keys of all documents, the removed ones included.
    keys: int
    #: Bytes on disk.
    bytes: int
    #: Bytes of memory, about.
    memory: int


class Index:
    """A collection on disk that says at once what a document duplicates.

    >>> import tempfile, twinsift
    >>> folder = tempfile.mkdtemp()
    >>> index = twinsift.Index.create(f"{folder}/archive.idx")
    >>> index.add(["The council approved the new bridge over the river."], ids=["monday"])
    Added(documents=1, replaced=0, unjudged=0)
    >>> index.match("The council approved the new bridge over the river!")
    [Match(duplicate_of='monday', score=1.0, label=None)]
    >>> "monday" in index, len(index)
    (True, 1)
    >>> index.close()

    What a call has changed is on disk when it returns, as a whole, and is there after any crash.
    An index has one writer at a time; `read_only=True` opens it to be read, also while it is
    written to. Any number of threads may use one object. After a fork it is opened again.
    """

    def __init__(self, path: str | os.PathLike[str], *, read_only: bool = False) -> None:
        """Open the index in a folder."""
        self._open = OpenIndex.open(os.fspath(path), read_only)

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        recipe: Recipe | None = None,
        *,
        statistics: Any = None,
        **options: Unpack[Definition],
    ) -> Self:
        """Make an empty index in a folder, which must not be there yet or be empty.

        How documents are compared is a `recipe` or its parameters, once and for all.

        >>> import tempfile, twinsift
        >>> folder = tempfile.mkdtemp()
        >>> with twinsift.Index.create(f"{folder}/mail.idx", method="minhash", threshold=0.7) as index:
        ...     index.recipe.method
        'minhash'

        Recipes that go by how common features are (`method="simhash"`, `weights="tfidf"`, `idf=`)
        count that once, in the documents of `statistics`, which are whatever `dedup` takes with the
        same names of columns, or `Statistics`.
        """
        said: dict[str, Any] = {**options}
        how = {name: said.pop(name) for name in READING if name in said}
        recipe = recipe_of(recipe, said)
        if how and statistics is None:
            raise UsageError(f"{next(iter(how))}= belongs to statistics=, which is not given")
        if statistics is not None and not isinstance(statistics, Statistics):
            is_needed = Statistics.are_needed_by(recipe)
            # Where it is not needed, it is refused below: nothing is counted for that.
            statistics = Statistics.count(statistics, recipe, **how) if is_needed else Statistics()
        index = cls.__new__(cls)
        index._open = OpenIndex.create(os.fspath(path), recipe, statistics)
        return index

    @staticmethod
    def check(path: str | os.PathLike[str]) -> list[str]:
        """Read everything that an index has on disk, and return what is damaged: a sentence each.

        >>> import tempfile, twinsift
        >>> folder = tempfile.mkdtemp()
        >>> twinsift.Index.create(f"{folder}/archive.idx").close()
        >>> twinsift.Index.check(f"{folder}/archive.idx")
        []
        """
        return check_index(os.fspath(path))

    def add(
        self,
        data: Any,
        *,
        ids: Iterable[Any] | None = None,
        label: str | None = None,
        ttl: Duration | None = None,
        **options: Unpack[Options],
    ) -> Added:
        """Add documents, in place of those with the same ids: all of them, or none.

        The data is whatever `dedup` takes, with the same names of columns. Every document has an
        id: a column of it, or `ids`, one for each. All of them get the `label`, and are known for
        `ttl`, a `timedelta` or a number of seconds.

        >>> import tempfile, twinsift
        >>> index = twinsift.Index.create(tempfile.mkdtemp())
        >>> index.add([{"id": 7, "text": "You have won a prize."}], label="lottery", ttl=3600)
        Added(documents=1, replaced=0, unjudged=0)
        >>> index[7].label
        'lottery'
        >>> index[7].expires - index[7].added
        datetime.timedelta(seconds=3600)
        """
        said: dict[str, Any] = {**options}
        source, machine, strict, progress, _ = _opened(data, said, ids)
        with Bar(progress) as bar:
            documents, replaced, unjudged, skipped = self._open.add(
                source, machine, _label(label), _milliseconds(ttl), strict, bar.tick
            )
        _warn_of_skipped(skipped)
        return Added(documents, replaced, unjudged)

    @overload
    def query(
        self,
        data: Paths | Sequence[Row] | Iterator[Row],
        *,
        top: int | None = None,
        all: bool = False,
        renew: bool = False,
        **options: Unpack[Options],
    ) -> list[Duplicate]: ...

    @overload
    def query(
        self,
        data: T,
        *,
        top: int | None = None,
        all: bool = False,
        renew: bool = False,
        **options: Unpack[Options],
    ) -> T: ...

    def query(
        self,
        data: Any,
        *,
        top: int | None = None,
        all: bool = False,
        renew: bool = False,
        **options: Unpack[Options],
    ) -> Any:
        """Return what documents duplicate: `id`, `duplicate_of`, `score` and `label` of each match.

        The data is whatever `dedup` takes, and the table is of the type that goes with it. The
        matches of a document come one after the other, the most alike first, with at most `top`.

        >>> import tempfile, twinsift
        >>> index = twinsift.Index.create(tempfile.mkdtemp())
        >>> _ = index.add([{"id": "old", "text": "A storm will reach the coast by tomorrow."}])
        >>> index.query(["Something else.", "a storm will reach the coast by tomorrow"])
        [Duplicate(id=1, duplicate_of='old', score=1.0, label=None)]

        With `all=True`, documents without a match have a row too, with nothing but their `id`. With
        `renew=True`, the time to live of what was matched begins anew.
        """
        said: dict[str, Any] = {**options}
        source, machine, strict, progress, adapter = _opened(data, said, None)
        with Bar(progress) as bar:
            id, duplicate_of, score, label, skipped = self._open.query(
                source, machine, _top(top), all, renew, strict, bar.tick
            )
        _warn_of_skipped(skipped)
        columns: dict[str, list[Any]] = {"id": id, "duplicate_of": duplicate_of}
        return adapter.table({**columns, "score": score, "label": label})

    def match(
        self,
        document: str | Mapping[str, Any],
        *,
        top: int | None = None,
        renew: bool = False,
        text: Column = None,
        html: Column = None,
    ) -> list[Match]:
        """Return what one document duplicates, the most alike first; a text, or a dict as rows are.

        >>> import tempfile, twinsift
        >>> index = twinsift.Index.create(tempfile.mkdtemp())
        >>> _ = index.add([{"id": "old", "text": "A storm will reach the coast by tomorrow."}])
        >>> index.match("a storm will reach the coast by tomorrow")
        [Match(duplicate_of='old', score=1.0, label=None)]
        >>> index.match("Something else.")
        []
        """
        if not isinstance(document, (str, Mapping)):
            kind = type(document).__name__
            raise UsageError(f"the document is of the type {kind}: a text or a dict is wanted")
        how = reading(text=text, html=html)
        if isinstance(document, str):
            document = {text or html or "text": document}
        source = Source.rows([document], how, None)
        return [Match(*found) for found in self._open.matches(source, _top(top), renew)]

    def __len__(self) -> int:
        documents: int = self._open.stats()["documents"]
        return documents

    def __contains__(self, id: object) -> bool:
        return self._open.get(id) is not None

    def __getitem__(self, id: Id) -> Record:
        found = self._open.get(id)
        if found is None:
            raise KeyError(id)
        name, label, added, expires, judged = found
        known_until = None if expires is None else _time(expires)
        return Record(name, label, _time(added), known_until, judged)

    def __iter__(self) -> Iterator[Id]:
        """The ids of all documents, in the order in which they were added."""
        return iter(self._open.ids())

    def remove(self, ids: Id | Iterable[Id]) -> int:
        """Remove documents by their ids, or by a single one. Return how many were known.

        >>> import tempfile, twinsift
        >>> index = twinsift.Index.create(tempfile.mkdtemp())
        >>> _ = index.add(["one two three", "four five six"], ids=["a", "b"])
        >>> index.remove(["a", "c"]), list(index)
        (1, ['b'])
        """
        if isinstance(ids, (str, int, float)):
            ids = [ids]
        return self._open.remove(list(ids))

    def expire(self) -> int:
        """Remove documents whose time to live is over, and return how many.

        No answer has them, whether they were removed or not; `compact` gives back their space.
        """
        return self._open.expire()

    def compact(self) -> None:
        """Merge what was added bit by bit, and give back the space of removed documents."""
        self._open.compact()

    def snapshot(self, path: str | os.PathLike[str]) -> None:
        """Copy the index as it is to a folder that is not there yet; changes may go on meanwhile."""
        self._open.snapshot(os.fspath(path))

    def refresh(self) -> bool:
        """Read what another process has written since. Return whether there was a change.

        An index that is open with `read_only=True` knows what was on disk when it was opened, or
        refreshed last.
        """
        return self._open.refresh()

    def stats(self) -> IndexStats:
        """Return figures of the index."""
        return IndexStats(**self._open.stats())

    @property
    def recipe(self) -> Recipe:
        """How documents are compared."""
        return self._open.recipe

    @property
    def path(self) -> Path:
        """The folder."""
        return self._open.path

    @property
    def read_only(self) -> bool:
        """Whether it is open to be read alone."""
        return self._open.is_read_only

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._open.is_closed

    def close(self) -> None:
        """Let go of the index, so that others may write to it. It is whole without, too."""
        self._open.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self.closed:
            return f"<twinsift.Index {str(self.path)!r}, closed>"
        return f"<twinsift.Index {str(self.path)!r}: {len(self):,} documents, {self.recipe}>"


def _opened(
    data: Any, options: dict[str, Any], ids: Iterable[Any] | None
) -> tuple[Source, dict[str, Any], bool, bool | None, Any]:
    """Return the source of some data, the settings of the machine, `strict`, `progress` and the adapter."""
    said = {name: options.pop(name) for name in READING if name in options}
    memory, tmp = options.pop("memory", None), options.pop("tmp", None)
    machine = settings(options.pop("threads", None), memory, tmp)
    strict, progress = bool(options.pop("strict", False)), options.pop("progress", None)
    if options:
        raise UsageError(
            f"there is no argument {next(iter(options))}=: how documents are compared is said "
            "when an index is created"
        )
    how = reading(**said, memory=memory)
    adapter = adapt(data, "the data", False)
    if ids is None:
        return adapter.source(how), machine, strict, progress, adapter
    if isinstance(adapter, FilesAdapter):
        raise UsageError("ids= does not go with files: name the field with the id with id=")
    if how["id"] is not None:
        raise UsageError("id= and ids= are both given: use one of them")
    rows = _named(adapter.records(how), ids)
    source = Source.rows(rows, {**how, "id": "id"}, None)
    return source, machine, strict, progress, adapter


def _named(rows: Iterator[dict[str, Any]], ids: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """Return rows with these ids, one for each."""
    missing = object()
    names = iter(ids)
    for row in rows:
        name = next(names, missing)
        if name is missing:
            raise UsageError("ids= has fewer ids than there are documents")
        yield {**row, "id": name}
    if next(names, missing) is not missing:
        raise UsageError("ids= has more ids than there are documents")


def _label(label: str | None) -> str | None:
    if label is not None and not isinstance(label, str):
        raise UsageError("label= is a text, which all documents of the call get")
    return label


def _milliseconds(ttl: Duration | None) -> int | None:
    if ttl is None:
        return None
    if isinstance(ttl, bool) or not isinstance(ttl, (timedelta, int, float)):
        raise UsageError("ttl= is a timedelta, or a number of seconds")
    seconds = ttl.total_seconds() if isinstance(ttl, timedelta) else ttl
    if not 0 < seconds < 1e12:
        raise UsageError("ttl= is a duration from now on: more than nothing, and not for ever")
    return max(1, round(seconds * 1000))


def _top(top: int | None) -> int | None:
    if top is not None and (not isinstance(top, int) or isinstance(top, bool) or top < 1):
        raise UsageError("top= must be at least 1")
    return top


def _time(milliseconds: int) -> datetime:
    return _EPOCH + timedelta(milliseconds=milliseconds)


def _warn_of_skipped(skipped: list[tuple[str, str]]) -> None:
    if skipped:
        place, reason = skipped[0]
        warnings.warn(
            f"{len(skipped):,} records could not be read and were skipped, the first of them "
            f"{place}: {reason}",
            TwinsiftWarning,
            stacklevel=3,
        )
