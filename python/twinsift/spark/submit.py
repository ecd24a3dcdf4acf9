"""The job for `spark-submit`: reads and writes Parquet and JSON lines.

    spark-submit "$(python -m twinsift.spark)" dedup IN… -o OUT [--removed OUT] [flags]

`python -m twinsift.spark` prints the path of this file. Flags that change what is found are those of
the command `twinsift`.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import re
import sys
from typing import Any

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

import twinsift
import twinsift.spark as on_spark
from twinsift._twinsift import parameters
from twinsift.errors import TwinsiftError, UsageError
from twinsift.spark._internals import exists

_COLUMNS = ("text", "id", "html", "title", "subject", "url", "rendered")


def main(arguments: list[str] | None = None) -> int:
    """Run the job, and return the exit code: 0 done, 1 failed, 2 bad usage or input."""
    said = _parser().parse_args(arguments)
    try:
        _run(said)
    except TwinsiftError as error:
        print(f"twinsift: {error}", file=sys.stderr)
        return 2
    except PySparkException as error:
        print(f"twinsift: Spark failed: {error}", file=sys.stderr)
        return 1
    return 0


def _run(said: argparse.Namespace) -> None:
    _refuse_misplaced(said)
    session = SparkSession.builder.appName(f"twinsift {said.job}").getOrCreate()
    frame = _read(session, said.inputs)
    options = _options(said)
    if said.job == "estimate":
        print(on_spark.estimate(frame, sample=said.sample, **options))
        return
    old = _read(session, said.against) if said.against else None
    outputs = [path for path in (said.output, said.removed) if path]
    for path in outputs:
        _refuse_existing(session, path)
    options["checkpoint"] = said.checkpoint
    with on_spark.match(frame, against=old, keep=said.keep, **options) as found:
        if said.job == "dedup":
            _write(found.kept(), said.output)
            if said.removed:
                _write(found.removed(), said.removed)
        else:
            answer = found.pairs() if said.job == "pairs" else found.clusters(said.group)
            _write(answer, said.output)
        report = dataclasses.asdict(found.report)
    print(_summary(report), file=sys.stderr)
    if said.report:
        with open(said.report, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)


def _refuse_misplaced(said: argparse.Namespace) -> None:
    if said.job != "estimate" and not said.output:
        raise UsageError("-o is missing: name where the result is to be written")
    if said.job != "dedup" and (said.removed or said.keep != "first"):
        raise UsageError("--removed and --keep belong to dedup")


def _read(session: SparkSession, paths: list[str]) -> DataFrame:
    """Read files or folders, all of one format."""
    kinds = {_format(path) for path in paths}
    if len(kinds) > 1:
        raise UsageError("the inputs are of different formats: convert one of them")
    return session.read.format(kinds.pop()).load(paths)


def _format(path: str) -> str:
    """Return the format of a path by its name: JSON lines, or Parquet."""
    name = re.sub(r"\.(gz|zst|bz2)$", "", path.rstrip("/*").lower())
    return "json" if name.endswith((".jsonl", ".ndjson", ".json")) else "parquet"


def _refuse_existing(session: SparkSession, path: str) -> None:
    if exists(session, path):
        raise UsageError(f"{path} is there already: remove it, or name another output")


def _write(frame: DataFrame, path: str) -> None:
    frame.write.format(_format(path)).mode("errorifexists").save(path)


def _options(said: argparse.Namespace) -> dict[str, Any]:
    """Return the keyword arguments that flags stand for."""
    names = [parameter["name"] for parameter in parameters()]
    names += ["order", "tasks", "progress"]
    options = {name: getattr(said, name) for name in names if getattr(said, name) is not None}
    columns = {name: getattr(said, f"{name}_column") for name in _COLUMNS}
    options.update({name: value for name, value in columns.items() if value is not None})
    if said.lexicon:
        options["lexicon"] = twinsift.Lexicon.load(said.lexicon)
    if said.model:
        options["model"] = twinsift.Model.load(said.model)
    return options


def _summary(report: dict[str, Any]) -> str:
    shuffled = sum(
        report[name] for name in ("digest_bytes", "posting_bytes", "pair_bytes", "signature_bytes")
    )
    return (
        f"twinsift: {report['documents']:,} documents, {report['copies']:,} equal to others; "
        f"{report['candidates']:,} candidates, {report['edges']:,} near-duplicate pairs of different "
        f"documents; {shuffled / 1e6:,.1f} MB through the shuffle; "
        f"{sum(report['seconds'].values()):.1f} s"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="spark-submit submit.py",
        description="Near duplicates of Parquet or JSON lines, on Spark.",
        epilog='Example: spark-submit "$(python -m twinsift.spark)" dedup crawl.parquet -o clean.parquet',
    )
    parser.add_argument("job", choices=("pairs", "clusters", "dedup", "estimate"))
    parser.add_argument("inputs", nargs="+", metavar="IN", help="files, folders or patterns")
    parser.add_argument("-o", "--output", help="where the result goes: .parquet or .jsonl")
    parser.add_argument("--against", action="append", metavar="OLD", help="an old collection")
    parser.add_argument(
        "--removed", metavar="OUT", help="what dedup removes, and for which document"
    )
    parser.add_argument(
        "--keep", default="first", help="first, longest, max:COLUMN or min:COLUMN (dedup)"
    )
    parser.add_argument(
        "--group", default="representative", help="representative or connected (clusters)"
    )
    parser.add_argument("--sample", type=int, default=20_000, help="documents for estimate")
    parser.add_argument("--checkpoint", metavar="DIR", help="keep stages, to go on after a failure")
    parser.add_argument("--report", metavar="FILE", help="numbers about the run, as JSON")
    parser.add_argument(
        "--progress", action="store_true", default=None, help="a line for each stage"
    )
    parser.add_argument("--tasks", type=int, help="tasks that share the work, at least")
    parser.add_argument("--order", metavar="COLUMN", help="which of two documents comes first")
    parser.add_argument("--lexicon", metavar="FILE", help="a lexicon, for imatch")
    parser.add_argument("--model", metavar="FILE", help="a model, for andd")
    for name in _COLUMNS:
        parser.add_argument(f"--{name}-column", metavar="COLUMN", help=f"the column {name}")
    for parameter in parameters():
        _add_parameter(parser, parameter)
    return parser


def _add_parameter(parser: argparse.ArgumentParser, parameter: dict[str, Any]) -> None:
    flag, about = "--" + parameter["name"].replace("_", "-"), parameter["about"].replace("%", "%%")
    kind = parameter["kind"]
    if kind == "bool":
        parser.add_argument(flag, action="store_true", default=None, help=about)
    elif kind == "texts":
        parser.add_argument(flag, action="append", help=about)
    else:
        kinds: dict[str, Any] = {"int": int, "float": float, "range": _range}
        parser.add_argument(flag, type=kinds.get(kind, str), metavar="VALUE", help=about)


def _range(text: str) -> tuple[float, ...]:
    return tuple(float(end) for end in text.split(","))


if __name__ == "__main__":
    sys.exit(main())
