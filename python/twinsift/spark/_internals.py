"""What is needed of Spark that PySpark does not offer to Python."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from typing import Any

from pyspark.sql import DataFrame, SparkSession


def exists(spark: SparkSession, path: str) -> bool:
    """Return whether a file is there, on whichever file system its address names."""
    jvm: Any = spark._jvm
    context: Any = spark._jsc
    file = jvm.org.apache.hadoop.fs.Path(path)
    return bool(file.getFileSystem(context.hadoopConfiguration()).exists(file))


def is_classic(frame: DataFrame) -> bool:
    """Return whether a frame is of a session on the cluster itself, not of Spark Connect."""
    return hasattr(frame, "_jdf")


def _java(frame: DataFrame) -> Any:
    return frame._jdf


def has_fixed_order(frame: DataFrame) -> bool:
    """Return whether rows come in the same order each time, as they do from files.

    Rows that were moved between tasks come in any order.
    """
    execution = _java(frame).queryExecution()
    plan = execution.executedPlan().toString()
    if "Exchange" in plan or "AdaptiveSparkPlan" in plan:
        return False
    return str(execution.toRdd().outputDeterministicLevel()) == "DETERMINATE"


def without_plan(frame: DataFrame) -> DataFrame:
    """Return the rows of a persisted frame, without the plan that led to it.

    Spark writes out the plans of all persisted frames that a query rests on, once for each use:
    after a few stages that takes longer than the work.
    """
    java = _java(frame)
    session: Any = frame.sparkSession._jsparkSession
    rows = session.internalCreateDataFrame(java.queryExecution().toRdd(), java.schema(), False)
    return type(frame)(rows, frame.sparkSession)
