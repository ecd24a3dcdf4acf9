"""Near-duplicate documents: texts, pages and mails that are the same to a reader.

>>> import twinsift
>>> texts = ["The council approved the bridge.", "the council approved the bridge"]
>>> twinsift.dedup(texts).kept
['The council approved the bridge.']
"""

from __future__ import annotations

from twinsift._comparison import Comparison, compare
from twinsift._index import Added, Index, IndexStats, Record
from twinsift._learning import (
    Evaluation,
    Judgement,
    evaluate,
    judge,
    signals,
    train_andd,
    train_detector,
    train_signals,
)
from twinsift._reading import Files, files
from twinsift._result import Report, Result
from twinsift._runs import clusters, dedup, pairs
from twinsift._tables.rows import Duplicate, Match, Member, Pair, Removed
from twinsift._twinsift import VERSION as __version__
from twinsift._twinsift import (
    ArrowArray,
    Extractor,
    Keys,
    Lexicon,
    Model,
    Recipe,
    Signature,
    Statistics,
    Verifier,
)
from twinsift.errors import (
    DamagedError,
    InputError,
    LockedError,
    TwinsiftError,
    TwinsiftWarning,
    UsageError,
)

__all__ = [
    "Added",
    "ArrowArray",
    "Comparison",
    "DamagedError",
    "Duplicate",
    "Evaluation",
    "Extractor",
    "Files",
    "Index",
    "IndexStats",
    "InputError",
    "Judgement",
    "Keys",
    "Lexicon",
    "LockedError",
    "Match",
    "Member",
    "Model",
    "Pair",
    "Recipe",
    "Record",
    "Removed",
    "Report",
    "Result",
    "Signature",
    "Statistics",
    "TwinsiftError",
    "TwinsiftWarning",
    "UsageError",
    "Verifier",
    "__version__",
    "clusters",
    "compare",
    "dedup",
    "evaluate",
    "files",
    "judge",
    "pairs",
    "signals",
    "train_andd",
    "train_detector",
    "train_signals",
]
