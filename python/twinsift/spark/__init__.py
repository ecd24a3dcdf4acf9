"""Near duplicates in Spark: exact, balanced, and the same answers as on one machine.

```
import twinsift.spark

pairs = twinsift.spark.pairs(frame)            # a, b, score
groups = twinsift.spark.clusters(frame)        # id, cluster, size, representative, score
clean = twinsift.spark.dedup(frame)            # the rows that stay
with twinsift.spark.match(frame) as found:     # several answers of one join
    found.removed()                            # id, duplicate_of, score
    print(found.report)
```

Documents are rows with a column that names them (`id`, `doc_id` or `url`, or `id=`) and one with their
text (`text`, `content`, `body`, `article` or `html`, or `text=`). Of two documents the one with the lower
id comes first, unless `order=` names a column that says so.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from pyspark.sql import DataFrame

from twinsift._reading import Column
from twinsift._runs import keep_rule, recipe_of
from twinsift._twinsift import VERSION, Recipe, check_distributed
from twinsift.errors import UsageError
from twinsift.spark._estimate import Estimate, drawn
from twinsift.spark._estimate import estimate as _estimate
from twinsift.spark._input import Documents, documents, refuse_other_types
from twinsift.spark._join import JoinRun
from twinsift.spark._matches import Matches
from twinsift.spark._report import Report
from twinsift.spark._stages import Stages

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from twinsift._parameters import Parameters

    class Options(Parameters, total=False):
        """Keyword arguments of every call besides its own, and those of `Recipe`."""

        text: Column
        id: str | None
        html: Column
        title: Column
        subject: Column
        url: Column
        rendered: Column
        order: str | None
        tasks: int | None
        checkpoint: str | None
        progress: bool | None


__all__ = [
    "Estimate",
    "Matches",
    "Report",
    "against",
    "clusters",
    "dedup",
    "estimate",
    "match",
    "pairs",
]

_COLUMNS = ("text", "id", "html", "title", "subject", "url", "rendered")


def match(
    frame: DataFrame,
    recipe: Recipe | None = None,
    *,
    against: DataFrame | None = None,
    keep: str = "first",
    **options: Unpack[Options],
) -> Matches:
    """Find the near duplicates of a DataFrame, for several answers of one join.

    With `against`, only pairs of a row of `frame` and a row of that DataFrame count. `keep` says which
    of several near duplicates stays: "first", "longest", "max:COLUMN" or "min:COLUMN".

    `tasks` is how many tasks share the work, at least: by default twice as many as Spark runs at a
    time. `checkpoint` names a folder in which the result of each stage is kept, so that the same call
    goes on where another one was stopped. `progress` prints a line for each stage.
    """
    call = _Call(frame, recipe, against, keep, dict(options))
    stages = call.stages(call.checkpoint)
    run = call.run(stages, call.new)
    joined = run.run()
    stages.release_all_but(("edges", "members"))
    return Matches(joined, stages, call.new, call.old, run.task_count)


class _Call:
    """The arguments of a call, checked."""

    def __init__(
        self,
        frame: DataFrame,
        recipe: Recipe | None,
        against: DataFrame | None,
        keep: str,
        said: dict[str, Any],
    ) -> None:
        columns = {name: said.pop(name) for name in _COLUMNS if name in said}
        order, self._tasks = said.pop("order", None), said.pop("tasks", None)
        if self._tasks is not None and (not isinstance(self._tasks, int) or self._tasks < 1):
            raise UsageError("tasks= must be at least 1")
        self.checkpoint, self._progress = said.pop("checkpoint", None), said.pop("progress", None)
        self._keep = keep
        self._rule, rank = keep_rule(keep)
        self._recipe = recipe_of(recipe, said)
        check_distributed(self._recipe)
        self.new = documents(frame, "the DataFrame", order, rank, columns)
        self.old: Documents | None = None
        if against is not None:
            self.old = documents(against, "the old DataFrame", order, None, columns)
            refuse_other_types(self.new, self.old)

    def stages(self, checkpoint: str | None) -> Stages:
        """Return where the results of stages are kept."""
        sources = [self.new] if self.old is None else [self.new, self.old]
        described = {
            "twinsift": VERSION,
            "recipe": self._recipe.id,
            "keep": self._keep,
            "columns": [source.read for source in sources],
            "order": [source.order for source in sources],
            "files": [sorted(source.frame.inputFiles()) for source in sources],
        }
        return Stages(self.new.frame.sparkSession, checkpoint, described, self._progress)

    def run(self, stages: Stages, new: Documents) -> JoinRun:
        """Return a join of these documents with the old ones, if there are any."""
        spark = new.frame.sparkSession
        return JoinRun(spark, self._recipe, stages, new, self.old, self._rule, self._tasks)


def pairs(
    frame: DataFrame,
    recipe: Recipe | None = None,
    *,
    against: DataFrame | None = None,
    **options: Unpack[Options],
) -> DataFrame:
    """Find every near-duplicate pair once: `a`, `b`, `score`."""
    found = match(frame, recipe, against=against, **options)
    answer = found.pairs()
    found.release_join()
    return answer


def clusters(
    frame: DataFrame,
    recipe: Recipe | None = None,
    *,
    against: DataFrame | None = None,
    group: Literal["representative", "connected"] = "representative",
    **options: Unpack[Options],
) -> DataFrame:
    """Find groups of near duplicates: a row for each document that is not alone.

    See `Matches.clusters` for its columns, and for `group`.
    """
    found = match(frame, recipe, against=against, **options)
    answer = found.clusters(group)
    found.release_join()
    return answer


def dedup(
    frame: DataFrame,
    recipe: Recipe | None = None,
    *,
    against: DataFrame | None = None,
    keep: str = "first",
    **options: Unpack[Options],
) -> DataFrame:
    """Return the rows that stay when near duplicates are removed, with all their columns.

    `match(...).removed()` lists the others, each with the one that is kept for it.
    """
    found = match(frame, recipe, against=against, keep=keep, **options)
    kept = found.kept()
    found.release_join()
    return kept


def against(
    new: DataFrame,
    old: DataFrame,
    recipe: Recipe | None = None,
    **options: Unpack[Options],
) -> DataFrame:
    """Find every near-duplicate pair of a new and an old document: `a` is new, `b` is old, `score`."""
    return pairs(new, recipe, against=old, **options)


def estimate(
    frame: DataFrame,
    recipe: Recipe | None = None,
    *,
    sample: int = 20_000,
    **options: Unpack[Options],
) -> Estimate:
    """Estimate what a run would compare, move and hold, from a sample of about so many documents."""
    call = _Call(frame, recipe, None, "first", dict(options))
    read = [name for name in call.new.read if name != call.new.id]
    some, all_documents = drawn(frame, read, sample)
    stages = call.stages(None)
    try:
        return _estimate(call.run(stages, replace(call.new, frame=some)), all_documents)
    finally:
        stages.release_all_but(())
