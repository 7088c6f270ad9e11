"""A live table of the running comparison, on a terminal only."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.text import Text

from margin.cli import _screen


class LiveTable:
    """Listener of :func:`margin.evaluation.compare` that shows each model's folds and mean score.

    Parameters
    ----------
    console : Console
        Where to draw; nothing is drawn unless it is a terminal.
    budget : float
        Seconds the run may take, shown beside those used.
    show : callable, optional
        Shows the stated problem (columns, target, task) before the table is drawn.
    started : float, optional
        When the time began, as :func:`time.perf_counter` says it; now by default.
    """

    def __init__(
        self,
        console: Console,
        budget: float,
        show: Callable[[Any], None] | None = None,
        *,
        started: float | None = None,
    ) -> None:
        self.console, self.budget, self.show = console, budget, show
        self.scores: dict[str, list[float]] = {}
        self.n_folds = 0
        self.words = "looking at the data"
        self.started = time.perf_counter() if started is None else started
        self._live: Live | None = None

    def __enter__(self) -> LiveTable:
        return self

    def __exit__(self, *error: object) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def stated(self, problem: Any) -> None:
        """Show what is to be learned, then begin to draw."""
        if self.show is not None:
            self.show(problem)
        self._draw()

    def start(self, models: Any, n_folds: int) -> None:
        """Say which models run on how many folds."""
        self._draw()
        self.scores = {str(name): [] for name in models}
        self.n_folds = n_folds
        self.words = "cross-validating"

    def update(self, model: str, fold: int, score: float, seconds: float) -> None:
        """Take the score of one model on one fold."""
        self.scores.setdefault(model, []).append(score)

    def phase(self, words: str) -> None:
        """Say what is being done now."""
        self.words = words

    def finish(self) -> None:
        """Say that the comparison is over."""
        self.words = "finished"

    def _draw(self) -> None:
        """Begin to draw, on a terminal; what is printed before that stays above the table."""
        if self._live is None and self.console.is_terminal and not self.console.quiet:
            self._live = Live(
                console=self.console,
                get_renderable=self.render,
                transient=True,
                refresh_per_second=8,
            )
            self._live.start()

    def render(self) -> Group:
        """The table as it stands: best mean first, models without a score last."""
        rows = _screen.table(
            ("Model", {"no_wrap": True}),
            ("folds", {"justify": "right", "no_wrap": True}),
            ("", {"no_wrap": True}),
            ("score so far", {"justify": "right", "no_wrap": True}),
        )
        for name, scores in sorted(self.scores.items(), key=lambda item: -_mean(item[1])):
            done = ProgressBar(total=max(self.n_folds, 1), completed=len(scores), width=20)
            mean = _screen.number(_mean(scores)) if scores else ""
            rows.add_row(_screen.folded(name, 30), f"{len(scores)}/{self.n_folds}", done, mean)
        used = time.perf_counter() - self.started
        words = f"{self.words} · {used:.0f} of {self.budget:.0f} s · Ctrl-C: report what is done"
        return Group(rows, Text(words, "dim", no_wrap=True, overflow="ellipsis"))


def _mean(scores: list[float]) -> float:
    known = [score for score in scores if math.isfinite(score)]
    return sum(known) / len(known) if known else -math.inf
