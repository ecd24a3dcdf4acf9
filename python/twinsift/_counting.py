"""Lexicons and statistics of collections."""

from __future__ import annotations

from typing import Any

from twinsift._progress import Bar
from twinsift._reading import reading, settings
from twinsift._runs import READING
from twinsift._tables import adapt
from twinsift._twinsift import (
    Lexicon,
    Recipe,
    Source,
    Statistics,
    count_lexicon,
    count_statistics,
)
from twinsift.errors import UsageError


def lexicon(
    data: Any,
    *,
    fold: bool = False,
    min_documents: int = 2,
    max_terms: int = 5_000_000,
    progress: bool | None = None,
    content: str | None = None,
    body: str | None = None,
    **options: Any,
) -> Lexicon:
    """Count the words of a collection."""
    source, machine = _opened(data, options)
    recipe: Any = Recipe
    reads = recipe(content=content, body=body)
    with Bar(progress) as bar:
        return count_lexicon(source, reads, machine, fold, min_documents, max_terms, bar.tick)


def statistics(data: Any, recipe: Recipe, **options: Any) -> Statistics:
    """Count the features of a collection."""
    source, machine = _opened(data, options)
    return count_statistics(source, recipe, machine)


def _opened(data: Any, options: dict[str, Any]) -> tuple[Source, dict[str, Any]]:
    """Return the source of some data, and the settings of the machine."""
    said = {name: options.pop(name) for name in READING if name in options}
    memory, tmp = options.pop("memory", None), options.pop("tmp", None)
    machine = settings(options.pop("threads", None), memory, tmp)
    if options:
        raise UsageError(f"there is no argument {next(iter(options))}=")
    how = reading(**said, memory=memory)
    return adapt(data, "the data", False).source(how), machine
