"""The one loop that runs every solver."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from margin.core import Certificate, FitError, Solution, Status
from margin.core.progress import Callback
from margin.optim._problem import Problem
from margin.optim._solver import Solver, State

Floats = NDArray[np.float64]

_STALL_STEPS = 5
_EPS = float(np.finfo(np.float64).eps)


@dataclass
class _Trace:
    objective: list[float] = field(default_factory=list)
    gradient_norm: list[float] = field(default_factory=list)
    step_length: list[float] = field(default_factory=list)
    x: list[Floats] | None = None

    def add(self, state: State) -> None:
        self.objective.append(state.local.value)
        self.gradient_norm.append(_norm(state))
        self.step_length.append(state.step_length)
        if self.x is not None:
            self.x.append(state.x.copy())

    def arrays(self) -> dict[str, Floats]:
        columns = ("objective", "gradient_norm", "step_length")
        found = {name: np.array(getattr(self, name)) for name in columns}
        if self.x is not None:
            found["x"] = np.array(self.x)
        return found


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

    record = _Trace(x=[] if trace else None)
    state = solver.init(problem, x)
    record.add(state)
    best, n_iter = state, 0
    status, message = _judge(solver, state, record, n_iter)
    while status is None:
        try:
            state = solver.step(problem, state)
            if not state.stuck:
                n_iter += 1
                record.add(state)
                if callback is not None:
                    callback(n_iter, state.local.value)
        except KeyboardInterrupt:
            status, message = Status.MAX_ITER, f"interrupted after {n_iter} iterations"
            best = state if _better(state, best) else best
            break
        except FitError as error:
            status, message = Status.FAILED, str(error)
            break
        if _better(state, best):
            best = state
        status, message = _judge(solver, state, record, n_iter)
    if status is Status.CONVERGED:
        best = state
    return Solution(
        x=best.x,
        status=status,
        n_iter=n_iter,
        objective=best.local.value,
        trace=record.arrays(),
        certificate=Certificate("gradient norm", _norm(best), solver.tol),
        solver=type(solver).__name__,
        message=message,
        repairs=tuple(dict.fromkeys(state.repairs)),
    )


def _judge(solver: Solver, state: State, record: _Trace, n_iter: int) -> tuple[Status | None, str]:
    norm = _norm(state)
    if not (np.isfinite(state.local.value) and np.isfinite(norm)):
        return Status.FAILED, (
            f"the objective became {state.local.value} with gradient norm {norm} "
            f"at iteration {n_iter}"
        )
    if norm <= solver.tol:
        return Status.CONVERGED, ""
    if state.stuck or _at_rest(record):
        why = state.stuck or "objective and gradient no longer change"
        return Status.STALLED, (
            f"no progress at machine precision after {n_iter} iterations ({why}): gradient norm "
            f"{norm:.3g} above tol={solver.tol:g}; scale the features or raise tol"
        )
    if n_iter >= solver.max_iter:
        return Status.MAX_ITER, (
            f"stopped after max_iter={solver.max_iter} iterations with gradient norm {norm:.3g} "
            f"above tol={solver.tol:g}; raise max_iter, scale the features, or raise tol"
        )
    return None, ""


def _at_rest(record: _Trace) -> bool:
    """Whether neither objective nor gradient has become smaller over the last steps."""
    recent = record.objective[-_STALL_STEPS - 1 :]
    if len(recent) <= _STALL_STEPS:
        return False
    if max(recent) - min(recent) > 2 * _EPS * max(abs(recent[-1]), 1e-300):
        return False
    norms = record.gradient_norm
    return min(norms[-_STALL_STEPS:]) >= min(norms[:-_STALL_STEPS])


def _better(state: State, best: State) -> bool:
    return np.isfinite(state.local.value) and state.local.value <= best.local.value


def _norm(state: State) -> float:
    return float(np.abs(state.local.gradient).max(initial=0.0))
