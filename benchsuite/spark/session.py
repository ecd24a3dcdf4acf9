"""What all Spark benchmarks share: a session, its signals to `measure.py`, and its event log.

The default master, `local-cluster[2,1,3072]`, starts two executors as processes of their own with
one core each: data that goes from one to the other is serialised and written as on a cluster, which
`local[2]` would not show. Master and workers live in the driver's JVM.

Every script is called as `NAME.py CORPUS.parquet PAIRS.csv`. The corpus is a file or folder with
the columns `id` and `text`. A row group is never divided between tasks: a corpus of one row group
is read by one core.
"""

import argparse
import csv
import json
import os
import re
import shutil
import statistics
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from pyspark.find_spark_home import _find_spark_home
from pyspark.sql import SparkSession

MASTER = "local-cluster[2,1,3072]"
START_UP = "start-up"


def arguments(about):
    """A parser with what every script takes."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("corpus", help="Parquet with the columns id and text")
    parser.add_argument("out", help="the CSV file to write")
    parser.add_argument("--threshold", type=float, default=0.8, help="Jaccard similarity")
    parser.add_argument("--master", default=MASTER)
    parser.add_argument("--events", help="a folder to keep the event log in")
    return parser


@contextmanager
def session(options, settings=None):
    """A Spark session on which Python has run, and a folder that is removed with it."""
    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    with tempfile.TemporaryDirectory(prefix="spark-bench-") as scratch:
        events = Path(options.events or f"{scratch}/events").resolve()
        events.mkdir(parents=True, exist_ok=True)
        chosen = {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.memory": "2g",
            "spark.executor.memory": "2g",
            "spark.eventLog.compress": "false",
            "spark.eventLog.dir": str(events),
            "spark.eventLog.enabled": "true",
            "spark.eventLog.rolling.enabled": "false",
            "spark.local.dir": scratch,
            "spark.log.level": "ERROR",
            "spark.ui.enabled": "false",
            **(settings or {}),
        }
        spark = SparkSession.builder.master(options.master).config(map=chosen).getOrCreate()
        # Where the workers of a local cluster leave the logs of executors.
        logs = Path(_find_spark_home(), "work", spark.sparkContext.applicationId)
        try:
            start_up(spark.sparkContext)
            yield spark, scratch
        finally:
            spark.stop()
            shutil.rmtree(logs, ignore_errors=True)


def start_up(context):
    """Runs Python on every executor, so that starting it is not part of what is measured."""

    def parent(_):
        time.sleep(0.2)
        return os.getppid()

    cluster = re.match(r"local-cluster\[\s*(\d+)", context.master)
    executors, seen = int(cluster[1]) if cluster else 1, set()
    context.setLocalProperty("spark.jobGroup.id", START_UP)
    while len(seen) < executors:
        tasks = context.parallelize(range(2 * executors), 2 * executors)
        seen.update(tasks.map(parent).collect())
    context.setLocalProperty("spark.jobGroup.id", None)
    signal("started")


def report(spark, **found):
    """Says that the work is done, stops Spark, and prints what was found and what it took."""
    signal("finished")
    log = Path(spark.conf.get("spark.eventLog.dir"), spark.sparkContext.applicationId)
    spark.stop()
    print(json.dumps({**found, **event_metrics(log)}), flush=True)


def signal(event):
    """Tells `measure.py` how far the script is."""
    print(json.dumps({"event": event}), flush=True)


def write_pairs(path, pairs):
    """Writes pairs of ids, in order, and returns how many there were."""
    with open(path, "w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([("a", "b"), *sorted(pairs)])
    return len(pairs)


def event_metrics(path):
    """Sums over all tasks of an event log (a file, or a folder of them), start-up left out.

    CPU time is that of threads in the executors' JVMs; Python workers are not in it. `skew` is the
    run time of a stage's longest task over the median, of the stage where it is greatest among
    those that ran for at least a second in all.
    """
    logs = [path] if path.is_file() else sorted(path.iterdir())
    jobs, failed, ignored, stages, spent = 0, 0, set(), {}, []
    for line in (line for log in logs for line in log.open(encoding="utf-8")):
        event = json.loads(line)
        if event["Event"] == "SparkListenerJobStart":
            is_start_up = event["Properties"].get("spark.jobGroup.id") == START_UP
            ignored.update(event["Stage IDs"] if is_start_up else ())
            jobs += not is_start_up
        elif event["Event"] == "SparkListenerTaskEnd" and event["Stage ID"] not in ignored:
            failed += event["Task Info"]["Failed"]
            if task := event.get("Task Metrics"):
                spent.append(task)
                stages.setdefault(event["Stage ID"], []).append(task["Executor Run Time"])
    long = [times for times in stages.values() if len(times) > 1 and sum(times) >= 1000]
    skews = [max(times) / max(statistics.median(times), 1) for times in long]
    written = [task["Shuffle Write Metrics"]["Shuffle Bytes Written"] for task in spent]
    return {
        "shuffle_bytes": sum(written),
        "spilled_bytes": sum(task["Disk Bytes Spilled"] for task in spent),
        "jobs": jobs,
        "stages": len(stages),
        "tasks": len(spent),
        "failed_tasks": failed,
        "executor_run_seconds": sum(task["Executor Run Time"] for task in spent) / 1e3,
        "executor_cpu_seconds": sum(task["Executor CPU Time"] for task in spent) / 1e9,
        "skew": round(max(skews, default=1.0), 2),
    }
