"""README, guide and notebook do what they say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

PACKAGE = Path(__file__).resolve().parent.parent
ROOT = PACKAGE.parent


@pytest.mark.parametrize(
    "path, least",
    [(ROOT / "README.md", 1), (ROOT / "GUIDE.md", 10), (PACKAGE / "README.md", 2)],
    ids=lambda value: str(value.relative_to(ROOT)) if isinstance(value, Path) else str(value),
)
def test_examples_run(
    path: Path, least: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = path.read_text(encoding="utf-8")
    blocks = list(re.finditer(r"```python\n(.*?)```", text, re.DOTALL))
    assert len(blocks) >= least
    names: dict[str, object] = {}
    for block in blocks:
        # The lines of a traceback are those of the document.
        before = "\n" * text[: block.start(1)].count("\n")
        exec(compile(before + block[1], str(path), "exec"), names)


@pytest.mark.parametrize(
    "path", sorted((PACKAGE / "examples").glob("*.ipynb")), ids=lambda p: p.name
)
def test_notebooks_run(path: Path, tmp_path: Path) -> None:
    read: Any = nbformat.read
    notebook = read(path, as_version=4)
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=120, resources=resources).execute()
    shown = [
        output["data"]
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "execute_result"
    ]
    assert any("text/html" in data and "twinsift" in data["text/html"] for data in shown)
