"""Laplace approximation of a Gaussian process of several classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack
from scipy.special import log_softmax, softmax

from margin.core import FitError
from margin.gp.classification._latent import Labels
from margin.gp.solvers._exact import mirrored
from margin.gp.solvers._factor import factor
from margin.gp.solvers._solver import Evaluation
from margin.linalg import Cholesky

Floats = NDArray[np.float64]

_TOL = 1e-10
_MAX_ITER = 100


@dataclass(frozen=True, eq=False)
class SoftmaxMode:
    r"""The most probable latent values, one column per class, and the curvature there.

    The curvature of the likelihood couples the classes:
    :math:`W = \operatorname{diag}(\pi) - \Pi\Pi^\top`. With
    :math:`E_c = \pi_c^{1/2} (I + \pi_c^{1/2} K \pi_c^{1/2})^{-1} \pi_c^{1/2}` and
    :math:`S = \sum_c E_c`, the block :math:`(c, c')` of :math:`M = (K + W^{-1})^{-1}` is
    :math:`\delta_{cc'} E_c - E_c S^{-1} E_{c'}`: one factorisation per class and one more.
    """

    f: Floats
    dual: Floats
    prob: Floats
    E: Floats
    total: Cholesky
    log_det: float
    objective: float
    trace: tuple[float, ...]

    def weigh(self, V: Floats) -> Floats:
        """The matrix :math:`M` times one column per class."""
        each = np.stack([self.E[c] @ V[:, c] for c in range(V.shape[1])], axis=1)
        common = self.total.solve(each.sum(axis=1))
        return each - np.stack([self.E[c] @ common for c in range(V.shape[1])], axis=1)


def _curvature(K: Floats, prob: Floats, what: Any) -> tuple[Floats, Cholesky, float]:
    """All :math:`E_c`, the factor of their sum, and the log determinant of :math:`I + KW`."""
    n, classes = prob.shape
    E = np.empty((classes, n, n))
    log_det = 0.0
    for c in range(classes):
        root = np.sqrt(prob[:, c])
        B = K * root * root[:, None]
        B.flat[:: n + 1] += 1.0
        made = factor(B, what, clean=False)
        log_det += made.log_det
        inverse, _ = lapack.dpotri(made.lower, lower=1, overwrite_c=1)
        E[c] = mirrored(inverse) * root * root[:, None]
    total = factor(E.sum(axis=0), what)
    return E, total, log_det + total.log_det


def find_softmax_mode(K: Floats, codes: NDArray[np.intp], classes: int, what: Any) -> SoftmaxMode:
    """Newton's method for the mode, halving steps that do not rise (gp.12)."""
    wanted = np.eye(classes)[codes]
    f = a = np.zeros(wanted.shape)
    prob = softmax(f, axis=1)
    trace = [float(log_softmax(f, axis=1)[np.arange(len(codes)), codes].sum())]
    mode = SoftmaxMode(f, a, prob, *_curvature(K, prob, what), trace[0], ())
    for _ in range(_MAX_ITER):
        b = prob * f - prob * np.sum(prob * f, axis=1, keepdims=True) + wanted - prob
        target = b - mode.weigh(K @ b)
        length = 1.0
        while True:
            new = a + length * (target - a)
            f = K @ new
            value = log_softmax(f, axis=1)[np.arange(len(codes)), codes].sum()
            value = float(value - 0.5 * np.sum(new * f))
            if value >= trace[-1] - 1e-12 * (1.0 + abs(trace[-1])) or length < 1e-6:
                break
            length *= 0.5
        a, prob = new, softmax(f, axis=1)
        trace.append(value)
        mode = SoftmaxMode(f, a, prob, *_curvature(K, prob, what), value, tuple(trace))
        if np.abs(wanted - prob - a).max() <= _TOL:
            return mode
    worst = float(np.abs(wanted - prob - a).max())
    if worst > 1e-5:
        raise FitError(f"the mode of {what} was not found: residual {worst:.3g}")
    return mode


