"""Gaussian process on a line in linear time, through its state-space form."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from margin.gp.solvers._factor import factor
from margin.gp.solvers._matern_parts import MaternParts, matern_parts, slopes
from margin.gp.solvers._solver import Evaluation, Held, Observations, Posterior, Solver
from margin.linalg import Cholesky
from margin.native.series import state_space

Floats = NDArray[np.float64]

_LOG_2PI = float(np.log(2 * np.pi))
_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class _Line:
    """Observations in the order of their coordinate."""

    order: NDArray[np.intp]
    gap: Floats
    noise: Floats
    data: Floats

    @classmethod
    def of(cls, seen: Observations) -> _Line:
        x = seen.X[:, 0]
        order = np.argsort(x, kind="stable")
        data = np.ascontiguousarray(np.hstack([seen.Y, seen.H])[order])
        return cls(order, np.diff(x[order], prepend=x[order[:1]]), seen.noise[order], data)


def _filtered(parts: MaternParts, line: _Line, direction: Any = None) -> tuple[Any, float]:
    """Whitened data and the jitter that they needed: twins without noise leave no surprise."""
    scales, level = (np.zeros_like(parts.scales), 0.0) if direction is None else direction
    least = len(line.gap) * _EPS * parts.variance
    for jitter in (0.0, 10 * least):
        noise = line.noise + parts.level + jitter
        found = state_space.whiten(
            parts.order, parts.scales, scales, level, line.gap, noise, line.data
        )
        if found.least > least:
            break
    return found, jitter


@dataclass(frozen=True)
class StateSpace(Solver):
    r"""Kalman filter over the sorted points: :math:`O(n)` time and memory, exact.

    A Matérn process of smoothness :math:`p - \tfrac12` on a line and its :math:`p - 1` derivatives
    are a Markov process: everything before a point matters only through its state there. The
    filter whitens the data one by one, :math:`z = L^{-1} y` with :math:`C = L L^\top`, from which
    the marginal likelihood follows as from the Cholesky factor; its derivatives are carried along.
    """

    name: ClassVar[str] = "state-space"

    def extra(self) -> Floats:
        return np.empty(0)

    def with_extra(self, extra: Floats) -> StateSpace:
        return self

    def evaluate(self, kernel: Any, seen: Observations, *, gradient: bool = True) -> Evaluation:
        """One pass for the value, one for each hyper-parameter."""
        line, parts = _Line.of(seen), matern_parts(kernel)
        k, rank = seen.Y.shape[1], seen.H.shape[1]
        found, _ = _filtered(parts, line)
        Z, B = found.white[:, :k], found.white[:, k:]
        value = k * (found.log_det + (seen.n - rank) * _LOG_2PI) + float(np.sum(Z * Z))
        basis = factor(B.T @ B, "the mean") if rank else None
        beta = np.empty((0, k))
        if basis is not None:
            beta = basis.solve(B.T @ Z)
            value += k * basis.log_det - float(np.sum(beta * (B.T @ Z)))
        made = np.zeros(len(kernel.theta))
        for j, direction in enumerate(slopes(kernel) if gradient else ()):
            step, _ = _filtered(parts, line, direction)
            dZ, dB = step.slope[:, :k], step.slope[:, k:]
            # The residual carries both: its square is what is left of the data.
            rest, change = Z - B @ beta, dZ - dB @ beta
            total = k * step.log_det_slope + 2.0 * float(np.sum(rest * change))
            if basis is not None:
                total += 2.0 * k * float(np.trace(basis.solve(B.T @ dB)))
            made[j] = -0.5 * total
        return Evaluation(-0.5 * value, made)

    def condition(self, kernel: Any, seen: Observations) -> StateSpacePosterior:
        line, parts = _Line.of(seen), matern_parts(kernel)
        k, rank = seen.Y.shape[1], seen.H.shape[1]
        found, jitter = _filtered(parts, line)
        basis, beta = None, np.empty((0, k))
        if rank:
            B = found.white[:, k:]
            basis = factor(B.T @ B, "the mean")
            beta = basis.solve(B.T @ found.white[:, :k])
        repairs: tuple[str, ...] = ()
        if jitter:
            repairs = (f"added {jitter:.3g} to the noise of every row: some rows are alike",)
        return StateSpacePosterior(seen, line, parts, jitter, basis, beta, repairs)


@dataclass(frozen=True, eq=False)
class StateSpacePosterior(Posterior):
    """The process given the data, by a filter and a smoother over old and new points together."""

    whole: ClassVar[bool] = True

    seen: Observations
    line: _Line
    parts: MaternParts
    jitter: float
    basis: Cholesky | None
    coefficients: Floats
    repairs: tuple[str, ...] = ()

    @cached_property
    def _noise(self) -> Floats:
        return self.line.noise + self.parts.level + self.jitter

    def _smoothed(self, x: Floats) -> tuple[Any, NDArray[np.intp]]:
        """Smoother over the union, and where the new points are in it."""
        old = self.seen.X[self.line.order, 0]
        n, m = len(old), len(x)
        points = np.concatenate([old, x])
        order = np.argsort(points, kind="stable")
        place = np.empty(n + m, dtype=np.intp)
        place[order] = np.arange(n + m)
        data, noise = np.zeros((n + m, self.line.data.shape[1])), np.zeros(n + m)
        marked = np.zeros(n + m, dtype=np.uint8)
        data[place[:n]], noise[place[:n]], marked[place[:n]] = self.line.data, self._noise, 1
        gap = np.diff(points[order], prepend=points[order[:1]])
        parts = self.parts
        found = state_space.smooth(parts.order, parts.scales, gap, noise, marked, data)
        return found, place[n:]

    def predict(self, kernel: Any, X: Any, H: Floats, diag: Floats | None) -> tuple[Floats, Any]:
        found, at = self._smoothed(np.ascontiguousarray(X[:, 0], dtype=np.float64))
        k = self.seen.Y.shape[1]
        rest = H - found.mean[at, k:]
        mean = found.mean[at, :k] + rest @ self.coefficients
        if diag is None:
            return mean, None
        var = diag - self.parts.variance + found.var[at]
        if self.basis is not None:
            var = var + self.basis.quadratic(rest.T)
        return mean, np.maximum(var, 0.0)

    def covariance(self, kernel: Any, X: Any, H: Floats, prior: Floats) -> Floats:
        cross = np.ascontiguousarray(kernel(self.seen.X[self.line.order], X), dtype=np.float64)
        both = np.ascontiguousarray(np.hstack([cross, self.line.data]))
        m, k = len(X), self.seen.Y.shape[1]
        whole = _Line(self.line.order, self.line.gap, self.line.noise + self.jitter, both)
        white = _filtered(self.parts, whole)[0].white
        cov = prior - white[:, :m].T @ white[:, :m]
        if self.basis is not None:
            half = self.basis.half_solve(H.T - white[:, m + k :].T @ white[:, :m])
            cov = cov + half.T @ half
        cov = 0.5 * (cov + cov.T)
        np.fill_diagonal(cov, np.maximum(np.diagonal(cov), 0.0))
        return cov

    def leave_one_out(self) -> Held:
        r"""Mean :math:`y_i - (Py)_i / P_{ii}` and variance :math:`1 / P_{ii}`."""
        found, _ = self._smoothed(np.empty(0))
        k = self.seen.Y.shape[1]
        alpha, precision = found.solved[:, :k], found.inverse
        if self.basis is not None:
            spread = self.basis.half_solve(found.solved[:, k:].T).T
            alpha = alpha - spread @ (spread.T @ self.line.data[:, :k])
            precision = precision - np.einsum("ij,ij->i", spread, spread)
        mean, var = np.empty_like(alpha), np.empty(len(alpha))
        mean[self.line.order] = self.line.data[:, :k] - alpha / precision[:, None]
        var[self.line.order] = 1.0 / precision
        return Held(mean, var)
