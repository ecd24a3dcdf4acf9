"""What is learnt from labels, and how good it is: as the command says."""

from __future__ import annotations

import json
from pathlib import Path

import pandas
import pytest
from support import Row, command, read_jsonl, write_jsonl

import twinsift


def test_evaluate_is_what_the_command_writes(rows: list[Row], tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "rows.jsonl", rows)
    out = tmp_path / "eval.json"
    said = ["--methods=shingles,minhash", "--resamples=20"]
    command("eval", str(path), "--gold=cluster", *said, f"--json={out}", "--quiet")
    methods = ["shingles", "minhash"]
    found = twinsift.evaluate(rows, gold="cluster", methods=methods, resamples=20)
    assert _timeless(found.to_dict()) == _timeless(json.loads(out.read_text()))
    assert "shingles" in found.to_markdown()
    assert found.to_html().startswith("<!")
    labels = [row["cluster"] for row in rows]
    again = twinsift.evaluate(
        pandas.DataFrame(rows), gold=labels, methods="shingles,minhash", resamples=20
    )
    assert again.to_markdown().count("\n") == found.to_markdown().count("\n")


def _timeless(value: object) -> object:
    """Return an evaluation without times, which differ, and without its name."""
    if isinstance(value, dict):
        return {
            name: _timeless(part)
            for name, part in value.items()
            if not any(word in name for word in ("second", "title", "data", "peak"))
        }
    return [_timeless(part) for part in value] if isinstance(value, list) else value


def test_signals_are_those_of_the_command(labelled: Path, tmp_path: Path) -> None:
    pages = read_jsonl(labelled)
    pairs = [(pages[n]["id"], pages[n + 1]["id"]) for n in range(20)]
    table = write_jsonl(tmp_path / "pairs.jsonl", [{"a": a, "b": b} for a, b in pairs])
    out = tmp_path / "signals.jsonl"
    command("signals", str(labelled), f"--pairs={table}", f"--output={out}", "--quiet")
    expected = read_jsonl(out)
    assert twinsift.signals(pages, pairs) == expected
    frame = twinsift.signals(labelled, pandas.DataFrame(pairs, columns=["a", "b"]))
    assert list(frame.columns) == list(expected[0])
    assert len(frame) == 20


def test_judge(tmp_path: Path) -> None:
    command("demo", f"--search={tmp_path / 'search'}", "--queries=4", "--quiet")
    folder = tmp_path / "search"
    runs = sorted(folder.glob("*.run"))
    pages = next(path for path in folder.iterdir() if path.suffix in (".jsonl", ".gz"))
    qrels = next(folder.glob("*qrels*"))
    found = twinsift.judge(runs, pages, qrels=qrels)
    arguments = [f"--run={path}" for path in runs]
    told = command("judge", *arguments, f"--docs={pages}", f"--qrels={qrels}", "--quiet")
    assert found.to_markdown() == told
    assert found.classes


def test_lexicons_are_those_of_the_command(rows: list[Row], tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "rows.jsonl", rows)
    command("lexicon", str(path), f"--output={tmp_path / 'lexicon'}", "--quiet")
    theirs = twinsift.Lexicon.load(tmp_path / "lexicon")
    for data in (rows, pandas.DataFrame(rows), path):
        lexicon = twinsift.Lexicon.count(data)
        assert lexicon == theirs
        assert lexicon.documents == len(rows)
        assert lexicon["the"] == lexicon.terms()[0][1] or "the" in lexicon
    lexicon.save(tmp_path / "own")
    assert (tmp_path / "own").read_bytes() == (tmp_path / "lexicon").read_bytes()
    with pytest.raises(KeyError):
        _ = lexicon["nowhere-to-be-found"]


def test_mistakes_are_exceptions_that_name_arguments(rows: list[Row], tmp_path: Path) -> None:
    with pytest.raises(twinsift.TwinsiftError) as caught:
        twinsift.train_andd(rows, labels="n", min_precision=7)
    assert "--" not in str(caught.value) and "min_precision=" in str(caught.value)
    with pytest.raises(twinsift.TwinsiftError, match="nonsense="):
        twinsift.evaluate(rows, gold="cluster", nonsense=3)
    with pytest.raises(twinsift.InputError, match="no column|field"):
        twinsift.train_andd(rows, labels="no_such_field")
    with pytest.raises(twinsift.InputError, match="a row is a dict, or a tuple of a, b"):
        twinsift.signals(rows, ["a"])
    with pytest.raises(twinsift.InputError, match="cannot read the model"):
        twinsift.Model.load(tmp_path / "none")
