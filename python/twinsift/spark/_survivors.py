"""Which documents stay: the greedy rule, as it is on one machine.

Documents are taken in order of preference; one that is a near duplicate of a document already kept
goes, any other one stays. What becomes of a document depends only on those that it is connected
with: a task that has all edges of some components decides them in one go. Where all edges are few,
one task has them. A component that is too large for a task is decided in rounds: a document whose
preferred neighbours have all gone stays, and its neighbours go.
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from twinsift.spark import _tasks as tasks
from twinsift.spark._components import components
from twinsift.spark._stages import NUMBERS, Stages

#: Edges that a task decides, in about half a gigabyte.
MOST_EDGES = 8_000_000

_DECIDED = "node long, keeper long, score double"


def decide(
    edges: DataFrame, stages: Stages, task_count: int, name: str, most_edges: int | None = None
) -> DataFrame:
    """Return the classes that go, `node`, for which ones, `keeper`, with the `score`.

    Edges are `first`, `second`, `score`, `last_of_first`: classes of equal documents by the ranks of
    their most preferred documents, the preferred class first. Stages begin with `name`.
    """
    most_edges = MOST_EDGES if most_edges is None else most_edges
    count = edges.count()
    if count <= most_edges:
        return _decided(edges.repartition(1), stages, f"{name}-decided")
    ends = edges.select(F.col("first").alias("a"), F.col("second").alias("b"))
    roots = components(ends, stages, f"{name}-connected", most_edges)
    named = roots.withColumnRenamed("node", "first")
    labelled = edges.join(named, "first")
    sizes = labelled.groupBy("root").count().where(F.col("count") > most_edges)
    is_large = F.col("root").isin([row["root"] for row in sizes.collect()])
    wanted = max(task_count, -(-count // most_edges))
    by_component = labelled.where(~is_large).repartition(wanted, "root")
    decided = _decided(by_component.select(*edges.columns), stages, f"{name}-decided")
    in_rounds = labelled.where(is_large).select(*edges.columns)
    return decided.union(_in_rounds(in_rounds, stages, wanted, name, most_edges))


def _decided(edges: DataFrame, stages: Stages, name: str) -> DataFrame:
    return stages.keep(name, edges.mapInArrow(tasks.Decide(), _DECIDED), NUMBERS)


def _in_rounds(
    edges: DataFrame, stages: Stages, wanted: int, name: str, most_edges: int
) -> DataFrame:
    """Decide components that are too large for a task."""
    gone: list[DataFrame] = []
    left = stages.keep(f"{name}-undecided-0", edges, NUMBERS)
    while left.count() > most_edges:
        number = len(gone)
        # The first ones of edges that are the second of none stay.
        seconds = left.select(F.col("second").alias("node")).distinct()
        staying = left.select(F.col("first").alias("node")).distinct().join(seconds, "node", "anti")
        going = left.join(staying.withColumnRenamed("node", "first"), "first", "semi")
        going = going.select(F.col("second").alias("node")).distinct()
        gone.append(stages.keep(f"{name}-gone-{number}", going, NUMBERS))
        settled = staying.union(gone[-1]).distinct()
        for end in ("first", "second"):
            left = left.join(settled.withColumnRenamed("node", end), end, "anti")
        left = stages.keep(f"{name}-undecided-{number + 1}", left.select(*edges.columns), NUMBERS)
    rest = _decided(left.repartition(1), stages, f"{name}-rest")
    all_gone = rest.select("node").distinct()
    for part in gone:
        all_gone = all_gone.union(part)
    # Each class that goes has all its edges to classes that stay in one task.
    marked = edges
    for end in ("first", "second"):
        flags = all_gone.select(F.col("node").alias(end), F.lit(True).alias(f"{end}_goes"))
        marked = marked.join(flags, end, "left")
    of_pairs = marked.where("(first_goes IS NULL) != (second_goes IS NULL)")
    goes = F.when(F.col("first_goes").isNull(), F.col("second")).otherwise(F.col("first"))
    placed = of_pairs.repartition(wanted, goes).select(*edges.columns)
    return _decided(placed, stages, f"{name}-decided-rounds")
