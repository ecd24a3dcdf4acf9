"""Results as people see them, and explanations."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow
import pytest
from support import Row, command

import twinsift

EVIL = '<script>alert("x")</script> & the council approved the new bridge over the river'


class Tags(HTMLParser):
    """Collects tags, and checks that all are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def tags(html: str) -> set[str]:
    parser = Tags()
    parser.feed(html)
    assert parser.open == []
    return parser.seen


def notebook(value: Any) -> str:
    """Return what a notebook shows of a value."""
    shown: str = value._repr_html_()
    return shown


def test_a_notebook_shows_groups_side_by_side() -> None:
    rows = [{"id": "<b>1</b>", "text": EVIL}, {"id": "2", "text": EVIL + " on Monday"}]
    result = twinsift.dedup(rows, threshold=0.5)
    shown = notebook(result)
    assert "script" not in tags(shown)
    assert "&lt;b&gt;1&lt;/b&gt;" in shown
    assert "<mark> on Monday</mark>" in shown
    page = result.to_html()
    assert page.startswith("<!doctype html>")
    assert "script" not in tags(page) and "http" not in page
    assert twinsift.pairs(pandas.DataFrame(rows), threshold=0.5).to_html().count("<mark>") == 1


def test_a_result_says_what_it_is(rows: list[Row]) -> None:
    result = twinsift.dedup(rows)
    assert repr(result).startswith("<twinsift.Result: 120 documents, ")
    assert result.report.documents == 120
    assert result.report.unjudged == 1
    assert result.report.words > 1000


def test_a_result_without_pairs_is_shown_too(rows: list[Row]) -> None:
    result = twinsift.dedup(rows, all_pairs=False)
    assert "near duplicates" in notebook(result)
    with pytest.raises(twinsift.UsageError, match="all_pairs=False"):
        _ = result.pairs
    with pytest.raises(twinsift.UsageError, match="all_pairs=False"):
        result.rethreshold(0.9)


@pytest.mark.parametrize(
    "options", [{}, {"method": "spotsigs"}, {"method": "minhash"}, {"k": 1, "threshold": 0.5}]
)
def test_compare_is_what_the_command_prints(options: Row, rows: list[Row], tmp_path: Path) -> None:
    paths = [tmp_path / "a.txt", tmp_path / "b.txt"]
    texts = [rows[0]["text"], rows[1]["text"] + " " + rows[0]["text"]]
    for path, text in zip(paths, texts):
        path.write_text(text)
    said = [f"--{name}={value}" for name, value in options.items()]
    told = json.loads(command("compare", *map(str, paths), "--json", *said))
    a, b = ({"id": str(path), "text": text} for path, text in zip(paths, texts))
    comparison = twinsift.compare(a, b, **options)
    assert comparison.to_dict() == told
    assert comparison.score == told["score"]
    assert tags(notebook(comparison))
    assert "near duplicates" in repr(comparison)


def test_compare_takes_texts_and_refuses_other_things() -> None:
    comparison = twinsift.compare("one two three", "One, two, three")
    assert comparison.near_duplicates
    assert comparison.only_a == comparison.only_b == []
    with pytest.raises(twinsift.UsageError, match="b is of the type int"):
        twinsift.compare("one", 2)  # type: ignore[arg-type]
    with pytest.raises(twinsift.InputError, match="a: no text"):
        twinsift.compare({"n": 1}, "two")


def test_pages_are_shown_by_what_they_say() -> None:
    text = "The council approved the new bridge over the river on Monday evening."
    page = "<html><head><title>News</title></head><body><p>{}</p></body></html>"
    rows = [{"id": name, "html": page.format(text + more)} for name, more in ("a ", "b.")]
    tables = [rows, pandas.DataFrame(rows), polars.DataFrame(rows), pyarrow.Table.from_pylist(rows)]
    for table in tables:
        shown = twinsift.pairs(table, threshold=0.5).to_html()
        assert "approved" in shown and "&lt;p&gt;" not in shown
