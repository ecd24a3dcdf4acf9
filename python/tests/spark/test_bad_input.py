"""Mistakes are told in one sentence, in the driver."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import twinsift
import twinsift.spark


def refused(call: Any) -> str:
    with pytest.raises(twinsift.TwinsiftError) as error:
        call()
    message = str(error.value)
    assert "\n" not in message
    return message


def test_columns_that_are_missing(frame: DataFrame) -> None:
    assert 'no column "body"' in refused(lambda: twinsift.spark.pairs(frame, text="body"))
    assert 'no column "when"' in refused(lambda: twinsift.spark.pairs(frame, order="when"))
    assert "id=" in refused(lambda: twinsift.spark.pairs(frame.drop("id")))
    assert "text=" in refused(lambda: twinsift.spark.pairs(frame.drop("text")))
    message = refused(lambda: twinsift.spark.dedup(frame, keep="max:rank"))
    assert 'no column "rank"' in message


def test_what_is_no_frame(frame: DataFrame) -> None:
    assert "a list" in refused(lambda: twinsift.spark.pairs([]))  # type: ignore[arg-type]
    twice = frame.select("id", "text", F.col("id").alias("text2")).toDF("id", "text", "text")
    assert 'two columns "text"' in refused(lambda: twinsift.spark.pairs(twice))
    listed = frame.withColumn("id", F.array("id"))
    assert "array<string>" in refused(lambda: twinsift.spark.pairs(listed))


def test_names_with_dots(frame: DataFrame) -> None:
    dotted = frame.withColumnRenamed("id", "the.id")
    message = refused(lambda: twinsift.spark.pairs(dotted, id="the.id"))
    assert 'the column "the.id"' in message


def test_ids_that_are_missing(frame: DataFrame) -> None:
    some = frame.withColumn("id", F.when(F.col("at") != 7, F.col("id")))
    message = refused(lambda: twinsift.spark.pairs(some))
    assert 'no value in the column "id"' in message


def test_places_that_are_missing(frame: DataFrame) -> None:
    some = frame.withColumn("at", F.when(F.col("at") != 7, F.col("at")))
    assert '"at"' in refused(lambda: twinsift.spark.pairs(some, order="at"))


@pytest.mark.every_spark
def test_an_id_that_occurs_twice_in_different_partitions(frame: DataFrame) -> None:
    again = frame.unionByName(frame.where("at = 5").withColumn("text", F.lit("other words")))
    message = refused(lambda: twinsift.spark.pairs(again))
    assert 'the id "doc-5" occurs twice' in message


def test_recipes_that_look_at_more_than_signatures(frame: DataFrame) -> None:
    assert "signals" in refused(lambda: twinsift.spark.pairs(frame, method="signals"))
    with pytest.raises(twinsift.TwinsiftError):
        twinsift.spark.pairs(frame, method="andd")
    assert "tasks=" in refused(lambda: twinsift.spark.pairs(frame, tasks=0))
    recipe = twinsift.Recipe()
    assert "recipe=" in refused(lambda: twinsift.spark.pairs(frame, recipe, k=3))


def test_collections_of_different_types(frame: DataFrame) -> None:
    old = frame.drop("id").withColumnRenamed("at", "id")
    assert "cast" in refused(lambda: twinsift.spark.against(frame, old))


def test_another_version_on_an_executor(frame: DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    # Tasks carry the version of the driver.
    monkeypatch.setattr(twinsift, "__version__", "9.9.9")
    message = refused(lambda: twinsift.spark.pairs(frame))
    assert "the driver 9.9.9" in message


def test_empty_frames(spark: SparkSession) -> None:
    empty = spark.createDataFrame([], "id string, text string")
    assert twinsift.spark.pairs(empty).collect() == []
    assert twinsift.spark.clusters(empty).collect() == []
    assert twinsift.spark.dedup(empty).collect() == []


def test_texts_that_are_missing_stay(spark: SparkSession) -> None:
    rows = [("a", None), ("b", None), ("c", ""), ("d", "one two three"), ("e", "One, two, three")]
    frame = spark.createDataFrame(rows, "id string, text string")
    kept = twinsift.spark.dedup(frame)
    assert sorted(row["id"] for row in kept.collect()) == ["a", "b", "c", "d"]
