"""Proximal gradient descent, plain and accelerated."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.optim._problem import Expansion, Problem
from margin.optim._solver import Solver, State

_SHRINK, _GROW, _SHORTEST = 0.5, 1.2, 1e-30
_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class ProximalGradient(Solver):
    r"""Steps :math:`x \leftarrow \mathrm{prox}_{tJ}(x - t \nabla f(x))` on :math:`f + J`.

    The length :math:`t` is halved until the quadratic bound :math:`f(x^+) \le f(x) + \nabla
    f(x)^\top d + \tfrac1{2t} \|d\|^2` holds for the step :math:`d`, and grows a little after every
    step. Without kinks it is gradient descent, for the lasso iterative soft thresholding.

    Parameters
    ----------
    tol : float
        Largest entry of the least subgradient that counts as zero.
    max_iter : int
        Most steps to make.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.losses import Squared
    >>> from margin.optim import LinearProblem, minimise
    >>> from margin.penalties import L1
    >>> X, y = np.eye(2), np.array([3.0, 0.5])
    >>> problem = LinearProblem(X, y, None, Squared(), L1(1.0), intercept=False)
    >>> minimise(problem, ProximalGradient()).x.round(5)
    array([2., 0.])
    """

    tol: float = 1e-6
    max_iter: int = 10_000
    requires: ClassVar[frozenset[str]] = frozenset({"prox"})

    def __post_init__(self) -> None:
        check.params(self, positive="tol", count="max_iter")

    def init(self, problem: Problem, x: Floats) -> State:
        local = problem.expand(x)
        return State(x, local, step_length=_first_length(problem, x, local))

    def step(self, problem: Problem, state: State) -> State:
        taken = _proximal_step(problem, state.x, state.local, state.step_length)
        if taken is None or not _no_higher(taken[1], state.local):
            return replace(state, stuck="no proximal step lowers the objective")
        x, local, length = taken
        return replace(state, x=x, local=local, step_length=_GROW * length)


@dataclass(frozen=True)
class _Momentum:
    """Where the next step starts, the objective there, and how far momentum has built up."""

    x: Floats
    local: Expansion
    t: float = 1.0


@dataclass(frozen=True)
class FISTA(Solver):
    r"""Proximal gradient steps from an extrapolated point, with restarts.

    The step starts at :math:`x_k + \frac{t_{k-1} - 1}{t_k} (x_k - x_{k-1})` with
    :math:`t_k = \tfrac12 (1 + \sqrt{1 + 4 t_{k-1}^2})`. The excess objective falls as
    :math:`1/k^2` and, because momentum is dropped whenever it points uphill, linearly on strongly
    convex problems without their constant being known; the objective never rises.

    Parameters
    ----------
    tol : float
        Largest entry of the least subgradient that counts as zero.
    max_iter : int
        Most steps to make.

    References
    ----------
    Beck, Teboulle, "A fast iterative shrinkage-thresholding algorithm", SIAM J. Imaging Sci. 2009.
    O'Donoghue, Candès, "Adaptive restart for accelerated gradient schemes", 2015.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.optim import Function, minimise
    >>> A = np.diag([1.0, 1000.0])
    >>> bowl = Function(lambda x: (0.5 * x @ A @ x, A @ x), 2)
    >>> plain = minimise(bowl, ProximalGradient(), np.ones(2)).n_iter
    >>> minimise(bowl, FISTA(), np.ones(2)).n_iter < plain
    True
    """

    tol: float = 1e-6
    max_iter: int = 10_000
    requires: ClassVar[frozenset[str]] = frozenset({"prox"})

    def __post_init__(self) -> None:
        check.params(self, positive="tol", count="max_iter")

    def init(self, problem: Problem, x: Floats) -> State:
        local = problem.expand(x)
        return State(x, local, _Momentum(x, local), _first_length(problem, x, local))

    def step(self, problem: Problem, state: State) -> State:
        start: _Momentum = state.memory
        taken = _proximal_step(problem, start.x, start.local, state.step_length)
        if start.x is not state.x and (taken is None or not _no_higher(taken[1], state.local)):
            start = _Momentum(state.x, state.local)
            taken = _proximal_step(problem, state.x, state.local, state.step_length)
        if taken is None or not _no_higher(taken[1], state.local):
            return replace(state, stuck="no proximal step lowers the objective")
        x, local, length = taken
        return replace(
            state,
            x=x,
            local=local,
            memory=_ahead(problem, start, state.x, x, local),
            step_length=_GROW * length,
        )


def _ahead(
    problem: Problem, start: _Momentum, before: Floats, x: Floats, local: Expansion
) -> _Momentum:
    """The next starting point; the new point itself where momentum points uphill."""
    if float((start.x - x) @ (x - before)) > 0:
        return _Momentum(x, local)
    t = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * start.t**2))
    further = x + (start.t - 1.0) / t * (x - before)
    if np.array_equal(further, x):
        return _Momentum(x, local, t)
    return _Momentum(further, problem.expand(further), t)


def _proximal_step(
    problem: Problem, x: Floats, local: Expansion, length: float
) -> tuple[Floats, Expansion, float] | None:
    r"""New point, the objective there and the length that made it; nothing if none is short enough.

    Where the values differ by rounding only, the gradients decide: by convexity the bound follows
    from :math:`(\nabla f(x^+) - \nabla f(x))^\top d \le \tfrac1{2t} \|d\|^2`.
    """
    assert local.smooth_value is not None
    assert local.smooth_gradient is not None
    while length > _SHORTEST:
        ahead = problem.prox(x - length * local.smooth_gradient, length)
        d = ahead - x
        there = problem.expand(ahead)
        assert there.smooth_value is not None
        assert there.smooth_gradient is not None
        if np.isfinite(there.value) and np.isfinite(there.gradient).all():
            bound = 0.5 / length * float(d @ d)
            rise = there.smooth_value - local.smooth_value - float(local.smooth_gradient @ d)
            bend = float((there.smooth_gradient - local.smooth_gradient) @ d)
            if rise <= bound or bend <= bound:
                return ahead, there, length
        length *= _SHRINK
    return None


def _first_length(problem: Problem, x: Floats, local: Expansion) -> float:
    """One over the curvature met by a tiny step downhill."""
    g = local.smooth_gradient
    size = 0.0 if g is None else float(np.linalg.norm(g))
    if g is None or not np.isfinite(size) or size == 0.0:
        return 1.0
    probe = -1e-4 * max(1.0, float(np.linalg.norm(x))) / size * g
    there = problem.expand(x + probe).smooth_gradient
    if there is None or not np.isfinite(there).all():
        return 1.0
    bend = float((there - g) @ probe)
    return float(probe @ probe) / bend if bend > 0 else 1.0


def _no_higher(there: Expansion, here: Expansion) -> bool:
    return bool(there.value <= here.value + 2 * _EPS * abs(here.value))
