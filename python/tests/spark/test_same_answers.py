"""Spark gives what one machine gives, to the last bit, whatever the partitions."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from support import Row, command, make_rows, write_jsonl

import twinsift
import twinsift.spark
from twinsift._twinsift import ENOUGH

METHODS: list[Row] = [
    {"method": "exact"},
    {"method": "shingles"},
    {"method": "shingles", "k": 2, "threshold": 0.4, "weights": "tfidf", "similarity": "cosine"},
    {"method": "shingles", "k": 1, "threshold": 0.5, "idf": (0.1, 0.9)},
    {"method": "spotsigs"},
    {"method": "minhash", "threshold": 0.6, "seed": 3},
    {"method": "supershingles"},
    {"method": "imatch", "random_lexicons": 4},
    {"method": "simhash", "distance": 12},
    {"find": "stories"},
    {"find": "campaigns", "threshold": 0.2},
]


def collected(frame: DataFrame) -> list[tuple[Any, ...]]:
    """Return the rows of an answer, sorted."""
    return sorted(map(tuple, frame.collect()))


def tuples(rows: list[Any]) -> list[tuple[Any, ...]]:
    return sorted(map(tuple, rows))


def removed(result: Any) -> list[tuple[Any, ...]]:
    return sorted((row["id"], row["duplicate_of"], row["score"]) for row in result.removed)


@pytest.mark.parametrize(
    "options", METHODS, ids=lambda options: "-".join(map(str, options.values()))
)
def test_every_method_gives_the_answers_of_one_machine(
    frame: DataFrame, rows: list[Row], options: Row
) -> None:
    expected = twinsift.dedup(rows, **options)
    assert expected.pairs, "the rows have near duplicates"
    with twinsift.spark.match(frame, order="at", **options) as found:
        assert collected(found.pairs()) == tuples(expected.pairs)
        assert collected(found.clusters()) == tuples(expected.clusters)
        assert collected(found.removed()) == removed(expected)
        kept = sorted(row["id"] for row in expected.kept)
        assert sorted(row["id"] for row in found.kept().collect()) == kept
        assert found.kept().columns == frame.columns
        assert found.report.documents == len(rows)


@pytest.mark.parametrize("partitions", [1, 7, 64])
def test_answers_do_not_depend_on_partitions(
    frame: DataFrame, rows: list[Row], partitions: int
) -> None:
    expected = twinsift.dedup(rows, k=2, threshold=0.3)
    spread = frame.repartition(partitions)
    with twinsift.spark.match(spread, order="at", k=2, threshold=0.3, tasks=partitions) as found:
        assert collected(found.pairs()) == tuples(expected.pairs)
        assert collected(found.removed()) == removed(expected)


@pytest.mark.parametrize("keep", ["longest", "max:n", "min:n", "max:id"])
def test_keep_rules_are_those_of_one_machine(frame: DataFrame, rows: list[Row], keep: str) -> None:
    expected = twinsift.dedup(rows, k=2, threshold=0.3, keep=keep)
    with twinsift.spark.match(frame, order="at", k=2, threshold=0.3, keep=keep) as found:
        assert collected(found.removed()) == removed(expected)


@pytest.mark.every_spark
def test_connected_groups_are_those_of_one_machine(frame: DataFrame, rows: list[Row]) -> None:
    expected = twinsift.clusters(rows, k=2, threshold=0.3, group="connected")
    found = twinsift.spark.clusters(frame, order="at", k=2, threshold=0.3, group="connected")
    assert collected(found) == tuples(expected.clusters)


@pytest.mark.parametrize("in_rounds", [False, True])
def test_groups_of_a_crowd_are_those_of_one_machine(
    frame: DataFrame, monkeypatch: pytest.MonkeyPatch, in_rounds: bool
) -> None:
    if in_rounds:
        monkeypatch.setattr("twinsift.spark._survivors.MOST_EDGES", 1000)
    usual = [f"usual{number}" for number in range(16)]
    rows = [
        {"id": f"c{at}", "text": " ".join([*usual, *(f"w{b}" for b in range(9) if at >> b & 1)])}
        for at in range(100 if in_rounds else 300)
    ]
    threshold = 0.7 if in_rounds else 0.8
    expected = twinsift.clusters(rows, k=1, threshold=threshold)
    most = max(len(group) for group in expected.groups)
    assert most > ENOUGH, "a group is a crowd"
    ordered = [(at, row["id"], row["text"]) for at, row in enumerate(rows)]
    crowd = frame.sparkSession.createDataFrame(ordered, "at long, id string, text string")
    found = twinsift.spark.clusters(crowd, order="at", k=1, threshold=threshold)
    assert collected(found) == tuples(expected.clusters)


@pytest.mark.every_spark
@pytest.mark.parametrize("keep", ["first", "longest"])
def test_new_documents_against_old_ones(frame: DataFrame, rows: list[Row], keep: str) -> None:
    # Ids may be the same on both sides.
    new, old = rows[60:] + rows[:4], rows[:70]
    expected = twinsift.dedup(new, against=old, k=2, threshold=0.3, keep=keep)
    spark = frame.sparkSession
    frames = [
        spark.createDataFrame(
            [(at, row["id"], row["text"]) for at, row in enumerate(side)],
            "at long, id string, text string",
        )
        for side in (new, old)
    ]
    with twinsift.spark.match(
        frames[0], against=frames[1], order="at", k=2, threshold=0.3, keep=keep
    ) as found:
        assert collected(found.pairs()) == tuples(expected.pairs)
        assert collected(found.clusters()) == tuples(expected.clusters)
        assert collected(found.removed()) == removed(expected)
        kept = sorted(row["id"] for row in expected.kept)
        assert sorted(row["id"] for row in found.kept().collect()) == kept
    pairs = twinsift.spark.against(frames[0], frames[1], order="at", k=2, threshold=0.3)
    assert collected(pairs) == tuples(expected.pairs)


def test_groups_and_survivors_in_rounds(
    frame: DataFrame, rows: list[Row], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = twinsift.dedup(rows, k=1, threshold=0.2)
    connected = twinsift.clusters(rows, k=1, threshold=0.2, group="connected")
    assert max(map(len, connected.groups)) > 40, "some groups are large"
    for most_edges in (1, 60):
        monkeypatch.setattr("twinsift.spark._components.MOST_EDGES", most_edges)
        monkeypatch.setattr("twinsift.spark._survivors.MOST_EDGES", most_edges)
        with twinsift.spark.match(frame, order="at", k=1, threshold=0.2) as found:
            assert collected(found.clusters("connected")) == tuples(connected.clusters)
            assert collected(found.clusters()) == tuples(expected.clusters)
            assert collected(found.removed()) == removed(expected)


def test_learned_weights_give_the_answers_of_one_machine(frame: DataFrame, rows: list[Row]) -> None:
    model = twinsift.train_andd(rows, labels="cluster", progress=False)
    expected = twinsift.dedup(rows, method="andd", model=model)
    assert expected.pairs
    with twinsift.spark.match(frame, order="at", method="andd", model=model) as found:
        assert collected(found.pairs()) == tuples(expected.pairs)
        assert collected(found.removed()) == removed(expected)


def test_ids_of_any_kind_put_documents_in_order(frame: DataFrame, rows: list[Row]) -> None:
    expected = twinsift.pairs([{**row, "id": at} for at, row in enumerate(rows)])
    numbered = frame.drop("id").withColumnRenamed("at", "id")
    found = twinsift.spark.pairs(numbered, twinsift.Recipe())
    assert found.columns == ["a", "b", "score"]
    assert collected(found) == tuples(expected.pairs)


@pytest.mark.parametrize("method", ["shingles", "spotsigs", "minhash", "imatch", "andd"])
def test_thousands_of_documents_give_the_answers_of_the_command(
    spark: SparkSession, rows: list[Row], tmp_path: Path, method: str
) -> None:
    many = make_rows(3000, seed=11)
    source, flags = tmp_path / "many.jsonl", ["--quiet", "--method", method]
    options: dict[str, Any] = {"method": method}
    write_jsonl(source, many)
    if method == "andd":
        model = twinsift.train_andd(rows, labels="cluster", progress=False)
        model.save(tmp_path / "model.json")
        flags += ["--model", str(tmp_path / "model.json")]
        options["model"] = model
    paths = {name: str(tmp_path / f"{name}.csv") for name in ("pairs", "clusters", "removed")}
    for name in ("pairs", "clusters"):
        command(name, str(source), "-o", paths[name], *flags)
    kept = str(tmp_path / "kept.jsonl")
    command("dedup", str(source), "-o", kept, "--removed", paths["removed"], *flags)
    placed = [(at, row["id"], row["text"]) for at, row in enumerate(many)]
    frame = spark.createDataFrame(placed, "at long, id string, text string").repartition(7)
    with twinsift.spark.match(frame, order="at", **options) as found:
        answers = {"pairs": found.pairs(), "clusters": found.clusters(), "removed": found.removed()}
        for name, answer in answers.items():
            lines = Path(paths[name]).read_text(encoding="utf-8").splitlines()
            columns, *expected = csv.reader(lines)
            # The command shows titles and snippets as well.
            columns = [column for column in columns if column in answer.columns]
            expected = [row[: len(columns)] for row in expected]
            assert len(expected) > 500
            given = [[str(value) for value in row] for row in answer.select(*columns).collect()]
            assert sorted(given) == sorted(expected), name
