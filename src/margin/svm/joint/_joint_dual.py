"""The dual of machines for all classes in one problem, descended row by row."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from margin.core import Iterate, Solution, Stop, iterate
from margin.core.progress import Callback
from margin.core.types import Floats, Indices
from margin.native.duals.multiclass_dual import CRAMMER_SINGER, multiclass_pass

KIND = "relative duality gap"
SMALL, SHARP, EXTRA = 500, 1e-13, 3000
REFRESH = 50

Losses = Callable[[Floats, Indices], Floats]


@dataclass(frozen=True, eq=False)
class JointDual:
    """Functions of all classes, fitted together.

    Parameters
    ----------
    K : ndarray of shape (n, n), kernel matrix
    codes : ndarray of int, class of every row
    cap : ndarray, price of the loss of every row
    n_classes : int
    kind : int
        Which loss, as the compiled pass knows it.
    losses : callable
        ``losses(scores, codes)`` gives the loss of every row.
    fit_intercept : bool
        Whether every class has a free bias.
    """

    K: Floats
    codes: Indices
    cap: Floats
    n_classes: int
    kind: int
    losses: Losses
    fit_intercept: bool

    def solve(
        self, *, tol: float, max_iter: int, rng: np.random.Generator, callback: Callback | None
    ) -> Solution:
        """Pass over the rows until the relative duality gap is small.

        Returns
        -------
        Solution
            ``x`` are the coefficients, of shape (n, n_classes); ``extras`` hold the ``bias``.
        """
        stop = Stop(
            KIND,
            tol,
            max_iter,
            unit="pass",
            keep="last",
            columns=("objective", "gap"),
            advice=("raise tol", "lower C"),
        )
        states = _Passes(self).states(tol, rng)
        solver = "block coordinate descent on the dual"
        return iterate(states, stop, solver=solver, callback=callback)


class _Passes:
    """Passes over the rows; a free bias follows by proximal steps between them."""

    def __init__(self, problem: JointDual) -> None:
        self.problem = problem
        shape = len(problem.codes), problem.n_classes
        self.b, self.f, self.bias = np.zeros(shape), np.zeros(shape), np.zeros(problem.n_classes)
        scale = float(np.mean(np.diag(problem.K)))
        self.pace = (scale if scale > 0 else 1.0) if problem.fit_intercept else 0.0

    def states(self, tol: float, rng: np.random.Generator) -> Iterator[Iterate]:
        """The point of the smallest gap so far, after every pass."""
        problem, passes = self.problem, 0
        rows = np.flatnonzero(problem.cap > 0)
        # The extra passes of a small problem make the answer independent of the order of the rows.
        few = len(problem.codes) <= SMALL
        relative, primal, gap = self._look()
        best = Iterate(self.b.copy(), primal, relative, extras={"bias": self.bias.copy()})
        while True:
            goal = SHARP if few and passes < EXTRA else tol
            smallest = np.inf if best.certificate is None else best.certificate
            yield best._replace(n_iter=passes, trace=(primal, gap), unfinished=smallest > goal)
            order = rng.permutation(rows).astype(np.int64)
            multiclass_pass(
                problem.kind, problem.K, order, problem.codes, problem.cap,
                self.pace, self.b, self.f, self.bias,
            )  # fmt: skip
            self.bias += self.pace * self.b.sum(axis=0)
            passes += 1
            if passes % REFRESH == 0:  # what rounding has added up
                self.f = problem.K @ self.b
            seen = primal, gap
            relative, primal, gap = self._look()
            if not np.isfinite(gap):
                yield best._replace(n_iter=passes, trace=seen, stuck="scores beyond all numbers")
                return
            if relative < smallest:
                best = Iterate(self.b.copy(), primal, relative, extras={"bias": self.bias.copy()})

    def _look(self) -> tuple[float, float, float]:
        """Relative gap here, with a free bias at least the imbalance; the objective; the gap."""
        problem = self.problem
        quadratic = float(np.einsum("ik,ik->", self.b, self.f))
        scores = self.f + self.bias
        primal = 0.5 * quadratic + float(problem.cap @ problem.losses(scores, problem.codes))
        own = float(self.b[np.arange(len(problem.codes)), problem.codes].sum())
        dual = (own if problem.kind == CRAMMER_SINGER else 2.0 * own) - 0.5 * quadratic
        off = 0.0
        if self.pace:
            sums = self.b.sum(axis=0)
            dual -= float(self.bias @ sums)
            off = float(np.abs(sums).max()) / max(float(np.abs(self.b).sum()), 1e-300)
        return max((primal - dual) / max(primal, 1e-300), off, 0.0), primal, primal - dual
