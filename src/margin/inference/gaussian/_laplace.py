"""Laplace approximation of latent values with one label each."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from scipy.linalg import lapack

from margin.core import Iterate, Stop, iterate
from margin.core.types import Floats
from margin.inference.gaussian._inner import settled
from margin.inference.gaussian._likelihoods import Likelihood, Local
from margin.linalg import Cholesky, kernel_cholesky, mirrored

STOP = Stop("residual", 1e-10, 100, keep="last")
SHORTEST = 1e-6


@dataclass(frozen=True, eq=False)
class LaplaceMode:
    r"""The most probable latent values: :math:`f = K a` with :math:`a = \nabla \log p(y \mid f)`.

    Parameters
    ----------
    f, dual : ndarray of shape (n,)
        :math:`f` and :math:`a`.
    local : Local
        Log likelihood at the mode, with derivatives.
    root : ndarray of shape (n,)
        :math:`W^{1/2}` with :math:`W = -\nabla^2 \log p(y \mid f)`.
    factor : Cholesky
        Of :math:`B = I + W^{1/2} K W^{1/2}`.
    objective : float
        :math:`\log p(y \mid f) - \tfrac12 f^\top K^{-1} f`.
    trace : tuple of float
        Its values on the way up.
    """

    f: Floats
    dual: Floats
    local: Local
    root: Floats
    factor: Cholesky
    objective: float
    trace: tuple[float, ...]

    @property
    def log_evidence(self) -> float:
        r""":math:`\log p(y \mid f) - \tfrac12 f^\top K^{-1} f - \tfrac12 \log\det B`."""
        return self.objective - 0.5 * self.factor.log_det

    def prior_weight(self, K: Floats) -> Floats:
        r"""Matrix :math:`G` with :math:`\operatorname{tr}(G\, dK)` the change of the evidence.

        The mode moves with the prior, :math:`d\hat f = (I + KW)^{-1}\,dK\,a`, which adds
        :math:`u^\top dK\,a` with :math:`u = (I - MK)s`, :math:`s = \tfrac12
        \operatorname{diag}(K - KMK)\,\nabla^3 \log p` and :math:`M = W^{1/2} B^{-1} W^{1/2}`.
        """
        half = self.factor.half_solve(self.root[:, None] * K)
        var = np.diagonal(K) - np.einsum("ij,ij->j", half, half)
        inverse, _ = lapack.dpotri(self.factor.lower, lower=1)
        M = mirrored(inverse) * self.root * self.root[:, None]
        s = 0.5 * var * self.local.third
        u = s - M @ (K @ s)
        outer = np.outer(self.dual, 0.5 * self.dual + u)
        return np.asarray(0.5 * (outer + outer.T - M))


def laplace(K: Floats, likelihood: Likelihood, t: Floats, what: Any = "the kernel") -> LaplaceMode:
    r"""Normal approximation of :math:`p(f \mid y)` at its mode, :math:`f \sim N(0, K)` (gp.12).

    Newton's method in the form that never inverts :math:`K`: with
    :math:`b = W f + \nabla\log p`, one step is :math:`a = b - W^{1/2} B^{-1} W^{1/2} K b`,
    :math:`f = K a`; it is halved until the objective, which is concave, does not fall.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Covariance of the prior.
    likelihood : Likelihood
    t : ndarray of shape (n,)
        Labels, plus or minus one.
    what : object
        Names the prior in messages.

    Returns
    -------
    LaplaceMode

    Examples
    --------
    >>> import numpy as np
    >>> from margin.inference import LogisticLikelihood
    >>> mode = laplace(np.eye(1), LogisticLikelihood(), np.ones(1))
    >>> mode.f.round(6), bool(np.isclose(mode.dual[0], 1 / (1 + np.exp(mode.f[0]))))
    (array([0.401058]), True)
    """
    search = iterate(_newton(K, likelihood, t, what), STOP, solver="Newton")
    a = settled(search, f"the mode of {what} was not found: residual")
    f = K @ a
    local = likelihood.local(t, f)
    root = np.sqrt(-local.second)
    B = kernel_cholesky(stretched(K, root), what)
    rise = tuple((-search.trace["objective"]).tolist())
    return LaplaceMode(f, a, local, root, B, -search.objective, rise)


def _newton(K: Floats, likelihood: Likelihood, t: Floats, what: Any) -> Iterator[Iterate]:
    a = f = np.zeros(len(t))
    local = likelihood.local(t, f)
    value = float(local.log_prob.sum())
    for n in count():
        yield Iterate(a, -value, float(np.abs(local.first - a).max()), n)
        curvature = -local.second
        root = np.sqrt(curvature)
        B = kernel_cholesky(stretched(K, root), what, clean=False)
        b = curvature * f + local.first
        target = b - root * B.solve(root * (K @ b))
        length = 1.0
        while True:
            there = a + length * (target - a)
            f = K @ there
            local = likelihood.local(t, f)
            reached = float(local.log_prob.sum() - 0.5 * there @ f)
            if rises(reached, value) or length < SHORTEST:
                break
            length *= 0.5
        a, value = there, reached


def rises(value: float, before: float) -> bool:
    """Whether a step does not fall, rounding aside."""
    return value >= before - 1e-12 * (1.0 + abs(before))


def stretched(K: Floats, root: Floats) -> Floats:
    r""":math:`I + W^{1/2} K W^{1/2}`."""
    B: Floats = K * root * root[:, None]
    B.flat[:: len(B) + 1] += 1.0
    return B
