"""Where the search for a Gaussian mixture starts."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.cluster import kmeans_plusplus

from margin.core.types import Array, Floats
from margin.distributions import ColumnMoments, Moments
from margin.inference import Repaired, k_means
from margin.mixture.finite._conjugate_prior import ConjugatePrior
from margin.mixture.finite._gaussian_expectation import WIDE, diagonal
from margin.mixture.finite._gaussian_steps import gaussian_fit
from margin.mixture.finite._gaussians import Gaussians
from margin.mixture.finite._mixture_statistics import MixtureStatistics, shifted_moments
from margin.native.mixture.expectation import shared_moments

INITS = ("kmeans", "k-means++", "random", "random_from_data")


@dataclass(frozen=True, eq=False)
class Given:
    """Parameters that a person has set; ``None`` for those to be found."""

    weights: Floats | None = None
    means: Floats | None = None
    precisions: Floats | None = None

    @property
    def complete(self) -> bool:
        """Whether nothing is left to be found."""
        return not any(v is None for v in (self.weights, self.means, self.precisions))


@dataclass(frozen=True, eq=False)
class GaussianStarts:
    """Draws starts from a sample of rows.

    Parameters
    ----------
    X, weight : ndarray
        The sample; gaps are filled by the means of the columns, for the start only.
    n_components, kind, ridge
        Of the mixture.
    init : str
        One of :data:`INITS`.
    given : Given
    scale : ndarray of shape (d,)
        Variances of the columns.
    seed : int or None
        Of the clusters of the first start.
    prior : ConjugatePrior or None
        With it a cluster of a single row is a start too.
    """

    X: Array
    weight: Floats | None
    n_components: int
    kind: str
    ridge: float
    init: str
    given: Given
    scale: Floats
    seed: int | None = None
    prior: ConjugatePrior | None = None

    def draw(self, n_init: int, rng: np.random.Generator) -> Iterator[Gaussians]:
        """So many starts."""
        for i in range(1 if self.given.complete else n_init):
            yield self.one(rng, self.seed if i == 0 else None)

    def one(self, rng: np.random.Generator, seed: int | None = None) -> Gaussians:
        """One start; clusters by a seed of their own, or by the generator."""
        d = self.X.shape[1]
        equal = np.full(self.n_components, 1 / self.n_components)
        if self.given.complete:
            return self._with_given(self._flat(equal, np.zeros((1, d))))
        whole = self._filled()
        weight = np.ones(len(whole)) if self.weight is None else self.weight
        drawn = int(rng.integers(2**31 - 1))
        seed = drawn if seed is None else seed
        if self.init in ("k-means++", "random_from_data"):
            means = self._chosen(whole, weight, seed, rng)
            return self._with_given(self._flat(equal, means))
        share = self._shares(whole, weight, seed, rng)
        share *= weight[:, None]
        moments = _moments(whole, share)
        if np.isnan(self.X).any():
            # Filled rows understate the spread: halfway to that of all rows.
            extra = 0.5 * np.diag(self.scale) - 0.5 * moments.scatter / _positive(moments.weight)
            moments = Moments(
                moments.weight, moments.mean, moments.scatter + extra * _positive(moments.weight)
            )
        kept = moments if self.kind in ("full", "tied") else diagonal(moments)
        stats = MixtureStatistics(0.0, float(weight.sum()), share.sum(axis=0), kept)
        # Empty clusters of a start are of no consequence yet: they begin anywhere, with no weight.
        base = self._flat(np.zeros(self.n_components), whole[:1])
        if self.given.precisions is not None:
            return self._with_given(self._flat(_shared(stats.total), kept.mean))
        fitted = gaussian_fit(stats, base, self.ridge, self.scale, self.prior)
        return self._with_given(fitted.parameters if isinstance(fitted, Repaired) else fitted)

    def shares(self, rng: np.random.Generator) -> Floats:
        """How much of every row of the sample belongs to each component at first."""
        whole = self._filled()
        weight = np.ones(len(whole)) if self.weight is None else self.weight
        return self._shares(whole, weight, int(rng.integers(2**31 - 1)), rng)

    def _filled(self) -> Floats:
        whole = np.asarray(self.X, dtype=np.float64)
        gaps = np.isnan(whole)
        if not gaps.any():
            return whole
        return np.where(gaps, ColumnMoments.of(whole, self.weight).mean, whole)

    def _flat(self, weights: Floats, means: Floats) -> Gaussians:
        """Components as wide as all rows together."""
        k, d = self.n_components, self.X.shape[1]
        wide = np.maximum(self.scale, 0.0) + self.ridge
        wide = np.where(wide > 0, wide, 1.0)
        covariances = {
            "full": np.broadcast_to(np.diag(wide), (k, d, d)),
            "tied": np.diag(wide),
            "diag": np.broadcast_to(wide, (k, d)),
            "spherical": np.full(k, wide.mean()),
        }[self.kind]
        centres = np.broadcast_to(means, (k, d))
        return Gaussians.of(weights, np.array(centres), np.array(covariances), self.kind)[0]

    def _chosen(self, whole: Floats, weight: Floats, seed: int, rng: np.random.Generator) -> Floats:
        """Rows as means."""
        k = self.n_components
        if self.init == "k-means++":
            weights = None if self.weight is None else weight
            centres, _ = kmeans_plusplus(whole, k, sample_weight=weights, random_state=seed)
            return np.asarray(centres, dtype=np.float64)
        return whole[rng.choice(len(whole), size=k, replace=False, p=_spared(weight, k))]

    def _shares(self, whole: Floats, weight: Floats, seed: int, rng: np.random.Generator) -> Floats:
        """How much of every row belongs to each component at first."""
        k = self.n_components
        if self.init == "random":
            share = rng.random((len(whole), k))
            return np.asarray(share / share.sum(axis=1, keepdims=True))
        if k == 1:
            return np.ones((len(whole), 1))
        weights = None if self.weight is None else weight
        _, assigned = k_means(whole, k, seed, weights)
        return np.asarray(np.eye(k)[assigned.label])

    def _with_given(self, start: Gaussians) -> Gaussians:
        given = self.given
        if given.weights is None and given.means is None and given.precisions is None:
            return start
        weights = start.weights if given.weights is None else given.weights
        means = start.means if given.means is None else given.means
        covariances = start.covariances
        if given.precisions is not None:
            covariances = _inverted(given.precisions, self.kind)
        return Gaussians.of(weights, means, covariances, self.kind, max_jitter=1e-6)[0]


def _inverted(precisions: Floats, kind: str) -> Floats:
    if kind in ("diag", "spherical"):
        return np.asarray(1.0 / precisions)
    matrices = np.linalg.inv(precisions)
    return np.asarray(0.5 * (matrices + np.swapaxes(matrices, -1, -2)), dtype=np.float64)


def first_seed(random_state: Any) -> int | None:
    """The seed itself where one was given: clusters, and their order, are then those of KMeans.

    Examples
    --------
    >>> first_seed(3), first_seed(None)
    (3, None)
    """
    whole = isinstance(random_state, int | np.integer) and not isinstance(random_state, bool)
    return int(random_state) if whole else None


def _moments(rows: Floats, share: Floats) -> Moments:
    """Moments of all components, in two compiled passes unless columns are many."""
    if rows.shape[1] > WIDE:
        return Moments.of(rows, share)
    total = share.sum(axis=0)
    centres = share.T @ rows / np.where(total > 0, total, 1.0)[:, None]
    sums = shared_moments(rows, None, share, np.ascontiguousarray(centres))
    return shifted_moments(sums.total, sums.first, sums.second, centres)


def _positive(weight: Floats) -> Floats:
    return np.asarray(np.where(weight > 0, weight, 1.0))[:, None, None]


def _shared(total: Floats) -> Floats:
    return np.asarray(total / total.sum())


def _spared(weight: Floats, k: int) -> Floats | None:
    """Chances of rows in proportion to weights; even where fewer than ``k`` have one."""
    return weight / weight.sum() if np.count_nonzero(weight) >= k else None
