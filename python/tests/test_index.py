"""`twinsift.Index`: every kind of input, the command's answers, and what is on disk."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import datasets
import pandas
import polars
import pyarrow
import pytest
from support import Row, command, flags, make_rows, read_jsonl, write_jsonl
from test_running import interrupted
from test_same_answers import KINDS, column, tuples

import twinsift

STORM = "A storm will reach the coast by tomorrow, forecasters said on Monday evening."
BRIDGE = "The council approved the new bridge over the river on Monday evening."

METHODS: list[Row] = [
    {"method": "exact"},
    {"method": "shingles"},
    {"method": "shingles", "k": 2, "threshold": 0.4},
    {"method": "spotsigs"},
    {"method": "minhash", "threshold": 0.6, "seed": 3},
    {"method": "supershingles"},
]


def in_other_process(code: str) -> str:
    """Run code in another process, and return what it prints."""
    called = [sys.executable, "-c", "import twinsift\n" + textwrap.dedent(code)]
    done = subprocess.run(called, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def index(tmp_path: Path) -> Iterator[twinsift.Index]:
    """An index of a storm and a bridge."""
    with twinsift.Index.create(tmp_path / "news.idx") as made:
        made.add([STORM, BRIDGE], ids=["storm", "bridge"])
        yield made


def known_rows(path: Path) -> list[tuple[Any, ...]]:
    return [
        (row["id"], row["duplicate_of"], row["score"], row.get("label")) for row in read_jsonl(path)
    ]


@pytest.mark.parametrize("options", METHODS, ids=lambda one: "-".join(map(str, one.values())))
def test_answers_are_those_of_the_command(options: Row, rows: list[Row], tmp_path: Path) -> None:
    old = write_jsonl(tmp_path / "old.jsonl", rows[:70])
    new = write_jsonl(tmp_path / "new.jsonl", rows[70:])
    theirs, out = str(tmp_path / "theirs.idx"), tmp_path / "out.jsonl"
    command("index", "create", theirs, *flags(options), "--quiet")
    command("index", "add", theirs, str(old), "--label=old", "--quiet")
    command("index", "query", theirs, str(new), f"--output={out}", "--quiet")
    expected = known_rows(out)
    assert expected
    for name, make in KINDS.items():
        with twinsift.Index.create(tmp_path / f"{name}.idx", **options) as index:
            assert index.add(make(rows[:70]), label="old").documents == 70
            assert tuples(index.query(make(rows[70:]))) == expected
            assert list(index) == [row["id"] for row in rows[:70]]
    with twinsift.Index.create(tmp_path / "files.idx", **options) as index:
        assert index.add(old, label="old") == (70, 0, index.add(old, label="old").unjudged)
        assert index.query(new) == expected
    # An index of the one is an index of the other.
    with twinsift.Index(theirs, read_only=True) as index:
        assert index.query(rows[70:]) == expected
    command("index", "query", str(tmp_path / "list.idx"), str(new), f"--output={out}", "--quiet")
    assert known_rows(out) == expected


def test_methods_that_count_words(rows: list[Row], tmp_path: Path) -> None:
    old = write_jsonl(tmp_path / "old.jsonl", rows[:70])
    new = write_jsonl(tmp_path / "new.jsonl", rows[70:])
    theirs, out = str(tmp_path / "theirs.idx"), tmp_path / "out.jsonl"
    options: Row = {"method": "simhash", "distance": 12}
    command("index", "create", theirs, *flags(options), f"--statistics={old}", "--quiet")
    command("index", "add", theirs, str(old), "--quiet")
    command("index", "query", theirs, str(new), f"--output={out}", "--quiet")
    recipe = twinsift.Recipe(method="simhash", distance=12)
    counted: list[Any] = [rows[:70], old, twinsift.Statistics.count(rows[:70], recipe)]
    for number, statistics in enumerate(counted):
        path = tmp_path / f"{number}.idx"
        with twinsift.Index.create(path, recipe, statistics=statistics) as index:
            index.add(rows[:70])
            assert index.query(rows[70:]) == known_rows(out)
    with pytest.raises(twinsift.UsageError, match="statistics="):
        twinsift.Index.create(tmp_path / "none.idx", recipe)
    with pytest.raises(twinsift.UsageError, match="statistics= has no meaning here"):
        twinsift.Index.create(tmp_path / "none.idx", statistics=rows)


def test_a_lexicon_goes_into_the_index(rows: list[Row], tmp_path: Path) -> None:
    lexicon = twinsift.Lexicon.count(rows)
    with twinsift.Index.create(
        tmp_path / "mail.idx", method="imatch", lexicon=lexicon, idf=(0.1, 0.9)
    ) as index:
        index.add(rows[:70])
        found = index.query(rows[:70])
    del lexicon
    with twinsift.Index(tmp_path / "mail.idx") as index:
        assert found
        assert index.query(rows[:70]) == found


def test_results_have_the_type_of_the_data(index: twinsift.Index) -> None:
    row = {"url": "new", "body": STORM}
    frame = pandas.DataFrame([row])
    found = index.query(frame, text="body", id="url")
    assert isinstance(found, pandas.DataFrame)
    assert list(found.columns) == ["id", "duplicate_of", "score", "label"]
    assert list(found.iloc[0][:3]) == ["new", "storm", 1.0]
    assert isinstance(index.query(polars.DataFrame([row]), text="body"), polars.DataFrame)
    assert isinstance(index.query(datasets.Dataset.from_list([row]), text="body"), datasets.Dataset)
    table: Any = index.query(pyarrow.Table.from_pylist([row]), text="body", id="url")
    assert table.schema.field("label").type == pyarrow.string()
    assert table.to_pylist() == [
        {"id": "new", "duplicate_of": "storm", "score": 1.0, "label": None}
    ]


def test_no_match_is_an_empty_table_of_the_same_type(index: twinsift.Index) -> None:
    row = {"id": "new", "text": "Something else."}
    for make in (pandas.DataFrame, polars.DataFrame, pyarrow.Table.from_pylist):
        make_any: Any = make
        found: Any = index.query(make_any([row]))
        assert len(found) == 0
        with_all: Any = index.query(make_any([row]), all=True)
        assert len(with_all) == 1
        assert column(with_all, "id") == ["new"]
    assert index.query([row]) == []
    assert index.query([row], all=True) == [("new", None, None, None)]


def test_one_text(index: twinsift.Index) -> None:
    index.add([STORM + " It rained."], ids=["rain"], label="weather")
    best, other = index.match(STORM.upper(), top=5)
    assert best == ("storm", 1.0, None)
    assert (other.duplicate_of, other.label) == ("rain", "weather")
    assert index.match(STORM, top=1) == [best]
    assert index.match({"text": STORM})[0] == best
    assert index.match({"html": f"<p>{STORM}</p>"})[0] == best
    assert index.match("") == []
    wrong: Any = 7
    with pytest.raises(twinsift.UsageError, match="of the type int"):
        index.match(wrong)
    with pytest.raises(twinsift.UsageError, match="top="):
        index.match(STORM, top=0)


def test_records(index: twinsift.Index) -> None:
    before = datetime.now(timezone.utc) - timedelta(seconds=1)
    index.add([{"id": 7, "text": STORM}, {"id": 8, "text": ""}], label="n", ttl=timedelta(days=2))
    record = index[7]
    assert (record.id, record.label, record.judged) == (7, "n", True)
    assert before < record.added < before + timedelta(minutes=1)
    assert record.expires == record.added + timedelta(days=2)
    assert not index[8].judged
    assert index["storm"].expires is None
    # A name is a name, whether it is written as a number or not.
    assert 7 in index and "7" in index and "nine" not in index
    with pytest.raises(KeyError, match="nine"):
        _ = index["nine"]
    assert len(index) == 4
    assert list(index) == ["storm", "bridge", 7, 8]
    assert "4 documents" in repr(index) and "shingles" in repr(index)


def test_adding_replaces_and_removing_removes(index: twinsift.Index) -> None:
    assert index.add([{"id": "storm", "text": "Quite another text than before."}]) == (1, 1, 0)
    assert index.match(STORM) == []
    assert index.remove("storm") == 1
    assert index.remove(["storm", "bridge", "nobody"]) == 1
    assert len(index) == 0
    assert index.add([], ids=[]) == (0, 0, 0)


def test_a_document_expires_unless_it_is_seen_again(index: twinsift.Index) -> None:
    soon = "This offer ends in a moment, so write to us at once."
    index.add([soon], ids=["offer"], ttl=0.2)
    index.add([BRIDGE], ids=["again"], ttl=1000)
    assert index.match(soon)
    expires = index["again"].expires
    time.sleep(0.25)
    assert index.match(soon) == []
    assert "offer" not in index
    assert index.expire() == 1
    assert index.match(BRIDGE, renew=True)
    renewed = index["again"].expires
    assert expires is not None and renewed is not None and renewed > expires
    time.sleep(0.01)
    assert index.query([BRIDGE], renew=True)
    last = index["again"].expires
    assert last is not None and last > renewed


def test_what_was_added_is_there_in_other_processes(rows: list[Row], tmp_path: Path) -> None:
    path = tmp_path / "news.idx"
    code = f"""
        import os, signal
        index = twinsift.Index.create({str(path)!r})
        index.add([{STORM!r}], ids=["storm"])
        os.kill(os.getpid(), signal.SIGKILL)
    """
    with pytest.raises(AssertionError):
        in_other_process(code)
    with twinsift.Index(path) as index:
        assert list(index) == ["storm"]
        assert index.add(rows).documents == len(rows)
    asked = f"print(len(twinsift.Index({str(path)!r}, read_only=True)))"
    assert in_other_process(asked) == str(len(rows) + 1)
    assert twinsift.Index.check(path) == []


def test_one_writer_and_many_readers(index: twinsift.Index) -> None:
    with pytest.raises(twinsift.LockedError, match="one writer at a time; read_only=True"):
        twinsift.Index(index.path)
    other = f"""
        try:
            twinsift.Index({str(index.path)!r})
        except twinsift.LockedError as error:
            print(type(error).__name__)
    """
    assert in_other_process(other) == "LockedError"
    reader = twinsift.Index(index.path, read_only=True)
    assert reader.read_only and not index.read_only
    assert list(reader) == ["storm", "bridge"]
    index.add(["A third text of some length."], ids=["third"])
    assert "third" not in reader
    assert reader.refresh()
    assert not reader.refresh()
    assert "third" in reader
    for change in (
        lambda: reader.add(["x"], ids=["x"]),
        lambda: reader.remove(["storm"]),
        reader.expire,
        reader.compact,
        lambda: reader.match(STORM, renew=True),
    ):
        with pytest.raises(twinsift.UsageError, match="open to be read"):
            change()
    path = index.path
    index.close()
    with twinsift.Index(path) as again:
        assert len(again) == 3


def test_a_closed_index_says_so(index: twinsift.Index) -> None:
    index.close()
    index.close()
    assert index.closed
    assert "closed" in repr(index)
    for call in (lambda: index.match(STORM), lambda: len(index), lambda: index.add([], ids=[])):
        with pytest.raises(twinsift.UsageError, match="this index is closed"):
            call()


def test_upkeep(rows: list[Row], tmp_path: Path) -> None:
    with twinsift.Index.create(tmp_path / "a.idx") as index:
        for start in range(0, len(rows), 20):
            index.add(rows[start : start + 20])
        found = index.query(rows)
        assert index.stats().documents == len(rows)
        assert index.stats().in_log == len(rows)
        index.remove([row["id"] for row in rows[:40]])
        index.compact()
        stats = index.stats()
        assert (stats.documents, stats.removed, stats.in_log) == (len(rows) - 40, 0, 0)
        index.snapshot(tmp_path / "b.idx")
        with pytest.raises(twinsift.UsageError, match="is there already"):
            index.snapshot(tmp_path / "b.idx")
        rest = index.query(rows)
    gone = {row["id"] for row in rows[:40]}
    assert rest == [row for row in found if row.duplicate_of not in gone]
    with twinsift.Index(tmp_path / "b.idx") as copy:
        assert copy.query(rows) == rest
    assert twinsift.Index.check(tmp_path / "b.idx") == []


def test_many_documents_are_one_change_too(tmp_path: Path) -> None:
    rows = make_rows(6000)
    with twinsift.Index.create(tmp_path / "many.idx") as index:
        assert index.add(row for row in rows).documents == 6000
        assert index.stats().segments == 1
        assert index.add(rows[:5000]).replaced == 5000
        assert len(index) == 6000

        def broken() -> Iterator[Row]:
            yield from ({**row, "id": f"new-{row['id']}"} for row in rows)
            raise RuntimeError("no more rows")

        with pytest.raises(RuntimeError, match="no more rows"):
            index.add(broken())
        assert len(index) == 6000
        assert index.match(rows[0]["text"])[0].duplicate_of == "doc-0"


def test_damage_is_told(index: twinsift.Index) -> None:
    index.compact()
    index.close()
    segment = next(index.path.glob("segment-*"))
    damaged = bytearray(segment.read_bytes())
    damaged[len(damaged) // 3] ^= 1
    segment.write_bytes(damaged)
    (problem,) = twinsift.Index.check(index.path)[:1]
    assert "is damaged" in problem
    segment.write_bytes(damaged[:40])
    with pytest.raises(twinsift.DamagedError, match="is damaged"):
        twinsift.Index(index.path)


def test_against_an_index(rows: list[Row], tmp_path: Path) -> None:
    with twinsift.Index.create(tmp_path / "old.idx", threshold=0.5) as index:
        index.add(rows[:60])
        for make in KINDS.values():
            by_index = twinsift.dedup(make(rows[60:]), against=index)
            by_rows = twinsift.dedup(make(rows[60:]), against=rows[:60], threshold=0.5)
            assert tuples(by_index.pairs) == tuples(by_rows.pairs)
            assert tuples(by_index.removed) == tuples(by_rows.removed)
            assert column(by_index.kept, "id") == column(by_rows.kept, "id")
        same = twinsift.clusters(rows[60:], against=index, threshold=0.5)
        assert same.groups == twinsift.clusters(rows[60:], against=rows[:60], threshold=0.5).groups
        with pytest.raises(twinsift.UsageError, match="leave recipe= and its parameters out"):
            twinsift.pairs(rows, against=index, threshold=0.6)
        rethresholded = twinsift.pairs(rows[60:], against=index).rethreshold(0.9)
        expected = twinsift.pairs(rows[60:], against=rows[:60], threshold=0.9)
        assert rethresholded.pairs == expected.pairs


def test_bad_input_changes_nothing(index: twinsift.Index, tmp_path: Path) -> None:
    def refused(kind: type[Exception], match: str, data: Any, **options: Any) -> None:
        with pytest.raises(kind, match=match):
            index.add(data, **options)
        assert list(index) == ["storm", "bridge"]

    refused(twinsift.InputError, "have none: name their column with id=", ["one", "two"])
    refused(twinsift.InputError, "have none", pandas.DataFrame({"text": ["one"]}))
    refused(twinsift.InputError, "row 1 is of the type int", [{"id": "a", "text": "x"}, 3])
    refused(twinsift.InputError, "row 0: no id", ["one"], ids=[""])
    refused(twinsift.UsageError, "fewer ids", ["one", "two"], ids=["a"])
    refused(twinsift.UsageError, "more ids", ["one"], ids=["a", "b"])
    refused(twinsift.UsageError, "both given", [{"n": "a", "text": "x"}], ids=["a"], id="n")
    refused(twinsift.UsageError, "no argument method=", ["x"], ids=["a"], method="exact")
    refused(twinsift.UsageError, "ttl=", ["x"], ids=["a"], ttl=0)
    refused(twinsift.UsageError, "label=", ["x"], ids=["a"], label=3)
    refused(twinsift.UsageError, "pathlib.Path", "data.jsonl")
    assert index.add(["one two"], id=False) == (1, 0, 0)
    assert list(index) == ["storm", "bridge", 0]
    with pytest.raises(twinsift.InputError, match="is no index: make one with"):
        twinsift.Index(tmp_path / "nowhere")
    nobody: Any = None
    with pytest.raises(twinsift.UsageError, match="an id is a text or a number"):
        index.remove([nobody])
    index.close()
    with pytest.raises(twinsift.UsageError, match="is there already"):
        twinsift.Index.create(index.path)


def test_rows_that_fail_half_way_add_nothing(index: twinsift.Index) -> None:
    def broken() -> Iterator[Row]:
        yield {"id": "new", "text": "some words"}
        raise RuntimeError("no more rows")

    for _ in range(50):
        with pytest.raises(RuntimeError, match="no more rows"):
            index.add(broken())
        assert list(index) == ["storm", "bridge"]


def test_ids_go_with_every_table(tmp_path: Path) -> None:
    tables: list[Any] = [
        [STORM, BRIDGE],
        iter([STORM, BRIDGE]),
        [{"body": STORM}, {"body": BRIDGE}],
        pandas.Series([STORM, BRIDGE]),
        pandas.DataFrame({"body": [STORM, BRIDGE]}),
        polars.DataFrame({"body": [STORM, BRIDGE]}),
        pyarrow.table({"body": [STORM, BRIDGE]}),
        datasets.Dataset.from_dict({"body": [STORM, BRIDGE]}),
    ]
    for number, table in enumerate(tables):
        with twinsift.Index.create(tmp_path / f"{number}.idx") as index:
            assert index.add(table, ids=range(2)).documents == 2
            assert index.match(BRIDGE)[0].duplicate_of == 1


def test_broken_records_of_files_are_told(index: twinsift.Index, tmp_path: Path) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text('{"id": "a", "text": "one two"}\nnot json\n')
    with pytest.warns(twinsift.TwinsiftWarning, match="1 records could not be read"):
        assert index.add(path).documents == 1
    with pytest.raises(twinsift.InputError, match="broken.jsonl"):
        index.add(path, strict=True)


def test_threads_share_an_index(index: twinsift.Index) -> None:
    rows = make_rows(60)

    def use(number: int) -> None:
        for row in rows[number::6]:
            index.add([row])
            assert index.match(row["text"]) or not row["text"]

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(use, range(6)))
    assert len(index) == 62


def test_rows_that_change_the_index_they_go_to_are_refused(index: twinsift.Index) -> None:
    def rows() -> Iterator[Row]:
        for number in range(3):
            yield {"id": number, "text": "some words"}
            index.remove(["storm"])

    with pytest.raises(twinsift.UsageError, match="make the rows first"):
        index.add(rows())
    assert list(index) == ["storm", "bridge"]

    def asking() -> Iterator[Row]:
        yield {"id": "new", "text": index.match(STORM)[0].duplicate_of}

    assert index.add(asking()).documents == 1


def test_a_fork_opens_the_index_again(index: twinsift.Index) -> None:
    path = index.path.with_name("forked.idx")
    code = f"""
        import os
        index = twinsift.Index.create({str(path)!r})
        child = os.fork()
        if child == 0:
            try:
                index.add(["one"], ids=["one"])
            except twinsift.UsageError as error:
                del index
                os._exit(0 if "forked" in str(error) else 1)
            os._exit(2)
        print(os.waitpid(child, 0)[1])
        index.add(["two"], ids=["two"])
    """
    assert in_other_process(code) == "0"
    assert twinsift.Index.check(path) == []
    with twinsift.Index(path) as again:
        assert list(again) == ["two"]


def test_an_interrupt_ends_adding_and_adds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "news.idx"
    twinsift.Index.create(path).close()
    with twinsift.Index(path) as index:
        index.add([STORM], ids=["storm"])
    code = f"""
        index = twinsift.Index({str(path)!r})
        index.add({{"id": n, "text": text}} for n, text in enumerate(rows()))
    """
    assert interrupted(code, tmp_path) < 1.0
    # That of the storm.
    assert len(list(path.glob("segment-*"))) == 1
    with twinsift.Index(path) as index:
        assert list(index) == ["storm"]
    assert twinsift.Index.check(path) == []
