"""Bad input is one clear exception or a documented answer, never a crash."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy
import pandas
import polars
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import twinsift

TEXT = "The council approved the new bridge over the river."


@pytest.mark.parametrize("nothing", [None, float("nan"), "", "   ", numpy.nan, pandas.NA])
def test_no_text_is_an_empty_document(nothing: Any) -> None:
    texts = [TEXT, nothing, nothing, TEXT]
    result = twinsift.dedup(texts)
    assert result.pairs == [(0, 3, 1.0)]
    assert len(result.kept) == 3
    frame = pandas.DataFrame({"text": texts})
    assert list(twinsift.dedup(frame).kept.index) == [0, 1, 2]
    assert twinsift.dedup([{"text": text} for text in texts]).report.unjudged == 2


def test_a_text_is_no_collection() -> None:
    for data in ("data.jsonl", TEXT):
        with pytest.raises(twinsift.UsageError, match=r"write \[text\].*pathlib.Path"):
            twinsift.dedup(data)


@pytest.mark.parametrize("data", [b"bytes", {"text": [TEXT]}, {TEXT}, 7, None, object()])
def test_what_is_no_collection_is_refused(data: Any) -> None:
    with pytest.raises(twinsift.UsageError, match="the data: a .* (no collection|no documents)"):
        twinsift.dedup(data)


def test_bytes_are_no_text() -> None:
    with pytest.raises(twinsift.InputError, match="row 1 is bytes, not text: decode it first"):
        twinsift.dedup([TEXT, TEXT.encode()])
    with pytest.raises(twinsift.InputError, match='row 0: the field "text" is bytes'):
        twinsift.dedup([{"text": TEXT.encode()}])


def test_mixed_types_name_the_row() -> None:
    with pytest.raises(twinsift.InputError, match="row 2 is of the type int"):
        twinsift.pairs([TEXT, TEXT, 3])
    frame = pandas.DataFrame({"text": [TEXT, 3, TEXT]})
    with pytest.raises(twinsift.InputError, match='row 1: the field "text" is a number, not text'):
        twinsift.pairs(frame)
    with pytest.raises(twinsift.InputError, match='row 0: the field "text" is a number, not text'):
        twinsift.pairs(polars.DataFrame({"text": [1, 2]}))


@pytest.mark.parametrize("make", [pandas.DataFrame, polars.DataFrame, pyarrow.Table.from_pylist])
def test_wrong_names_list_the_columns(make: Any) -> None:
    data = make([{"story": TEXT, "key": "a"}])
    with pytest.raises(
        twinsift.InputError, match='no column "body": the columns are "story", "key"'
    ):
        twinsift.dedup(data, text="body")
    with pytest.raises(twinsift.InputError, match='no text|columns are "story", "key"'):
        twinsift.dedup(data)
    assert len(twinsift.dedup(data, text="story", id="key").kept) == 1


def test_wrong_names_of_rows() -> None:
    with pytest.raises(twinsift.InputError, match='row 1 has no "body": its fields are "text"'):
        twinsift.dedup([{"body": TEXT}, {"text": TEXT}], text="body")


@pytest.mark.parametrize("make", [list, pandas.DataFrame, polars.DataFrame])
def test_an_id_that_occurs_twice_names_both_rows(make: Any) -> None:
    data = make([{"id": "a", "text": TEXT}, {"id": "b", "text": ""}, {"id": "a", "text": TEXT}])
    with pytest.raises(twinsift.InputError, match='"a" occurs twice, at row 0 and at row 2: .*id='):
        twinsift.dedup(data)
    assert len(twinsift.dedup(data, id=False).kept) == 2


@pytest.mark.parametrize(
    "empty",
    [
        [],
        iter([]),
        pandas.DataFrame({"text": []}),
        pandas.DataFrame({"id": [], "text": pandas.Series([], dtype="str")}),
        polars.DataFrame({"text": []}, schema={"text": polars.String}),
        pyarrow.table({"text": pyarrow.array([], "string")}),
    ],
)
def test_an_empty_collection_has_no_pairs(empty: Any) -> None:
    result = twinsift.dedup(empty)
    assert (len(result.pairs), len(result.kept), len(result.removed)) == (0, 0, 0)
    assert result.groups == []


def test_a_frame_without_columns_is_empty_too() -> None:
    assert len(twinsift.dedup(pandas.DataFrame()).kept) == 0


def test_half_of_a_surrogate_pair_names_the_row() -> None:
    with pytest.raises(twinsift.InputError, match="row 1 holds half of a surrogate pair"):
        twinsift.dedup([TEXT, "bad \ud800 text"])
    with pytest.raises(twinsift.InputError, match='row 0: the field "text" holds half'):
        twinsift.dedup([{"text": "\udfff"}])
    with pytest.raises(twinsift.InputError, match="surrogate"):
        twinsift.dedup(pandas.DataFrame({"text": [TEXT, "\ud800"]}, dtype="object"))


def test_refusals_name_keyword_arguments() -> None:
    refusals: list[tuple[dict[str, Any], str]] = [
        ({"threshold": 1.4}, "threshold= "),
        ({"method": "exact", "threshold": 0.5}, "threshold= has no meaning here"),
        ({"treshold": 0.5}, "no parameter treshold=; there are find, method"),
        ({"method": "nonsense"}, "method=: "),
        ({"k": "five"}, "k=: "),
        ({"method": "andd"}, "model="),
        ({"method": "signals"}, "model="),
        ({"threads": 0}, "threads= must be at least 1"),
        ({"threads": "many"}, "threads= must be at least 1"),
        ({"text": 5}, "text= names a column"),
        ({"id": True}, "id= names a column"),
        ({"memory": 1.5}, "memory= is no size"),
        ({"memory": "lots"}, "memory= "),
        ({"tmp": "/nowhere/at/all"}, "tmp= .* is not a folder"),
        ({"join": "best"}, "join= "),
        ({"recipe": twinsift.Recipe(), "k": 3}, "k= and recipe= are both given"),
        ({"content": "some"}, "content= "),
    ]
    texts: Any = [TEXT]
    for options, words in refusals:
        with pytest.raises(twinsift.UsageError, match=words) as caught:
            twinsift.pairs(texts, **options)
        assert "--" not in str(caught.value)
        assert isinstance(caught.value, ValueError)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(twinsift.InputError, match="missing.jsonl"):
        twinsift.pairs(tmp_path / "missing.jsonl")
    with pytest.raises(twinsift.InputError, match="missing.model"):
        twinsift.Recipe(method="andd", model=tmp_path / "missing.model")


def test_broken_records_of_files_are_skipped_and_listed(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text('{"id": "a", "text": "one"}\n{broken\n{"id": "b", "text": "two"}\n')
    with pytest.warns(twinsift.TwinsiftWarning, match="1 records could not be read"):
        result = twinsift.dedup(path)
    assert result.kept == ["a", "b"]
    assert result.report.skipped == 1
    assert result.skipped[0][0].endswith("data.jsonl:2")
    with pytest.raises(twinsift.InputError, match=r"data\.jsonl:2"):
        twinsift.dedup(path, strict=True)


def test_files_without_one_document_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text('{"story": "one"}\n')
    with pytest.raises(twinsift.InputError, match="not one document could be read.*text="):
        twinsift.dedup(path)
    assert twinsift.dedup(path, text="story", id=False).report.documents == 1


def test_an_error_of_a_generator_comes_out_unchanged() -> None:
    class OwnError(Exception):
        pass

    def rows() -> Any:
        for number in range(20_000):
            yield f"{TEXT} {number}"
        raise OwnError("mine")

    with pytest.raises(OwnError, match="mine"):
        twinsift.pairs(rows())


def test_an_error_of_an_arrow_stream_is_told() -> None:
    def batches() -> Any:
        yield pyarrow.record_batch({"text": [TEXT]})
        raise RuntimeError("the source is gone")

    schema = pyarrow.schema([("text", pyarrow.string())])
    reader = pyarrow.RecordBatchReader.from_batches(schema, batches())
    with pytest.raises(twinsift.InputError, match="the source is gone"):
        twinsift.pairs(reader)


anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(st.characters()),
    st.binary(),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.sampled_from(["id", "text", "html", "url", "n"]), st.text() | st.none()),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(anything, max_size=8))
def test_whatever_rows_are_is_an_answer_or_one_sentence(rows: list[Any]) -> None:
    try:
        result = twinsift.dedup(rows, threads=1)
    except twinsift.TwinsiftError as error:
        assert str(error) and "\n" not in str(error)
    else:
        assert len(result.kept) + len(result.removed) == len(rows)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=12))
def test_every_type_of_table_finds_the_same(texts: list[str]) -> None:
    pairs = twinsift.pairs(texts, k=1, threshold=0.5, threads=1).pairs
    frame = pandas.DataFrame({"text": pandas.Series(texts, dtype="object")})
    found = twinsift.pairs(frame, k=1, threshold=0.5, threads=1).pairs
    assert list(found.itertuples(index=False, name=None)) == pairs
    table = polars.DataFrame({"text": texts}, schema={"text": polars.String})
    assert twinsift.pairs(table, k=1, threshold=0.5, threads=1).pairs.rows() == pairs
