"""The results of stages: kept, and found again by a later run."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Collection, Generator
from contextlib import contextmanager
from typing import Any

from pyspark import StorageLevel
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from twinsift.errors import InputError, TwinsiftError, UsageError
from twinsift.spark._internals import exists, without_plan

#: The exceptions of tasks that are raised in the driver in their own words.
_RAISED_BY_TASKS = {"InputError": InputError, "UsageError": UsageError}

_BATCH_SETTING = "spark.sql.execution.arrow.maxRecordsPerBatch"
_BATCH_BYTES_SETTING = "spark.sql.execution.arrow.maxBytesPerBatch"
_CACHED_ROWS_SETTING = "spark.sql.inMemoryColumnarStorage.batchSize"
_PARTITIONS_SETTING = "spark.sql.shuffle.partitions"

#: Bytes of a batch that a task is given, where Spark can count them.
BATCH_BYTES = 1 << 20

#: Rows of a batch where it cannot, if rows are blobs of some megabytes.
BLOBS = 4

#: Rows of a batch where it cannot, if rows are documents, some of which may be long.
DOCUMENTS = 128

#: Rows of a batch of numbers, and of any batch whose bytes are counted.
NUMBERS = 50_000


class Stages:
    """Computes stages one after the other, and keeps what each gives.

    With a checkpoint folder, each result is written there as Parquet, and a run that finds it
    there goes on behind it. Otherwise results lie on the disks of executors, and the part of one
    that is lost is computed again.
    """

    def __init__(
        self, spark: SparkSession, folder: str | None, run: dict[str, Any], progress: bool | None
    ) -> None:
        self._spark = spark
        self._folder = folder and folder.rstrip("/")
        self._progress = sys.stderr.isatty() if progress is None else progress
        self._kept: dict[str, DataFrame] = {}
        #: Tasks of joins and sums, where Spark's own setting is not lower.
        self.partitions = 1
        #: Seconds of each stage.
        self.seconds: dict[str, float] = {}
        #: Stages whose results were found in the checkpoint folder.
        self.resumed: list[str] = []
        if self._folder is not None:
            self._check(self._folder, run)

    def _check(self, folder: str, run: dict[str, Any]) -> None:
        """Refuse a folder with the results of another run."""
        described = json.dumps(run, sort_keys=True)
        path = f"{folder}/run"
        if self._is_complete(path):
            found = self._spark.read.text(path).first()
            if found is None or found[0] != described:
                raise UsageError(
                    f"the checkpoint folder {folder} holds another run: {_differences(found, run)}; "
                    "name another folder with checkpoint="
                )
            return
        rows = self._spark.createDataFrame([(described,)], "value string")
        rows.coalesce(1).write.mode("overwrite").text(path)

    def _is_complete(self, path: str) -> bool:
        """Return whether a result was written to its end."""
        return exists(self._spark, f"{path}/_SUCCESS")

    def keep(
        self, name: str, frame: DataFrame, batch: int = BLOBS, cached: int | None = None
    ) -> DataFrame:
        """Compute the rows of a stage, and return them; they are not computed again.

        `batch` is how many rows its tasks are given at a time, where Spark cannot limit their bytes;
        `cached` how many rows of the result Spark copies together to keep them, if few are large.
        """
        started = time.monotonic()
        context = self._spark.sparkContext
        context.setJobDescription(f"twinsift: {name}")
        try:
            with self._settings(batch, cached), raised_by_tasks():
                kept = self._persist(frame) if self._folder is None else self._write(name, frame)
        finally:
            context.setJobDescription(None)  # type: ignore[arg-type]
        self._kept[name] = kept
        self.seconds[name] = round(time.monotonic() - started, 3)
        if self._progress:
            note = ", found in the checkpoint folder" if name in self.resumed else ""
            print(f"twinsift: {name}: {self.seconds[name]:.1f} s{note}", file=sys.stderr)
        return self.columns(name)

    def set_apart(self, name: str, stage: str, *columns: str) -> None:
        """Keep columns of a stage as a stage of their own, once they are first used.

        What lies on the disks of executors is read with all its columns; Parquet is not.
        """
        chosen = self._kept[stage].select(*columns)
        if self._folder is None:
            chosen = chosen.persist(StorageLevel.DISK_ONLY)
        self._kept[name] = chosen

    def columns(self, name: str, *columns: str) -> DataFrame:
        """Return columns of a stage that was kept, or all."""
        kept = self._kept[name]
        chosen = kept.select(*columns) if columns else kept
        return chosen if self._folder is not None else without_plan(chosen)

    def _persist(self, frame: DataFrame) -> DataFrame:
        # Blobs would crowd the memory of executors; what was just written is read from there anyway.
        kept = frame.persist(StorageLevel.DISK_ONLY)
        # No column: what is written here is not read back before it is needed.
        kept.select().write.format("noop").mode("overwrite").save()
        return kept

    def _write(self, name: str, frame: DataFrame) -> DataFrame:
        path = f"{self._folder}/{name}"
        if self._is_complete(path):
            self.resumed.append(name)
        else:
            frame.write.mode("overwrite").parquet(path)
        return self._spark.read.schema(frame.schema).parquet(path)

    @contextmanager
    def _settings(self, batch: int, cached: int | None) -> Generator[None]:
        settings = self._spark.conf
        wanted = {_BATCH_SETTING: str(batch)}
        if settings.isModifiable(_BATCH_BYTES_SETTING):
            wanted = {_BATCH_SETTING: str(NUMBERS), _BATCH_BYTES_SETTING: str(BATCH_BYTES)}
        fewer = min(self.partitions, int(settings.get(_PARTITIONS_SETTING) or 200))
        wanted[_PARTITIONS_SETTING] = str(fewer)
        if cached is not None:
            wanted[_CACHED_ROWS_SETTING] = str(cached)
        before = {name: str(settings.get(name)) for name in wanted}
        for name, value in wanted.items():
            settings.set(name, value)
        try:
            yield
        finally:
            for name, value in before.items():
                settings.set(name, value)

    def release_all_but(self, names: Collection[str]) -> None:
        """Give back the memory and disk of other stages; they are computed again if needed."""
        for name in [name for name in self._kept if name not in names]:
            kept = self._kept.pop(name)
            if self._folder is None:
                kept.unpersist()


def _differences(found: Any, run: dict[str, Any]) -> str:
    """Return in what another run differs from this one."""
    try:
        other = json.loads(found[0])
    except (TypeError, ValueError):
        return "its description cannot be read"
    names = [name for name in run if other.get(name) != json.loads(json.dumps(run[name]))]
    return ", ".join(
        f"{name} is {other.get(name)!r} there and {run[name]!r} here" for name in names
    )


@contextmanager
def raised_by_tasks() -> Generator[None]:
    """Raise what a task has raised on purpose as it is, without the layers around it."""
    try:
        yield
    except PySparkException as error:
        raise _translated(error) or error from error
    except Exception as error:
        # Errors of the JVM that PySpark does not know.
        if type(error).__module__.startswith("py4j"):
            raise _translated(error) or error from error
        raise


def _translated(error: Exception) -> TwinsiftError | None:
    text = str(error)
    for name, kind in _RAISED_BY_TASKS.items():
        marked = f"twinsift.errors.{name}: "
        if marked in text:
            return kind(text.split(marked, 1)[1].split("\n", 1)[0].strip())
    if "No module named 'twinsift" in text:
        return InputError(
            "the Python of an executor has no twinsift: install it on every node of the cluster, and "
            "name that Python with PYSPARK_PYTHON"
        )
    return None
