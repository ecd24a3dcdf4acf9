"""What all rivals share: the same documents, the same words, the same 5-grams.

Every script is called as `NAME.py CORPUS.jsonl PAIRS.csv THRESHOLD` and writes
one line `a,b` per pair it reports. Reading and cutting into words is part of
what is measured, as it is for twinsift. Documents of fewer than five words
have no 5-gram and are left out.
"""

import csv
import json
import re
import sys

K = 5
WORD = re.compile(r"\w+")


def arguments():
    """The corpus, the file to write, and the threshold."""
    corpus, out, threshold = sys.argv[1:4]
    return corpus, out, float(threshold)


def documents(path):
    """Yields the id and the lower-cased words of each document with a 5-gram."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            words = WORD.findall(row["text"].lower())
            if len(words) >= K:
                yield row["id"], words


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


def write_pairs(path, pairs):
    """Writes pairs of ids."""
    with open(path, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["a", "b"])
        writer.writerows(pairs)
