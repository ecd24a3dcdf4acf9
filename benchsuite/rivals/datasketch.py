"""datasketch: MinHashLSH with 128 permutations, as its documentation shows it.

Bands and rows are those that datasketch chooses for the threshold. What the
index answers is reported as it comes, as most users do.
"""

import sys

# The script has the name of the package it uses, so its own folder must not
# come first when the package is looked up.
HERE = sys.path.pop(0)
from datasketch import MinHash, MinHashLSH  # noqa: E402

sys.path.insert(0, HERE)
from common import arguments, documents, grams, write_pairs  # noqa: E402


def main():
    corpus, out, threshold = arguments()
    index = MinHashLSH(threshold=threshold, num_perm=128)
    names = []

    def features():
        for name, words in documents(corpus):
            names.append(name)
            yield [gram.encode() for gram in grams(words)]

    pairs = []
    for b, sketch in enumerate(MinHash.generator(features(), num_perm=128)):
        pairs.extend((names[a], names[b]) for a in index.query(sketch))
        index.insert(b, sketch)
    write_pairs(out, pairs)


main()
