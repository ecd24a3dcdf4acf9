"""What is learnt from labels, and how good it is."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any, Union

from twinsift._command import Job, job
from twinsift._reading import reading
from twinsift._runs import READING
from twinsift._tables.adapter import Reading
from twinsift._tables.rows import RowsAdapter
from twinsift._twinsift import Model
from twinsift.errors import UsageError

#: The column with labels, or a label for each document.
Labels = Union[str, Sequence[Any]]

_LABEL = "twinsift_label"


def train_andd(data: Any, labels: Labels, **options: Any) -> Model:
    """Learn how much k-grams count, from clusters of near duplicates.

    `labels` is the column with the cluster of each document, or a list of them. The options are
    those of `twinsift train andd`: `k`, `similarity`, `fold`, `lexicon`, `min_precision` and so
    on, and the names of columns. A few dozen labelled documents are enough.

    Use the model with `Recipe(method="andd", model=model)`.
    """
    with job(options.pop("tmp", None)) as run:
        arguments = _labelled(run, data, labels, "--labels", options)
        path = run.path("andd.model")
        run.call("train", "andd", *arguments, f"--output={path}", "--quiet")
        return Model.load(path)


def train_signals(data: Any, pairs: Any, **options: Any) -> Model:
    """Learn a classifier of pairs from labelled pairs and their signals.

    `pairs` has the columns `a`, `b` and `label` (1 or 0), perhaps `query`: a table, tuples, or a
    path. The options are those of `twinsift train signals`.

    Use the model with `Recipe(method="signals", model=model)`.
    """
    with job(options.pop("tmp", None)) as run:
        how = _take_reading(options)
        table, _ = run.table(pairs, ("a", "b", "label", "query"), "pairs")
        path = run.path("signals.model")
        run.call(
            "train",
            "signals",
            *run.documents(data, how, None),
            f"--pairs={table}",
            f"--output={path}",
            *run.flags({"quiet": True, **options}),
        )
        return Model.load(path)


def train_detector(data: Any, pairs: Any, **options: Any) -> Model:
    """Learn what counts as the same from labelled pairs of any documents.

    `pairs` has the columns `a`, `b` and `label` (1 or 0): a table, tuples, or a path, such as the
    labels of `twinsift review`. `find` says where learning begins: with the built-in detector of
    "stories" or "campaigns".

    Use the model with `Recipe(model=model)`.
    """
    with job(options.pop("tmp", None)) as run:
        how = _take_reading(options)
        table, _ = run.table(pairs, ("a", "b", "label"), "pairs")
        path = run.path("detector.model")
        run.call(
            "train",
            "detector",
            *run.documents(data, how, None),
            f"--pairs={table}",
            f"--output={path}",
            *run.flags({"quiet": True, **options}),
        )
        return Model.load(path)


def signals(data: Any, pairs: Any, **options: Any) -> Any:
    """Return the signals of pairs: how alike two pages are, in many ways at once.

    A row has `a`, `b` and a column for each signal, `None` where it cannot be computed; with
    `model=`, also `score`. Rows come back in the type of `pairs`, a list of dicts for tuples.
    """
    with job(options.pop("tmp", None)) as run:
        how = _take_reading(options)
        table, adapter = run.table(pairs, ("a", "b", "query"), "pairs")
        path = run.path("signals.jsonl")
        names = options.pop("signals", None)
        if names is not None and not isinstance(names, str):
            names = ",".join(names)
        run.call(
            "signals",
            *run.documents(data, how, None),
            f"--pairs={table}",
            f"--output={path}",
            *run.flags({"quiet": True, "signals": names, **options}),
        )
        rows = _read(path)
    if adapter is None or isinstance(adapter, RowsAdapter):
        return rows
    names = list(rows[0]) if rows else ["a", "b"]
    return adapter.table({name: [row.get(name) for row in rows] for name in names})


class Evaluation:
    """How good methods are on labelled documents."""

    def __init__(self, data: Any, markdown: str, html: str) -> None:
        self._data = data
        self._markdown = markdown
        self._html = html

    def to_dict(self) -> Any:
        """Return everything, as `twinsift eval --json` writes it."""
        return self._data

    def to_markdown(self) -> str:
        """Return the tables, as `twinsift eval` prints them."""
        return self._markdown

    def to_html(self) -> str:
        """Return the self-contained report, as `twinsift eval --report` writes it."""
        return self._html

    def __repr__(self) -> str:
        return self._markdown

    def _repr_markdown_(self) -> str:
        return self._markdown


def evaluate(data: Any, gold: Labels, **options: Any) -> Evaluation:
    """Score methods against labels: how good are they, at which threshold, at what cost?

    `gold` is the column with the cluster of each document, or a list of them. The options are
    those of `twinsift eval`, such as `methods=["shingles", "minhash:threshold=0.7"]`; without,
    every method is tried.
    """
    with job(options.pop("tmp", None)) as run:
        methods = options.pop("methods", None)
        if methods is not None:
            options["methods"] = methods if isinstance(methods, str) else ",".join(methods)
        arguments = _labelled(run, data, gold, "--gold", options)
        found, report = run.path("eval.json"), run.path("report.html")
        markdown = run.call("eval", *arguments, f"--json={found}", f"--report={report}", "--quiet")
        data = json.loads(found.read_text(encoding="utf-8"))
        return Evaluation(data, markdown, report.read_text(encoding="utf-8"))


class Judgement:
    """The duplicates among the results of queries, and scores of engines without repeats."""

    def __init__(self, markdown: str, classes: list[dict[str, Any]]) -> None:
        self._markdown = markdown
        #: A row for each result: query, id, class, size and relevance.
        self.classes = classes

    def to_markdown(self) -> str:
        """Return the measures, as `twinsift judge` prints them."""
        return self._markdown

    def __repr__(self) -> str:
        return self._markdown

    def _repr_markdown_(self) -> str:
        return self._markdown


def judge(
    runs: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], docs: Any, **options: Any
) -> Judgement:
    """Find the duplicates among each query's results, and score engines with repeats earning nothing.

    `runs` are files in TREC's format; `docs` are the pages. The options are those of
    `twinsift judge`, such as `qrels=`, `queries=` and `model=`.
    """
    paths = [runs] if isinstance(runs, (str, os.PathLike)) else list(runs)
    if not paths:
        raise UsageError("runs names no file")
    with job(options.pop("tmp", None)) as run:
        how = _take_reading(options)
        pages, *read = run.documents(docs, how, None)
        classes = run.path("classes.jsonl")
        markdown = run.call(
            "judge",
            *[f"--run={os.fspath(path)}" for path in paths],
            f"--docs={pages}",
            *read,
            f"--output={classes}",
            *run.flags({"quiet": True, **options}),
        )
        return Judgement(markdown, _read(classes))


def _take_reading(options: dict[str, Any]) -> Reading:
    return reading(**{name: options.pop(name) for name in READING if name in options})


def _labelled(run: Job, data: Any, labels: Labels, flag: str, options: dict[str, Any]) -> list[str]:
    """Return the arguments for labelled documents."""
    how = _take_reading(options)
    is_column = isinstance(labels, str)
    columns = [labels] if is_column else []
    columns += [options[name] for name in ("unjudged_within",) if name in options]
    documents = run.documents(data, {**how, "extra": columns}, None if is_column else labels)
    return [*documents, f"{flag}={labels if is_column else _LABEL}", *run.flags(options)]


def _read(path: Any) -> list[dict[str, Any]]:
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
