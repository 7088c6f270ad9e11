"""Variational posterior of a Dirichlet-process mixture, its stick in so many pieces."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import betaln, digamma, logsumexp
from sklearn.cluster import kmeans_plusplus

from margin.core import Solution
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.distributions import Gamma
from margin.inference import Expectation, expectation_maximisation
from margin.mixture.processes._bases import Base
from margin.mixture.processes._stick_breaking import broken


@dataclass(frozen=True, eq=False)
class StickPosterior:
    r"""Independent beliefs about the shares of the stick, the components, and the concentration.

    Parameters
    ----------
    a, b : ndarray of shape (T - 1,)
        Of the shares, :math:`v_k \sim \mathrm{Beta}(a_k, b_k)`; the last component takes the rest.
    members : Any
        Beliefs about the components.
    shape, rate : float
        Of the concentration, gamma; with a shape of infinity it is fixed at ``rate``.
    """

    a: Floats
    b: Floats
    members: Any
    shape: float
    rate: float

    @property
    def alpha(self) -> float:
        """Expected concentration."""
        return self.rate if np.isinf(self.shape) else self.shape / self.rate

    @property
    def log_alpha(self) -> float:
        """Expectation of its logarithm."""
        if np.isinf(self.shape):
            return float(np.log(self.rate))
        return float(digamma(self.shape) - np.log(self.rate))

    @property
    def log_shares(self) -> tuple[Floats, Floats]:
        """Expected logarithms of the shares, and of what they leave."""
        both = digamma(self.a + self.b)
        return digamma(self.a) - both, digamma(self.b) - both

    @property
    def log_weights(self) -> Floats:
        """Expected logarithms of the weights."""
        share, left = self.log_shares
        return np.asarray(np.append(share, 0.0) + np.append(0.0, np.cumsum(left)))

    @property
    def weights(self) -> Floats:
        """Expected weights."""
        return broken(np.append(self.a / (self.a + self.b), 1.0))


@dataclass(frozen=True)
class CoordinateAscent:
    """The two steps: responsibilities of the rows, then everything else given them."""

    base: Base
    X: Floats
    alpha: float | Gamma

    def expect(self, at: StickPosterior) -> Expectation[Floats]:
        r"""Responsibilities, and the bound :math:`\sum_i \log\sum_k e^{E\log\pi_k +
        E\log p(x_i)}` less the divergences of all beliefs from their priors.
        """
        table = at.log_weights + self.base.expected_log_prob(at.members, self.X)
        total = logsumexp(table, axis=1)
        bound = float(total.sum()) - self._divergence(at) - self.base.kl(at.members)
        return Expectation(bound, np.exp(table - total[:, None]))

    def _divergence(self, at: StickPosterior) -> float:
        share, left = at.log_shares
        entropy = -betaln(at.a, at.b) + (at.a - 1) * share + (at.b - 1) * left
        prior = at.log_alpha + (at.alpha - 1) * left
        value = float((entropy - prior).sum())
        if not isinstance(self.alpha, Gamma):
            return value
        return value + float(Gamma(at.shape, at.rate).kl(self.alpha))

    def maximise(self, share: Floats, at: StickPosterior | None) -> StickPosterior:
        """Beliefs given the responsibilities: the sticks, then the concentration given them."""
        count = share.sum(axis=0)
        before = float(np.mean(self.alpha.mean)) if isinstance(self.alpha, Gamma) else self.alpha
        alpha = float(before) if at is None else at.alpha
        a, b = 1.0 + count[:-1], alpha + np.cumsum(count[::-1])[::-1][1:]
        left = float((digamma(b) - digamma(a + b)).sum())
        shape, rate = np.inf, alpha
        if isinstance(self.alpha, Gamma):
            shape = float(self.alpha.concentration) + len(a)
            rate = float(self.alpha.rate) - left
        members = self.base.members(self.X, share, None if at is None else at.members)
        return StickPosterior(a, b, members, shape, rate)


def variational_posterior(
    base: Base,
    X: Floats,
    alpha: float | Gamma,
    n_components: int,
    *,
    n_init: int,
    tol: float,
    max_iter: int,
    rng: np.random.Generator,
    callback: Callback | None = None,
) -> Solution:
    """Best of several coordinate ascents; ``x`` is a :class:`StickPosterior`."""
    method = CoordinateAscent(base, X, alpha)
    starts = (method.maximise(_start(X, n_components, rng), None) for _ in range(n_init))
    return expectation_maximisation(
        method.expect,
        method.maximise,
        starts,
        tol=tol,
        max_iter=max_iter,
        solver="stick-breaking variational inference",
        callback=callback,
    )


def _start(X: Floats, k: int, rng: np.random.Generator) -> Floats:
    """Every row with the nearest of ``k`` spread-out rows, the largest group first."""
    holes = np.isnan(X)
    mean = np.where(holes, 0.0, X).sum(axis=0) / np.maximum((~holes).sum(axis=0), 1)
    filled = np.where(holes, 0.0, X - mean)
    spread = filled.std(axis=0)
    filled = filled / np.where(spread > 0, spread, 1.0)
    count = min(k, len(np.unique(filled, axis=0)))
    centres, _ = kmeans_plusplus(filled, count, random_state=int(rng.integers(2**31)))
    near = ((filled[:, None, :] - centres) ** 2).sum(axis=2).argmin(axis=1)
    sizes = np.bincount(near, minlength=count)
    place = np.empty(count, dtype=np.intp)
    place[np.argsort(-sizes, kind="stable")] = np.arange(count)
    share = np.zeros((len(X), k))
    share[np.arange(len(X)), place[near]] = 1.0
    return share
