"""Rows land on the tasks that they are sent to."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from twinsift.spark._placement import placement_keys, spark_hash


def test_numbers_are_hashed_as_spark_hashes_them(spark: SparkSession) -> None:
    values = [0, 1, -1, 42, 2**31, 2**32, 2**40 + 3, 2**63 - 1, -(2**63), *range(-20, 500, 7)]
    hashed = spark.createDataFrame([(value,) for value in values], "value long")
    rows = hashed.select("value", F.hash("value").alias("hash")).collect()
    assert {row["value"]: row["hash"] for row in rows} == {v: spark_hash(v) for v in values}


@pytest.mark.every_spark
@pytest.mark.parametrize("tasks", [1, 2, 7, 64])
def test_every_task_gets_its_key(spark: SparkSession, tasks: int) -> None:
    keys = placement_keys(tasks)
    frame = spark.createDataFrame([(key,) for key in keys], "key long").repartition(tasks, "key")
    rows = frame.select("key", F.spark_partition_id().alias("task")).collect()
    assert {row["key"]: row["task"] for row in rows} == {key: at for at, key in enumerate(keys)}


def test_no_tasks_are_refused() -> None:
    with pytest.raises(ValueError, match="too few"):
        placement_keys(0)
