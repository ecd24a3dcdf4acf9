"""Near-duplicate documents: texts, pages and mails that are the same to a reader.

>>> import twinsift
>>> texts = ["The council approved the bridge.", "the council approved the bridge"]
>>> twinsift.dedup(texts).kept
['The council approved the bridge.']
"""

from __future__ import annotations

from twinsift._reading import Files, files
from twinsift._result import Report, Result
from twinsift._runs import clusters, dedup, pairs
from twinsift._tables.rows import Member, Pair, Removed
from twinsift._twinsift import VERSION as __version__
from twinsift._twinsift import Recipe
from twinsift.errors import InputError, TwinsiftError, TwinsiftWarning, UsageError

__all__ = [
    "Files",
    "InputError",
    "Member",
    "Pair",
    "Recipe",
    "Removed",
    "Report",
    "Result",
    "TwinsiftError",
    "TwinsiftWarning",
    "UsageError",
    "__version__",
    "clusters",
    "dedup",
    "files",
    "pairs",
]
