"""What tasks do: functions for `mapInArrow`, which executors run.

Each is an object with all that it needs. It takes an iterator of record batches and yields record
batches; what is in the blobs is known to the engine alone.
"""

# pyright: reportUnknownParameterType=false

from __future__ import annotations

import resource
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import pyarrow as pa
from pyspark import TaskContext

import twinsift
from twinsift._twinsift import (
    CandidateMerger,
    CandidateVerifier,
    Contraction,
    Decision,
    FeatureCounter,
    Joiner,
    Router,
    SegmentWriter,
    candidate_pairs,
    class_members,
    collapse,
    digests,
    fetch_signatures,
    merge_statistics,
    passed_over,
    request_signatures,
    trim_sample,
)
from twinsift.errors import InputError

Batches = Iterator[pa.RecordBatch]
T = TypeVar("T")

#: About so many bytes of texts are read at a time.
SLICE_BYTES = 1 << 20


@dataclass(frozen=True)
class Shared(Generic[T]):
    """A value for all tasks, which is sent to each executor once."""

    broadcast: Any

    @property
    def value(self) -> T:
        value: T = self.broadcast.value
        return value


@dataclass(frozen=True)
class Task:
    """A function for `mapInArrow`, with the version that made it."""

    version: str = field(default_factory=lambda: twinsift.__version__, init=False)

    def __call__(self, batches: Batches) -> Batches:
        if self.version != twinsift.__version__:
            raise InputError(
                f"an executor has twinsift {twinsift.__version__} and the driver {self.version}: "
                "install the same version on both"
            )
        return self.run(batches)

    def run(self, batches: Batches) -> Batches:
        """Yield what becomes of the batches."""
        raise NotImplementedError


def _partition() -> int:
    context = TaskContext.get()
    return 0 if context is None else context.partitionId()


