"""Pairs, clusters and removed documents of `twinsift.spark`, as the command writes them.

`same.py CORPUS.parquet FOLDER`: with `--partitions killed`, an executor is killed in the middle
of the join.
"""

import csv
import sys
import threading
from contextlib import suppress
from pathlib import Path

import psutil
from session import arguments, report, session

import twinsift
import twinsift.spark
from twinsift.spark._stages import Stages

KILLED = threading.Event()
EXECUTOR = "org.apache.spark.executor.CoarseGrainedExecutorBackend"


def main():
    parser = arguments(__doc__)
    parser.add_argument("--partitions", default="7")
    parser.add_argument("--method", default="shingles")
    parser.add_argument("--model")
    options = parser.parse_args()
    parameters = {"method": options.method}
    if options.method == "andd":
        parameters["model"] = twinsift.Model.load(options.model)
    folder = Path(options.out)
    folder.mkdir(exist_ok=True)
    is_killed = options.partitions == "killed"
    partitions = 7 if is_killed else int(options.partitions)
    with session(options) as (spark, _):
        frame = spark.read.parquet(options.corpus).repartition(partitions)
        if is_killed:
            kill_during("shared-keys")
        with twinsift.spark.match(frame, tasks=partitions, **parameters) as found:
            write(folder / "pairs.csv", found.pairs(), "a", "b", "score")
            write(folder / "clusters.csv", found.clusters(), "id", "cluster", "size")
            write(folder / "removed.csv", found.removed(), "id", "duplicate_of", "score")
        if is_killed and not KILLED.is_set():
            sys.exit("no executor was killed: nothing is shown")
        report(spark, killed=is_killed)


def kill_during(stage):
    """Kills an executor a second after a stage has begun, when it has joined some postings."""
    keep = Stages.keep

    def watched(self, name, *arguments, **options):
        if name == stage:
            threading.Timer(1.0, kill_an_executor).start()
        return keep(self, name, *arguments, **options)

    Stages.keep = watched


def kill_an_executor():
    for process in psutil.Process().children(recursive=True):
        # Workers of Python come and go: some have ended by the time they are looked at.
        with suppress(psutil.NoSuchProcess):
            if EXECUTOR in process.cmdline():
                process.kill()
                KILLED.set()
                return


def write(path, frame, *columns):
    """Writes rows as the command does."""
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(columns)
        for row in frame.select(*columns).collect():
            out.writerow(row)


main()
