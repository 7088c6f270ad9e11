"""A progress bar that appears only when somebody is waiting.

Engines take a ``callback(iteration, objective)``; :func:`bar` makes one that draws a bar on a
terminal once the work has lasted longer than ``delay`` seconds, and stays silent everywhere else.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

Callback = Callable[[int, float], None]


class _Bar:
    def __init__(self, title: str, total: int | None, delay: float, stream: TextIO) -> None:
        self.title, self.total, self.delay, self.stream = title, total, delay, stream
        self.visible = stream.isatty()
        self.started = time.monotonic()
        self.live: Any = None
        self.task: Any = None

    def __call__(self, iteration: int, objective: float) -> None:
        if not self.visible:
            return
        if self.live is None:
            if time.monotonic() - self.started < self.delay:
                return
            self._open()
        self.live.update(self.task, completed=iteration, objective=f"{objective:.6g}")

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        limit = "" if self.total is None else f" of at most {self.total}"
        self.live = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn(f"{{task.completed}}{limit}  {{task.fields[objective]}}"),
            TimeElapsedColumn(),
            console=Console(file=self.stream),
            transient=True,
        )
        self.live.start()
        self.task = self.live.add_task(self.title, total=self.total, objective="")

    def close(self) -> None:
        if self.live is not None:
            self.live.stop()


@contextmanager
def bar(
    title: str, total: int | None = None, *, delay: float = 2.0, stream: TextIO | None = None
) -> Iterator[Callback]:
    """Context manager that yields a callback drawing a progress bar.

    Parameters
    ----------
    title : str
        What is being computed.
    total : int, optional
        Largest number of iterations, if known.
    delay : float
        Seconds of silence before the bar appears.
    stream : text stream, optional
        Where to draw; the standard error stream by default. Nothing is drawn unless it is a
        terminal.

    Examples
    --------
    >>> with bar("LBFGS", total=100) as tick:
    ...     for i in range(100):
    ...         tick(i, 1.0 / (i + 1))
    """
    drawn = _Bar(title, total, delay, stream if stream is not None else sys.stderr)
    try:
        yield drawn
    finally:
        drawn.close()
