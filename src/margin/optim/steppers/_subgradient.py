"""Subgradient descent with a bound on the gap."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import ClassVar

import numpy as np

from margin.core import Iterate, Solution, Stop, check, iterate
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.optim._problem import Expansion, Problem
from margin.optim._solver import DirectSolver, accept, starting_point


@dataclass(frozen=True)
class Subgradient(DirectSolver):
    r"""Steps along subgradients of a convex function with kinks (optim.18).

    A subgradient :math:`g` at :math:`x` satisfies :math:`f(u) \ge f(x) + g^\top (u - x)` for every
    :math:`u`. Steps :math:`x \leftarrow x - t_k g_k` do not descend each time, so the lowest point
    seen is returned. The inequalities collected on the way bound the minimum from below: with
    weights :math:`\lambda_k` that sum to one,

    .. math:: f^\star \ge \min_x \sum_k \lambda_k \bigl[f(x_k) + g_k^\top (x - x_k)
        + \tfrac\mu2 \|x - x_k\|^2\bigr],

    and the certificate is the gap to that bound. For :math:`\mu > 0` the steps are
    :math:`2 / (\mu (k + 2))` and the gap falls like :math:`1/k`; without strong convexity they are
    :math:`R / (\|g_k\| \sqrt{k + 1})`, the minimum is taken over the ball of radius :math:`R`
    around the start, and the gap falls like :math:`1/\sqrt k`.

    Parameters
    ----------
    tol : float
        Gap that counts as converged.
    max_iter : int
        Most steps to make.
    radius : float
        Distance :math:`R` from the start within which a minimum is looked for.
    strong_convexity : float
        A :math:`\mu` for which :math:`f - \tfrac\mu2 \|x\|^2` is still convex: ``alpha`` for a
        convex loss with :class:`~margin.penalties.L2` and no intercept. The certificate is only as
        true as this claim.

    Notes
    -----
    The solver of last resort: one evaluation per step, no assumption but convexity, slow.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.optim import Function
    >>> kink = Function(lambda x: (float(np.abs(x - 1).sum()), np.sign(x - 1)), 2)
    >>> solution = Subgradient(tol=0.02, radius=2.0).run(kink)
    >>> solution.status.value, bool(np.abs(solution.x - 1).max() < 0.02)
    ('converged', True)
    """

    tol: float = 1e-3
    max_iter: int = 10_000
    radius: float = 10.0
    strong_convexity: float = 0.0
    requires: ClassVar[frozenset[str]] = frozenset({"subgradient"})

    def __post_init__(self) -> None:
        check.params(self, positive="tol radius", nonnegative="strong_convexity", count="max_iter")

    def run(
        self,
        problem: Problem,
        x0: Floats | None = None,
        callback: Callback | None = None,
        trace: bool = False,
    ) -> Solution:
        """Minimise from ``x0`` (zeros by default); with ``trace`` also keep the iterates."""
        x = starting_point(self, accept(self, problem), x0)
        columns = ("objective", "gap", "step_length") + (("x",) if trace else ())
        stop = Stop(
            "duality gap",
            self.tol,
            self.max_iter,
            keep="last",
            columns=columns,
            advice=("raise tol",),
        )
        states = self._states(problem, x, trace)
        return iterate(states, stop, solver=type(self).__name__, callback=callback)

    def _states(self, problem: Problem, x: Floats, trace: bool) -> Iterator[Iterate]:
        """The lowest point so far after every step, with the trace of where the steps are."""
        local, bound = problem.expand(x), _Bound(x, self.radius, self.strong_convexity)
        best_x, best, gap, length = x, local.value, np.inf, 0.0
        for n_iter in count():
            finite = np.isfinite(local.value) and np.isfinite(local.gradient).all()
            yield Iterate(
                best_x,
                best,
                gap if n_iter else None,
                n_iter,
                (local.value, gap, length, x.copy()) if trace else (local.value, gap, length),
                failed=""
                if finite
                else f"the objective became {local.value} at iteration {n_iter}",
            )
            length = self._length(local, n_iter)
            bound.add(x, local, n_iter)
            x = x - length * local.gradient
            local = problem.expand(x)
            if local.value < best:
                best_x, best = x, local.value
            mean = bound.centre
            if _is_power(n_iter + 1) and (there := problem.expand(mean).value) < best:
                best_x, best = mean, there
            gap = max(best - bound.value(), 0.0)

    def _length(self, local: Expansion, n_iter: int) -> float:
        if self.strong_convexity > 0:
            return 2.0 / (self.strong_convexity * (n_iter + 2))
        norm = float(np.linalg.norm(local.gradient))
        return self.radius / (norm * float(np.sqrt(n_iter + 1))) if norm > 0 else 0.0


class _Bound:
    """Weighted average of the inequalities seen so far, and its minimum."""

    def __init__(self, start: Floats, radius: float, strong: float) -> None:
        self.start, self.radius, self.strong = start, radius, strong
        self.total = 0.0
        self.constant = 0.0
        self.slope = np.zeros_like(start)
        self.points = np.zeros_like(start)

    def add(self, x: Floats, local: Expansion, n_iter: int) -> None:
        norm = float(np.linalg.norm(local.gradient))
        weight = n_iter + 1.0
        if self.strong == 0:
            weight = 1.0 / (max(norm, 1e-300) * float(np.sqrt(n_iter + 1)))
        mu = self.strong
        square = float(x @ x)
        self.total += weight
        self.constant += weight * (local.value - float(local.gradient @ x) + 0.5 * mu * square)
        self.slope += weight * (local.gradient - mu * x)
        self.points += weight * x

    @property
    def centre(self) -> Floats:
        """Weighted mean of the points."""
        return self.points / self.total

    def value(self) -> float:
        constant, slope = self.constant / self.total, self.slope / self.total
        if self.strong > 0:
            return constant - float(slope @ slope) / (2.0 * self.strong)
        return constant + float(slope @ self.start) - self.radius * float(np.linalg.norm(slope))


def _is_power(n: int) -> bool:
    """Whether ``n`` is a power of two: when the mean of the iterates is tried as well."""
    return n & (n - 1) == 0
