"""The join: from DataFrames to edges between classes of equal documents."""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    DataType,
    LongType,
    StructField,
    StructType,
)

import twinsift
from twinsift._twinsift import concatenate_statistics, plan_join, plan_verification
from twinsift.errors import InputError
from twinsift.spark import _tasks as tasks
from twinsift.spark._input import Documents
from twinsift.spark._placement import placement_keys
from twinsift.spark._report import Report
from twinsift.spark._stages import DOCUMENTS, Stages, raised_by_tasks

#: Documents of the sample by which work is planned.
_SAMPLE = 16_000

#: The most postings of a task that joins, about 100 MB.
_POSTINGS = 4_000_000

#: The most pairs of a task that merges, about half a gigabyte.
_PAIRS = 16_000_000

#: The most candidates of a task that verifies.
_CANDIDATES = 8_000_000

#: The most bytes of signatures of a task that verifies.
_VERIFY_BYTES = 256 << 20

#: Rows of a task that joins or sums tables of numbers.
_ROWS = 500_000

#: Comparisons that are not worth splitting a key for.
_UNIT = 1 << 18

#: Tables up to this size are sent to all executors, in place of moving the segments.
_BROADCAST_BYTES = 64 << 20

_BLOBS = "place long, blob binary"


def verify_task_count(least: int, candidates: int, stored_bytes: int, distinct: int) -> int:
    """Return how many tasks verify so many candidates.

    `stored_bytes` are those of all signatures, of so many `distinct` documents. A candidate needs two
    of them, and no task is sent one twice.
    """
    needed = min(2 * candidates * stored_bytes // max(1, distinct), 4 * stored_bytes)
    return max(least, -(-candidates // _CANDIDATES), -(-needed // _VERIFY_BYTES))


@dataclass(frozen=True)
class Joined:
    """What a join has found."""

    #: Near duplicates: `x`, `y`, `score`.
    edges: DataFrame
    #: Their documents: `rep`, which stands for those that are equal to it, `old`, `preference`,
    #: `id`, `order`.
    members: DataFrame
    #: Numbers about the join.
    report: Report


class JoinRun:
    """A join that is under way."""

    def __init__(
        self,
        spark: SparkSession,
        recipe: twinsift.Recipe,
        stages: Stages,
        new: Documents,
        old: Documents | None,
        keep: str,
        task_count: int | None,
    ) -> None:
        context = spark.sparkContext
        self._spark = spark
        self._recipe = recipe
        self._shared: tasks.Shared[twinsift.Recipe] = tasks.Shared(context.broadcast(recipe))
        self._stages = stages
        self._new = new
        self._old = old
        self._keep = keep
        #: Tasks that do the same, at least.
        self.task_count = task_count or max(2 * context.defaultParallelism, 4)
        self.report = Report()
        stages.partitions = self.task_count
        #: Pairs that may be near duplicates, once they are found.
        self.candidates: DataFrame | None = None

    def join_task_count(self, postings: int) -> int:
        """Return how many tasks join so many postings."""
        return max(self.task_count, -(-postings // _POSTINGS))

    def run(self) -> Joined:
        """Find the near duplicates."""
        self._check_executors()
        statistics = self._statistics()
        self._extract(statistics)
        redirects = self._redirects()
        edges = self._edges(redirects)
        members = self._members(redirects, edges)
        self.report.seconds, self.report.resumed = self._stages.seconds, self._stages.resumed
        return Joined(edges, members, self.report)

    def _check_executors(self) -> None:
        """Have every executor say at once if it lacks this version of the package."""
        tasks_of_all = 2 * self._spark.sparkContext.defaultParallelism
        rows = self._spark.range(0, tasks_of_all, 1, tasks_of_all)
        with raised_by_tasks():
            rows.mapInArrow(tasks.Check(), "id long").collect()

    def _sources(self) -> list[Documents]:
        return [self._new] if self._old is None else [self._new, self._old]

    def _statistics(self) -> tasks.Shared[bytes] | None:
        """Count document frequencies, if the recipe goes by them."""
        if not twinsift.Statistics.are_needed_by(self._recipe):
            return None
        keys = placement_keys(self.task_count)
        counted: DataFrame | None = None
        for source in self._sources():
            count = tasks.Count(self._shared, source.reading, source.read, source.id, keys)
            part = source.rows.mapInArrow(count, _BLOBS)
            counted = part if counted is None else counted.unionByName(part)
        assert counted is not None
        merged = counted.repartition(len(keys), "place").mapInArrow(
            tasks.MergeCounts(), "range long, blob binary"
        )
        kept = self._stages.keep("statistics", merged)
        ranges = [bytes(row.blob) for row in kept.orderBy("range").collect()]
        statistics = concatenate_statistics(ranges)
        return tasks.Shared(self._spark.sparkContext.broadcast(statistics.to_bytes()))

    def _signatures(self) -> DataFrame:
        """Return the signatures of all segments."""
        return self._stages.columns("segments", "segment", "signatures").where("segment >= 0")

    def _segments(self, *columns: str) -> DataFrame:
        """Return columns of all segments, without their signatures."""
        return self._stages.columns("documents", "segment", *columns).where("segment >= 0")

    def _extract(self, statistics: tasks.Shared[bytes] | None) -> None:
        """Extract signatures, and lay them down in segments."""
        extracted: DataFrame | None = None
        for old, source in enumerate(self._sources()):
            extract = tasks.Extract(
                self._shared,
                source.reading,
                source.read,
                source.id,
                statistics,
                bool(old),
                source.order,
                self._keep,
            )
            part = source.rows.mapInArrow(extract, self._segment_schema(source))
            extracted = part if extracted is None else extracted.unionByName(part)
        assert extracted is not None
        segments = self._stages.keep("segments", extracted, DOCUMENTS, cached=1)
        small = [name for name in segments.columns if name != "signatures"]
        self._stages.set_apart("documents", "segments", *small)
        rows = F.when(F.col("segment") >= 0, F.size("preferences"))
        counted = self._stages.columns("documents", "segment", "preferences", "memory")
        numbers = counted.agg(F.sum(rows), F.max("memory")).collect()[0]
        self.report.documents = numbers[0] or 0
        self.report.see_workers([numbers[1] or 0])

    @staticmethod
    def _segment_schema(source: Documents) -> StructType:
        lists = {"preferences": BinaryType(), **source.kept_types}
        kept: list[tuple[str, DataType]] = [
            ("documents", BinaryType()),
            ("signatures", BinaryType()),
            ("sample", BinaryType()),
            ("segment", LongType()),
            ("memory", LongType()),
            *((name, ArrayType(kind)) for name, kind in lists.items()),
        ]
        return StructType([StructField(name, kind) for name, kind in kept])

    def _redirects(self) -> DataFrame | None:
        """Find equal documents, and ids that occur twice."""
        keys = placement_keys(self.task_count)
        digested = self._segments("documents").mapInArrow(tasks.Digest(keys), _BLOBS)
        classes = digested.repartition(len(keys), "place").mapInArrow(
            tasks.Collapse(),
            "segment long, redirects binary, same_id array<long>, copies long, bytes long",
        )
        kept = self._stages.keep("classes", classes)
        numbers = kept.where("segment < 0").select("same_id", "copies", "bytes").collect()
        self.report.copies = sum(row.copies for row in numbers)
        self.report.digest_bytes = sum(row.bytes for row in numbers)
        stages = self._stages
        stages.partitions = max(stages.partitions, -(-self.report.copies // _ROWS))
        self._refuse_same_ids([number for row in numbers for number in row.same_id])
        if not self.report.copies:
            return None
        redirects = (
            kept.where("segment >= 0")
            .groupBy("segment")
            .agg(F.collect_list("redirects").alias("redirects"))
        )
        return self._small(redirects, 20 * self.report.copies)

    def _refuse_same_ids(self, documents: list[int]) -> None:
        """Refuse ids that occur twice; the hashes of others may be equal by chance."""
        rows = (1 << 20) - 1
        for a, b in zip(documents[::2], documents[1::2]):
            found = []
            for document in (a, b):
                of_segment = self._segments("id").where(F.col("segment") == (document & ~rows))
                value = F.element_at("id", (document & rows) + 1)
                row = of_segment.select(value).first()
                found.append(None if row is None else row[0])
            if found[0] == found[1]:
                partitions = [(document >> 42) & rows for document in (a, b)]
                raise InputError(
                    f'the id "{found[0]}" occurs twice, in partitions {partitions[0]} and '
                    f"{partitions[1]}: name another column with id=, or remove one of the rows"
                )

    def _small(self, frame: DataFrame, size: int) -> DataFrame:
        """Have a table sent to all executors, if it is small."""
        return F.broadcast(frame) if size < _BROADCAST_BYTES else frame

    def _edges(self, redirects: DataFrame | None) -> DataFrame:
        """Join keys, and verify the candidates."""
        samples = self._samples()
        plan, joining, expected = plan_join(
            self._recipe, samples, self.task_count, _POSTINGS, _UNIT
        )
        self.report.stored_bytes = expected["signature_bytes"]
        self.report.split_keys = expected["split_keys"]
        self.report.join_tasks = joining
        if not joining:
            return self._spark.createDataFrame([], "x long, y long, score double")
        merging = max(self.task_count, -(-expected["comparisons"] // _PAIRS))
        found = self._shared_keys(redirects, plan, joining, merging)
        self.candidates = self._candidates(found, merging)
        return self._verified(self.candidates)

    def _samples(self) -> list[bytes]:
        """Return a sample of all documents, as far as it lies in each partition."""
        trim = tasks.Trim(self.report.documents, _SAMPLE)
        drawn = self._stages.columns("documents", "segment", "sample").where("segment < 0")
        drawn = drawn.select("sample")
        return [bytes(row.sample) for row in drawn.mapInArrow(trim, "sample binary").collect()]

    def _shared_keys(
        self, redirects: DataFrame | None, plan: bytes, joining: int, merging: int
    ) -> DataFrame:
        """Find the pairs that share keys."""
        keys = placement_keys(joining)
        shared: tasks.Shared[bytes] = tasks.Shared(self._spark.sparkContext.broadcast(plan))
        routed = (
            self._with_redirects(self._signatures(), redirects)
            .mapInArrow(tasks.Route(self._shared, shared, keys), _BLOBS)
            .repartition(joining, "place")
        )
        join = tasks.Join(self._shared, self._old is not None, placement_keys(merging))
        schema = f"{_BLOBS}, postings long, comparisons long, pairs long, bytes long, memory long"
        kept = self._stages.keep("shared-keys", routed.mapInArrow(join, schema))
        rows = kept.where("postings IS NOT NULL").drop("place", "blob").collect()
        report = self.report
        report.postings = sum(row.postings for row in rows)
        report.comparisons = sorted(row.comparisons for row in rows)
        report.posting_bytes = sum(row.bytes for row in rows)
        report.see_workers(row.memory for row in rows)
        return kept.where("place IS NOT NULL").select("place", "blob")

    def _candidates(self, found: DataFrame, merging: int) -> DataFrame:
        """Find the pairs that share enough keys."""
        schema = "candidates binary, hot array<long>, found long, bytes long, memory long"
        merged = found.repartition(merging, "place").mapInArrow(tasks.Merge(), schema)
        kept = self._stages.keep("candidates", merged)
        rows = kept.where("found IS NOT NULL").drop("candidates", "hot").collect()
        self.report.candidates = sum(row.found for row in rows)
        self.report.pair_bytes = sum(row.bytes for row in rows)
        self.report.see_workers(row.memory for row in rows)
        return kept

    @staticmethod
    def _with_redirects(segments: DataFrame, redirects: DataFrame | None) -> DataFrame:
        if redirects is None:
            return segments.withColumn("redirects", F.lit(None).cast("array<binary>"))
        return segments.join(redirects, "segment", "left")

    def _verified(self, candidates: DataFrame) -> DataFrame:
        report = self.report
        if not report.candidates:
            return self._spark.createDataFrame([], "x long, y long, score double")
        hot = [
            pair
            for row in candidates.where("size(hot) > 0").select("hot").collect()
            for pair in zip(row.hot[::2], row.hot[1::2])
        ]
        distinct = report.documents - report.copies
        verifying = verify_task_count(
            self.task_count, report.candidates, report.stored_bytes, distinct
        )
        plan: tasks.Shared[bytes] = tasks.Shared(
            self._spark.sparkContext.broadcast(plan_verification(report.candidates, verifying, hot))
        )
        keys = placement_keys(verifying)
        report.verify_tasks = verifying
        requested = candidates.select("candidates").mapInArrow(
            tasks.Request(plan, keys), "place long, pairs binary, segment long, requests binary"
        )
        requests = (
            requested.where("segment IS NOT NULL")
            .groupBy("segment")
            .agg(F.collect_list("requests").alias("requests"))
        )
        wanted = self._signatures().join(self._small(requests, 16 * report.candidates), "segment")
        sent = "place long, signatures binary, pairs binary"
        fetched = wanted.mapInArrow(tasks.Fetch(keys), sent)
        pairs = requested.where("place IS NOT NULL").select(
            "place", F.lit(None).cast("binary").alias("signatures"), "pairs"
        )
        verified = (
            fetched.unionByName(pairs)
            .repartition(verifying, "place")
            .mapInArrow(
                tasks.Verify(self._shared),
                "x long, y long, score double, compared long, bytes long, memory long",
            )
        )
        kept = self._stages.keep("edges", verified)
        numbers = kept.where("compared IS NOT NULL").drop("x", "y", "score").collect()
        report.see_workers(row.memory for row in numbers)
        report.verified = sorted(row.compared for row in numbers)
        report.signature_bytes = sum(row.bytes for row in numbers)
        edges = kept.where("x IS NOT NULL").select("x", "y", "score")
        report.edges = edges.count()
        stages = self._stages
        stages.partitions = max(stages.partitions, -(-report.edges // _ROWS))
        return edges

    def _members(self, redirects: DataFrame | None, edges: DataFrame) -> DataFrame:
        """Name the documents that have near duplicates."""
        ends = (
            edges.select(F.explode(F.array("x", "y")).alias("end"))
            .distinct()
            .groupBy(F.expr("shiftleft(shiftright(end, 20), 20)").alias("segment"))
            .agg(F.collect_list("end").alias("ends"))
        )
        columns = ("documents", "preferences", "id", "order")
        named = self._with_redirects(self._segments(*columns), redirects)
        named = named.join(self._small(ends, 40 * self.report.edges), "segment", "left")
        schema = StructType(
            [
                StructField("rep", LongType()),
                StructField("old", BooleanType()),
                StructField("preference", BinaryType()),
                *(StructField(name, kind) for name, kind in self._new.kept_types.items()),
            ]
        )
        members = named.mapInArrow(tasks.Members(), schema)
        return self._stages.keep("members", members)
