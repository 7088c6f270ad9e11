"""A limit of time that holds inside Python, NumPy between its calls, and our compiled loops."""

from __future__ import annotations

import math
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# The alarm rings again until it is heard: one that rings inside a destructor is lost.
_AGAIN = 0.1
_SHORTEST = 1e-3


class OverTimeError(BaseException):
    """The limit of time is reached; no ``Exception``, so that no model takes it for a failure."""


def can_limit() -> bool:
    """Whether a limit can hold here: the main thread of a system with interval timers."""
    return hasattr(signal, "setitimer") and (threading.current_thread() is threading.main_thread())


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise :class:`OverTimeError` in the block once it has lasted that long.

    The alarm takes the way of Ctrl-C: our compiled loops ask for signals and end, other compiled
    code (a factorisation by BLAS) is stopped when it returns to Python. Where no limit can hold
    (:func:`can_limit`) the block runs without. Limits do not nest.

    Parameters
    ----------
    seconds : float
        From now on; infinity for no limit.

    Examples
    --------
    >>> with time_limit(60.0):
    ...     total = sum(range(10))
    >>> total
    45
    """
    if math.isinf(seconds) or not can_limit():
        yield
        return

    armed = [True]

    def ring(number: int, frame: Any) -> None:
        if armed:
            raise OverTimeError

    before = signal.signal(signal.SIGALRM, ring)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, max(seconds, _SHORTEST), _AGAIN)
            yield
        finally:
            armed.clear()
    finally:
        # Twice: the alarm may ring just before the first.
        armed.clear()
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before if before is not None else signal.SIG_DFL)
