"""Variational posterior of a Dirichlet-process mixture, its stick in so many pieces."""

from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import betaln, digamma, logsumexp
from sklearn.cluster import kmeans_plusplus

from margin.core import Solution
from margin.core.progress import Callback
from margin.core.types import Floats, Places
from margin.distributions import Gamma
from margin.inference import Expectation, expectation_maximisation
from margin.mixture.finite._row_groups import Stream, Table, sample_rows
from margin.mixture.processes._bases import Base
from margin.mixture.processes._stick_breaking import broken

MOST_SEEDS = 50_000
"""Rows that starts are found on."""


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


@dataclass(frozen=True, eq=False)
class StickSums:
    """What the beliefs need of the responsibilities: sums over rows.

    Parameters
    ----------
    count : ndarray of shape (T,)
    statistics : tuple
        As the base measure keeps them.
    """

    count: Floats
    statistics: tuple[Any, ...]

    def __add__(self, other: "StickSums") -> "StickSums":
        """Sums over the rows of both."""
        pairs = zip(self.statistics, other.statistics, strict=True)
        return StickSums(self.count + other.count, tuple(a + b for a, b in pairs))


@dataclass(frozen=True)
class CoordinateAscent:
    """The two steps: responsibilities of the rows, then everything else given them."""

    base: Base
    rows: Table | Stream
    alpha: float | Gamma

    def shares(self, at: StickPosterior, X: Floats) -> tuple[Floats, Floats]:
        r"""Responsibilities of some rows, and :math:`\log\sum_k e^{E\log\pi_k + E\log p(x_i)}`."""
        table = at.log_weights + self.base.expected_log_prob(at.members, X)
        total = logsumexp(table, axis=1)
        return np.exp(table - total[:, None]), np.asarray(total)

    def expect(self, at: StickPosterior) -> Expectation[StickSums]:
        r"""What responsibilities add up to, and the bound :math:`\sum_i \log\sum_k
        e^{E\log\pi_k + E\log p(x_i)}` less the divergences of all beliefs from their priors.
        """
        bound, sums = -self._divergence(at) - self.base.kl(at.members), None
        for X, weight in self.rows.blocks():
            share, total = self.shares(at, X)
            bound += float(total.sum() if weight is None else weight @ total)
            part = self.sums(X, _counted(share, weight), at)
            sums = part if sums is None else sums + part
        assert sums is not None
        return Expectation(bound, sums)

    def sums(self, X: Floats, share: Floats, at: StickPosterior | None) -> StickSums:
        """Sums over some rows, whose holes are filled as ``at`` believes."""
        before = None if at is None else at.members
        return StickSums(share.sum(axis=0), self.base.statistics(X, share, before))

    def _divergence(self, at: StickPosterior) -> float:
        share, left = at.log_shares
        entropy = -betaln(at.a, at.b) + (at.a - 1) * share + (at.b - 1) * left
        prior = at.log_alpha + (at.alpha - 1) * left
        value = float((entropy - prior).sum())
        if not isinstance(self.alpha, Gamma):
            return value
        return value + float(Gamma(at.shape, at.rate).kl(self.alpha))

    def maximise(self, sums: StickSums, at: StickPosterior | None) -> StickPosterior:
        """Beliefs given the sums: the sticks, then the concentration given them."""
        count = sums.count
        before = float(np.mean(self.alpha.mean)) if isinstance(self.alpha, Gamma) else self.alpha
        alpha = float(before) if at is None else at.alpha
        a, b = 1.0 + count[:-1], alpha + np.cumsum(count[::-1])[::-1][1:]
        left = float((digamma(b) - digamma(a + b)).sum())
        shape, rate = np.inf, alpha
        if isinstance(self.alpha, Gamma):
            shape = float(self.alpha.concentration) + len(a)
            rate = float(self.alpha.rate) - left
        return StickPosterior(a, b, self.base.updated(sums.statistics), shape, rate)

    def start(
        self, sample: Floats, mass: Floats, k: int, rng: np.random.Generator
    ) -> StickPosterior:
        """Every row with the nearest of ``k`` spread-out rows, the largest group first."""
        groups = _Groups.of(sample, mass, k, rng)
        size = np.zeros(len(groups.centres))
        for X, weight in self.rows.blocks():
            size += np.bincount(groups.nearest(X), weights=weight, minlength=len(size))
        place = np.empty(len(size), dtype=np.intp)
        place[np.argsort(-size, kind="stable")] = np.arange(len(size))
        hot = np.eye(k)[place]
        parts = [
            self.sums(X, _counted(hot[groups.nearest(X)], weight), None)
            for X, weight in self.rows.blocks()
        ]
        return self.maximise(reduce(add, parts), None)


def variational_posterior(
    base: Base,
    rows: Table | Stream,
    alpha: float | Gamma,
    n_components: int,
    *,
    n_init: int,
    tol: float,
    max_iter: int,
    rng: np.random.Generator,
    callback: Callback | None = None,
) -> Solution:
    """Best of several coordinate ascents; ``x`` is a :class:`StickPosterior`.

    ``extras["shares"]`` are the responsibilities of all rows, of shape (n, T).
    """
    method = CoordinateAscent(base, rows, alpha)
    sample, weight = sample_rows("DirichletProcessMixture", rows, MOST_SEEDS)
    w = np.ones(len(sample)) if weight is None else weight
    if w.any():  # rows of no weight are as if they were not there
        sample, w = sample[w > 0], w[w > 0]
    starts = (method.start(sample, w, n_components, rng) for _ in range(n_init))
    solution = expectation_maximisation(
        method.expect,
        method.maximise,
        starts,
        tol=tol,
        max_iter=max_iter,
        solver="stick-breaking variational inference",
        callback=callback,
    )
    shares = np.concatenate([method.shares(solution.x, X)[0] for X, _ in rows.blocks()])
    return replace(solution, extras={**solution.extras, "shares": shares})


def _counted(share: Floats, weight: Floats | None) -> Floats:
    """Shares of rows, each as often as it counts."""
    return share if weight is None else share * weight[:, None]


@dataclass(frozen=True, eq=False)
class _Groups:
    """Rows in standard units by the nearest of some of them."""

    mean: Floats
    spread: Floats
    centres: Floats

    @classmethod
    def of(cls, X: Floats, weight: Floats, k: int, rng: np.random.Generator) -> "_Groups":
        """Groups around at most ``k`` different rows far apart."""
        holes = np.isnan(X)
        counted = weight @ ~holes
        mean = weight @ np.where(holes, 0.0, X) / np.where(counted > 0, counted, 1.0)
        filled = np.where(holes, 0.0, X - mean)
        spread = np.sqrt(weight @ filled**2 / (weight.sum() or 1.0))
        spread = np.where(spread > 0, spread, 1.0)
        filled = filled / spread
        count = min(k, len(np.unique(filled, axis=0)))
        seed = int(rng.integers(2**31))
        held = weight if weight.any() else None
        centres, _ = kmeans_plusplus(filled, count, sample_weight=held, random_state=seed)
        return cls(mean, spread, np.asarray(centres))

    def nearest(self, X: Floats) -> Places:
        """The number of the nearest centre of every row, holes at the mean."""
        filled = np.where(np.isnan(X), 0.0, X - self.mean) / self.spread
        return np.asarray(cdist(filled, self.centres, "sqeuclidean").argmin(axis=1))
