"""Groups whose members are all near duplicates of one of them, as they are on one machine.

Classes of equal documents are taken by how many near duplicates they have. One that is a near
duplicate of no representative so far becomes one; every other one belongs to the representative
that it is most similar to. Of a crowd, few look for near duplicates (`looking`).
"""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from twinsift._twinsift import ENOUGH
from twinsift.spark import _survivors
from twinsift.spark import _tasks as tasks
from twinsift.spark._stages import NUMBERS, Stages


def represented(edges: DataFrame, members: DataFrame, stages: Stages, task_count: int) -> DataFrame:
    """Return `id`, `representative`, `score`, `rank` and `group` of each document.

    Edges are `x`, `y`, `score` between classes; members are documents with `rep`, their class, and
    their `position` in the collection.
    """
    ordered = members.orderBy("position").select("rep", "id")
    # Ascends in the order of rows, with gaps.
    ranked = ordered.withColumn("rank", F.monotonically_increasing_id())
    ranked = stages.keep("in-order", ranked, NUMBERS)
    size = F.count("*").alias("size")
    classes = ranked.groupBy("rep").agg(F.min("rank").alias("head"), size)
    x, y = classes.toDF("x", "head_x", "size_x"), classes.toDF("y", "head_y", "size_y")
    x_first = F.col("head_x") < F.col("head_y")
    sized = edges.join(x, "x").join(y, "y")
    found = sized.select(
        F.least("head_x", "head_y").alias("first"),
        F.greatest("head_x", "head_y").alias("second"),
        "score",
        F.when(x_first, F.col("size_x")).otherwise(F.col("size_y")).alias("first_size"),
        F.when(x_first, F.col("size_y")).otherwise(F.col("size_x")).alias("second_size"),
    )
    found = stages.keep("edges-in-order", found, NUMBERS)
    nearest = _nearest(looking(found, stages), stages, task_count)
    documents = ranked.join(classes.select("rep", "head"), "rep").join(nearest, "head", "left")
    group = F.coalesce("nearest", "head").alias("group")
    score = F.coalesce("nearest_score", F.lit(1.0)).alias("score")
    documents = documents.select("id", "rank", group, score)
    heads = ranked.select(F.col("rank").alias("group"), F.col("id").alias("representative"))
    return documents.join(heads, "group")


def _nearest(edges: DataFrame, stages: Stages, task_count: int) -> DataFrame:
    """Return `head`, `nearest`, `nearest_score` of the classes that have a representative."""
    ends = edges.select("first", "first_size", "second_size").union(
        edges.select("second", "second_size", "first_size")
    )
    sizes = ends.toDF("head", "own", "of_others").groupBy("head")
    degree = F.sum("of_others") + F.first("own")
    degrees = sizes.agg((-degree).alias("low")).orderBy("low", "head")
    ranks = degrees.select("head", F.monotonically_increasing_id().alias("rank"))
    ranks = stages.keep("by-degree", ranks, NUMBERS)
    a, b = ranks.toDF("first", "rank_a"), ranks.toDF("second", "rank_b")
    by_degree = (
        edges.join(a, "first")
        .join(b, "second")
        .select(
            F.least("rank_a", "rank_b").alias("first"),
            F.greatest("rank_a", "rank_b").alias("second"),
            "score",
            F.least("rank_a", "rank_b").alias("last_of_first"),
        )
    )
    by_degree = stages.keep("edges-by-degree", by_degree, NUMBERS)
    decided = _survivors.decide(by_degree, stages, task_count, "groups")
    goes = stages.keep("represented", decided.select("node").distinct(), NUMBERS)
    both = by_degree.select("first", "second", "score").union(
        by_degree.select("second", "first", "score")
    )
    reached = both.toDF("node", "keeper", "score").join(goes, "node")
    reached = reached.join(goes.withColumnRenamed("node", "keeper"), "keeper", "left_anti")
    # Of equal scores the earlier representative's counts.
    best = F.max(F.struct("score", (-F.col("keeper")).alias("early"))).alias("best")
    best_of = reached.groupBy("node").agg(best)
    of_node = ranks.toDF("head", "node")
    of_keeper = ranks.toDF("nearest", "keeper")
    best_of = best_of.withColumn("keeper", -F.col("best.early")).join(of_node, "node")
    best_of = best_of.join(of_keeper, "keeper")
    return best_of.select("head", "nearest", F.col("best.score").alias("nearest_score"))


def looking(edges: DataFrame, stages: Stages) -> DataFrame:
    """Return the edges whose first class looks for near duplicates behind it.

    One that is near `ENOUGH` earlier ones that look for some does not.
    """
    crowded = edges.groupBy("second").count().where(F.col("count") >= ENOUGH)
    crowded = stages.keep("crowded-0", crowded.select(F.col("second").alias("node")), NUMBERS)
    if crowded.isEmpty():
        return edges
    if edges.count() <= _survivors.MOST_EDGES:
        ends = edges.select("first", "second").repartition(1)
        passed = stages.keep("passed-0", ends.mapInArrow(tasks.PassOver(), "node long"), NUMBERS)
    else:
        passed = _passed_in_rounds(edges, crowded, stages)
    return edges.join(passed.withColumnRenamed("node", "first"), "first", "left_anti")


def _passed_in_rounds(edges: DataFrame, crowded: DataFrame, stages: Stages) -> DataFrame:
    """Return the classes that look for none: in each round those of which it is certain."""
    number = 0
    passed = crowded.limit(0)
    while not crowded.isEmpty():
        number += 1
        states = crowded.withColumn("state", F.lit(1)).union(passed.withColumn("state", F.lit(2)))
        earlier = edges.join(crowded.withColumnRenamed("node", "second"), "second")
        earlier = earlier.join(states.withColumnRenamed("node", "first"), "first", "left")
        looks, may_look = _count(F.col("state").isNull()), _count(F.col("state") == 1)
        counts = earlier.groupBy("second").agg(looks.alias("looks"), may_look.alias("may_look"))
        counts = stages.keep(f"crowd-{number}", counts, NUMBERS)
        is_passed = F.col("looks") >= ENOUGH
        is_open = ~is_passed & (F.col("looks") + F.col("may_look") >= ENOUGH)
        now, still_open = (
            counts.where(chosen).select(F.col("second").alias("node"))
            for chosen in (is_passed, is_open)
        )
        passed = stages.keep(f"passed-{number}", passed.union(now), NUMBERS)
        crowded = stages.keep(f"crowded-{number}", still_open, NUMBERS)
    return passed


def _count(condition: Column) -> Column:
    return F.count(F.when(condition, F.lit(1)))