@dataclass(frozen=True)
class SoftmaxLaplace:
    r"""Normal approximation at the mode, one latent function per class, softmax likelihood."""

    name: ClassVar[str] = "laplace, softmax"

    def extra(self) -> Floats:
        """Nothing is learned besides the kernel."""
        return np.empty(0)

    def with_extra(self, extra: Floats) -> SoftmaxLaplace:
        """Itself."""
        return self

    def evaluate(self, kernel: Any, seen: Labels, *, gradient: bool = True) -> Evaluation:
        """Approximate log marginal likelihood and its gradient; all classes share the kernel."""
        K = np.ascontiguousarray(kernel(seen.X), dtype=np.float64)
        mode = find_softmax_mode(K, seen.codes, seen.n_classes, kernel)
        value = mode.objective - 0.5 * mode.log_det
        if not gradient or not len(kernel.theta):
            return Evaluation(value, np.zeros(len(kernel.theta)))
        return Evaluation(value, kernel.gradient_product(seen.X, _weight(K, mode)))

    def condition(self, kernel: Any, seen: Labels) -> SoftmaxPosterior:
        """Normal approximation of the latent functions."""
        K = np.ascontiguousarray(kernel(seen.X), dtype=np.float64)
        mode = find_softmax_mode(K, seen.codes, seen.n_classes, kernel)
        return SoftmaxPosterior(seen.X, mode.dual, mode.E, mode.total)


def _weight(K: Floats, mode: SoftmaxMode) -> Floats:
    r"""Weights of :math:`\partial K`: explicit part, and the part through the moving mode.

    The log determinant changes with the latent values by :math:`-\tfrac12 \operatorname{tr}(\Sigma
    \, \partial W)`; :math:`\partial W` are the third cumulants of the class indicators and
    :math:`\Sigma = K - KMK` is needed within each row only.
    """
    classes = len(mode.E)
    halves = np.stack([mode.total.half_solve(mode.E[c] @ K) for c in range(classes)])
    own = np.stack(
        [np.diagonal(K) - np.einsum("ij,ji->i", K @ mode.E[c], K) for c in range(classes)]
    )
    cov = np.einsum("cij,dij->jcd", halves, halves)
    cov[:, np.arange(classes), np.arange(classes)] += own.T
    p = mode.prob
    against = np.einsum("icd,id->ic", cov, p)
    diagonal = np.einsum("icc->ic", cov)
    # sum over c, d of cov_cd times the third cumulant of the indicators of c, d and k
    spread = np.sum(p * diagonal, axis=1, keepdims=True)
    double = np.sum(p * against, axis=1, keepdims=True)
    third = p * (diagonal - spread) - 2.0 * p * (against - double)
    s = -0.5 * third
    u = s - mode.weigh(K @ s)
    outer = mode.dual @ (0.5 * mode.dual + u).T
    weight = 0.5 * (outer + outer.T)
    for c in range(classes):
        half = mode.total.half_solve(mode.E[c])
        weight -= 0.5 * (mode.E[c] - half.T @ half)
    return weight


@dataclass(frozen=True, eq=False)
class SoftmaxPosterior:
    """Normal approximation of the latent functions of all classes."""

    X: Any
    dual: Floats
    E: Floats
    total: Cholesky

    def predict(self, kernel: Any, X: Any, diag: Floats) -> tuple[Floats, Floats]:
        """Means of shape (m, C) and covariances of shape (m, C, C) at new objects."""
        cross = np.asarray(kernel(X, self.X), dtype=np.float64)
        classes = len(self.E)
        halves, own = [], []
        for c in range(classes):
            b = self.E[c] @ cross.T
            own.append(diag - np.einsum("ij,ji->i", cross, b))
            halves.append(self.total.half_solve(b))
        stacked = np.stack(halves)
        cov = np.einsum("cij,dij->jcd", stacked, stacked)
        cov[:, np.arange(classes), np.arange(classes)] += np.maximum(np.stack(own).T, 0.0)
        return cross @ self.dual, cov
