"""Progress, by tqdm's conventions: a bar on a terminal or in a notebook, else nothing."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Optional

if TYPE_CHECKING:
    from typing_extensions import Self

Tick = Callable[[str, int, Optional[int]], None]


def in_notebook() -> bool:
    """Whether this runs in a Jupyter notebook."""
    ipython = sys.modules.get("IPython")
    if ipython is None:
        return False
    shell: Any = ipython.get_ipython()
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


def is_wanted(progress: bool | None) -> bool:
    """Whether progress is shown; `None` leaves that to where this runs."""
    if progress is not None:
        return progress
    return in_notebook() or (sys.stderr is not None and sys.stderr.isatty())


class Bar:
    """A bar for each stage of a run, while the `with` block lasts."""

    def __init__(self, progress: bool | None) -> None:
        self._make: Any = None
        self._bar: Any = None
        self._stage = ""
        if is_wanted(progress):
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            self._make = tqdm

    @property
    def tick(self) -> Tick | None:
        """What to call with a stage, the steps that are done, and their number."""
        return None if self._make is None else self._show

    def _show(self, stage: str, done: int, total: int | None) -> None:
        if stage != self._stage:
            self._close()
            self._stage = stage
            self._bar = self._make(total=total, desc=stage, unit=" documents", leave=False)
        bar = self._bar
        if total is not None and bar.total != total:
            bar.total = total
        bar.update(max(0, done - bar.n))

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()
