"""`to_parquet.py CORPUS.jsonl OUT.parquet`: the corpus as a table of ids and texts."""

import sys

from common import rows
import pandas


def main():
    corpus, out = sys.argv[1:3]
    frame = pandas.DataFrame(rows(corpus), columns=["id", "text"])
    frame.to_parquet(out)


main()
