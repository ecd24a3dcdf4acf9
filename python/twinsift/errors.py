"""Exceptions and warnings of twinsift. Each is one sentence that says what to do."""

from __future__ import annotations


class TwinsiftError(Exception):
    """Something went wrong: a full disk, say. All errors of twinsift are of this class."""


class UsageError(TwinsiftError, ValueError):
    """Arguments that make no sense; the sentence names them."""


class InputError(TwinsiftError, ValueError):
    """Documents, a lexicon or a model that cannot be used."""


class LockedError(TwinsiftError):
    """An index that is open for writing elsewhere."""


class DamagedError(TwinsiftError):
    """An index whose bytes are not those that were written."""


class TwinsiftWarning(UserWarning):
    """Something that is worth a look, such as broken records that were skipped."""
