"""gaoya: min-hash bands in Rust, 9 bands of 13 rows, 32-bit hashes.

Its built-in analyser makes word 5-grams on all threads, far faster than a
Python callable could. It splits at everything that is neither letter nor
digit. So the words are found here, as for everyone else, and joined with
spaces; underscores, which count as parts of words, become a letter that does
not occur otherwise.
"""

import sys

# The script has the name of the package it uses, so its own folder must not
# come first when the package is looked up.
HERE = sys.path.pop(0)
import gaoya as package  # noqa: E402

sys.path.insert(0, HERE)
from common import arguments, batches, documents, write_pairs  # noqa: E402

LETTER_FOR_UNDERSCORE = "\u01c0"


def main():
    corpus, out, threshold = arguments()
    index = package.minhash.MinHashStringIndex(
        hash_size=32,
        jaccard_threshold=threshold,
        num_bands=9,
        band_size=13,
        analyzer="word",
        lowercase=False,
        ngram_range=(5, 5),
        id_container="smallvec",
    )
    ids, texts = [], []
    for batch in batches(documents(corpus), 10_000):
        start = len(ids)
        ids.extend(name for name, _ in batch)
        new = [" ".join(words).replace("_", LETTER_FOR_UNDERSCORE) for _, words in batch]
        texts.extend(new)
        index.par_bulk_insert_docs(list(range(start, len(ids))), new)
    pairs = []
    for start in range(0, len(texts), 10_000):
        answers = index.par_bulk_query(texts[start : start + 10_000])
        for b, found in enumerate(answers, start):
            pairs.extend((ids[a], ids[b]) for a in found if a < b)
    write_pairs(out, pairs)


main()
