"""Expectation propagation for a two-class Gaussian process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from margin.core import FitError
from margin.gp.classification._latent import Labels, LatentPosterior
from margin.gp.classification._likelihoods import Likelihood
from margin.gp.solvers._exact import mirrored
from margin.gp.solvers._factor import factor
from margin.gp.solvers._solver import Evaluation
from margin.linalg import Cholesky

Floats = NDArray[np.float64]

_TOL = 1e-9
_MAX_ITER = 500
_LEAST_PRECISION = 1e-12


@dataclass(frozen=True, eq=False)
class Sites:
    r"""Normal factors :math:`\exp(\nu f - \tfrac12 \tau f^2)` in place of the likelihoods."""

    precision: Floats
    shift: Floats
    root: Floats
    factor: Cholesky
    dual: Floats
    mean: Floats
    var: Floats

    @classmethod
    def at(cls, K: Floats, precision: Floats, shift: Floats, what: Any) -> Sites:
        """Posterior of the latent values under these factors."""
        root = np.sqrt(precision)
        B = K * root * root[:, None]
        B.flat[:: len(B) + 1] += 1.0
        made = factor(B, what)
        dual = shift - root * made.solve(root * (K @ shift))
        half = made.half_solve(root[:, None] * K)
        var = np.diagonal(K) - np.einsum("ij,ij->j", half, half)
        return cls(precision, shift, root, made, dual, K @ dual, var)

    def cavity(self) -> tuple[Floats, Floats]:
        """Precision and shift of every marginal without its own factor."""
        precision = 1.0 / self.var - self.precision
        return np.maximum(precision, _LEAST_PRECISION), self.mean / self.var - self.shift


def match(K: Floats, likelihood: Likelihood, t: Floats, what: Any = "the kernel") -> Sites:
    """Factors whose marginals have the moments of the exact likelihoods, one at a time.

    All factors move at once, so that a sweep costs one factorisation; the step is halved where the
    moments drift apart.
    """
    sites = Sites.at(K, np.zeros(len(t)), np.zeros(len(t)), what)
    damping, last = 1.0, np.inf
    for _ in range(_MAX_ITER):
        cavity, shift = sites.cavity()
        tilted = likelihood.tilted(t, shift / cavity, 1.0 / cavity)
        precision = np.maximum(1.0 / tilted.var - cavity, 0.0)
        moved = tilted.mean / tilted.var - shift
        change = np.maximum(
            np.abs(precision - sites.precision), np.abs(moved - sites.shift)
        ).max() / (1.0 + float(np.abs(moved).max()))
        if change <= _TOL:
            return sites
        if change > 0.9 * last:
            damping = max(0.5 * damping, 0.05)
        last = change
        sites = Sites.at(
            K,
            sites.precision + damping * (precision - sites.precision),
            sites.shift + damping * (moved - sites.shift),
            what,
        )
    if last > 1e-5:
        raise FitError(f"expectation propagation of {what} does not settle: change {last:.3g}")
    return sites


@dataclass(frozen=True)
class ExpectationPropagation:
    r"""Normal approximation by matching moments; more accurate than at the mode.

    Parameters
    ----------
    likelihood : Likelihood
        Probit moments are in closed form, logistic ones by quadrature.
    positive : int
        Code of the class that has the label one; the others have minus one.
    """

    name: ClassVar[str] = "ep"
    likelihood: Likelihood
    positive: int = 1

    def extra(self) -> Floats:
        """Nothing is learned besides the kernel."""
        return np.empty(0)

    def with_extra(self, extra: Floats) -> ExpectationPropagation:
        """Itself."""
        return self

    def evaluate(self, kernel: Any, seen: Labels, *, gradient: bool = True) -> Evaluation:
        r"""Approximate log marginal likelihood and its gradient.

        At matching moments the factors are stationary: only the explicit derivative
        :math:`\tfrac12 \operatorname{tr}[(aa^\top - M)\,\partial K]` remains.
        """
        t = seen.signs(self.positive)
        K = np.ascontiguousarray(kernel(seen.X), dtype=np.float64)
        sites = match(K, self.likelihood, t, kernel)
        value = self._log_evidence(sites, t)
        if not gradient or not len(kernel.theta):
            return Evaluation(value, np.zeros(len(kernel.theta)))
        inverse, _ = lapack.dpotri(sites.factor.lower, lower=1)
        M = mirrored(inverse) * sites.root * sites.root[:, None]
        weight = 0.5 * (np.outer(sites.dual, sites.dual) - M)
        return Evaluation(value, kernel.gradient_product(seen.X, weight))

    def _log_evidence(self, sites: Sites, t: Floats) -> float:
        r"""Log normaliser, in a form without :math:`1 / \tau`, which may be infinite."""
        T, shift = sites.cavity()
        m = shift / T
        S, v = sites.precision, sites.shift
        mass = self.likelihood.tilted(t, m, 1.0 / T).log_mass
        value = mass.sum() + 0.5 * np.log1p(S / T).sum() - 0.5 * sites.factor.log_det
        value += 0.5 * (v @ sites.mean - np.sum(v**2 / (T + S)))
        return float(value + 0.5 * np.sum(m * T / (S + T) * (S * m - 2.0 * v)))

    def condition(self, kernel: Any, seen: Labels) -> LatentPosterior:
        """Normal approximation of the latent function."""
        K = np.ascontiguousarray(kernel(seen.X), dtype=np.float64)
        sites = match(K, self.likelihood, seen.signs(self.positive), kernel)
        return LatentPosterior(seen.X, sites.dual, sites.root, sites.factor)
