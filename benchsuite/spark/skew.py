"""`skew.py - RESULT.json`: how even work is on inputs that are made to be uneven.

Each input has what a join on many machines can fail by: equal documents, one word that all have,
very long documents, documents that are alike but for a word at a low threshold. Work is counted in
pairs of postings that a task looks at, and in candidates that it verifies.
"""

import json
import random
import sys
from pathlib import Path

from session import arguments, report, session

import twinsift.spark
from twinsift.spark._report import imbalance

TASKS = 16


def words(chance, count):
    return [f"w{chance.randrange(200_000)}" for _ in range(count)]


def equal(chance):
    """100,000 documents, of which nine in ten are equal."""
    same = " ".join(words(chance, 200))
    return [same if at % 10 else " ".join(words(chance, 200)) for at in range(100_000)]


def one_word(chance):
    """50,000 documents that all have one word in common, compared by words."""
    return [" ".join(["everywhere", *words(chance, 60)]) for _ in range(50_000)]


def long_documents(chance):
    """2,000 documents of 100 words and 12 of a million, near copies of each other in twos."""
    texts = [" ".join(words(chance, 100)) for _ in range(2_000)]
    for _ in range(6):
        long = words(chance, 1_000_000)
        texts.append(" ".join(long))
        long[500_000:500_100] = words(chance, 100)
        texts.append(" ".join(long))
    return texts


def crowd(chance):
    """5,000 documents that are alike but for a part, at a threshold of 0.3."""
    common = words(chance, 60)
    texts = []
    for _ in range(5_000):
        own = words(chance, chance.choice([20, 40, 60, 80]))
        start = chance.randrange(20)
        texts.append(" ".join([*common[start : start + 40], *own]))
    return texts


def low_threshold(chance):
    """6,000 documents of a few hundred frequent words, at a threshold of 0.3."""
    frequent = [f"f{at}" for at in range(400)]
    weights = [1 / (at + 1) for at in range(400)]
    return [" ".join(chance.choices(frequent, weights, k=60)) for _ in range(6_000)]


INPUTS = {
    "equal": (equal, {}),
    "one word": (one_word, {"k": 1, "threshold": 0.8}),
    "long documents": (long_documents, {}),
    "crowd": (crowd, {"threshold": 0.3}),
    "low threshold": (low_threshold, {"k": 1, "threshold": 0.3}),
    "low threshold, spots": (crowd, {"k": 2, "weights": "counts", "threshold": 0.3}),
}


def main():
    options = arguments(__doc__).parse_args()
    found = {}
    with session(options) as (spark, scratch):
        for name, (make, parameters) in INPUTS.items():
            texts = make(random.Random(1))
            path = Path(scratch, "texts.jsonl")
            with path.open("w", encoding="utf-8") as file:
                for at, text in enumerate(texts):
                    file.write(json.dumps({"id": at, "text": text}) + "\n")
            frame = spark.read.schema("id long, text string").json(str(path)).repartition(8)
            with twinsift.spark.match(frame, tasks=TASKS, **parameters) as matches:
                numbers = matches.report
                row = {
                    "documents": numbers.documents,
                    "copies": numbers.copies,
                    "split_keys": numbers.split_keys,
                    "join_tasks": numbers.join_tasks,
                    "comparisons": sum(numbers.comparisons),
                    "comparisons_largest_over_median": round(imbalance(numbers.comparisons), 3),
                    "candidates": numbers.candidates,
                    "verified_largest_over_median": round(imbalance(numbers.verified), 3),
                    "edges": numbers.edges,
                    "worker_bytes": numbers.worker_bytes,
                    "seconds": round(sum(numbers.seconds.values()), 1),
                }
            print(name, row, file=sys.stderr, flush=True)
            found[name] = row
        Path(options.out).write_text(json.dumps(found), encoding="utf-8")
        report(spark)


main()
