"""Searches within searches: Ctrl-C in one ends all around it.

The innermost search takes the signal, keeps its best point and returns it as an answer. Whoever
asked for that answer would carry on as if nothing had happened, so the driver itself knows which
searches are under way in a thread, one within another, and asks all of them to end.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from margin.core.iteration._run import Run


class _Threads(threading.local):
    """The searches under way in this thread, the innermost last."""

    def __init__(self) -> None:
        self.runs: list[Run | None] = []


_UNDER_WAY = _Threads()


@contextmanager
def driving(run: Run) -> Iterator[None]:
    """Have a search under way; one that starts within a search that shall end does so too."""
    runs = _UNDER_WAY.runs
    around = runs[-1] if runs else None
    if around is not None and around.asked_to_end:
        run.ask_to_end()
    runs.append(run)
    try:
        yield
    finally:
        runs.pop()


@contextmanager
def finishing(run: Run) -> Iterator[None]:
    """Tell the searches around an interrupted one; completing its answer is no part of them."""
    runs = _UNDER_WAY.runs
    if run.interrupted:
        for around in runs:
            if around is not None:
                around.ask_to_end()
    runs.append(None)
    try:
        yield
    finally:
        runs.pop()
