"""Messages that are repeated until they settle, under the one driver."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from margin.core import Iterate, Solution, Stop, iterate

KIND = "largest change of a log message"


def settled(rounds: Iterable[tuple[float, Any]], start: Any, tol: float, max_iter: int) -> Solution:
    """Follow rounds of messages until none changes by more than ``tol``.

    Parameters
    ----------
    rounds : iterable of (float, Any)
        Largest change in a round, and the messages after it, which nobody writes on any more.
    start : Any
        Messages before the first round.
    tol : float
    max_iter : int
        Most rounds.

    Returns
    -------
    Solution
        ``x`` are the messages; ``trace["change"]`` has the changes, NaN for the start. After Ctrl-C
        the messages are those of the last whole round.

    Examples
    --------
    >>> solution = settled(((0.5**n, n) for n in range(1, 99)), 0, 0.1, 50)
    >>> solution.x, solution.n_iter, solution.certificate.value
    (4, 4, 0.0625)
    """
    rules = Stop(
        KIND,
        tol,
        max_iter,
        unit="round",
        keep="last",
        columns=("change",),
        advice=("raise damping", "raise tol"),
    )
    return iterate(_states(rounds, start), rules, solver="message passing")


def _states(rounds: Iterable[tuple[float, Any]], start: Any) -> Iterator[Iterate]:
    yield Iterate(start, 0.0, trace=(np.nan,))
    for n_iter, (change, messages) in enumerate(rounds, start=1):
        # An entry that has become impossible changed by infinity, which measures nothing.
        measured = change if np.isfinite(change) else None
        yield Iterate(messages, 0.0, measured, n_iter, trace=(change,))
