"""Laplace approximation of a two-class Gaussian process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from margin.core import FitError
from margin.gp.classification._latent import Labels, LatentPosterior
from margin.gp.classification._likelihoods import Likelihood, Local
from margin.gp.solvers._exact import mirrored
from margin.gp.solvers._factor import factor
from margin.gp.solvers._solver import Evaluation
from margin.linalg import Cholesky

Floats = NDArray[np.float64]

_TOL = 1e-10
_MAX_ITER = 100


@dataclass(frozen=True, eq=False)
class Mode:
    r"""The most probable latent values: :math:`f = K a` with :math:`a = \nabla \log p(y \mid f)`.

    ``objective`` is :math:`\log p(y \mid f) - \tfrac12 f^\top K^{-1} f`, ``trace`` its values on
    the way up, ``factor`` that of :math:`B = I + W^{1/2} K W^{1/2}`.
    """

    f: Floats
    dual: Floats
    local: Local
    root: Floats
    factor: Cholesky
    objective: float
    trace: tuple[float, ...]


def find_mode(K: Floats, likelihood: Likelihood, t: Floats, what: Any = "the kernel") -> Mode:
    r"""Newton's method for the mode, in the form that never inverts :math:`K` (gp.12).

    With :math:`b = W f + \nabla\log p`, one step is
    :math:`a = b - W^{1/2} B^{-1} W^{1/2} K b`, :math:`f = K a`; it is halved until the objective,
    which is concave, does not fall.

    Examples
    --------
    >>> from margin.gp.classification._likelihoods import Logistic
    >>> mode = find_mode(np.eye(1), Logistic(), np.ones(1))
    >>> mode.f.round(6), bool(np.isclose(mode.dual[0], 1 / (1 + np.exp(mode.f[0]))))
    (array([0.401058]), True)
    """
    a = f = np.zeros(len(t))
    local = likelihood.local(t, f)
    trace = [float(local.log_prob.sum())]
    for _ in range(_MAX_ITER):
        curvature = -local.second
        root = np.sqrt(curvature)
        B = factor(_stretched(K, root), what, clean=False)
        b = curvature * f + local.first
        target = b - root * B.solve(root * (K @ b))
        a, f, local, value = _step(K, likelihood, t, a, target, trace[-1])
        trace.append(value)
        if np.abs(local.first - a).max() <= _TOL:
            break
    else:
        worst = float(np.abs(local.first - a).max())
        if worst > 1e-5:
            raise FitError(f"the mode of {what} was not found: residual {worst:.3g}")
    root = np.sqrt(-local.second)
    B = factor(_stretched(K, root), what)
    return Mode(f, a, local, root, B, trace[-1], tuple(trace))


def _step(
    K: Floats, likelihood: Likelihood, t: Floats, a: Floats, target: Floats, before: float
) -> tuple[Floats, Floats, Local, float]:
    length = 1.0
    while True:
        new = a + length * (target - a)
        f = K @ new
        local = likelihood.local(t, f)
        value = float(local.log_prob.sum() - 0.5 * new @ f)
        if value >= before - 1e-12 * (1.0 + abs(before)) or length < 1e-6:
            return new, f, local, value
        length *= 0.5


def _stretched(K: Floats, root: Floats) -> Floats:
    B = K * root * root[:, None]
    B.flat[:: len(B) + 1] += 1.0
    return B


@dataclass(frozen=True)
class Laplace:
    r"""Normal approximation at the mode of the latent values (gp.12).

    .. math:: \log q(y) = \log p(y \mid \hat f) - \tfrac12 \hat f^\top K^{-1} \hat f
              - \tfrac12 \log\det B

    Parameters
    ----------
    likelihood : Likelihood
    positive : int
        Code of the class that has the label one; the others have minus one.
    """

    name: ClassVar[str] = "laplace"
    likelihood: Likelihood
    positive: int = 1

    def extra(self) -> Floats:
        """Nothing is learned besides the kernel."""
        return np.empty(0)

    def with_extra(self, extra: Floats) -> Laplace:
        """Itself."""
        return self

    def evaluate(self, kernel: Any, seen: Labels, *, gradient: bool = True) -> Evaluation:
        r"""Approximate log marginal likelihood and its gradient.

        The mode moves with the hyper-parameters, :math:`d\hat f = (I + KW)^{-1}\,dK\,a`, which
        adds :math:`u^\top dK\,a` with :math:`u = (I - MK)s`, :math:`s = \tfrac12
        \operatorname{diag}(K - KMK)\,\nabla^3 \log p` and :math:`M = W^{1/2} B^{-1} W^{1/2}`.
        """
        K = np.ascontiguousarray(kernel(seen.X), dtype=np.float64)
        mode = find_mode(K, self.likelihood, seen.signs(self.positive), kernel)
        value = mode.objective - 0.5 * mode.factor.log_det
        if not gradient or not len(kernel.theta):
            return Evaluation(value, np.zeros(len(kernel.theta)))
        half = mode.factor.half_solve(mode.root[:, None] * K)
        var = np.diagonal(K) - np.einsum("ij,ij->j", half, half)
        inverse, _ = lapack.dpotri(mode.factor.lower, lower=1)
        M = mirrored(inverse) * mode.root * mode.root[:, None]
        s = 0.5 * var * mode.local.third
        u = s - M @ (K @ s)
        outer = np.outer(mode.dual, 0.5 * mode.dual + u)
        weight = 0.5 * (outer + outer.T - M)
        return Evaluation(value, kernel.gradient_product(seen.X, weight))

    def condition(self, kernel: Any, seen: Labels) -> LatentPosterior:
        """Normal approximation of the latent function."""
        K = np.ascontiguousarray(kernel(seen.X), dtype=np.float64)
        mode = find_mode(K, self.likelihood, seen.signs(self.positive), kernel)
        return LatentPosterior(seen.X, mode.dual, mode.root, mode.factor)
