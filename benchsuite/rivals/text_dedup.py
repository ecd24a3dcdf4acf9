"""text-dedup: min-hash LSH in Python with NumPy, through its own command.

It groups documents without comparing them: what shares a band is one cluster,
and the first of a cluster stays. It says nothing of pairs; reported here is
each document that it removes, with the one that stays for it. So its precision
is the share of removed documents that are near duplicates of what is kept in
their place, and its recall cannot be compared with that of the others.
"""

import sys
import tempfile

# The script has the name of the package it uses, so its own folder must not
# come first when the package is looked up.
HERE = sys.path.pop(0)
from text_dedup.minhash import main as command  # noqa: E402
from text_dedup.minhash import uf as clusters  # noqa: E402

sys.path.insert(0, HERE)
from common import arguments, frame, write_pairs  # noqa: E402


def main():
    corpus, out, threshold = arguments()
    ids = frame(corpus)["id"].tolist()
    with tempfile.TemporaryDirectory() as folder:
        options = {
            "path": "parquet",
            "data_files": corpus,
            "split": "train",
            "column": "text",
            "ngram": 5,
            "num_perm": 128,
            "threshold": threshold,
            "num_proc": 2,
            "cache_dir": f"{folder}/cache",
            "output": f"{folder}/kept",
        }
        words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        command(words, standalone_mode=False)
    found = ((clusters.find(doc), doc) for doc in list(clusters.parent))
    write_pairs(out, [(ids[first], ids[doc]) for first, doc in found if first != doc])


main()
