"""text-dedup: its own Spark script, `text_dedup/minhash_spark.py`, as published.

The script cuts documents into word 5-grams, makes 250 min-hashes of each in Python, chooses bands
and rows for the threshold, joins documents that share a band to the least of them, and keeps one
document of each connected component. Nothing is compared: reported here is each document that it
removes, with the one that stays for it. So its precision is the share of removed documents that
are near duplicates of what is kept in their place, and its recall cannot be compared. It cuts at
each comma and each space, so that `a, b` has an empty word: its similarities are not quite ours.

Its defaults are kept (5-grams, at least 5 words, 250 min-hashes, its Spark settings) but for

- the threshold: 0.8, where its default is 0.7,
- the columns: `id` and `text`, as the corpus has them,
- connected components, for which it calls GraphFrames, a library of the JVM that is not on PyPI.
  `GraphFrame` below stands in for it with the same algorithm, alternating large and small stars
  (Kiveris et al., Connected Components in MapReduce and Beyond, 2014), on DataFrames and with few
  tasks. It signals when it begins and ends, so that its share can be told.

The script is meant for large clusters: it asks for 8192 partitions of shuffled tables, 4096 of
edges and at least 256 of the result, and asks its users to change it for their purposes.
`--partitions N` replaces all three by N, and its default parallelism of 100 if N is less.
"""

import re
import runpy
import sys
from importlib.metadata import distribution
from pathlib import Path

from pyspark.sql import functions as F
from session import arguments, report, session, signal, write_pairs

PARTITIONS = r"\b(8192|4096|256)\b"


class GraphFrame:
    """The part of GraphFrames that the script calls."""

    removed = ()

    def __init__(self, _vertices, edges):
        self.edges = edges

    def connectedComponents(self):  # noqa: N802
        """The least vertex of each vertex's component, as `id` and `component`."""
        signal("components")
        few = self.edges.sparkSession.sparkContext.defaultParallelism
        edges = self.edges.where("src != dst").coalesce(few).localCheckpoint()
        before, now = None, state(edges)
        while before != now:
            edges = small_star(large_star(edges)).localCheckpoint()
            before, now = now, state(edges)
        leaves = edges.select(F.col("src").alias("id"), F.col("dst").alias("component"))
        roots = leaves.select(F.col("component").alias("id"), "component").distinct()
        GraphFrame.removed = leaves.collect()
        found = leaves.union(roots).coalesce(few).localCheckpoint()
        signal("components_end")
        return found


def large_star(edges):
    """Joins each vertex's greater neighbours to the least of the vertex and its neighbours."""
    both = edges.union(edges.select(F.col("dst").alias("src"), F.col("src").alias("dst")))
    least = both.groupBy("src").agg(F.least(F.min("dst"), "src").alias("least"))
    greater = both.where("dst > src").join(least, "src")
    return greater.select(F.col("dst").alias("src"), F.col("least").alias("dst")).distinct()


def small_star(edges):
    """Joins each vertex and its lesser neighbours to the least of them."""
    down = edges.select(F.greatest("src", "dst").alias("src"), F.least("src", "dst").alias("dst"))
    least = down.groupBy("src").agg(F.min("dst").alias("least"))
    moved = down.join(least, "src").select(F.col("dst").alias("src"), F.col("least").alias("dst"))
    kept = least.select("src", F.col("least").alias("dst"))
    return moved.union(kept).where("src != dst").distinct()


def state(edges):
    """A number and a sum that stay as they are when the edges do."""
    hashed = F.sum(F.xxhash64("src", "dst").cast("decimal(38,0)"))
    return tuple(edges.agg(F.count("*"), hashed).first())


def published(partitions, folder):
    """A copy of the script, with its numbers of partitions replaced if others are wanted."""
    script = distribution("text-dedup").locate_file("text_dedup/minhash_spark.py")
    text = Path(script).read_text(encoding="utf-8")
    if partitions is not None:
        text = re.sub(PARTITIONS, str(partitions), text)
    copy = Path(folder, "minhash_spark.py")
    copy.write_text(text, encoding="utf-8")
    return str(copy)


def main():
    parser = arguments(__doc__)
    parser.add_argument("--partitions", type=int, help="replaces the numbers of partitions")
    options = parser.parse_args()
    sys.modules["graphframes"] = sys.modules[__name__]
    # The one setting of the script that a session cannot take once it runs.
    settings = {"spark.default.parallelism": str(min(100, options.partitions or 100))}
    with session(options, settings) as (spark, scratch):
        asked = {
            "input": options.corpus,
            "output": f"{scratch}/kept",
            "checkpoint_dir": f"{scratch}/checkpoints",
            "column": "text",
            "index": "id",
            "threshold": options.threshold,
        }
        words = [word for name, value in asked.items() for word in (f"--{name}", str(value))]
        sys.argv = [published(options.partitions, scratch), *words]
        try:
            runpy.run_path(sys.argv[0], run_name="__main__")
        except SystemExit as end:
            if end.code:
                raise
        report(spark, pairs=write_pairs(options.out, GraphFrame.removed))


main()
