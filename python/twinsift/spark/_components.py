"""Connected components.

Each task first contracts the edges that it has, in native code. Few edges are then finished by
one task. Many are contracted in rounds: every node goes to the neighbour with the lowest hash,
or stays, so that in expectation at least a quarter of the nodes is gone after each round, whatever
the graph; hashes change from round to round. So the number of rounds is logarithmic. At the end the
rounds are read backwards, to name the component of every node.
"""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from twinsift.spark import _tasks as tasks
from twinsift.spark._stages import NUMBERS, Stages

#: Edges that one task finishes, in about half a gigabyte.
MOST_EDGES = 8_000_000

_EDGES = "a long, b long"


def components(
    edges: DataFrame, stages: Stages, name: str, most_edges: int | None = None
) -> DataFrame:
    """Return `node` and `root` for each node of the edges `a`, `b`: connected ones have one root."""
    most_edges = MOST_EDGES if most_edges is None else most_edges
    rounds: list[DataFrame] = []
    left = stages.keep(f"{name}-0", edges.mapInArrow(tasks.Contract(), _EDGES), NUMBERS)
    while left.count() > most_edges:
        chosen = stages.keep(f"{name}-{len(rounds)}-roots", _chosen(left, len(rounds)), NUMBERS)
        rounds.append(chosen)
        moved = _moved(_moved(left, chosen, "a"), chosen, "b").where("a != b")
        left = moved.mapInArrow(tasks.Contract(), _EDGES)
        left = stages.keep(f"{name}-{len(rounds)}", left, NUMBERS)
    last = left.repartition(1).mapInArrow(tasks.Contract(), _EDGES)
    roots = stages.keep(name, last.toDF("node", "root"), NUMBERS)
    roots = roots.union(roots.select("root", "root").distinct())
    for chosen in reversed(rounds):
        ends = roots.toDF("root", "end")
        root = F.coalesce("end", "root").alias("root")
        roots = chosen.join(ends, "root", "left").select("node", root)
    return roots


def _hashed(node: Column, number: int) -> Column:
    return F.struct(F.xxhash64(node, F.lit(number)).alias("hash"), node.alias("node"))


def _chosen(edges: DataFrame, number: int) -> DataFrame:
    """Return for each node the one of itself and its neighbours with the lowest hash."""
    both = edges.union(edges.select("b", "a"))
    lowest = F.min(_hashed(F.col("b"), number)).alias("lowest")
    root = F.least("lowest", _hashed(F.col("a"), number))["node"]
    return both.groupBy("a").agg(lowest).select(F.col("a").alias("node"), root.alias("root"))


def _moved(edges: DataFrame, chosen: DataFrame, end: str) -> DataFrame:
    """Replace one end of each edge by the node that was chosen for it."""
    moved = edges.join(chosen.toDF(end, "root"), end).withColumn(end, F.col("root"))
    return moved.select("a", "b")
