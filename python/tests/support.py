"""A small collection with near duplicates, the same in every run, and the command to compare with."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def make_rows(documents: int = 120, seed: int = 7) -> list[Row]:
    """Return documents of which about a third are edited copies of others."""
    chance = random.Random(seed)
    stop = [
        "the",
        "a",
        "an",
        "of",
        "in",
        "to",
        "and",
        "that",
        "is",
        "was",
        "for",
        "on",
        "with",
        "as",
        "at",
        "by",
    ]
    syllables = ["ba", "de", "ki", "lo", "mu", "na", "po", "ri", "su", "te"]
    words = stop * 6 + ["".join(chance.choices(syllables, k=3)) for _ in range(400)]
    rows: list[Row] = []
    for number in range(documents):
        if number % 3 == 2:
            origin = chance.choice(rows)
            said, cluster = origin["text"].split(), origin["cluster"]
            for _ in range(chance.choice([0, 1, 2, 6])):
                said[chance.randrange(len(said))] = chance.choice(words)
        else:
            said = [chance.choice(words) for _ in range(chance.randrange(40, 120))]
            cluster = number
        row = {"id": f"doc-{number}", "text": " ".join(said), "cluster": cluster}
        rows.append({**row, "n": chance.randrange(100)})
    rows[5]["text"] = ""
    return rows


def write_jsonl(path: Path, rows: list[Row]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def read_jsonl(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def command(*arguments: str) -> str:
    """Return what the command prints."""
    called = [sys.executable, "-m", "twinsift", *arguments]
    done = subprocess.run(called, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def flags(options: Row) -> list[str]:
    """Return keyword arguments as flags of the command."""
    said: list[str] = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is True:
            said.append(flag)
            continue
        values = value if isinstance(value, list) else [value]
        said += [
            f"{flag}={','.join(map(str, one)) if isinstance(one, tuple) else one}" for one in values
        ]
    return said
