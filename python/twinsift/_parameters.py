"""The parameters of recipes, for type checkers. A test holds them against the engine's list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypedDict

if TYPE_CHECKING:
    import os

    from twinsift._twinsift import Lexicon, Model

Method = Literal[
    "exact",
    "shingles",
    "spotsigs",
    "minhash",
    "supershingles",
    "imatch",
    "simhash",
    "andd",
    "signals",
    "detector",
]

Parameters = TypedDict(
    "Parameters",
    {
        "find": Literal["copies", "stories", "campaigns"],
        "method": Method,
        "features": Literal["words", "shingles", "spots", "lexicon", "learned"],
        "match": str,
        "threshold": float,
        "candidates": Method,
        "fold": bool,
        "k": int,
        "weights": str,
        "similarity": str,
        "idf": Sequence[float],
        "bands": int,
        "rows": int,
        "bits": int,
        "distance": int,
        "top_terms": int,
        "no_verify": bool,
        "random_lexicons": int,
        "drop": float,
        "require": int,
        "min_terms": int,
        "min_ratio": float,
        "expand_to": int,
        "secondary": int,
        "digest": str,
        "verify": str,
        "spots": "str | Sequence[str]",
        "language": str,
        "min_spots": int,
        "fallback": str,
        "seed": int,
        "content": Literal["main", "all"],
        "body": Literal["rendered", "fetched"],
        "antecedents": Sequence[str],
        "stop_words": Sequence[str],
        "lexicon": "Lexicon | str | os.PathLike[str]",
        "model": "Model | str | os.PathLike[str]",
    },
    total=False,
)
