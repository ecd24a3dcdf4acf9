"""Chosen work on chosen tasks.

`DataFrame.repartition(n, column)` sends a row to the task that a hash of the column names. To send
rows where they are wanted, the column must hold values whose hashes are known: this module finds
them, by the hash function that Spark uses for numbers of 64 bits.
"""

from __future__ import annotations

from functools import lru_cache

_MASK = 0xFFFF_FFFF
_SEED = 42


def spark_hash(value: int) -> int:
    """Return what Spark's `hash` gives for a long, as a signed number of 32 bits.

    >>> spark_hash(1)
    -1712319331
    """
    low, high = value & _MASK, (value >> 32) & _MASK
    state = _finish(_round(_round(_SEED, low), high), 8)
    return state - (1 << 32) if state >> 31 else state


@lru_cache(maxsize=16)
def _keys(tasks: int) -> tuple[int, ...]:
    found: dict[int, int] = {}
    value = 0
    while len(found) < tasks:
        found.setdefault(spark_hash(value) % tasks, value)
        value += 1
    return tuple(found[task] for task in range(tasks))


def placement_keys(tasks: int) -> list[int]:
    """Return a long for each task that `repartition(tasks, column)` sends to it.

    >>> keys = placement_keys(3)
    >>> [spark_hash(key) % 3 for key in keys]
    [0, 1, 2]
    """
    if tasks < 1:
        raise ValueError(f"{tasks} tasks are too few: at least one is needed")
    return list(_keys(tasks))


def _rotated(value: int, bits: int) -> int:
    return ((value << bits) | (value >> (32 - bits))) & _MASK


def _round(state: int, word: int) -> int:
    word = _rotated((word * 0xCC9E2D51) & _MASK, 15)
    state = _rotated(state ^ ((word * 0x1B873593) & _MASK), 13)
    return (state * 5 + 0xE6546B64) & _MASK


def _finish(state: int, length: int) -> int:
    state ^= length
    state = ((state ^ (state >> 16)) * 0x85EBCA6B) & _MASK
    state = ((state ^ (state >> 13)) * 0xC2B2AE35) & _MASK
    return state ^ (state >> 16)