def _memory() -> int:
    """Return the most bytes that this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _rows(batches: Batches) -> Iterator[dict[str, Any]]:
    """Yield rows as dicts: for tables of few, large rows."""
    for batch in batches:
        for row in range(batch.num_rows):
            yield {name: batch.column(name)[row].as_py() for name in batch.schema.names}


def _slices(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Cut a batch so that a few long texts do not make a segment of gigabytes."""
    step = max(1, batch.num_rows * SLICE_BYTES // max(batch.nbytes, SLICE_BYTES))
    for start in range(0, batch.num_rows, step):
        yield batch.slice(start, step)


def _refuse_nulls(column: pa.Array, name: str, purpose: str) -> None:
    if column.null_count:
        raise InputError(
            f'{column.null_count} or more rows have no value in the column "{name}", which '
            f"{purpose}: remove these rows, or name another column"
        )


@dataclass(frozen=True)
class Check(Task):
    """Has an executor run a task, which tells whether it has this version."""

    def run(self, batches: Batches) -> Batches:
        yield from batches


@dataclass(frozen=True)
class _Reads(Task):
    """Reads documents."""

    recipe: Shared[twinsift.Recipe]
    reading: dict[str, Any]
    #: The columns that are read, with that of the ids.
    columns: list[str]
    id: str

    def documents(self, batch: pa.RecordBatch) -> pa.Table:
        """Return the columns of documents, with ids as text."""
        ids = batch.column(self.id)
        _refuse_nulls(ids, self.id, "names documents")
        columns = {name: batch.column(name) for name in self.columns}
        columns[self.id] = ids.cast(pa.string())
        return pa.table(columns)


@dataclass(frozen=True)
class Count(_Reads):
    """Counts the features of a partition, in ranges: `place`, `blob`."""

    keys: list[int]

    def run(self, batches: Batches) -> Batches:
        counter = FeatureCounter(self.recipe.value, self.reading)
        for batch in batches:
            for part in _slices(batch):
                counter.add(self.documents(part))
        yield _placed(counter.finish(len(self.keys)), self.keys)


@dataclass(frozen=True)
class MergeCounts(Task):
    """Merges the counts of one range: `range`, `blob`."""

    def run(self, batches: Batches) -> Batches:
        blobs = pa.chunked_array([batch.column("blob") for batch in batches], pa.binary())
        if len(blobs):
            merged = [merge_statistics(blobs)]
            yield pa.record_batch(
                {"range": pa.array([_partition()], pa.int64()), "blob": pa.array(merged)}
            )


@dataclass(frozen=True)
class Extract(_Reads):
    """Writes the segments of a partition, and a sample of it.

    Yields `segment`, `documents`, `signatures`, and lists with a value for each document:
    `preferences`, `id` and `order`; then a row with a `sample` and without a segment.
    """

    statistics: Shared[bytes] | None
    old: bool
    order: str
    keep: str

    def run(self, batches: Batches) -> Batches:
        statistics = twinsift.Statistics()
        if self.statistics is not None:
            statistics = twinsift.Statistics.from_bytes(self.statistics.value)
        writer = SegmentWriter(
            self.recipe.value,
            statistics,
            self.reading,
            self.old,
            _partition(),
            self.keep,
        )
        kept: list[pa.RecordBatch] = []
        kinds: list[pa.DataType] = []
        for batch in batches:
            ordered = batch.column(self.order)
            _refuse_nulls(ordered, self.order, "puts documents in order")
            both = [batch.column(self.id), ordered]
            kinds = [column.type for column in both]
            named = pa.RecordBatch.from_arrays(both, ["id", "order"])
            start = 0
            for part in _slices(batch):
                writer.add(self.documents(part))
                kept.append(named.slice(start, part.num_rows))
                start += part.num_rows
                if writer.is_full:
                    yield from self._segment(writer, kept)
                    kept = []
        if kinds:
            yield from self._segment(writer, kept)
            nothing = [pa.nulls(1, pa.list_(kind)) for kind in (pa.binary(), *kinds)]
            yield self._row(-1, b"", b"", writer.finish(), _memory(), *nothing)

    def _segment(self, writer: SegmentWriter, kept: list[pa.RecordBatch]) -> Batches:
        cut = writer.cut()
        if cut is None:
            return
        number, documents, signatures, preferences = cut
        table = pa.Table.from_batches(kept)
        columns = (pa.chunked_array([pa.array(preferences)]), table["id"], table["order"])
        yield self._row(number, documents, signatures, b"", None, *map(_listed, columns))

    @staticmethod
    def _row(
        segment: int,
        documents: bytes,
        signatures: bytes,
        sample: bytes,
        memory: int | None,
        *lists: pa.ListArray,
    ) -> pa.RecordBatch:
        blobs = (pa.array([blob], pa.binary()) for blob in (documents, signatures, sample))
        numbers = (pa.array([number], pa.int64()) for number in (segment, memory))
        names = ["documents", "signatures", "sample", "segment", "memory"]
        names += ["preferences", "id", "order"]
        return pa.RecordBatch.from_arrays([*blobs, *numbers, *lists], names)


def _listed(column: pa.ChunkedArray) -> pa.ListArray:
    """Return one row with all values as a list."""
    values = pa.concat_arrays(column.chunks)
    return pa.ListArray.from_arrays(pa.array([0, len(values)], pa.int32()), values)


@dataclass(frozen=True)
class Trim(Task):
    """Cuts the samples of partitions down to what a sample of all documents needs: `sample`."""

    documents: int
    wanted: int

    def run(self, batches: Batches) -> Batches:
        for row in _rows(batches):
            trimmed = trim_sample(row["sample"], self.documents, self.wanted)
            yield pa.record_batch({"sample": pa.array([trimmed], pa.binary())})


@dataclass(frozen=True)
class Digest(Task):
    """Sends digests and ids of segments to buckets: `place`, `blob`."""

    keys: list[int]

    def run(self, batches: Batches) -> Batches:
        for row in _rows(batches):
            if row["segment"] >= 0:
                yield _placed(digests(row["segment"], row["documents"], len(self.keys)), self.keys)


@dataclass(frozen=True)
class Collapse(Task):
    """Finds equal documents: `segment`, `redirects`; then `same_id` and `copies`."""

    def run(self, batches: Batches) -> Batches:
        columns = [batch.column("blob") for batch in batches]
        blobs = pa.chunked_array(columns, pa.binary())
        (segments, redirects), same, copies = collapse(blobs)
        rows = len(segments)
        yield pa.record_batch(
            {
                "segment": pa.array(segments),
                "redirects": pa.array(redirects),
                "same_id": pa.nulls(rows, pa.list_(pa.int64())),
                "copies": pa.nulls(rows, pa.int64()),
                "bytes": pa.nulls(rows, pa.int64()),
            }
        )
        pairs = [number for pair in same[:100] for number in pair]
        yield pa.record_batch(
            {
                "segment": pa.array([-1], pa.int64()),
                "redirects": pa.array([None], pa.binary()),
                "same_id": pa.array([pairs], pa.list_(pa.int64())),
                "copies": pa.array([copies], pa.int64()),
                "bytes": pa.array([blobs.nbytes], pa.int64()),
            }
        )


@dataclass(frozen=True)
class Route(Task):
    """Sends postings of segments to the tasks that join them: `place`, `blob`."""

    recipe: Shared[twinsift.Recipe]
    plan: Shared[bytes]
    keys: list[int]

    def run(self, batches: Batches) -> Batches:
        router = Router(self.recipe.value, self.plan.value)
        for row in _rows(batches):
            if row["segment"] >= 0:
                router.add(row["segment"], row["signatures"], row["redirects"] or [])
                if router.is_full:
                    yield _placed(router.send(), self.keys)
        yield _placed(router.send(), self.keys)


@dataclass(frozen=True)
class Join(Task):
    """Finds pairs that share keys: `place`, `blob` for tasks that merge; then numbers."""

    recipe: Shared[twinsift.Recipe]
    against: bool
    keys: list[int]

    def run(self, batches: Batches) -> Batches:
        joiner = Joiner(self.recipe.value, self.against, len(self.keys))
        received = 0
        for batch in batches:
            received += batch.column("blob").nbytes
            joiner.add(batch.column("blob"))
        while (found := joiner.next()) is not None:
            yield _with_numbers(_placed(found, self.keys), _JOIN_NUMBERS)
        nothing = {"place": pa.nulls(1, pa.int64()), "blob": pa.nulls(1, pa.binary())}
        numbers = (*joiner.report, received, _memory())
        yield _with_numbers(pa.record_batch(nothing), _JOIN_NUMBERS, numbers)


_JOIN_NUMBERS = ("postings", "comparisons", "pairs", "bytes", "memory")


def _with_numbers(
    batch: pa.RecordBatch, names: tuple[str, ...], numbers: tuple[int | None, ...] | None = None
) -> pa.RecordBatch:
    """Add columns of numbers, which most rows have none of."""
    columns = dict(zip(batch.schema.names, batch.columns))
    for name, number in zip(names, numbers or (None,) * len(names)):
        columns[name] = pa.array([number] * batch.num_rows, pa.int64())
    return pa.record_batch(columns)


@dataclass(frozen=True)
class Merge(Task):
    """Finds candidates: `candidates`, `hot`; then numbers."""

    def run(self, batches: Batches) -> Batches:
        merger = CandidateMerger()
        received = 0
        for batch in batches:
            received += batch.column("blob").nbytes
            merger.add(batch.column("blob"))
        found, count = merger.finish()
        for candidates, hot in found:
            yield self._row(candidates, [number for pair in hot for number in pair])
        yield self._row(None, None, (count, received, _memory()))

    @staticmethod
    def _row(
        blob: bytes | None, hot: list[int] | None, numbers: tuple[int, ...] | None = None
    ) -> pa.RecordBatch:
        row = {"candidates": pa.array([blob], pa.binary())}
        row["hot"] = pa.array([hot], pa.list_(pa.int64()))
        return _with_numbers(pa.record_batch(row), ("found", "bytes", "memory"), numbers)


@dataclass(frozen=True)
class CandidatePairs(Task):
    """Unpacks candidates: `x`, `y`."""

    def run(self, batches: Batches) -> Batches:
        for row in _rows(batches):
            if row["candidates"] is not None:
                x, y = map(pa.array, candidate_pairs(row["candidates"]))
                yield pa.record_batch({"x": x, "y": y})


@dataclass(frozen=True)
class Request(Task):
    """Shares candidates out: `place`, `pairs` for tasks, `segment`, `requests` for segments."""

    plan: Shared[bytes]
    keys: list[int]

    def run(self, batches: Batches) -> Batches:
        for row in _rows(batches):
            if row["candidates"] is None:
                continue
            (tasks, pairs), (segments, requests) = request_signatures(
                row["candidates"], self.plan.value
            )
            yield pa.record_batch(
                {
                    "place": _places(tasks, self.keys),
                    "pairs": pa.array(pairs),
                    "segment": pa.nulls(len(tasks), pa.int64()),
                    "requests": pa.nulls(len(tasks), pa.binary()),
                }
            )
            yield pa.record_batch(
                {
                    "place": pa.nulls(len(segments), pa.int64()),
                    "pairs": pa.nulls(len(segments), pa.binary()),
                    "segment": pa.array(segments),
                    "requests": pa.array(requests),
                }
            )


@dataclass(frozen=True)
class Fetch(Task):
    """Sends signatures to the tasks that asked for them: `place`, `signatures`, `pairs`."""

    keys: list[int]

    def run(self, batches: Batches) -> Batches:
        for row in _rows(batches):
            tasks, blobs = fetch_signatures(row["segment"], row["signatures"], row["requests"])
            yield pa.record_batch(
                {
                    "place": _places(tasks, self.keys),
                    "signatures": pa.array(blobs),
                    "pairs": pa.nulls(len(tasks), pa.binary()),
                }
            )


@dataclass(frozen=True)
class Verify(Task):
    """Verifies candidates: `x`, `y`, `score`; then numbers about the task."""

    recipe: Shared[twinsift.Recipe]

    def run(self, batches: Batches) -> Batches:
        verifier = CandidateVerifier(self.recipe.value)
        received = 0
        for batch in batches:
            signatures, pairs = batch.column("signatures"), batch.column("pairs")
            received += signatures.nbytes + pairs.nbytes
            verifier.add(signatures, pairs)
        x, y, score, compared = verifier.run()
        edges = {"x": pa.array(x), "y": pa.array(y), "score": pa.array(score)}
        names = ("compared", "bytes", "memory")
        yield _with_numbers(pa.record_batch(edges), names)
        nothing = {name: pa.nulls(1, column.type) for name, column in edges.items()}
        yield _with_numbers(pa.record_batch(nothing), names, (compared, received, _memory()))


@dataclass(frozen=True)
class Members(Task):
    """Names documents that have near duplicates: `rep`, `old`, `preference`, `id`, `order`."""

    def run(self, batches: Batches) -> Batches:
        for batch in batches:
            for at in range(batch.num_rows):
                segment = batch.column("segment")[at].as_py()
                rows, representatives = class_members(
                    segment,
                    batch.column("documents")[at].as_py(),
                    batch.column("redirects")[at].as_py() or [],
                    batch.column("ends")[at].as_py() or [],
                )
                taken = pa.array(rows)
                listed = [batch.column(name)[at].values for name in ("preferences", "id", "order")]
                yield pa.RecordBatch.from_arrays(
                    [
                        pa.array(representatives),
                        pa.array([bool(segment >> 62)] * len(rows), pa.bool_()),
                        *(values.take(taken) for values in listed),
                    ],
                    ["rep", "old", "preference", "id", "order"],
                )


@dataclass(frozen=True)
class Contract(Task):
    """Replaces edges `a`, `b` by the fewest that connect the same nodes: to the smallest of them."""

    def run(self, batches: Batches) -> Batches:
        contraction = Contraction()
        for batch in batches:
            contraction.connect(batch.column("a"), batch.column("b"))
        nodes, roots = contraction.drain()
        yield pa.record_batch({"a": pa.array(nodes), "b": pa.array(roots)})


@dataclass(frozen=True)
class PassOver(Task):
    """Lists the nodes that look for no near duplicates behind them, by all edges: `node`."""

    def run(self, batches: Batches) -> Batches:
        table = pa.Table.from_batches(list(batches))
        first, second = (table.column(name).combine_chunks() for name in ("first", "second"))
        yield pa.record_batch({"node": pa.array(passed_over(first, second))})


@dataclass(frozen=True)
class Decide(Task):
    """Decides which classes go, by all edges of some components: `node`, `keeper`, `score`."""

    def run(self, batches: Batches) -> Batches:
        decision = Decision()
        for batch in batches:
            columns = ("first", "second", "score", "last_of_first")
            decision.push(*(batch.column(name) for name in columns))
        node, keeper, score = map(pa.array, decision.finish())
        yield pa.record_batch({"node": node, "keeper": keeper, "score": score})


def _places(tasks: Any, keys: list[int]) -> pa.Array:
    return pa.array(keys, pa.int64()).take(pa.array(tasks))


def _placed(addressed: tuple[Any, Any], keys: list[int]) -> pa.RecordBatch:
    tasks, blobs = addressed
    return pa.record_batch({"place": _places(tasks, keys), "blob": pa.array(blobs)})
