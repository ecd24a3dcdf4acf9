"""The same data and the same recipe give what the command gives, to the last bit."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import pandas
import polars
import pyarrow
import pytest
from support import Row, command, flags, read_jsonl, write_jsonl

import twinsift

METHODS: list[Row] = [
    {"method": "exact"},
    {"method": "shingles"},
    {"method": "shingles", "k": 2, "threshold": 0.4, "weights": "tfidf", "similarity": "cosine"},
    {"method": "shingles", "k": 1, "threshold": 0.5, "idf": (0.1, 0.9)},
    {"method": "shingles", "fold": True, "join": "spotsigs"},
    {"method": "spotsigs"},
    {"method": "spotsigs", "spots": ["the a:1:2", "is was:1:2"], "min_spots": 2},
    {"method": "minhash", "threshold": 0.6, "seed": 3},
    {"method": "minhash", "no_verify": True},
    {"method": "supershingles"},
    {"method": "imatch", "random_lexicons": 4},
    {"method": "imatch", "verify": "cosine:0.7"},
    {"method": "simhash", "distance": 12},
    {"find": "stories"},
    {"find": "campaigns", "threshold": 0.2},
]


def generator(rows: list[Row]) -> Any:
    return (row for row in rows)


def batches(rows: list[Row]) -> Any:
    table = pyarrow.Table.from_pylist(rows)
    return pyarrow.RecordBatchReader.from_batches(table.schema, table.to_batches(17))


KINDS: dict[str, Callable[[list[Row]], Any]] = {
    "list": list,
    "generator": generator,
    "pandas": pandas.DataFrame,
    "polars": polars.DataFrame,
    "pyarrow": pyarrow.Table.from_pylist,
    "reader": batches,
    "datasets": datasets.Dataset.from_list,
}


class Answers:
    """What the command says."""

    def __init__(self, path: Path, said: list[str], folder: Path) -> None:
        def table(name: str, *arguments: str) -> list[Row]:
            out = folder / f"{name}.jsonl"
            command(*arguments, f"--output={out}", "--quiet", *said)
            return read_jsonl(out)

        source = str(path)
        self.pairs = [(row["a"], row["b"], row["score"]) for row in table("pairs", "pairs", source)]
        rows = table("clusters", "clusters", source)
        self.clusters = [tuple(row.values())[:5] for row in rows]
        removed = folder / "removed.jsonl"
        rows = table("kept", "dedup", source, f"--removed={removed}")
        self.kept = [row["id"] for row in rows]
        self.survivors = (folder / "kept.jsonl").read_bytes()
        self.removed = [
            (row["id"], row["duplicate_of"], row["score"]) for row in read_jsonl(removed)
        ]


def tuples(table: Any) -> list[tuple[Any, ...]]:
    """Return the rows of a table of any type."""
    if isinstance(table, pandas.DataFrame):
        return list(table.itertuples(index=False, name=None))
    if isinstance(table, polars.DataFrame):
        return table.rows()
    rows = table.to_pylist() if isinstance(table, pyarrow.Table) else list(table)
    return [tuple(row.values()) if isinstance(row, dict) else tuple(row) for row in rows]


def column(table: Any, name: str) -> list[Any]:
    if isinstance(table, list):
        return [row[name] for row in table]
    values = table[name]
    return values.to_pylist() if isinstance(table, pyarrow.Table) else list(values)


def check(result: twinsift.Result[Any], answers: Answers) -> None:
    assert tuples(result.pairs) == answers.pairs
    assert tuples(result.clusters) == answers.clusters
    assert column(result.kept, "id") == answers.kept
    removed = result.removed
    assert [
        tuple(row)
        for row in zip(*(column(removed, name) for name in ("id", "duplicate_of", "score")))
    ] == answers.removed


def check_files(result: twinsift.Result[Any], answers: Answers, folder: Path) -> None:
    assert (result.pairs, result.clusters) == (answers.pairs, answers.clusters)
    assert (result.kept, result.removed) == (answers.kept, answers.removed)
    written = folder / "written.jsonl"
    result.write(written)
    assert written.read_bytes() == answers.survivors


@pytest.mark.parametrize(
    "options", METHODS, ids=lambda options: "-".join(map(str, options.values()))
)
def test_every_method_on_every_input(options: Row, rows: list[Row], tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "rows.jsonl", rows)
    answers = Answers(path, flags(options), tmp_path)
    assert answers.pairs
    for make in KINDS.values():
        check(twinsift.dedup(make(rows), **options), answers)
    check_files(twinsift.dedup(path, **options), answers, tmp_path)
    fewer = twinsift.dedup(rows, **options, all_pairs=False, threads=1, memory="64M")
    assert column(fewer.kept, "id") == answers.kept


def test_andd_and_its_model(rows: list[Row], tmp_path: Path) -> None:
    model = twinsift.train_andd(rows, labels="cluster")
    again = twinsift.train_andd(pandas.DataFrame(rows), labels=[row["cluster"] for row in rows])
    assert model == again
    model.save(tmp_path / "andd.model")
    path = write_jsonl(tmp_path / "rows.jsonl", rows)
    said = flags({"method": "andd", "model": tmp_path / "andd.model"})
    answers = Answers(path, said, tmp_path)
    assert answers.pairs
    recipe = twinsift.Recipe(method="andd", model=model)
    for make in KINDS.values():
        check(twinsift.dedup(make(rows), recipe=recipe), answers)
    check_files(twinsift.dedup(path, recipe=recipe), answers, tmp_path)


def test_signals_and_their_model(rows: list[Row], tmp_path: Path) -> None:
    known = [row for row in rows if row["text"]]
    pairs = [
        (a["id"], b["id"], int(a["cluster"] == b["cluster"]))
        for number, a in enumerate(known)
        for b in known[number + 1 : number + 12]
    ]
    model = twinsift.train_signals(known, pairs, runs=0)
    model.save(tmp_path / "signals.model")
    path = write_jsonl(tmp_path / "rows.jsonl", rows)
    said = flags({"method": "signals", "model": tmp_path / "signals.model"})
    answers = Answers(path, said, tmp_path)
    recipe = twinsift.Recipe(method="signals", model=tmp_path / "signals.model")
    assert recipe.threshold == model.threshold
    for make in KINDS.values():
        check(twinsift.dedup(make(rows), recipe=recipe), answers)
    check_files(twinsift.dedup(path, recipe=recipe), answers, tmp_path)


def test_pages(labelled: Path, tmp_path: Path) -> None:
    answers = Answers(labelled, ["--method=spotsigs"], tmp_path)
    assert answers.pairs
    pages = read_jsonl(labelled)
    for make in (KINDS["list"], KINDS["pandas"], KINDS["pyarrow"]):
        check(twinsift.dedup(make(pages), method="spotsigs"), answers)
    answers = Answers(labelled, ["--method=spotsigs", "--content=all"], tmp_path)
    check(twinsift.dedup(pages, method="spotsigs", content="all"), answers)


def test_what_is_usual_is_that_of_the_command(
    labelled: Path, rows: list[Row], tmp_path: Path
) -> None:
    mails = [{"id": row["id"], "subject": "hello", "text": row["text"]} for row in rows]
    usual: list[tuple[Any, Path]] = [
        ("stories", labelled),
        ("campaigns", write_jsonl(tmp_path / "mails.jsonl", mails)),
    ]
    for name, path in usual:
        out = tmp_path / "pairs.jsonl"
        command("pairs", str(path), f"--output={out}", "--quiet")
        expected = [tuple(row.values()) for row in read_jsonl(out)]
        documents = read_jsonl(path)
        for make in KINDS.values():
            found = twinsift.pairs(make(documents))
            assert tuples(found.pairs) == expected
            assert found.recipe == twinsift.Recipe(find=name)
        assert twinsift.pairs(path).pairs == expected
        assert twinsift.pairs(row for row in documents).pairs == expected
        assert twinsift.dedup(documents).recipe == twinsift.Recipe()
        # Naming a method, or a recipe, wins.
        assert twinsift.pairs(documents, k=3).recipe == twinsift.Recipe(k=3)
        recipe = twinsift.Recipe()
        assert twinsift.pairs(documents, recipe=recipe).recipe == recipe


def test_a_detector_learns_from_labels(rows: list[Row], tmp_path: Path) -> None:
    pairs = [(a["id"], b["id"], int(a["cluster"] == b["cluster"])) for a, b in zip(rows, rows[1:])]
    model = twinsift.train_detector(rows, pairs, find="campaigns")
    assert (model.kind, model) == ("detector", twinsift.Model.from_json(model.to_json()))
    path = write_jsonl(tmp_path / "rows.jsonl", rows)
    model.save(tmp_path / "mine.json")
    answers = Answers(path, [f"--model={tmp_path / 'mine.json'}"], tmp_path)
    recipe = twinsift.Recipe(model=model)
    assert pickle.loads(pickle.dumps(recipe)) == recipe
    check(twinsift.dedup(rows, recipe=recipe), answers)


def test_against(rows: list[Row], tmp_path: Path) -> None:
    new = write_jsonl(tmp_path / "new.jsonl", rows[60:])
    old = write_jsonl(tmp_path / "old.jsonl", rows[:60])
    answers = Answers(new, [f"--against={old}"], tmp_path)
    for make in KINDS.values():
        result = twinsift.dedup(make(rows[60:]), against=make(rows[:60]))
        assert tuples(result.pairs) == answers.pairs
        assert column(result.kept, "id") == answers.kept
    assert twinsift.dedup(new, against=old).kept == answers.kept


@pytest.mark.parametrize("keep", ["longest", "max:n", "min:n"])
def test_keep_rules(keep: str, rows: list[Row], tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "rows.jsonl", rows)
    out = tmp_path / "kept.jsonl"
    command("dedup", str(path), f"--output={out}", f"--keep={keep}", "--quiet")
    kept = [row["id"] for row in read_jsonl(out)]
    for make in KINDS.values():
        assert column(twinsift.dedup(make(rows), keep=keep).kept, "id") == kept


@pytest.mark.parametrize("group", ["representative", "connected"])
def test_groups_of_each_kind(group: Any, rows: list[Row], tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "rows.jsonl", rows)
    out = tmp_path / "groups.jsonl"
    command("clusters", str(path), f"--group={group}", f"--output={out}", "--quiet")
    expected = [tuple(row.values())[:5] for row in read_jsonl(out)]
    for all_pairs in (True, False):
        assert twinsift.clusters(rows, group=group, all_pairs=all_pairs).clusters == expected


def test_a_higher_threshold_is_another_run(rows: list[Row]) -> None:
    low = twinsift.pairs(rows, threshold=0.3)
    for threshold in (0.3, 0.5, 0.8, 1.0):
        high = low.rethreshold(threshold)
        run = twinsift.pairs(rows, threshold=threshold)
        assert (high.pairs, high.groups, high.kept) == (run.pairs, run.groups, run.kept)
        assert high.recipe == run.recipe
    with pytest.raises(twinsift.UsageError, match="threshold= can be raised"):
        low.rethreshold(0.2)
    with pytest.raises(twinsift.UsageError, match="has no threshold="):
        twinsift.pairs(rows, method="simhash").rethreshold(0.9)
