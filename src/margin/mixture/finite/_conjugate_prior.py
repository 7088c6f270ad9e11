"""Conjugate priors of Gaussian mixtures: their log density, and the fit with them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Bools, Floats
from margin.distributions import (
    InverseGamma,
    InverseWishart,
    MultivariateNormal,
    Normal,
    NormalInverseGamma,
    NormalInverseWishart,
)
from margin.mixture.finite._gaussians import Gaussians
from margin.mixture.finite._mixture_statistics import MixtureStatistics

_BELIEFS = {"full": NormalInverseWishart, "tied": NormalInverseWishart, "diag": NormalInverseGamma}


@dataclass(frozen=True, eq=False)
class ConjugatePrior:
    r"""A belief about mean and covariance, the same for all components, and one of the weights.

    .. math:: \sum_k \log N(\mu_k; m, \Sigma_k / \kappa) + \sum_k \log W^{-1}(\Sigma_k; \Psi, \nu)
              + (c - 1) \sum_k \log \pi_k

    Where the covariance is shared its density counts once; diagonal ones have an inverse-gamma
    density for every variance.

    Parameters
    ----------
    belief : NormalInverseWishart, NormalInverseGamma or None
        None where means and covariances are free.
    concentration : float
        :math:`c \ge 1`.

    Examples
    --------
    >>> ConjugatePrior(None, 2.0).weights(np.array([3.0, 0.0])).round(6)
    array([0.8, 0.2])
    """

    belief: Any
    concentration: float = 1.0

    def log_prob(self, at: Gaussians) -> float:
        """Log density of the prior at some parameters; of the weights without its constant."""
        value = 0.0
        if self.concentration > 1:
            value = (self.concentration - 1) * float(at.log_weights.sum())
        belief = self.belief
        if belief is None:
            return value
        if at.kind == "diag":
            var = at.covariances
            value += float(InverseGamma(belief.shape, belief.scale).log_prob(var).sum())
            spread = Normal(belief.mean, np.sqrt(var / belief.strength))
            return value + float(spread.log_prob(at.means).sum())
        matrices = at.covariances[None] if at.kind == "tied" else at.covariances
        value += float(InverseWishart(belief.df, belief.scale).log_prob(matrices).sum())
        every = np.broadcast_to(matrices, (len(at.means), at.dim, at.dim))
        spread_of = MultivariateNormal(
            np.broadcast_to(belief.mean, at.means.shape), every / belief.strength
        )
        return value + float(spread_of.log_prob(at.means).sum())

    def weights(self, total: Floats) -> Floats:
        """The most probable weights."""
        raised = total + (self.concentration - 1)
        return np.asarray(raised / raised.sum())

    def spread(
        self, stats: MixtureStatistics, at: Gaussians, ridge: float, alive: Bools
    ) -> tuple[Floats, Floats]:
        """The most probable means and covariances; those of components at rest stay."""
        belief, moments, d = self.belief, stats.moments, at.dim
        seen = moments.weight if at.kind == "diag" else stats.total[:, None]
        strength = np.asarray(belief.strength)
        shift = np.where(seen > 0, moments.mean - belief.mean, 0.0)
        means = belief.mean + shift * (seen / (seen + strength))
        pull = seen * strength / (seen + strength)
        means = np.where(alive[:, None], means, at.means)
        if at.kind == "diag":
            rate = belief.scale + 0.5 * (moments.scatter + ridge * seen + pull * shift**2)
            each = rate / (belief.shape + 0.5 * seen + 1.5)
            return means, np.where(alive[:, None], each, at.covariances)
        outer = shift[:, :, None] * shift[:, None, :]
        each = moments.scatter + pull[:, :, None] * outer
        each = each + (ridge * stats.total)[:, None, None] * np.eye(d)
        if at.kind == "tied":
            # Components at rest keep their means, whose density still pulls on the covariance.
            rest = (at.means - belief.mean)[~alive]
            idle = strength * rest.T @ rest
            total, k = stats.total[alive].sum(), len(stats.total)
            whole = belief.scale + each[alive].sum(axis=0) + idle
            return means, whole / (total + belief.df + d + 1 + k)
        room = (stats.total + belief.df + d + 2)[:, None, None]
        return means, np.where(alive[:, None, None], (belief.scale + each) / room, at.covariances)


def checked_prior(owner: Any, kind: str, d: int) -> ConjugatePrior | None:
    """The prior that an estimator asks for, if any.

    Raises
    ------
    ValueError
        It does not belong to the kind of covariance, or to the columns.
    """
    check.params(owner, positive="weight_concentration")
    if owner.weight_concentration < 1:
        raise check.fail(
            owner, "weight_concentration", "a number of at least 1", owner.weight_concentration
        )
    belief, concentration = owner.prior, float(owner.weight_concentration)
    if belief is None:
        return ConjugatePrior(None, concentration) if concentration > 1 else None
    wanted = _BELIEFS.get(kind)
    if wanted is None or not isinstance(belief, wanted):
        need = f"a {wanted.__name__}" if wanted else "None"
        raise check.fail(owner, "prior", f"{need} for {kind} covariances", belief)
    shape: Any = np.shape(owner.prior.mean)
    if shape != (d,) and (kind != "diag" or shape != ()):
        raise check.fail(owner, "prior", f"a single belief about {d} columns", belief)
    return ConjugatePrior(belief, concentration)
