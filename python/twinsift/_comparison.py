"""Why two documents are, or are not, near duplicates."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any, Union

from twinsift import _twinsift
from twinsift._command import job
from twinsift._reading import Column, reading
from twinsift._twinsift import Recipe, Source, Statistics
from twinsift.errors import UsageError

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from twinsift._parameters import Parameters

#: A text, or a dict with one.
Document = Union[str, Mapping[str, Any]]


class Comparison:
    """What two documents have in common, and the verdict of a recipe."""

    def __init__(self, told: dict[str, Any]) -> None:
        self._told = told

    @property
    def near_duplicates(self) -> bool:
        """Whether the recipe takes them for near duplicates."""
        verdict: bool = self._told["near_duplicates"]
        return verdict

    @property
    def score(self) -> float | None:
        """The recipe's own score; `None` if a document has nothing to be compared by."""
        score: float | None = self._told["score"]
        return score

    @property
    def similarities(self) -> dict[str, float]:
        """Every similarity that applies, by name."""
        return {row["name"]: row["value"] for row in self._told["similarities"]}

    @property
    def shared(self) -> list[str]:
        """The features that both have."""
        return list(self._told["shared"])

    @property
    def only_a(self) -> list[str]:
        """The features that only the first has."""
        return list(self._told["only_a"])

    @property
    def only_b(self) -> list[str]:
        """The features that only the second has."""
        return list(self._told["only_b"])

    def to_dict(self) -> dict[str, Any]:
        """Return everything, as `twinsift compare --json` prints it."""
        return dict(self._told)

    def __repr__(self) -> str:
        verdict = "near duplicates" if self.near_duplicates else "not near duplicates"
        score = "" if self.score is None else f", score {self.score:.4f}"
        return f"<twinsift.Comparison: {verdict}{score}, by {self._told['method']}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(name)}</td><td>{value:.4f}</td></tr>"
            for name, value in self.similarities.items()
        )
        lists = "".join(
            f"<p><b>{title}</b> ({len(features):,}): "
            f"{escape(' · '.join(features[:8]))}{' …' if len(features) > 8 else ''}</p>"
            for title, features in (
                ("in both", self.shared),
                ("only in a", self.only_a),
                ("only in b", self.only_b),
            )
        )
        return f"<div><p>{escape(repr(self))}</p><table>{rows}</table>{lists}</div>"


def compare(
    a: Document,
    b: Document,
    *,
    recipe: Recipe | None = None,
    statistics: Statistics | None = None,
    text: Column = None,
    id: Column = None,
    html: Column = None,
    **parameters: Unpack[Parameters],
) -> Comparison:
    """Explain why two documents are, or are not, near duplicates.

    >>> import twinsift
    >>> found = twinsift.compare("one two three four five six", "one two three four five seven")
    >>> found
    <twinsift.Comparison: not near duplicates, score 0.3333, by shingles: word 5-grams, exact join, Jaccard ≥ 0.8>
    >>> found.shared
    ['one two three four five']

    A document is a text, or a dict with the fields of a row. Recipes that go by how common
    features are take the `statistics` of a collection; without, the two documents say it.
    """
    if recipe is not None and parameters:
        name = next(iter(parameters))
        raise UsageError(f"{name}= and recipe= are both given: put {name}= into the recipe")
    recipe = Recipe(**parameters) if recipe is None else recipe
    how = reading(text=text, id=id, html=html)
    rows = [_row(a, "a", how), _row(b, "b", how)]
    if recipe.method == "signals":
        return _by_signals(rows, recipe, how)
    return Comparison(
        json.loads(_twinsift.compare(Source.rows(rows, how, None), recipe, statistics))
    )


def _row(document: Any, name: str, how: dict[str, Any]) -> dict[str, Any]:
    """Return a document as a row with a name."""
    if isinstance(document, str):
        return {how["id"] or "id": name, how["text"] or how["html"] or "text": document}
    if isinstance(document, Mapping):
        return {"id": name, **document} if how["id"] is None else dict(document)
    kind = type(document).__name__
    raise UsageError(f"{name} is of the type {kind}: a text or a dict is wanted")


def _by_signals(rows: list[dict[str, Any]], recipe: Recipe, how: dict[str, Any]) -> Comparison:
    """Compare by a classifier, which looks at pages: the command does that."""
    model = recipe.__reduce__()[1][2]
    with job() as run:
        documents = run.documents(rows, how, None)
        ids = [str(row[how["id"] or "id"]) for row in rows]
        flags = run.flags({"method": "signals", "model": model, "threshold": recipe.threshold})
        told = run.call("compare", *ids, "--in", *documents, *flags, "--json", "--quiet")
    return Comparison(json.loads(told))
