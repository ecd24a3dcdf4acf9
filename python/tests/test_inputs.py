"""Every kind of input gives the same answer, in its own type."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import datasets
import pandas
import polars
import pyarrow
import pytest

import twinsift

TEXTS = [
    "The council approved the new bridge over the river on Monday evening.",
    "A storm is expected to reach the coast by tomorrow, forecasters said.",
    "the council approved the new bridge over the river on monday evening",
    "",
    "A storm is expected to reach the coast by tomorrow, forecasters said!",
]
IDS = ["p", "q", "r", "s", "t"]
ROWS = [{"id": id, "text": text, "n": n} for n, (id, text) in enumerate(zip(IDS, TEXTS))]
PAIRS = [("p", "r", 1.0), ("q", "t", 1.0)]


def test_a_list_of_texts_is_named_by_position() -> None:
    result = twinsift.dedup(TEXTS)
    assert result.kept == [TEXTS[0], TEXTS[1], TEXTS[3]]
    assert result.pairs == [(0, 2, 1.0), (1, 4, 1.0)]
    assert result.removed[0] == (TEXTS[2], 0, 1.0)
    assert result.groups == [[0, 2], [1, 4]]
    assert result.clusters[0] == (0, 0, 2, 0, 1.0)


def test_dict_rows_keep_their_fields() -> None:
    result = twinsift.dedup(ROWS)
    assert result.kept == [ROWS[0], ROWS[1], ROWS[3]]
    assert result.removed[0] == {**ROWS[2], "duplicate_of": "p", "score": 1.0}
    assert result.pairs == PAIRS


def test_a_generator_is_pulled_on_the_calling_thread() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("create table t (id text, body text)")
    connection.executemany("insert into t values (?, ?)", zip(IDS, TEXTS))

    def rows() -> Iterator[dict[str, Any]]:
        for id, body in connection.execute("select id, body from t"):
            yield {"id": id, "body": body}

    result = twinsift.dedup(rows())
    assert [row["id"] for row in result.kept] == ["p", "q", "s"]
    with pytest.raises(twinsift.UsageError, match="rows of a stream are gone"):
        _ = twinsift.pairs(rows()).kept
    connection.close()


def test_pandas_keeps_index_and_columns() -> None:
    frame = pandas.DataFrame(ROWS, index=[10, 20, 30, 40, 50])
    result = twinsift.dedup(frame)
    pandas.testing.assert_frame_equal(result.kept, frame.loc[[10, 20, 40]])
    assert list(result.removed.columns) == ["id", "text", "n", "duplicate_of", "score"]
    assert list(result.removed.index) == [30, 50]
    assert list(result.removed["duplicate_of"]) == ["p", "q"]
    assert list(result.pairs.itertuples(index=False, name=None)) == PAIRS


def test_a_series_of_pandas() -> None:
    series = pandas.Series(TEXTS, index=list("abcde"), name="story")
    result = twinsift.dedup(series)
    pandas.testing.assert_series_equal(result.kept, series[["a", "b", "d"]])


def test_polars() -> None:
    frame = polars.DataFrame(ROWS)
    result = twinsift.dedup(frame)
    assert result.kept.equals(frame[[0, 1, 3]])
    assert result.removed.columns == ["id", "text", "n", "duplicate_of", "score"]
    assert result.pairs.rows() == PAIRS
    assert twinsift.dedup(frame.lazy()).pairs.rows() == PAIRS
    assert twinsift.dedup(frame["text"]).kept.to_list() == [TEXTS[0], TEXTS[1], TEXTS[3]]
    categorical = frame.with_columns(polars.col("text").cast(polars.Categorical))
    assert twinsift.pairs(categorical).pairs.rows() == PAIRS


@pytest.mark.parametrize(
    "kind",
    [
        pyarrow.string(),
        pyarrow.large_string(),
        pyarrow.string_view(),
        pyarrow.dictionary(pyarrow.int32(), pyarrow.string()),
    ],
    ids=str,
)
def test_pyarrow(kind: Any) -> None:
    table = pyarrow.table({"id": IDS, "text": pyarrow.array(TEXTS, pyarrow.string()).cast(kind)})
    result: Any = twinsift.dedup(table)
    assert result.kept.column("id").to_pylist() == ["p", "q", "s"]
    assert result.kept.schema == table.schema
    assert result.removed.column("duplicate_of").to_pylist() == ["p", "q"]
    assert [tuple(row.values()) for row in result.pairs.to_pylist()] == PAIRS


def test_a_reader_of_record_batches() -> None:
    table = pyarrow.Table.from_pylist(ROWS)
    found: Any
    reader = pyarrow.RecordBatchReader.from_batches(table.schema, table.to_batches(2))
    found = twinsift.pairs(reader)
    assert found.pairs.num_rows == 2
    reader = pyarrow.RecordBatchReader.from_batches(table.schema, table.to_batches(2))
    found = twinsift.dedup(reader)
    assert found.kept.num_rows == 3
    chunked = pyarrow.chunked_array([TEXTS[:2], TEXTS[2:]])
    found = twinsift.dedup(chunked)
    assert found.kept.to_pylist() == [TEXTS[0], TEXTS[1], TEXTS[3]]


def test_datasets() -> None:
    data = datasets.Dataset.from_list(ROWS)
    result = twinsift.dedup(data)
    assert isinstance(result.kept, datasets.Dataset)
    assert result.kept["id"] == ["p", "q", "s"]
    assert result.removed["duplicate_of"] == ["p", "q"]
    shuffled = data.select([4, 3, 2, 1, 0])
    assert twinsift.dedup(shuffled).kept["id"] == ["t", "s", "r"]


def test_paths(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    pandas.DataFrame(ROWS).to_json(path, orient="records", lines=True)
    for data in (path, [path], twinsift.files(str(path))):
        result = twinsift.dedup(data)
        assert result.kept == ["p", "q", "s"]
        assert result.pairs == PAIRS


def test_against_may_be_of_another_type() -> None:
    result = twinsift.dedup(TEXTS[2:], against=pandas.DataFrame(ROWS[:2]))
    assert result.kept == [""]
    assert [removed.duplicate_of for removed in result.removed] == ["p", "q"]
    assert result.report.against == 2


def test_keep_rules() -> None:
    rows: list[dict[str, Any]] = [
        {"text": "one two three", "n": 1},
        {"text": "One, two, three", "n": 3},
        {"text": "one two three.", "n": 2},
    ]
    assert [row["n"] for row in twinsift.dedup(rows, keep="max:n").kept] == [3]
    assert [row["n"] for row in twinsift.dedup(rows, keep="longest").kept] == [3]
    assert [row["n"] for row in twinsift.dedup(rows, keep="min:n", all_pairs=False).kept] == [1]
    with pytest.raises(twinsift.UsageError, match="keep="):
        twinsift.dedup(rows, keep="best")
