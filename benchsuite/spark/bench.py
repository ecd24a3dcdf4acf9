"""The measurements of `cargo xtask bench spark`: see its help for the modes.

Each run is a process of its own, watched by `measure.py`. Prints tables, and writes what was
measured to the file that `--result` names.
"""

import argparse
import csv
import json
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.json
import pyarrow.parquet
from measure import measure

HERE = Path(__file__).parent
ROW_GROUPS = 16
WARM_UP = 10_000
METHODS = {
    "shingles": {},
    "spotsigs": {},
    "minhash": {},
    "imatch": {},
    "andd": {},
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mode", choices=("compare", "cost", "same", "skew", "estimate"))
    parser.add_argument("inputs", nargs="*", type=Path)
    for name in ("--command", "--work", "--result"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--only", type=names, default=["twinsift", "mllib", "text_dedup"])
    parser.add_argument("--partitions", type=names, default=["1", "7", "64"])
    parser.add_argument("--methods", type=names, default=list(METHODS))
    parser.add_argument("--model", type=Path)
    parser.add_argument("--sample", type=int, default=20_000)
    parser.add_argument("--limit", type=int)
    options = parser.parse_args()
    found = globals()[options.mode](options)
    options.result.write_text(json.dumps(found, indent=1), encoding="utf-8")


def names(text):
    return text.split(",")


def compare(options):
    """Our job, MLlib and text-dedup on one corpus, and the pairs of each beside the command's."""
    corpus, table = tables(options, options.inputs[0])
    exact = options.work / "command.csv"
    rows = {"command": command(options, corpus, exact)}
    pairs = read_pairs(exact)
    calls = {
        "twinsift": ["twinsift_spark.py"],
        "mllib": ["mllib.py"],
        "text_dedup": ["text_dedup.py", "--partitions", "16"],
    }
    for name in options.only:
        script, *more = calls[name]
        out = options.work / f"{name}.csv"
        row = watched(script, table, out, *more)
        if row["exit_code"] == 0:
            theirs = read_pairs(out)
            row["recall"] = len(theirs & pairs) / max(1, len(pairs))
            row["precision"] = len(theirs & pairs) / max(1, len(theirs))
        rows[name] = row
    show(rows, ("wall", "cpu", "shuffle_bytes", "peak_executor_bytes", "recall", "precision"))
    return rows


def cost(options):
    """Our job beside the command, at several sizes."""
    rows = {}
    for corpus in options.inputs:
        corpus, table = tables(options, corpus)
        exact, out = options.work / "command.csv", options.work / "spark.csv"
        alone = command(options, corpus, exact)
        cold = watched("twinsift_spark.py", table, out)
        row = watched("twinsift_spark.py", table, out, "--warm-up", WARM_UP)
        row["cold_wall"], row["cold_cpu"] = cold["wall"], cold["cpu"]
        numbers = row["report"]
        assert read_pairs(out) == read_pairs(exact), f"other pairs than the command's: {corpus}"
        documents = numbers["documents"]
        row["command_cpu"], row["x_command"] = alone["cpu"], row["cpu"] / alone["cpu"]
        row["cold_x_command"] = cold["cpu"] / alone["cpu"]
        for part in ("digest", "posting", "pair", "signature", "stored"):
            row[f"{part}_bytes_each"] = numbers[f"{part}_bytes"] / documents
        row["postings_each"] = numbers["postings"] / documents
        row["comparisons_each"] = sum(numbers["comparisons"]) / documents
        row["candidates_each"] = numbers["candidates"] / documents
        rows[str(documents)] = row
    show(rows, ("wall", "cpu", "x_command", "cold_wall", "cold_cpu", "cold_x_command"))
    show(rows, ("command_cpu", "shuffle_bytes", "peak_executor_bytes"))
    show(rows, [name for name in row if name.endswith("_each")])
    return rows


def same(options):
    """Whether pairs, clusters and survivors are the command's, to the last byte after sorting."""
    corpus, table = tables(options, options.inputs[0])
    rows = {}
    for method in options.methods:
        flags = ["--method", method]
        if method == "andd":
            flags += ["--model", str(options.model)]
        expected = {job: options.work / f"command-{job}.csv" for job in ("pairs", "clusters")}
        expected["removed"] = options.work / "command-removed.csv"
        for job in ("pairs", "clusters"):
            called(options, job, corpus, "-o", expected[job], *flags)
        survivors = ["-o", options.work / "kept.jsonl", "--removed", expected["removed"]]
        called(options, "dedup", corpus, *survivors, *flags)
        for partitions in [*options.partitions, "killed"]:
            folder = options.work / "same"
            asked = ["--method", method, *(["--model", options.model] if options.model else [])]
            row = watched("same.py", table, folder, "--partitions", partitions, *asked)
            row["equal"] = {
                job: sorted_lines(path) == sorted_lines(folder / f"{job}.csv")
                for job, path in expected.items()
            }
            rows[f"{method}, {partitions}"] = row
            print(f"{method:10} {partitions:>8}  {row['equal']}  {row['wall']:.0f} s", flush=True)
            assert all(row["equal"].values())
    return rows


def skew(options):
    """How even work is on inputs that are made to be uneven."""
    out = options.work / "skew.json"
    row = watched("skew.py", "-", out)
    return {**json.loads(out.read_text(encoding="utf-8")), "cost": row}


def estimate(options):
    """What the dry run says, and what the run then does."""
    rows = {}
    for corpus in options.inputs:
        corpus, table = tables(options, corpus)
        out = options.work / "estimate.json"
        watched("estimate.py", table, out, "--sample", options.sample)
        rows[corpus.stem] = json.loads(out.read_text(encoding="utf-8"))
        for name, (expected, actual) in rows[corpus.stem].items():
            print(f"{corpus.stem:24} {name:16} {expected:>14,} {actual:>14,}", flush=True)
    return rows


def watched(script, corpus, out, *more):
    """A script that was run and watched."""
    words = [sys.executable, HERE / script, corpus, out, *more]
    code, row = measure([str(word) for word in words])
    if code:
        print(f"{script} failed", flush=True)
    return {**row, "exit_code": code}


def tables(options, corpus):
    """The corpus as JSON lines, cut to the limit, and the same as Parquet, in some row groups."""
    if options.limit:
        lines = corpus.read_bytes().splitlines(keepends=True)[: options.limit]
        corpus = options.work / "first.jsonl"
        corpus.write_bytes(b"".join(lines))
    blocks = pa.json.ReadOptions(block_size=64 << 20)
    loaded = pa.json.read_json(corpus, read_options=blocks).select(["id", "text"])
    table = options.work / f"{corpus.stem}.parquet"
    rows = -(-loaded.num_rows // ROW_GROUPS)
    pa.parquet.write_table(loaded, table, row_group_size=max(1, rows), compression="zstd")
    return corpus, table


def command(options, corpus, out):
    """The command on the same corpus: its seconds."""
    before, begin = child_seconds(), time.perf_counter()
    called(options, "pairs", corpus, "-o", out)
    return {
        "wall": time.perf_counter() - begin,
        "cpu": child_seconds() - before,
        "exit_code": 0,
    }


def called(options, job, corpus, *words):
    words = [options.command, job, corpus, *words, "--quiet", "--threads", "2"]
    subprocess.run([str(word) for word in words], check=True)


def child_seconds():
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def read_pairs(path):
    """Pairs of a CSV file, in whichever order."""
    with open(path, encoding="utf-8", newline="") as file:
        return {tuple(sorted((row["a"], row["b"]))) for row in csv.DictReader(file)}


def sorted_lines(path):
    return sorted(Path(path).read_text(encoding="utf-8").splitlines())


def show(rows, columns):
    """Prints a table."""
    print("\n| |" + "|".join(columns) + "|\n|---|" + "--:|" * len(columns))
    for name, row in rows.items():
        values = [row.get(column) for column in columns]
        shown = ("-" if value is None else f"{value:,.2f}" for value in values)
        print(f"| {name} |" + "|".join(shown) + "|", flush=True)


if __name__ == "__main__":
    main()
