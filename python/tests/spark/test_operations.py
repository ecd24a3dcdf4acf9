"""Checkpoints, dry runs, lost executors, and the job for spark-submit."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from support import Row

import twinsift
import twinsift.spark
from twinsift.spark import submit
from twinsift.spark._estimate import unthinned
from twinsift.spark._stages import Stages


def collected(frame: DataFrame) -> list[tuple[Any, ...]]:
    return sorted(map(tuple, frame.collect()))


@pytest.mark.every_spark
def test_a_run_goes_on_where_another_was_stopped(
    frame: DataFrame, rows: list[Row], checkpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = Stages.keep

    def stopped(self: Stages, name: str, *arguments: Any, **options: Any) -> DataFrame:
        if name == "edges":
            raise KeyboardInterrupt
        return keep(self, name, *arguments, **options)

    with monkeypatch.context() as patched:
        patched.setattr(Stages, "keep", stopped)
        with pytest.raises(KeyboardInterrupt):
            twinsift.spark.match(frame, order="at", checkpoint=checkpoint)
    expected = twinsift.dedup(rows)
    with twinsift.spark.match(frame, order="at", checkpoint=checkpoint) as found:
        assert found.report.resumed == ["segments", "classes", "shared-keys", "candidates"]
        assert collected(found.pairs()) == sorted(map(tuple, expected.pairs))
    with pytest.raises(twinsift.UsageError, match="another run"):
        twinsift.spark.match(frame, order="at", checkpoint=checkpoint, k=3)


def test_answers_survive_a_lost_executor(
    frame: DataFrame, rows: list[Row], monkeypatch: pytest.MonkeyPatch
) -> None:
    psutil = pytest.importorskip("psutil")
    keep, killed = Stages.keep, threading.Event()

    def kill() -> None:
        for process in psutil.Process().children(recursive=True):
            # Workers of Python come and go: some have ended by the time they are looked at.
            with suppress(psutil.NoSuchProcess):
                if "org.apache.spark.executor.CoarseGrainedExecutorBackend" in process.cmdline():
                    process.kill()
                    killed.set()
                    return

    def watched(self: Stages, name: str, *arguments: Any, **options: Any) -> DataFrame:
        kept = keep(self, name, *arguments, **options)
        if name == "classes":
            kill()
        return kept

    monkeypatch.setattr(Stages, "keep", watched)
    expected = twinsift.dedup(rows, k=2, threshold=0.4)
    with twinsift.spark.match(frame, order="at", k=2, threshold=0.4) as found:
        assert killed.is_set()
        assert collected(found.pairs()) == sorted(map(tuple, expected.pairs))
        removed = [(row["id"], row["duplicate_of"], row["score"]) for row in expected.removed]
        assert collected(found.removed()) == sorted(removed)


def test_a_dry_run_of_everything_is_right(frame: DataFrame) -> None:
    expected = twinsift.spark.estimate(frame, k=2, threshold=0.4)
    with twinsift.spark.match(frame, k=2, threshold=0.4) as found:
        report = found.report
    assert expected.documents == expected.sampled == report.documents
    assert expected.candidates == report.candidates
    assert expected.edges == report.edges
    assert expected.shuffled_bytes == pytest.approx(report.shuffled_bytes, rel=0.05)
    assert "candidates" in str(expected)


def test_neighbours_are_told_by_a_sample_of_nodes() -> None:
    # Half of the nodes have four neighbours; of these a fifth is seen.
    seen = {0: 0, 1: 0, 2: 0, 3: 0, 4: 0}
    for neighbours, chance in ((0, 0.4096), (1, 0.4096), (2, 0.1536), (3, 0.0256), (4, 0.0016)):
        seen[neighbours] = round(5000 * chance)
    seen[0] += 5000
    shares = unthinned(seen, 0.2)
    assert sum(shares.values()) == pytest.approx(1)
    assert sum(of * share for of, share in shares.items()) == pytest.approx(2, rel=0.02)


def test_work_is_even_where_all_documents_are_alike(spark: SparkSession) -> None:
    common = " ".join(f"common{at}" for at in range(30))
    texts = [f"{common} {' '.join(f'own{at}x{n}' for n in range(12))}" for at in range(1500)]
    frame = spark.createDataFrame(list(enumerate(texts)), "id long, text string")
    with twinsift.spark.match(frame.repartition(4), threshold=0.3, tasks=6) as found:
        report = found.report
        assert report.edges == 1500 * 1499 // 2
        assert report.balance <= 1.5
        assert report.split_keys > 0


def test_equal_documents_are_compared_once(spark: SparkSession) -> None:
    texts = ["the same words in every one of these documents"] * 3000 + ["something else entirely"]
    frame = spark.createDataFrame(list(enumerate(texts)), "id long, text string")
    with twinsift.spark.match(frame.repartition(4)) as found:
        report = found.report
        assert (report.documents, report.candidates, report.edges) == (3001, 0, 0)
        assert report.copies >= 3
        assert found.kept().count() == 2
        assert found.clusters().select("size").first()[0] == 3000  # type: ignore[index]


@pytest.mark.every_spark
@pytest.mark.parametrize("ending", ["parquet", "jsonl"])
def test_the_job_for_spark_submit(
    frame: DataFrame, rows: list[Row], tmp_path: Path, ending: str, capsys: Any
) -> None:
    source, kept, gone = (str(tmp_path / f"{name}.{ending}") for name in ("in", "kept", "gone"))
    form = "json" if ending == "jsonl" else "parquet"
    frame.coalesce(2).write.format(form).save(source)
    report = tmp_path / "report.json"
    flags = ["--k", "2", "--threshold", "0.4", "--order", "at", "--report", str(report)]
    said = ["dedup", source, "-o", kept, "--removed", gone, *flags]
    assert submit.main(said) == 0
    expected = twinsift.dedup(rows, k=2, threshold=0.4)
    reader = frame.sparkSession.read.format(form)
    assert sorted(row["id"] for row in reader.load(kept).collect()) == sorted(
        row["id"] for row in expected.kept
    )
    removed = [(row["id"], row["duplicate_of"], row["score"]) for row in expected.removed]
    found = reader.load(gone).select("id", "duplicate_of", "score")
    assert collected(found) == sorted(removed)
    assert json.loads(report.read_text(encoding="utf-8"))["documents"] == len(rows)
    capsys.readouterr()
    assert submit.main(said) == 2
    assert "is there already" in capsys.readouterr().err
    assert submit.main(["pairs", source]) == 2
    assert "-o is missing" in capsys.readouterr().err
