"""Near duplicates in a Daft pipeline: extract, join by blocking keys, verify.

Good where the documents are in a Daft frame already, and as a pattern for other frameworks: what
twinsift does here are three functions on columns of Arrow data, and the rest is what every data
frame can do. The pairs are those of `twinsift.pairs`, with the same scores.

The join is the plain one: a key that thousands of documents share makes millions of candidates, in
one task. `twinsift.spark` has a join that is balanced, for large collections with many copies
and keys of very different frequency.

It needs `pip install twinsift daft`.
"""

from __future__ import annotations

import os
import time

# Daft reports each use to its makers, unless it is told not to before it is imported.
os.environ["DO_NOT_TRACK"] = "true"

import daft
import pyarrow
from daft import DataType, Series, col

import twinsift


def near_duplicates(frame: daft.DataFrame, recipe: twinsift.Recipe) -> daft.DataFrame:
    """Return the pairs `a`, `b`, `score` of a frame with the columns `id` and `text`.

    Ids are unique, and `a` is less than `b`. Recipes that go by how common features are need
    `Statistics.count` of the whole collection, as a second argument of `Extractor`.
    """
    # All three are pickled with the function that uses them, and let other threads go on.
    extractor = twinsift.Extractor(recipe)
    keys = twinsift.Keys(recipe)
    verifier = twinsift.Verifier(recipe)

    @daft.func.batch(return_dtype=DataType.binary())
    def extract(texts: Series) -> pyarrow.Array:
        return pyarrow.array(extractor.extract_batch(texts.to_arrow()))

    @daft.func.batch(return_dtype=DataType.list(DataType.uint64()))
    def keys_of(signatures: Series) -> pyarrow.Array:
        return pyarrow.array(keys.of_batch(signatures.to_arrow()))

    @daft.func.batch(return_dtype=DataType.float64())
    def score(a: Series, b: Series) -> pyarrow.Array:
        return pyarrow.array(verifier.score_batch(a.to_arrow(), b.to_arrow()))

    # Collected, because they are used four times and should be extracted once.
    signed = frame.select("id", extract(col("text")).alias("signature")).collect()

    # Any two documents that match share a key. A document without any gets a null, which joins
    # with nothing.
    keyed = signed.select("id", keys_of(col("signature")).alias("key")).explode("key")
    candidates = (
        keyed.select(col("id").alias("a"), "key")
        .join(keyed.select(col("id").alias("b"), "key"), on="key")
        .where(col("a") < col("b"))
        .select("a", "b")
        .distinct()
    )

    # The score of a candidate below the threshold is null.
    left = signed.select(col("id").alias("a"), col("signature").alias("left"))
    right = signed.select(col("id").alias("b"), col("signature").alias("right"))
    return (
        candidates.join(left, on="a")
        .join(right, on="b")
        .select("a", "b", score(col("left"), col("right")).alias("score"))
        .where(col("score").not_null())
    )


def main() -> None:
    """Print the near duplicates among a few texts."""
    texts = {
        "monday": "The council approved the new bridge over the river on Monday.",
        "storm": "A storm is expected to reach the coast by tomorrow evening.",
        "again": "the council approved the new bridge over the river on Monday!",
        "longer": "The council approved the new bridge over the river on Monday, by a vote.",
        "empty": "",
    }
    frame = daft.from_pydict({"id": list(texts), "text": list(texts.values())})
    found = near_duplicates(frame, twinsift.Recipe(k=2, threshold=0.6)).sort(["a", "b"])
    for pair in found.to_pylist():
        print(f"{pair['a']} {pair['b']} {pair['score']:.2f}")


if __name__ == "__main__":
    main()
    # Threads of Daft may outlive the last query, and a program that ends meanwhile may crash.
    time.sleep(0.2)
