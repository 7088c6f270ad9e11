"""Several starts, the best kept."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from margin.core import Solution, Status, check


def best_of_restarts(
    solve: Callable[[np.random.Generator], Solution], n_restarts: int, *, seed: int = 0
) -> Solution:
    """Run a search from several random starts and keep the lowest objective (optim.23).

    Parameters
    ----------
    solve : callable
        ``solve(rng) -> Solution``: draws its start from the generator.
    n_restarts : int
        Number of runs, at least 1. Run ``r`` is the same whatever the number, so the best value
        never rises with it.
    seed : int
        Of all the generators.

    Returns
    -------
    Solution
        The best one; a run that failed counts only if all did, and after Ctrl-C no further one
        begins. ``trace["restart_objective"]`` has the objective of every run, and
        ``extras["restart"]`` says which was kept.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.optim import LBFGS, Function, minimise
    >>> wave = Function(lambda x: (float(np.sum(x**2 / 20 - np.cos(x))), x / 10 + np.sin(x)), 1)
    >>> solve = lambda rng: minimise(wave, LBFGS(), rng.uniform(-20, 20, size=1))
    >>> round(best_of_restarts(solve, 20).objective, 6)
    -1.0
    """
    if isinstance(n_restarts, bool) or int(n_restarts) != n_restarts or n_restarts < 1:
        raise check.fail("best_of_restarts", "n_restarts", "an integer of at least 1", n_restarts)
    best: Solution | None = None
    kept, values = 0, []
    for r in range(int(n_restarts)):
        solution = solve(np.random.default_rng((seed, r)))
        values.append(solution.objective)
        if best is None or _better(solution, best):
            best, kept = solution, r
        if solution.interrupted:
            break
    assert best is not None
    return replace(
        best,
        trace={**best.trace, "restart_objective": np.array(values)},
        extras={**best.extras, "restart": kept},
    )


def _better(one: Solution, other: Solution) -> bool:
    if (one.status is Status.FAILED) != (other.status is Status.FAILED):
        return other.status is Status.FAILED
    if np.isnan(other.objective):
        return not np.isnan(one.objective)
    return one.objective < other.objective
