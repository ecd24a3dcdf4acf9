"""What all rivals share: the same documents, the same words, the same 5-grams.

Every script is called as `NAME.py CORPUS PAIRS.csv THRESHOLD` and writes one
line `a,b` per pair it reports. Documents of fewer than five words have no
5-gram and are left out.

A corpus of JSON lines is read as part of what is measured, as it is for
twinsift. One of Parquet is loaded into a pandas DataFrame first, and the
script prints what it took from that DataFrame to the list of pairs: the two
lines of `clock` as JSON.
"""

import csv
import json
import re
import sys
import time

K = 5
WORD = re.compile(r"\w+")


def arguments():
    """The corpus, the file to write, and the threshold."""
    corpus, out, threshold = sys.argv[1:4]
    return corpus, out, float(threshold)


def frame(path):
    """The corpus as a DataFrame. The clock starts when it is there."""
    import pandas

    loaded = pandas.read_parquet(path)
    clock.start()
    return loaded


def rows(path):
    """Yields the id and the text of each document."""
    if path.endswith(".parquet"):
        loaded = frame(path)
        yield from zip(loaded["id"], loaded["text"])
        return
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield row["id"], row["text"]


def documents(path):
    """Yields the id and the lower-cased words of each document with a 5-gram."""
    for name, text in rows(path):
        words = WORD.findall(text.lower())
        if len(words) >= K:
            yield name, words


def grams(words):
    """The 5-grams of a document, each as one string, repeats included."""
    return [" ".join(words[i : i + K]) for i in range(len(words) - K + 1)]


def batches(items, size=2000):
    """Cuts a stream into lists."""
    batch = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


class Clock:
    """What it takes from a DataFrame to pairs."""

    def __init__(self):
        self.started = None

    def start(self):
        self.started = (time.perf_counter(), time.process_time())

    def stop(self):
        """Prints the seconds, if the clock was started."""
        if self.started is not None:
            wall, cpu = self.started
            spent = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
            print(json.dumps(spent))


clock = Clock()


def write_pairs(path, pairs):
    """Stops the clock and writes pairs of ids."""
    clock.stop()
    with open(path, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["a", "b"])
        writer.writerows(pairs)
