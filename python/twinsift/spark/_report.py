"""Numbers about a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass
class Report:
    """Numbers about a run: what was compared, what moved between machines, how even work was."""

    #: Documents, of both collections.
    documents: int = 0
    #: Documents that are equal to another one by the recipe, and were not compared.
    copies: int = 0
    #: Tasks that joined, and that verified.
    join_tasks: int = 0
    verify_tasks: int = 0
    #: Keys so frequent that their documents were shared out over several tasks.
    split_keys: int = 0
    #: Postings that were sent.
    postings: int = 0
    #: Pairs of postings that each task has looked at, in ascending order.
    comparisons: list[int] = field(default_factory=list)
    #: Pairs that share enough keys to be compared.
    candidates: int = 0
    #: Candidates that each task has verified, in ascending order.
    verified: list[int] = field(default_factory=list)
    #: Pairs of different documents that are near duplicates, copies counted once.
    edges: int = 0
    #: Bytes of the blobs that went through Spark's shuffle, before Spark compresses them:
    #: digests, postings, pairs that share keys, and signatures with candidates.
    digest_bytes: int = 0
    posting_bytes: int = 0
    pair_bytes: int = 0
    signature_bytes: int = 0
    #: Bytes of the signatures of all different documents.
    stored_bytes: int = 0
    #: The most memory of a Python worker that extracted, joined or verified. Each executor has
    #: one for each of its cores, besides the memory of its JVM.
    worker_bytes: int = 0
    #: Seconds of each stage.
    seconds: dict[str, float] = field(default_factory=dict)
    #: Stages whose results were found in the checkpoint folder.
    resumed: list[str] = field(default_factory=list)

    def see_workers(self, memory: Iterable[int]) -> None:
        """Take notice of the memory of workers."""
        self.worker_bytes = max([self.worker_bytes, *memory])

    @property
    def shuffled_bytes(self) -> int:
        """Bytes of blobs that went through Spark's shuffle."""
        return self.digest_bytes + self.posting_bytes + self.pair_bytes + self.signature_bytes

    @property
    def balance(self) -> float:
        """The comparisons of the task with most of them, in multiples of the median task's."""
        return imbalance(self.comparisons)


def imbalance(work: list[int]) -> float:
    """Return the largest of some numbers in multiples of their median.

    >>> imbalance([10, 10, 12, 15])
    1.25
    """
    ordered = sorted(work)
    median = ordered[len(ordered) // 2] if ordered else 0
    return ordered[-1] / median if median else 1.0
