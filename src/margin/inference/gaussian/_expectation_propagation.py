"""Expectation propagation for latent values with one label each."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from scipy.linalg import lapack

from margin.core import Iterate, Stop, iterate
from margin.core.types import Floats
from margin.inference.gaussian._inner import settled
from margin.inference.gaussian._laplace import stretched
from margin.inference.gaussian._likelihoods import Likelihood, Tilted
from margin.linalg import Cholesky, kernel_cholesky, mirrored

_STOP = Stop("change", 1e-9, 500, unit="sweep", keep="last")
_LEAST_PRECISION = 1e-12


@dataclass(frozen=True, eq=False)
class Sites:
    r"""Normal factors :math:`\exp(\nu f - \tfrac12 \tau f^2)` in place of the likelihoods.

    Parameters
    ----------
    precision, shift : ndarray of shape (n,)
        :math:`\tau` and :math:`\nu`.
    root : ndarray of shape (n,)
        :math:`\tau^{1/2}`.
    factor : Cholesky
        Of :math:`B = I + \tau^{1/2} K \tau^{1/2}`.
    dual : ndarray of shape (n,)
        :math:`a` with posterior mean :math:`K a`.
    mean, var : ndarray of shape (n,)
        Posterior mean and variances.
    """

    precision: Floats
    shift: Floats
    root: Floats
    factor: Cholesky
    dual: Floats
    mean: Floats
    var: Floats

    @classmethod
    def at(cls, K: Floats, precision: Floats, shift: Floats, what: Any) -> "Sites":
        """Posterior of the latent values under these factors."""
        root = np.sqrt(precision)
        B = kernel_cholesky(stretched(K, root), what)
        dual = shift - root * B.solve(root * (K @ shift))
        half = B.half_solve(root[:, None] * K)
        var = np.diagonal(K) - np.einsum("ij,ij->j", half, half)
        return cls(precision, shift, root, B, dual, K @ dual, var)

    def cavity(self) -> tuple[Floats, Floats]:
        """Precision and shift of every marginal without its own factor."""
        precision = 1.0 / self.var - self.precision
        return np.maximum(precision, _LEAST_PRECISION), self.mean / self.var - self.shift

    def prior_weight(self) -> Floats:
        r"""Matrix :math:`G` with :math:`\operatorname{tr}(G\, dK)` the change of the evidence.

        At matching moments the factors are stationary: only the explicit derivative
        :math:`\tfrac12 \operatorname{tr}[(aa^\top - M)\,dK]` remains.
        """
        inverse, _ = lapack.dpotri(self.factor.lower, lower=1)
        M = mirrored(inverse) * self.root * self.root[:, None]
        return np.asarray(0.5 * (np.outer(self.dual, self.dual) - M))


@dataclass(frozen=True, eq=False)
class MatchedMoments:
    """Factors whose marginals have the moments of the exact likelihoods.

    Parameters
    ----------
    sites : Sites
    log_evidence : float
        Approximate log marginal likelihood.
    """

    sites: Sites
    log_evidence: float


def expectation_propagation(
    K: Floats, likelihood: Likelihood, t: Floats, what: Any = "the kernel"
) -> MatchedMoments:
    r"""Normal approximation of :math:`p(f \mid y)` by moments, :math:`f \sim N(0, K)` (gp.12).

    Every likelihood is replaced by a normal factor such that each marginal has the mean and the
    variance it would have with that likelihood itself. All factors move at once, so that a sweep
    costs one factorisation; the step is halved where the moments drift apart.

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
    MatchedMoments

    Examples
    --------
    One row is matched exactly: its evidence is one half.

    >>> import numpy as np
    >>> from margin.inference import ProbitLikelihood
    >>> match = expectation_propagation(3.0 * np.eye(1), ProbitLikelihood(), np.ones(1))
    >>> round(float(np.exp(match.log_evidence)), 9)
    0.5
    """
    search = iterate(_sweeps(K, likelihood, t, what), _STOP, solver="EP")
    settled(search, f"expectation propagation of {what} does not settle: change")
    return MatchedMoments(search.extras["sites"], -search.objective)


def _sweeps(K: Floats, likelihood: Likelihood, t: Floats, what: Any) -> Iterator[Iterate]:
    sites = Sites.at(K, np.zeros(len(t)), np.zeros(len(t)), what)
    damping, last = 1.0, np.inf
    for n in count():
        cavity, shift = sites.cavity()
        tilted = likelihood.tilted(t, shift / cavity, 1.0 / cavity)
        precision = np.maximum(1.0 / tilted.var - cavity, 0.0)
        moved = tilted.mean / tilted.var - shift
        change = np.maximum(
            np.abs(precision - sites.precision), np.abs(moved - sites.shift)
        ).max() / (1.0 + float(np.abs(moved).max()))
        value = _log_evidence(sites, tilted, cavity, shift)
        yield Iterate(sites.dual, -value, float(change), n, extras={"sites": sites})
        if change > 0.9 * last:
            damping = max(0.5 * damping, 0.05)
        last = change
        sites = Sites.at(
            K,
            sites.precision + damping * (precision - sites.precision),
            sites.shift + damping * (moved - sites.shift),
            what,
        )


def _log_evidence(sites: Sites, tilted: Tilted, T: Floats, shift: Floats) -> float:
    r"""Log normaliser, in a form without :math:`1 / \tau`, which may be infinite."""
    m = shift / T
    S, v = sites.precision, sites.shift
    value = tilted.log_mass.sum() + 0.5 * np.log1p(S / T).sum() - 0.5 * sites.factor.log_det
    value += 0.5 * (v @ sites.mean - np.sum(v**2 / (T + S)))
    return float(value + 0.5 * np.sum(m * T / (S + T) * (S * m - 2.0 * v)))
