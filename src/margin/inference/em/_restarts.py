"""The best of several searches."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple, TypeVar, cast

import numpy as np

from margin.core import FitError, Iterate, Solution, Status, Stop, check, iterate

P = TypeVar("P")


def best_start(climb: Callable[[P], Solution], starts: Iterable[P]) -> Solution:
    """The solution of the lowest objective among those that several starts lead to.

    Parameters
    ----------
    climb : callable
        From a start to a solution.
    starts : iterable
        At least one. A start that fails is passed over while another does not.

    Returns
    -------
    Solution
        The best one as it is; ``extras["bounds"]`` lists minus the objectives of all, NaN for a
        start that failed. After Ctrl-C no further start is tried.

    Raises
    ------
    FitError
        What the last start raised, when every one failed before its first state.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.core import Solution, Status
    >>> def climb(start):
    ...     return Solution(np.array([start]), Status.CONVERGED, 1, start**2)
    >>> solution = best_start(climb, [3.0, -1.0, 2.0])
    >>> solution.x, solution.extras["bounds"]
    (array([-1.]), array([-9., -1., -4.]))
    """
    rules = Stop("", None, np.iinfo(np.int64).max, unit="start", keep="last")
    # The same driver: Ctrl-C between two searches leaves the best of those before.
    searches = iterate(_searches(climb, starts), rules, solver="expectation_maximisation")
    best, bounds, stopped = cast(_Searches, searches.x)
    interrupted = searches.interrupted or stopped
    message = best.message
    if interrupted and not best.interrupted:
        message = rules.interrupted(len(bounds)) + (f"; {message}" if message else "")
    return replace(
        best,
        interrupted=interrupted,
        status=Status.MAX_ITER if interrupted and best.status.ok else best.status,
        message=message,
        extras={**best.extras, "bounds": np.array(bounds)},
    )


class _Searches(NamedTuple):
    best: Solution
    bounds: tuple[float, ...]
    interrupted: bool


def _searches(climb: Callable[[P], Solution], starts: Iterable[P]) -> Iterator[Iterate]:
    """The best so far after every start that led anywhere."""
    best: Solution | None = None
    bounds: tuple[float, ...] = ()
    error: FitError | None = None
    for start in starts:
        try:
            solution = climb(start)
        except FitError as event:
            error, bounds = event, (*bounds, np.nan)
            continue
        failed = solution.status is Status.FAILED
        bounds = (*bounds, np.nan if failed else -solution.objective)
        if best is None or _better(solution, best):
            best = solution
        yield Iterate(_Searches(best, bounds, solution.interrupted), 0.0, n_iter=len(bounds))
        if solution.interrupted:
            return
    if best is None:
        raise error or check.fail("expectation_maximisation", "starts", "at least one", "none")


def _better(one: Solution, other: Solution) -> bool:
    if (one.status is Status.FAILED) != (other.status is Status.FAILED):
        return other.status is Status.FAILED
    return one.objective < other.objective
