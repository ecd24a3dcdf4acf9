"""`estimate.py CORPUS.parquet RESULT.json`: what the dry run says, and what the run then does."""

import json
from pathlib import Path

from session import arguments, report, session

import twinsift.spark


def main():
    parser = arguments(__doc__)
    parser.add_argument("--sample", type=int, default=20_000)
    options = parser.parse_args()
    with session(options) as (spark, _):
        frame = spark.read.parquet(options.corpus)
        expected = twinsift.spark.estimate(frame, sample=options.sample)
        with twinsift.spark.match(frame) as found:
            actual = found.report
        names = ("candidates", "edges", "postings", "shuffled_bytes", "stored_bytes", "worker_bytes")
        both = {name: (getattr(expected, name), getattr(actual, name)) for name in names}
        Path(options.out).write_text(json.dumps(both), encoding="utf-8")
        report(spark, sampled=expected.sampled)


main()
