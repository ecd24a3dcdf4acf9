"""`twinsift.spark` on the same data: every pair, exactly, with the numbers of its own report.

`--warm-up N` first runs the job once on N documents, and counts that as start-up: by then the
JVMs of Spark have compiled most of what they run. A cluster that is up for a while has done so.
"""

import dataclasses
import json

from session import arguments, report, session, signal, write_pairs

import twinsift.spark


def main():
    parser = arguments(__doc__)
    parser.add_argument("--tasks", type=int, help="tasks that share the work, at least")
    parser.add_argument("--warm-up", type=int, help="documents of a run before the one measured")
    parser.add_argument("--parameters", default="{}", help="parameters of the recipe, as JSON")
    options = parser.parse_args()
    parameters = {"threshold": options.threshold, **json.loads(options.parameters)}
    with session(options) as (spark, _):
        frame = spark.read.parquet(options.corpus)
        if options.warm_up:
            twinsift.spark.pairs(frame.limit(options.warm_up), **parameters).unpersist()
            signal("started")
        with twinsift.spark.match(frame, tasks=options.tasks, progress=True, **parameters) as found:
            pairs = [(row.a, row.b) for row in found.pairs().collect()]
            numbers = dataclasses.asdict(found.report)
        report(spark, pairs=write_pairs(options.out, pairs), report=numbers)


if __name__ == "__main__":
    main()
