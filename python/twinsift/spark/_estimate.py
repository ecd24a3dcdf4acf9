"""What a run would compare, move and hold, told by a sample.

Documents are drawn by a hash of what is read of them, so that equal ones are drawn together. What
grows with documents is scaled by their number, what grows with pairs by its square. How often a
signature travels depends on how many candidates its document has: the sample shows that thinned out,
and what it would be for all documents is found by expectation maximisation.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, log2

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from twinsift.spark import _tasks as tasks
from twinsift.spark._join import JoinRun, verify_task_count
from twinsift.spark._report import Report

#: Into how many parts documents are divided by their hashes.
_PARTS = 1 << 20

#: Bytes of a task for each posting that it joins, and for each byte of signatures and each
#: candidate that it verifies.
_POSTING_BYTES = 40
_VERIFY_FACTOR = 1.5
_CANDIDATE_BYTES = 40

_ROUNDS = 300


@dataclass(frozen=True)
class Estimate:
    """What a run would compare, move and hold."""

    #: Documents, and how many of them the estimate rests on.
    documents: int
    sampled: int
    #: Documents that are equal to another one by the recipe.
    copies: int
    #: Postings that would be sent.
    postings: int
    #: Pairs that share enough keys to be compared.
    candidates: int
    #: Pairs of different documents that are near duplicates, copies counted once.
    edges: int
    #: Bytes of the blobs that would go through Spark's shuffle.
    shuffled_bytes: int
    #: Bytes of all signatures, which lie in memory and on local disks, or in the checkpoint folder.
    stored_bytes: int
    #: The memory of a Python worker; an executor has one for each of its cores.
    worker_bytes: int

    def __str__(self) -> str:
        rows = {
            "documents": f"{self.documents:,}, by a sample of {self.sampled:,}",
            "equal documents": f"{self.copies:,}",
            "postings": f"{self.postings:,}",
            "candidates": f"{self.candidates:,}",
            "near-duplicate pairs": f"{self.edges:,}, without equal documents",
            "through the shuffle": _size(self.shuffled_bytes),
            "signatures, kept": _size(self.stored_bytes),
            "a Python worker": _size(self.worker_bytes),
        }
        return "\n".join(f"{name:>22}  {value}" for name, value in rows.items())


def _size(size: int) -> str:
    """Return a number of bytes for people.

    >>> _size(2_500_000)
    '2.5 MB'
    """
    power = min(4, max(0, len(str(size)) - 1) // 3)
    return f"{size / 1000**power:.{1 if power else 0}f} {('bytes', 'kB', 'MB', 'GB', 'TB')[power]}"


def drawn(frame: DataFrame, columns: list[str], sample: int) -> tuple[DataFrame, int]:
    """Return about so many documents of a DataFrame, and how many it has."""
    documents = frame.count()
    parts = min(_PARTS, max(1, round(sample / max(1, documents) * _PARTS)))
    hashed = F.xxhash64(*(F.col(f"`{name}`") for name in columns))
    return frame.where(F.pmod(hashed, F.lit(_PARTS)) < parts), documents


def estimate(run: JoinRun, documents: int) -> Estimate:
    """Return what a run on so many documents would need, from one on a sample of them."""
    joined = run.run()
    report = joined.report
    if report.documents == 0:
        return Estimate(documents, 0, 0, 0, 0, 0, 0, 0, 0)
    scale = documents / report.documents
    candidates = round(report.candidates * scale**2)
    stored = round(report.stored_bytes * scale)
    distinct = round((report.documents - report.copies) * scale)
    verifying = verify_task_count(run.task_count, candidates, stored, distinct)
    signatures = _signature_bytes(run, report, scale, verifying)
    moved = (report.digest_bytes + report.posting_bytes) * scale + report.pair_bytes * scale**2
    join_tasks = run.join_task_count(round(report.postings * scale))
    held = _held(report.postings * scale / max(1, join_tasks), signatures, candidates, verifying)
    in_sample = _held(
        report.postings / max(1, report.join_tasks),
        report.signature_bytes,
        report.candidates,
        max(1, report.verify_tasks),
    )
    return Estimate(
        documents=documents,
        sampled=report.documents,
        copies=round(report.copies * scale),
        postings=round(report.postings * scale),
        candidates=candidates,
        edges=round(report.edges * scale**2),
        shuffled_bytes=round(moved + signatures),
        stored_bytes=stored,
        worker_bytes=round(report.worker_bytes - in_sample + held),
    )


def _held(postings: float, signatures: float, candidates: float, verifying: int) -> float:
    """Return the bytes of the task that holds most."""
    verified = _VERIFY_FACTOR * signatures + _CANDIDATE_BYTES * candidates
    return max(_POSTING_BYTES * postings, verified / verifying)


def _signature_bytes(run: JoinRun, report: Report, scale: float, verifying: int) -> float:
    """Return the bytes of signatures that would be sent to tasks that verify."""
    if run.candidates is None or not report.candidates:
        return 0.0
    degrees = _degrees(run.candidates)
    seen = {degree: count for degree, count in degrees.items() if degree}
    distinct = report.documents - report.copies
    seen[0] = distinct - sum(seen.values())
    sent = sum(count * _tasks_of(degree, report.verify_tasks) for degree, count in seen.items())
    of_one = report.signature_bytes / sent if sent else 0.0
    shares = unthinned(seen, min(1.0, 1 / scale))
    sends = sum(share * _tasks_of(degree, verifying) for degree, share in shares.items())
    return of_one * sends * distinct * scale


def _degrees(candidates: DataFrame) -> dict[int, int]:
    """Return how many documents have how many candidates."""
    pairs = candidates.select("candidates").mapInArrow(tasks.CandidatePairs(), "x long, y long")
    ends = pairs.distinct().select(F.explode(F.array("x", "y")).alias("end"))
    counted = ends.groupBy("end").count().groupBy("count").agg(F.count("*").alias("documents"))
    return {row["count"]: row["documents"] for row in counted.collect()}


def _tasks_of(degree: int, verifying: int) -> float:
    """Return how many tasks need the signature of a document with so many candidates."""
    blocks = next(n for n in range(1, 2 * verifying + 2) if n * (n + 1) // 2 >= 2 * verifying)
    return blocks * (1 - (1 - 1 / blocks) ** degree)


def unthinned(seen: dict[int, int], share: float) -> dict[int, float]:
    """Return how many neighbours nodes have, if a `share` of all nodes shows `seen` of them.

    `seen` counts nodes by neighbours in the sample; the result has a share of nodes for each number
    of neighbours that is thought possible.

    >>> unthinned({0: 50, 2: 50}, 1.0)
    {0: 0.5, 2: 0.5}
    """
    if share >= 1.0:
        total = sum(seen.values())
        return {degree: count / total for degree, count in seen.items()}
    most = max(seen)
    steps = int(8 * log2(2 + 3 * most / share))
    possible = sorted({round(2 ** (step / 8)) for step in range(steps)} | {0})
    chances = {
        degree: {of: chance for of in possible if (chance := _thinned(of, degree, share)) > 0}
        for degree in seen
    }
    shares = dict.fromkeys(possible, 1 / len(possible))
    total = sum(seen.values())
    for _ in range(_ROUNDS):
        weights = dict.fromkeys(possible, 0.0)
        for degree, count in seen.items():
            whole = sum(shares[of] * chance for of, chance in chances[degree].items())
            for of, chance in chances[degree].items():
                weights[of] += count * shares[of] * chance / whole if whole else 0.0
        shares = {of: weight / total for of, weight in weights.items()}
    return shares


def _thinned(of: int, degree: int, share: float) -> float:
    """Return the chance that `degree` of so many neighbours are in the sample."""
    if degree > of:
        return 0.0
    return float(comb(of, degree) * share**degree * (1 - share) ** (of - degree))
