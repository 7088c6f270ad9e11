"""The driver of solvers that make one step at a time."""

from collections.abc import Iterator

import numpy as np

from margin.core import Iterate, Solution, Stop, check, iterate
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.optim._problem import Problem
from margin.optim._solver import DirectSolver, Solver, accept, starting_point, stated

_STALL_STEPS = 5


def minimise(
    problem: Problem,
    solver: Solver | DirectSolver | None = None,
    x0: Floats | None = None,
    *,
    callback: Callback | None = None,
    trace: bool = False,
) -> Solution:
    """Run a solver on a problem until the gradient vanishes or there is a reason to stop.

    Parameters
    ----------
    problem : Problem
    solver : Solver or DirectSolver
        How, for instance ``optim.LBFGS()``. Must not require more than the problem provides:
        refused before any work.
    x0 : ndarray of shape (d,), optional
        Start; zeros by default.
    callback : callable, optional
        Called as ``callback(iteration, objective)`` after every step.
    trace : bool
        Also keep the iterates, as ``trace["x"]``, for plots of trajectories.

    Returns
    -------
    Solution
        The best point seen, also after Ctrl-C. The certificate of a :class:`Solver` is the largest
        entry of the gradient, measured at that point, unless the solver says otherwise (see
        ``kind``); a :class:`DirectSolver` has its own.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.optim import LBFGS, Function
    >>> solution = minimise(Function(lambda x: (float(x @ x), 2 * x), 3), LBFGS(), np.ones(3))
    >>> solution.status.value, solution.certificate.kind
    ('converged', 'gradient norm')
    """
    stated(problem)
    if isinstance(solver, DirectSolver):
        return solver.run(accept(solver, problem), x0, callback=callback, trace=trace)
    if not isinstance(solver, Solver):
        raise check.fail("minimise", "solver", "a Solver such as optim.LBFGS()", solver)
    x = starting_point("minimise", accept(solver, problem), x0)
    columns = ("gradient_norm", "step_length") + (("x",) if trace else ())
    stop = Stop(solver.kind, solver.tol, solver.max_iter, columns=columns, rest=_STALL_STEPS)
    states = _states(problem, solver, x, trace)
    return iterate(states, stop, solver=type(solver).__name__, callback=callback)


def _states(problem: Problem, solver: Solver, x: Floats, trace: bool) -> Iterator[Iterate]:
    """The start and what every step leads to."""
    state, n_iter = solver.init(problem, x), 0
    while True:
        local = state.local
        norm = float(np.maximum.reduce(np.abs(local.gradient), initial=0.0))
        seen = (norm, state.step_length, state.x.copy()) if trace else (norm, state.step_length)
        proof = solver.measured(state, norm)
        yield Iterate(
            state.x, local.value, proof, n_iter, seen, stuck=state.stuck, repairs=state.repairs
        )
        state = solver.step(problem, state)
        n_iter += not state.stuck
