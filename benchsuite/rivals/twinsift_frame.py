"""twinsift from a DataFrame: `twinsift.pairs`, exact, word 5-grams.

Called with a fourth word, `polars` or `pyarrow`, it takes the table of that
library instead.
"""

import sys

from common import arguments, clock, frame, write_pairs

import twinsift


def table(path):
    kind = sys.argv[4] if len(sys.argv) > 4 else "pandas"
    if kind == "pandas":
        return frame(path)
    if kind == "polars":
        import polars

        loaded = polars.read_parquet(path)
    else:
        import pyarrow.parquet

        loaded = pyarrow.parquet.read_table(path)
    clock.start()
    return loaded


def main():
    corpus, out, threshold = arguments()
    result = twinsift.pairs(table(corpus), threshold=threshold, threads=2, progress=False)
    found = result.pairs
    clock.stop()
    clock.started = None
    a, b = (found[name].to_pylist() if hasattr(found, "to_pylist") else list(found[name]) for name in "ab")
    write_pairs(out, zip(a, b))


main()
