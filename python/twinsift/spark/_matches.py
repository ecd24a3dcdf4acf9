"""What a run on Spark has found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from twinsift._runs import check_group
from twinsift.spark._components import components
from twinsift.spark._groups import represented
from twinsift.spark._input import Documents
from twinsift.spark._join import Joined
from twinsift.spark._report import Report
from twinsift.spark._stages import NUMBERS, Stages
from twinsift.spark._survivors import decide

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self

#: The stages that answers are made of.
_ANSWERS = ("pairs", "groups", "connected", "removed")


class Matches:
    """The near duplicates of a DataFrame, made by `twinsift.spark.match`.

    Each method returns a DataFrame; the join behind them has been done once. What is kept for
    them in memory and on disk is given back by `close`, or at the end of a `with` block.
    """

    def __init__(
        self,
        joined: Joined,
        stages: Stages,
        new: Documents,
        old: Documents | None,
        task_count: int,
    ) -> None:
        position = F.struct("old", "order", "id")
        self._edges = joined.edges
        self._members = joined.members.withColumn("position", position)
        self._report = joined.report
        self._stages = stages
        self._new = new
        self._has_old = old is not None
        self._tasks = task_count
        self._removed: DataFrame | None = None

    @property
    def report(self) -> Report:
        """Numbers about the run."""
        return self._report

    def pairs(self) -> DataFrame:
        """Every near-duplicate pair once: `a`, `b`, `score`.

        `a` is the one that comes first; with an old collection, the new one.
        """
        ends = self._members.select("rep", "old", "id", "position")
        a, b = ends.alias("a"), ends.alias("b")
        equal = a.join(b, F.col("a.rep") == F.col("b.rep")).where("a.position < b.position")
        both = self._edges.join(a, F.col("x") == F.col("a.rep")).join(
            b, F.col("y") == F.col("b.rep")
        )
        in_order = F.col("a.position") < F.col("b.position")
        pairs = both.select(
            F.when(in_order, F.col("a.id")).otherwise(F.col("b.id")).alias("a"),
            F.when(in_order, F.col("b.id")).otherwise(F.col("a.id")).alias("b"),
            "score",
            (F.col("a.old") != F.col("b.old")).alias("across"),
        )
        across = (F.col("a.old") != F.col("b.old")).alias("across")
        pairs = pairs.union(equal.select("a.id", "b.id", F.lit(1.0), across))
        if self._has_old:
            pairs = pairs.where("across")
        return self._stages.keep("pairs", pairs.drop("across"))

    def clusters(self, group: str = "representative") -> DataFrame:
        """A row for each document that is not alone.

        `id`, `cluster` (the id of the group's first member), `size`, and the `representative` of the
        group that the document was verified against, with the `score`. With `group="connected"`,
        whatever is connected by pairs is one group, and the last two are null.
        """
        check_group(group)
        if group == "connected":
            return self._stages.keep("connected", self._connected())
        if self._has_old:
            going = self._verdicts().withColumn("is_old", F.lit(False))
            old = going.select("duplicate_of", "duplicate_of", F.lit(1.0), F.lit(True)).distinct()
            members = going.union(old).toDF("id", "representative", "score", "old")
            placed = self._members.select("id", "old", F.col("position").alias("rank"))
            members = members.join(placed, ["id", "old"])
            members = members.withColumn("group", F.col("representative"))
        else:
            members = represented(self._edges, self._members, self._stages, self._tasks)
        first = F.min(F.struct("rank", "id"))["id"].alias("cluster")
        groups = members.groupBy("group").agg(first, F.count("*").alias("size"))
        grouped = members.join(groups.where("size > 1"), "group")
        grouped = grouped.select("id", "cluster", "size", "representative", "score")
        return self._stages.keep("groups", grouped)

    def _connected(self) -> DataFrame:
        """Return the groups of what pairs connect."""
        roots = components(self._connections(), self._stages, "components")
        how = "inner" if self._has_old else "left"
        members = self._members.withColumn("node", self._node()).join(roots, "node", how)
        members = members.withColumn("root", F.coalesce("root", "node"))
        first = F.min("position")["id"].alias("cluster")
        groups = members.groupBy("root").agg(first, F.count("*").alias("size")).where("size > 1")
        grouped = members.join(groups, "root").select("id", "cluster", "size")
        nothing = F.lit(None)
        grouped = grouped.withColumn("representative", nothing.cast(grouped.schema["id"].dataType))
        return grouped.withColumn("score", nothing.cast("double"))

    def _node(self) -> Column:
        """Return what is connected: classes, or the new and the old documents of each."""
        return F.when(F.col("old"), F.bitwise_not("rep")).otherwise(F.col("rep"))

    def _connections(self) -> DataFrame:
        """Return `a`, `b`: classes that match, or the new documents of one and the old of another."""
        if not self._has_old:
            return self._edges.select(F.col("x").alias("a"), F.col("y").alias("b"))
        both_ways = self._edges.select("x", F.bitwise_not("y"))
        both_ways = both_ways.union(self._edges.select("y", F.bitwise_not("x")))
        classes = self._members.select("rep", F.bitwise_not("rep"))
        found = both_ways.union(classes).toDF("a", "b").distinct()
        nodes = self._members.select(self._node().alias("node")).distinct()
        for end in ("a", "b"):
            found = found.join(nodes.toDF(end), end, "semi")
        return found.select("a", "b")

    def kept(self) -> DataFrame:
        """The rows that stay when near duplicates are removed, with all their columns."""
        gone = self._verdicts().select(F.col("id").alias("twinsift_gone"))
        is_gone = F.col(f"`{self._new.id}`") == F.col("twinsift_gone")
        return self._new.frame.join(gone, is_gone, "left_anti")

    def removed(self) -> DataFrame:
        """The documents that go: `id`, `duplicate_of`, `score`.

        Each is a near duplicate of the very document that is kept for it.
        """
        return self._verdicts()

    def _verdicts(self) -> DataFrame:
        if self._removed is None:
            found = self._by_old() if self._has_old else self._by_preference()
            self._removed = self._stages.keep("removed", found)
        return self._removed

    def _by_old(self) -> DataFrame:
        """Return the new documents that have near duplicates among the old ones."""
        old = self._members.where("old").withColumn("like", F.struct("preference", "position"))
        # Of equal old documents the first counts.
        first = F.min(F.struct("position", "like", "id")).alias("first")
        old = old.groupBy("rep").agg(first).select("rep", "first.like", F.col("first.id"))
        edges = self._edges
        reached = edges.union(edges.select("y", "x", "score"))
        own = self._members.select("rep", "rep", F.lit(2.0)).distinct()
        reached = reached.union(own).toDF("of", "rep", "score")
        reached_old = reached.join(old, "rep").groupBy("of")
        # Equal documents before all others, then by score, then as they are preferred.
        best = F.min(F.struct((-F.col("score")).alias("low"), "like", "id")).alias("best")
        keepers = reached_old.agg(best).withColumnRenamed("of", "rep")
        new = self._members.where(~F.col("old")).select("rep", F.col("id").alias("gone"))
        score = F.least(F.lit(1.0), -F.col("best.low"))
        going = new.join(keepers, "rep").select("gone", "best.id", score)
        return going.toDF("id", "duplicate_of", "score")

    def _by_preference(self) -> DataFrame:
        """Return the documents that go by the greedy rule."""
        ordered = self._members.orderBy("preference", "position").select("rep", "id")
        # Ascends in the order of rows, with gaps.
        ranked = ordered.withColumn("rank", F.monotonically_increasing_id())
        ranked = self._stages.keep("ranked", ranked, NUMBERS)
        head, last = F.min("rank").alias("head"), F.max("rank").alias("last")
        classes = ranked.groupBy("rep").agg(head, last)
        x, y = classes.toDF("x", "head_x", "last_x"), classes.toDF("y", "head_y", "last_y")
        x_first = F.col("head_x") < F.col("head_y")
        edges = (self._edges.join(x, "x").join(y, "y")).select(
            F.least("head_x", "head_y").alias("first"),
            F.greatest("head_x", "head_y").alias("second"),
            "score",
            F.when(x_first, F.col("last_x")).otherwise(F.col("last_y")).alias("last_of_first"),
        )
        edges = self._stages.keep("ranked-edges", edges, NUMBERS)
        decided = decide(edges, self._stages, self._tasks, "survivors")
        documents = ranked.join(classes.select("rep", "head"), "rep").alias("documents")
        favours = decided.select(F.col("node").alias("head"), "keeper", "score")
        # A class that stays goes for its head, but for the head itself.
        stays = documents.join(favours.select("head").distinct(), "head", "left_anti")
        copies = stays.where("rank > head").select("id", F.col("head").alias("keeper"), F.lit(1.0))
        nearest = F.max(F.struct("keeper", "score")).alias("best")
        behind = documents.join(favours, "head").where("keeper < rank")
        near = behind.groupBy("rank", "id").agg(nearest).select("id", "best.keeper", "best.score")
        going = copies.union(near).toDF("id", "keeper", "score")
        keepers = ranked.select(F.col("rank").alias("keeper"), F.col("id").alias("duplicate_of"))
        return going.join(keepers, "keeper").select("id", "duplicate_of", "score")

    def release_join(self) -> None:
        """Give back what is kept for further answers; those that were given stay."""
        self._stages.release_all_but(_ANSWERS)

    def close(self) -> None:
        """Give back what is kept in memory and on disk for the DataFrames of this run."""
        self._stages.release_all_but(())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
