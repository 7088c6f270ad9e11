"""Gaussian process on a line in linear time, through its state-space form."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from margin.core.types import Floats
from margin.gp.solvers._interface import Evaluation, Held, Observations, Posterior, Solver
from margin.gp.solvers._matern_parts import matern_parts, slopes
from margin.inference import (
    MaternSum,
    MeanBasis,
    Series,
    matern_log_evidence,
    matern_smoother,
    matern_whiten,
)


@dataclass(frozen=True)
class StateSpace(Solver):
    r"""Kalman filter over the sorted points: :math:`O(n)` time and memory, exact.

    A Matérn process of smoothness :math:`p - \tfrac12` on a line and its :math:`p - 1` derivatives
    are a Markov process: everything before a point matters only through its state there. The
    filter whitens the data one by one, :math:`z = L^{-1} y` with :math:`C = L L^\top`, from which
    the marginal likelihood follows as from the Cholesky factor; its derivatives are carried along.
    """

    name: ClassVar[str] = "state-space"

    def evaluate(self, kernel: Any, seen: Observations, *, gradient: bool = True) -> Evaluation:
        """One pass for the value, one for each hyper-parameter."""
        directions = slopes(kernel) if gradient else ()
        k = seen.Y.shape[1]
        value, slope = matern_log_evidence(matern_parts(kernel), series(seen), k, directions)
        return Evaluation(value, slope if gradient else np.zeros(len(kernel.theta)))

    def condition(self, kernel: Any, seen: Observations) -> StateSpacePosterior:
        line, process = series(seen), matern_parts(kernel)
        whitened = matern_whiten(process, line)
        basis = MeanBasis.of(whitened.white, seen.Y.shape[1])
        repairs: tuple[str, ...] = ()
        if whitened.jitter:
            repairs = (
                f"added {whitened.jitter:.3g} to the noise of every row: some rows are alike",
            )
        return StateSpacePosterior(seen, line, process, whitened.jitter, basis, repairs)


def series(seen: Observations) -> Series:
    """Targets and basis of the mean along the line."""
    return Series.of(seen.X[:, 0], seen.noise, np.hstack([seen.Y, seen.H]))


@dataclass(frozen=True, eq=False)
class StateSpacePosterior(Posterior):
    """The process given the data, by a filter and a smoother over old and new points together."""

    whole: ClassVar[bool] = True

    seen: Observations
    line: Series
    process: MaternSum
    jitter: float
    basis: MeanBasis
    repairs: tuple[str, ...] = ()

    @property
    def coefficients(self) -> Floats:
        """Posterior mean of the coefficients of the mean function."""
        return self.basis.coefficients

    def predict(self, kernel: Any, X: Any, H: Floats, diag: Floats | None) -> tuple[Floats, Any]:
        x = np.ascontiguousarray(X[:, 0], dtype=np.float64)
        there = matern_smoother(self.process, self.line, x, self.jitter)
        k = self.seen.Y.shape[1]
        rest = H - there.mean[:, k:]
        mean = there.mean[:, :k] + rest @ self.coefficients
        if diag is None:
            return mean, None
        var = diag - self.process.variance + there.var
        if self.basis.factor is not None:
            var = var + self.basis.factor.quadratic(rest.T)
        return mean, np.maximum(var, 0.0)

    def covariance(self, kernel: Any, X: Any, H: Floats, prior: Floats) -> Floats:
        cross = np.ascontiguousarray(kernel(self.seen.X[self.line.order], X), dtype=np.float64)
        both = np.ascontiguousarray(np.hstack([cross, self.line.data]))
        m, k = len(X), self.seen.Y.shape[1]
        noise = self.line.noise + self.jitter
        white = matern_whiten(self.process, replace(self.line, noise=noise, data=both)).white
        cov = prior - white[:, :m].T @ white[:, :m]
        if self.basis.factor is not None:
            half = self.basis.factor.half_solve(H.T - white[:, m + k :].T @ white[:, :m])
            cov = cov + half.T @ half
        cov = 0.5 * (cov + cov.T)
        np.fill_diagonal(cov, np.maximum(np.diagonal(cov), 0.0))
        return cov

    def leave_one_out(self) -> Held:
        r"""Mean :math:`y_i - (Py)_i / P_{ii}` and variance :math:`1 / P_{ii}`."""
        there = matern_smoother(self.process, self.line, np.empty(0), self.jitter)
        k = self.seen.Y.shape[1]
        alpha, precision = there.solved[:, :k], there.inverse
        if self.basis.factor is not None:
            spread = self.basis.factor.half_solve(there.solved[:, k:].T).T
            alpha = alpha - spread @ (spread.T @ self.line.data[:, :k])
            precision = precision - np.einsum("ij,ij->i", spread, spread)
        mean, var = np.empty_like(alpha), np.empty(len(alpha))
        mean[self.line.order] = self.line.data[:, :k] - alpha / precision[:, None]
        var[self.line.order] = 1.0 / precision
        return Held(mean, var)
