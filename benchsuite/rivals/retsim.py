"""RETSim: a neural network that embeds texts, from the package unisim.

Called as `retsim.py TEXTS.jsonl EMBEDDINGS.npy`. Only embeds the texts; nothing is
compared. The model comes with the package, so nothing is fetched.
"""

import json
import sys

import numpy
from unisim import TextSim


def main():
    corpus, out = sys.argv[1:3]
    with open(corpus, encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in lines]
    embeddings = TextSim(use_accelerator=False, verbose=0).embed(texts)
    numpy.save(out, embeddings)


main()
