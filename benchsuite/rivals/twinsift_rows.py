"""What a row costs from Python: `twinsift_rows.py WHAT COUNT` prints seconds as JSON.

`list` and `arrow` add COUNT short strings to a run, from a list and from an
Arrow column; `extract` calls `Extractor.extract` COUNT times on one text of a
single word, so that what is measured is the call.
"""

import json
import random
import sys
import time

import pyarrow

import twinsift


def texts(count):
    chance = random.Random(1)
    words = [f"word{number}" for number in range(5000)]
    return [" ".join(chance.choices(words, k=8)) for _ in range(count)]


def main():
    what, count = sys.argv[1], int(sys.argv[2])
    rows = texts(count) if what != "extract" else []
    data = pyarrow.table({"text": rows}) if what == "arrow" else rows
    extractor = twinsift.Extractor(twinsift.Recipe())
    started = time.perf_counter()
    if what == "extract":
        for _ in range(count):
            extractor.extract("word")
    else:
        twinsift.pairs(data, threads=2, progress=False)
    print(json.dumps({"wall": time.perf_counter() - started}))


main()
