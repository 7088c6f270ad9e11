"""The one loop under every iterative method."""

from collections.abc import Callable, Iterable

from margin.core.iteration._nesting import driving, finishing
from margin.core.iteration._run import Finish, Iterate, Run
from margin.core.iteration._solution import FitError, Solution, Status
from margin.core.iteration._stop import Stop
from margin.core.progress import Callback


def iterate(
    states: Iterable[Iterate],
    stop: Stop,
    *,
    solver: str = "",
    callback: Callback | None = None,
    finish: Finish | None = None,
) -> Solution:
    """Follow the states of a method until a rule ends the search.

    Parameters
    ----------
    states : iterable of Iterate
        The start, then the state after every iteration, usually from a generator: nothing is
        computed that is not asked for. One that ends before a rule does is stuck.
    stop : Stop
        The rules.
    solver : str
        Name for the report.
    callback : callable, optional
        Called as ``callback(iteration, objective)`` after every iteration.
    finish : callable, optional
        Completes the answer (a certificate that was not measured, arrays that were out of date)
        after the search, also after an interruption; the last row of the trace becomes its own.

    Returns
    -------
    Solution
        CONVERGED where the certificate of the answer holds, however the search ended. FAILED where
        objective or certificate are not finite, or the method raises :class:`FitError`. STALLED
        where the method is stuck, at rest, or an objective rose that never should. MAX_ITER where
        the iterations are used up, or after Ctrl-C. The answer is the iterate that ``stop.keep``
        names.

    Raises
    ------
    KeyboardInterrupt, FitError
        When they come before the first state: there is nothing to return.

    Notes
    -----
    A few microseconds per iteration.

    A search within a search keeps its best point on Ctrl-C like any other, and the searches around
    it, in the same thread, end at their next state; what they start before it ends at its first.

    Examples
    --------
    >>> def halving(x):
    ...     for n in range(100):
    ...         yield Iterate(x, x * x, abs(x), n)
    ...         x = x / 2
    >>> solution = iterate(halving(1.0), Stop("distance", 1e-3, 50))
    >>> solution.status.value, solution.n_iter, solution.certificate
    ('converged', 10, distance 0.000977 (tolerance 0.001))
    """
    run = Run(stop, callback)
    try:
        with driving(run):
            for state in states:
                if run.see(state):
                    break
            else:
                run.end(Status.STALLED, "")
    except (KeyboardInterrupt, FitError) as event:
        run.end_by(event)
    with finishing(run):
        return run.solution(solver, finish)


def watch(
    search: Callable[[Callable[[Iterate], None]], object],
    stop: Stop,
    *,
    solver: str = "",
    callback: Callback | None = None,
    finish: Finish | None = None,
) -> Solution:
    """Follow a search that cannot be written as an iterator, such as a foreign optimiser.

    Parameters
    ----------
    search : callable
        ``search(see)`` runs the whole method and calls ``see(state)`` at the start and after every
        iteration. The call does not return once a rule has ended the search.
    stop, solver, callback, finish
        As for :func:`iterate`.

    Returns
    -------
    Solution

    Examples
    --------
    >>> from scipy.optimize import minimize
    >>> def search(see):
    ...     seen = []
    ...     def step(intermediate_result):
    ...         seen.append(1)
    ...         slope = 2 * abs(intermediate_result.x[0])
    ...         see(Iterate(intermediate_result.x, intermediate_result.fun, slope, len(seen)))
    ...     minimize(lambda x: x[0] ** 2, [3.0], callback=step)
    >>> watch(search, Stop("slope", 1e-3, 50)).status.value
    'converged'
    """
    run = Run(stop, callback)

    def see(state: Iterate) -> None:
        if run.see(state):
            raise _EndedError(run)

    try:
        with driving(run):
            search(see)
            run.end(Status.STALLED, "")
    except (KeyboardInterrupt, FitError) as event:
        run.end_by(event)
    except _EndedError as event:
        if event.args[0] is not run:
            raise
    with finishing(run):
        return run.solution(solver, finish)


class _EndedError(Exception):
    """Unwinds a search that a rule has ended."""
