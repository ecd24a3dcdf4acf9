"""Results as HTML: a small table, and groups side by side with the differing words marked."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Optional

#: So many members of a group stand side by side.
SIDES = 3

#: So many words of a document are shown.
_WORDS = 120

_STYLE = """
.twinsift {font: 14px/1.45 system-ui, sans-serif; max-width: 72rem}
.twinsift table {border-collapse: collapse; margin: .5rem 0}
.twinsift th, .twinsift td {padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top}
.twinsift .method {color: #666}
.twinsift .group {display: grid; gap: 1rem; border-top: 1px solid #ddd; padding: .6rem 0}
.twinsift .id {font-weight: 600; overflow-wrap: anywhere}
.twinsift .text {white-space: pre-wrap; overflow-wrap: anywhere}
.twinsift mark {background: #ffe08a; color: inherit}
"""

Group = tuple[Sequence[str], Optional[Sequence[str]], int]


@dataclass(frozen=True)
class Shown:
    """What is shown of a result."""

    method: str
    recipe: str
    numbers: dict[str, int]
    #: Ids, texts where they are at hand, and the number of members.
    groups: Sequence[Group]


def fragment(shown: Shown) -> str:
    """Return a piece of HTML for a notebook."""
    rows = "".join(
        f"<tr><th>{escape(name)}</th><td>{number:,}</td></tr>"
        for name, number in shown.numbers.items()
    )
    groups = "".join(_group(*group) for group in shown.groups)
    return (
        f'<div class="twinsift"><style>{_STYLE}</style><table>{rows}</table>'
        f'<p class="method">{escape(shown.method)} (recipe {escape(shown.recipe)})</p>'
        f"{groups}</div>"
    )


def page(title: str, shown: Shown) -> str:
    """Return a whole page that needs nothing else."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(title)}</title></head><body>{fragment(shown)}</body></html>\n"
    )


def _group(ids: Sequence[str], texts: Sequence[str] | None, members: int) -> str:
    columns = "".join(
        f'<div><div class="id">{escape(id)}</div><div class="text">{text}</div></div>'
        for id, text in zip(ids, _marked(texts) if texts else [""] * len(ids))
    )
    more = f"<div>and {members - len(ids):,} more</div>" if members > len(ids) else ""
    style = f"grid-template-columns: repeat({len(ids)}, minmax(0, 1fr))"
    return f'<div class="group" style="{style}">{columns}{more}</div>'


def _marked(texts: Sequence[str]) -> list[str]:
    """Return texts as HTML, with the words marked in which others differ from the first."""
    words = [re.findall(r"\w+|\s+|[^\w\s]+", text)[: 2 * _WORDS] for text in texts]
    return [_beside(words[0], own) if n else _beside(words[-1], own) for n, own in enumerate(words)]


def _beside(other: Sequence[str], own: Sequence[str]) -> str:
    match = difflib.SequenceMatcher(
        None, [word.lower() for word in other], [word.lower() for word in own], autojunk=False
    )
    out: list[str] = []
    for kind, _, _, start, end in match.get_opcodes():
        piece = escape("".join(own[start:end]))
        out.append(piece if kind == "equal" or not piece.strip() else f"<mark>{piece}</mark>")
    return "".join(out)
