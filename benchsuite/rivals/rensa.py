"""rensa: R-MinHash in Rust, 128 permutations, 16 bands.

Candidates that share a band are kept if rensa's own estimate of their
similarity reaches the threshold. This is the full-set sketch, not the faster
one that samples positions of the text and serves to flag rows only.
"""

import sys

# The script has the name of the package it uses, so its own folder must not
# come first when the package is looked up.
HERE = sys.path.pop(0)
from rensa import RMinHash, RMinHashLSH  # noqa: E402

sys.path.insert(0, HERE)
from common import arguments, batches, documents, grams, write_pairs  # noqa: E402


def main():
    corpus, out, threshold = arguments()
    index = RMinHashLSH(threshold=threshold, num_perm=128, num_bands=16)
    ids, sketches = [], []
    for batch in batches(documents(corpus)):
        new = RMinHash.from_token_sets(
            [grams(words) for _, words in batch], num_perm=128, seed=42
        )
        index.insert_many(new, start_key=len(ids))
        ids.extend(name for name, _ in batch)
        sketches.extend(new)
    pairs = []
    for start in range(0, len(sketches), 10_000):
        answers = index.query_all(sketches[start : start + 10_000])
        for b, found in enumerate(answers, start):
            sketch = sketches[b]
            pairs.extend(
                (ids[a], ids[b])
                for a in found
                if a < b and sketch.jaccard(sketches[a]) >= threshold
            )
    write_pairs(out, pairs)


main()
