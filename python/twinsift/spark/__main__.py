"""Prints the path of the job for `spark-submit`."""

from __future__ import annotations

from pathlib import Path

print(Path(__file__).with_name("submit.py"))
