"""The example for Daft finds what a run finds."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from typing import Any

import pytest
from support import Row, make_rows

import twinsift

PATH = Path(__file__).resolve().parent.parent / "examples" / "daft_join.py"

RECIPES: list[Row] = [
    {},
    {"method": "spotsigs"},
    {"method": "minhash"},
    {"k": 2, "weights": "counts", "similarity": "cosine", "threshold": 0.5},
]


@pytest.fixture(scope="module")
def example() -> Any:
    # Daft is imported by the example alone, which switches its reports off first.
    spec = importlib.util.spec_from_file_location("daft_join", PATH)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("options", RECIPES, ids=str)
def test_a_pipeline_finds_the_pairs_of_a_run(options: Row, example: Any) -> None:
    rows = [{"id": n, "text": row["text"]} for n, row in enumerate(make_rows(300))]
    rows[6]["text"], rows[7]["text"] = "", None
    recipe = twinsift.Recipe(**options)
    expected = twinsift.pairs(rows, recipe=recipe).pairs
    assert len(expected) > 50

    # In several batches, and in another order.
    shuffled = random.Random(3).sample(rows, len(rows))
    frame = example.daft.from_pylist(shuffled).into_batches(64)
    found = example.near_duplicates(frame, recipe)
    assert found.column_names == ["a", "b", "score"]
    assert sorted((row["a"], row["b"], row["score"]) for row in found.to_pylist()) == expected


def test_the_example_prints_its_pairs(example: Any, capsys: pytest.CaptureFixture[str]) -> None:
    example.main()
    printed = capsys.readouterr().out.splitlines()
    assert [line.rsplit(" ", 1)[0] for line in printed] == [
        "again longer",
        "again monday",
        "longer monday",
    ]
    assert printed[1] == "again monday 1.00"
