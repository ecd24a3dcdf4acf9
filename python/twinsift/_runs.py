"""The usual jobs: `dedup`, `pairs` and `clusters`."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union, overload

from twinsift._progress import Bar
from twinsift._reading import Column, Files, Size, reading, settings
from twinsift._result import Result
from twinsift._tables import adapt
from twinsift._tables.files import FilesAdapter
from twinsift._tables.rows import Id
from twinsift._twinsift import OpenIndex, Recipe, run
from twinsift.errors import TwinsiftWarning, UsageError

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from twinsift._parameters import Parameters

    class Options(Parameters, total=False):
        """Keyword arguments of every run besides its own."""

        against: Any
        text: Column
        id: Column
        html: Column
        title: Column
        subject: Column
        url: Column
        rendered: Column
        recipe: Recipe | None
        threads: int | None
        memory: Size | None
        tmp: str | os.PathLike[str] | None
        join: Literal["prefix", "spotsigs"] | None
        progress: bool | None
        strict: bool
        format: str | None
        charset: str | None
        delimiter: str | None
        max_document: Size | None
        id_per_file: bool


T = TypeVar("T")
Row = TypeVar("Row", bound=Union[str, None, Mapping[str, Any]])
Paths = Union["os.PathLike[str]", Files, Sequence["os.PathLike[str]"]]

READING = (
    "text",
    "id",
    "html",
    "title",
    "subject",
    "url",
    "rendered",
    "format",
    "charset",
    "delimiter",
    "max_document",
    "id_per_file",
)


def check_group(group: str) -> None:
    """Refuse a kind of groups that there is not."""
    if group not in ("representative", "connected"):
        raise UsageError(f'group= "{group}" is unknown: use "representative" or "connected"')


def _run(
    data: Any,
    purpose: str,
    keep: str = "first",
    group: str = "representative",
    by_kind: bool = True,
    retain: bool = False,
    **options: Any,
) -> Result[Any]:
    rule, rank = keep_rule(keep)
    against, progress = options.pop("against", None), options.pop("progress", None)
    strict, recipe = options.pop("strict", False), options.pop("recipe", None)
    memory, tmp = options.pop("memory", None), options.pop("tmp", None)
    machine = settings(options.pop("threads", None), memory, tmp, options.pop("join", None))
    said = {name: options.pop(name) for name in READING if name in options}
    how = reading(**said, rank=rank, memory=memory)
    index: OpenIndex | None = getattr(against, "_open", None)
    new = adapt(data, "the data", retain)
    if index is not None:
        recipe, against = _recipe_of_index(index, recipe, options), None
    elif by_kind and recipe is None:
        recipe = new.usual_recipe(how, options)
    else:
        recipe = recipe_of(recipe, options)
    old = None if against is None else adapt(against, "against=", False)
    with Bar(progress) as bar:
        matches = run(
            new.source(how),
            None if old is None else old.source({**how, "rank": None}),
            index,
            recipe,
            machine,
            purpose,
            rule,
            strict,
            retain,
            bar.tick,
        )
    if isinstance(new, FilesAdapter):
        new.ids = matches.ids()
    result: Result[Any] = Result(matches, new, rule, group, how)
    _warn_of_skipped(result)
    return result


def keep_rule(keep: str) -> tuple[str, str | None]:
    """Return a keep rule and the column that it looks at."""
    rule, colon, column = str(keep).partition(":")
    if colon and (rule not in ("max", "min") or not column):
        raise UsageError(
            f'keep= "{keep}" is unknown: use "first", "longest", "max:FIELD" or "min:FIELD"'
        )
    return rule, column or None


def recipe_of(recipe: Recipe | None, parameters: dict[str, Any]) -> Recipe:
    """Return the recipe that is given, or the one of these parameters."""
    if recipe is None:
        return Recipe(**parameters)
    if parameters:
        name = next(iter(parameters))
        raise UsageError(f"{name}= and recipe= are both given: put {name}= into the recipe")
    return recipe


def _recipe_of_index(index: OpenIndex, recipe: Recipe | None, parameters: dict[str, Any]) -> Recipe:
    """Return the recipe of an index, which is the one that is asked for, if any is."""
    if recipe is not None or parameters:
        asked = recipe_of(recipe, parameters)
        if asked != index.recipe:
            raise UsageError(
                f"the index of against= has the recipe {index.recipe.id}, and {asked.id} was asked "
                "for: leave recipe= and its parameters out, or make another index"
            )
    return index.recipe


def _warn_of_skipped(result: Result[Any]) -> None:
    if result.skipped:
        place, reason = result.skipped[0]
        warnings.warn(
            f"{len(result.skipped):,} records could not be read and were skipped, the first of "
            f"them {place}: {reason} (result.skipped has all)",
            TwinsiftWarning,
            stacklevel=4,
        )


@overload
def dedup(
    data: Paths, *, keep: str = "first", all_pairs: bool = True, **options: Unpack[Options]
) -> Result[list[Id]]: ...


@overload
def dedup(
    data: Iterator[Row], *, keep: str = "first", all_pairs: bool = True, **options: Unpack[Options]
) -> Result[list[Row]]: ...


@overload
def dedup(
    data: T, *, keep: str = "first", all_pairs: bool = True, **options: Unpack[Options]
) -> Result[T]: ...


def dedup(data: Any, *, keep: str = "first", all_pairs: bool = True, **options: Any) -> Result[Any]:
    """Find what is left when near duplicates are removed.

    Each removed document is a near duplicate of the very document that is kept for it, and no two
    documents that are kept are near duplicates of each other.

    >>> import twinsift
    >>> texts = ["The council approved the bridge.", "A storm is coming.", "the council approved the bridge"]
    >>> result = twinsift.dedup(texts)
    >>> result.kept
    ['The council approved the bridge.', 'A storm is coming.']
    >>> result.removed
    [Removed(document='the council approved the bridge', duplicate_of=0, score=1.0)]

    `keep` says which of several near duplicates stays: "first", "longest", "max:COLUMN" or
    "min:COLUMN". With `all_pairs=False` only as many pairs are looked for as it takes, which is
    much faster where thousands of documents are all alike; the result then has no `pairs`,
    `groups` and `rethreshold`.
    """
    purpose = "pairs" if all_pairs else "dedup"
    return _run(data, purpose, keep=keep, by_kind=False, retain=True, **options)


@overload
def pairs(data: Paths, **options: Unpack[Options]) -> Result[list[Id]]: ...


@overload
def pairs(data: Iterator[Row], **options: Unpack[Options]) -> Result[list[Row]]: ...


@overload
def pairs(data: T, **options: Unpack[Options]) -> Result[T]: ...


def pairs(data: Any, **options: Any) -> Result[Any]:
    """Find every near-duplicate pair once.

    >>> import twinsift
    >>> twinsift.pairs(["one two three four five six", "ONE two three, four five six!"]).pairs
    [Pair(a=0, b=1, score=1.0)]
    """
    return _run(data, "pairs", **options)


@overload
def clusters(
    data: Paths,
    *,
    group: Literal["representative", "connected"] = "representative",
    all_pairs: bool = True,
    **options: Unpack[Options],
) -> Result[list[Id]]: ...


@overload
def clusters(
    data: Iterator[Row],
    *,
    group: Literal["representative", "connected"] = "representative",
    all_pairs: bool = True,
    **options: Unpack[Options],
) -> Result[list[Row]]: ...


@overload
def clusters(
    data: T,
    *,
    group: Literal["representative", "connected"] = "representative",
    all_pairs: bool = True,
    **options: Unpack[Options],
) -> Result[T]: ...


def clusters(
    data: Any,
    *,
    group: Literal["representative", "connected"] = "representative",
    all_pairs: bool = True,
    **options: Any,
) -> Result[Any]:
    """Find groups of near duplicates.

    >>> import twinsift
    >>> result = twinsift.clusters(["one two three", "four five six", "One, two, three"])
    >>> result.groups
    [[0, 2]]
    >>> result.clusters
    [Member(id=0, cluster=0, size=2, representative=0, score=1.0), Member(id=2, cluster=0, size=2, representative=0, score=1.0)]

    Every member of a group is a near duplicate of the group's representative. With
    `group="connected"`, whatever is connected by pairs is one group, however long the chain.
    """
    check_group(group)
    return _run(data, "pairs" if all_pairs else group, group=group, **options)
