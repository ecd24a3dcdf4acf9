"""How documents are read: names of columns, and what concerns files alone."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any, Literal, Optional, Union

from twinsift.errors import UsageError

#: The name of a column: `None` for the usual names, `False` for no column at all.
Column = Optional[Union[str, Literal[False]]]

#: A size in bytes, as a number or as in "500M" and "2G".
Size = Union[int, str]

_UNITS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}


def parse_size(name: str, size: Size | None) -> int | None:
    """Return the bytes of `500M`, `1.5G` or `1000000`; units are powers of 1024.

    >>> parse_size("memory", "2G")
    2147483648
    """
    if size is None or isinstance(size, int):
        if isinstance(size, int) and size < 1:
            raise UsageError(f"{name}= must be at least 1 byte")
        return size
    if not isinstance(size, str):
        raise UsageError(f'{name}= is no size: write a number of bytes, or one such as "500M"')
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]*)?)\s*([kmgt]?)(?:i?b)?\s*", size.lower())
    if found is None:
        raise UsageError(f'{name}= "{size}" is no size: write a number and a unit, such as "500M"')
    return max(1, int(float(found[1]) * 1024 ** _UNITS[found[2]]))


class Files:
    """Files and folders to read documents from, made by `twinsift.files`."""

    def __init__(self, paths: Iterable[str | os.PathLike[str]]) -> None:
        self.paths = [os.fspath(path) for path in paths]
        if not self.paths:
            raise UsageError("files() names no file")

    def __repr__(self) -> str:
        return f"files({', '.join(map(repr, self.paths))})"


def files(*paths: str | os.PathLike[str]) -> Files:
    """Name files and folders to read documents from.

    A `str` by itself may be a text or a path, so this says which:

    >>> files("crawl.jsonl.gz", "pages/")
    files('crawl.jsonl.gz', 'pages/')
    """
    return Files(paths)


def reading(
    *,
    text: Column = None,
    id: Column = None,
    html: Column = None,
    title: Column = None,
    subject: Column = None,
    url: Column = None,
    rendered: Column = None,
    rank: str | None = None,
    format: str | None = None,
    charset: str | None = None,
    delimiter: str | None = None,
    max_document: Size | None = None,
    memory: Size | None = None,
    id_per_file: bool = False,
) -> dict[str, Any]:
    """Return what the engine wants to know of how documents are read."""
    columns: dict[str, Any] = {
        "text": text,
        "id": id,
        "html": html,
        "title": title,
        "subject": subject,
        "url": url,
        "rendered": rendered,
    }
    for name, column in columns.items():
        if not (column is None or column is False or isinstance(column, str)):
            raise UsageError(
                f"{name}= names a column by its name, a str; None stands for the usual names, "
                "and False for no column"
            )
    longest = parse_size("max_document", max_document)
    room = parse_size("memory", memory)
    if longest is None and room is not None:
        # As the command: a document takes about eight times its size.
        longest = min(max(room // 8, 1 << 20), 64 << 20)
    return {
        **columns,
        "rank": rank,
        "extra": [],
        "format": format,
        "charset": charset,
        "delimiter": delimiter,
        "max_document": longest,
        "id_per_file": id_per_file,
    }


def settings(
    threads: int | None,
    memory: Size | None,
    tmp: str | os.PathLike[str] | None,
    join: str | None = None,
) -> dict[str, Any]:
    """Return what the engine wants to know of the machine."""
    if threads is not None and (not isinstance(threads, int) or threads < 1):
        raise UsageError("threads= must be at least 1")
    return {
        "threads": threads,
        "memory": parse_size("memory", memory),
        "tmp": None if tmp is None else os.fspath(tmp),
        "join": join,
    }
