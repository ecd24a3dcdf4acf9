"""The kinds of data that documents come in, each with the type that results have.

`adapt` finds the kind. An adapter makes a `Source` for the engine and gives rows back in the
type that the caller came with.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from twinsift._reading import Files
from twinsift._tables.adapter import Adapter
from twinsift._tables.arrow import ArrowAdapter
from twinsift._tables.dataset import DatasetAdapter
from twinsift._tables.files import FilesAdapter
from twinsift._tables.pandas import PandasAdapter
from twinsift._tables.polars import PolarsAdapter
from twinsift._tables.rows import RowsAdapter
from twinsift.errors import UsageError

__all__ = ["Adapter", "adapt"]

_KINDS = (
    "a list of texts, an iterable of texts or dicts, a table of pandas, polars, pyarrow or "
    "datasets, or paths"
)


def adapt(data: Any, name: str, retain: bool) -> Adapter:
    """Return the adapter for some data; `name` is for messages.

    Rows of a stream are retained if results are to be made of them.
    """
    if isinstance(data, str):
        raise UsageError(
            f"{name}: a str may be a text or a path: write [text] for a single text, and "
            "pathlib.Path(...) or twinsift.files(...) for a file"
        )
    if isinstance(data, (bytes, bytearray, Mapping, set, frozenset)):
        kind = type(data).__name__
        raise UsageError(f"{name}: a {kind} is no collection of documents: use {_KINDS}")
    if isinstance(data, Files):
        return FilesAdapter(data.paths)
    if isinstance(data, os.PathLike):
        return FilesAdapter([os.fspath(data)])
    if isinstance(data, (list, tuple)) and any(isinstance(row, os.PathLike) for row in data):
        return FilesAdapter(_paths(data, name))
    library = type(data).__module__.partition(".")[0]
    if library == "pandas":
        return PandasAdapter(data)
    if library == "polars":
        return PolarsAdapter(data)
    if library == "datasets" and hasattr(data, "with_format") and hasattr(data, "select"):
        return DatasetAdapter(data)
    if library == "pyarrow" or hasattr(data, "__arrow_c_stream__"):
        return ArrowAdapter(data, retain)
    if isinstance(data, Sequence):
        return RowsAdapter(data, None)
    if isinstance(data, Iterable):
        return RowsAdapter(data, [] if retain else None)
    raise UsageError(f"{name}: a {type(data).__name__} holds no documents: use {_KINDS}")


def _paths(data: Sequence[Any], name: str) -> list[str]:
    for row in data:
        if not isinstance(row, os.PathLike):
            raise UsageError(f"{name}: this list has paths and other things: use paths alone")
    return [os.fspath(row) for row in data]
