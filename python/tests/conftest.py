"""The collections that tests share."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from support import Row, command, make_rows

# Executors of Spark have the packages of this Python.
os.environ["PYSPARK_PYTHON"] = sys.executable


@pytest.fixture(scope="session")
def rows() -> list[Row]:
    return make_rows()


@pytest.fixture(scope="session")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages of the demonstration corpus, with their clusters."""
    path = tmp_path_factory.mktemp("demo") / "pages.jsonl"
    command("demo", "--documents", "90", "--out", str(path), "--show", "0", "--quiet")
    return path
