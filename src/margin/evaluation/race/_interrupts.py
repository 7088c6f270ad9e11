"""Ctrl-C during a race: remembered, and kept from the workers."""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from margin.evaluation.race._limit import OverTimeError, time_limit

T = TypeVar("T")

_INTERRUPTED = "the run was interrupted before it was done"
_NO_TIME = "the time budget was spent; a larger one has room for it"


class UntilInterrupted:
    """Does one piece of work after another; after Ctrl-C or the end of the time, none.

    Parameters
    ----------
    interrupted : bool
        Whether Ctrl-C was pressed before.
    ends : float
        Value of :func:`time.perf_counter` at which the work is stopped.

    Examples
    --------
    >>> optional = UntilInterrupted()
    >>> optional(lambda: 1 + 1), optional.interrupted
    (2, False)
    >>> late = UntilInterrupted(ends=0.0)
    >>> late(lambda: 1 + 1) is None, late.why
    (True, 'the time budget was spent; a larger one has room for it')
    """

    def __init__(self, interrupted: bool = False, ends: float = math.inf) -> None:
        self.interrupted = interrupted
        self.why = ""
        self._ends = ends

    def __call__(self, work: Callable[[], T]) -> T | None:
        """Result of the work, or ``None`` where it was not done or not finished.

        The reason is then in ``why``, which is empty after work that was finished.
        """
        self.why = ""
        left = self._ends - time.perf_counter()
        if self.interrupted or left <= 0:
            self.why = _INTERRUPTED if self.interrupted else _NO_TIME
            return None
        try:
            with time_limit(left):
                return work()
        except OverTimeError:
            self.why = _NO_TIME
            return None
        except KeyboardInterrupt:
            self.interrupted = True
            self.why = _INTERRUPTED
            return None


def ignore_interrupts() -> None:
    """Ignore Ctrl-C from now on, where signals can be handled at all."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Workers started meanwhile ignore Ctrl-C from their first instruction on."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is None:
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def watched_interrupts() -> Iterator[threading.Event]:
    """Remember Ctrl-C even when an engine catches it to return its best so far."""
    seen = threading.Event()
    default = signal.getsignal(signal.SIGINT)
    if (
        threading.current_thread() is not threading.main_thread()
        or default is not signal.default_int_handler
    ):
        yield seen
        return

    def note(number: int, frame: Any) -> None:
        seen.set()
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield seen
    finally:
        signal.signal(signal.SIGINT, default)
