"""Jobs that the command does: it is called as a program of its own, on files made for it.

So there is one implementation, a job ends at once when it is interrupted, and what the command
prints goes to no terminal.
"""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from twinsift._tables import adapt
from twinsift._tables.adapter import Adapter, Reading
from twinsift._tables.files import FilesAdapter
from twinsift._twinsift import Lexicon, Model
from twinsift.errors import InputError, TwinsiftError, TwinsiftWarning, UsageError

#: The arguments that name columns, with their flags.
_FIELDS = ("id", "text", "html", "title", "subject", "url", "rendered")
_IDS = ("id", "doc_id", "url")


class Job:
    """A folder for the files of a call, and the call itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._numbers = 0

    def path(self, name: str) -> Path:
        """Return a new path with this ending."""
        self._numbers += 1
        return self.folder / f"{self._numbers}-{name}"

    def documents(self, data: Any, reading: Reading, labels: Sequence[Any] | None) -> list[str]:
        """Return the arguments for some documents, which are written to a file if they are none."""
        adapter = adapt(data, "the data", False)
        if isinstance(adapter, FilesAdapter):
            if labels is not None:
                raise UsageError("labels of files are a field of theirs, or a file: name it")
            return [*adapter.paths, *_reading_flags(reading)]
        path = self.path("documents.jsonl")
        _spool(path, _named(adapter.records(reading), reading, labels))
        return [str(path), *_reading_flags({**reading, "id": reading["id"] or None})]

    def table(self, data: Any, columns: Sequence[str], name: str) -> tuple[str, Adapter | None]:
        """Return the path of a small table, such as labelled pairs, and what it came from."""
        if isinstance(data, (str, os.PathLike)):
            return os.fspath(data), None
        if isinstance(data, Iterable) and not hasattr(data, "columns"):
            data = [_row(row, columns, name) for row in data]
        adapter = adapt(data, name, False)
        path = self.path("table.jsonl")
        reading: dict[str, Any] = dict.fromkeys((*_FIELDS, "rank"))
        _spool(path, adapter.records({**reading, "extra": list(columns)}))
        return str(path), adapter

    def flags(self, options: Mapping[str, Any]) -> list[str]:
        """Return keyword arguments as flags."""
        flags: list[str] = []
        for name, value in options.items():
            flag = "--" + name.replace("_", "-")
            if value is None or value is False:
                continue
            if value is True:
                flags.append(flag)
                continue
            if isinstance(value, (Model, Lexicon)):
                path = self.path("model.json" if isinstance(value, Model) else "lexicon")
                value.save(path)
                value = path
            values: list[Any] = list(value) if isinstance(value, (list, tuple)) else [value]
            for one in values:
                flags += [f"{flag}={os.fspath(one) if isinstance(one, os.PathLike) else one}"]
        return flags

    def call(self, *arguments: str) -> str:
        """Run the command and return what it prints; what goes wrong is an exception."""
        command = [sys.executable, "-m", "twinsift", *arguments]
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
        ) as process:
            try:
                out, said = process.communicate()
            except BaseException:
                process.kill()
                raise
        if process.returncode != 0:
            raise _error(process.returncode, said)
        if said.strip():
            warnings.warn(as_arguments(said.strip()), TwinsiftWarning, stacklevel=4)
        return out


@contextmanager
def job(tmp: str | os.PathLike[str] | None = None) -> Generator[Job, None, None]:
    """Give a job a folder, which is removed in the end."""
    with tempfile.TemporaryDirectory(prefix="twinsift-", dir=tmp) as folder:
        yield Job(Path(folder))


def as_arguments(sentence: str) -> str:
    """Return a sentence about flags as one about keyword arguments.

    >>> as_arguments("--text-field and --min-precision make no sense")
    'text= and min_precision= make no sense'
    """

    def keyword(found: re.Match[str]) -> str:
        return found[1].removesuffix("-field").replace("-", "_") + "="

    return re.sub(r"--([a-z][a-z-]*)", keyword, sentence)


def _error(code: int, said: str) -> TwinsiftError:
    _, _, sentence = said.rpartition("error: ")
    is_usage = "\nUsage:" in sentence
    sentence = as_arguments(sentence.partition("\n\nUsage:")[0].strip() or f"exit code {code}")
    if code != 2:
        return TwinsiftError(sentence)
    return UsageError(sentence) if is_usage else InputError(sentence)


def _reading_flags(reading: Reading) -> list[str]:
    named = {name: reading[name] for name in _FIELDS if reading[name] is not None}
    flags = [f"--{name}-field={value or 'none'}" for name, value in named.items()]
    for name in ("format", "charset", "delimiter", "max_document"):
        if reading.get(name) is not None:
            flags.append(f"--{name.replace('_', '-')}={reading[name]}")
    return [*flags, "--id-per-file"] if reading.get("id_per_file") else flags


def _named(
    records: Iterable[dict[str, Any]], reading: Reading, labels: Sequence[Any] | None
) -> Iterator[dict[str, Any]]:
    """Give rows without an id their position for one, and each its label."""
    rows = 0
    for position, record in enumerate(records):
        rows += 1
        has_id = any(str(name).lower() in _IDS for name in record)
        if reading["id"] is None and not has_id:
            record = {"id": position, **record}
        if labels is not None:
            if position >= len(labels):
                break
            record = {**record, "twinsift_label": labels[position]}
        yield record
    if labels is not None and rows != len(labels):
        raise InputError(f"there are {len(labels):,} labels for another number of documents")


def _row(row: Any, columns: Sequence[str], name: str) -> Mapping[str, Any]:
    if isinstance(row, Mapping):
        return row
    if isinstance(row, str) or not isinstance(row, Sequence) or not 2 <= len(row) <= len(columns):
        raise InputError(f"{name}: a row is a dict, or a tuple of {', '.join(columns)}")
    return dict(zip(columns, row))


def _spool(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as out:
        for record in records:
            row = {name: _plain(value) for name, value in record.items()}
            out.write(json.dumps(row, ensure_ascii=False, default=str) + "\n")


def _plain(value: Any) -> Any:
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, bytes):
        raise InputError("a field is bytes, not text: decode it first")
    item = getattr(value, "item", None)
    return item() if callable(item) and type(value).__module__ == "numpy" else value
