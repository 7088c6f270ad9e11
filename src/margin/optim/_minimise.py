"""The driver of solvers that make one step at a time."""

from collections.abc import Iterator

import numpy as np

from margin.core import Iterate, Solution, Stop, iterate
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.optim._problem import Problem
from margin.optim._solver import Solver

_STALL_STEPS = 5


def minimise(
    problem: Problem,
    solver: Solver,
    x0: Floats | None = None,
    *,
    callback: Callback | None = None,
    trace: bool = False,
) -> Solution:
    """Run a solver on a problem until the gradient vanishes or there is a reason to stop.

    Parameters
    ----------
    problem : Problem
    solver : Solver
        Must not require more than the problem provides: refused before any work.
    x0 : ndarray of shape (d,), optional
        Start; zeros by default.
    callback : callable, optional
        Called as ``callback(iteration, objective)`` after every step.
    trace : bool
        Also keep the iterates, as ``trace["x"]``, for plots of trajectories.

    Returns
    -------
    Solution
        The best point seen, also after Ctrl-C. The certificate is the largest entry of the
        gradient, measured at that point.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.optim import LBFGS, Function
    >>> solution = minimise(Function(lambda x: (float(x @ x), 2 * x), 3), LBFGS(), np.ones(3))
    >>> solution.status.value, solution.certificate.kind
    ('converged', 'gradient norm')
    """
    lacking = solver.requires - problem.provides
    if lacking:
        raise ValueError(
            f"{type(solver).__name__}: problem must provide {', '.join(sorted(lacking))}, "
            f"got {type(problem).__name__} with "
            f"{', '.join(sorted(problem.provides)) or 'nothing'}"
        )
    x = np.zeros(problem.dimension) if x0 is None else np.array(x0, dtype=np.float64)
    if x.shape != (problem.dimension,):
        raise ValueError(f"minimise: x0 must have shape ({problem.dimension},), got {x.shape}")

    columns = ("gradient_norm", "step_length") + (("x",) if trace else ())
    stop = Stop("gradient norm", solver.tol, solver.max_iter, columns=columns, rest=_STALL_STEPS)
    states = _states(problem, solver, x, trace)
    return iterate(states, stop, solver=type(solver).__name__, callback=callback)


def _states(problem: Problem, solver: Solver, x: Floats, trace: bool) -> Iterator[Iterate]:
    """The start and what every step leads to."""
    state, n_iter = solver.init(problem, x), 0
    while True:
        local = state.local
        norm = float(np.abs(local.gradient).max(initial=0.0))
        seen = (norm, state.step_length, state.x.copy()) if trace else (norm, state.step_length)
        yield Iterate(
            state.x, local.value, norm, n_iter, seen, stuck=state.stuck, repairs=state.repairs
        )
        state = solver.step(problem, state)
        n_iter += not state.stuck
