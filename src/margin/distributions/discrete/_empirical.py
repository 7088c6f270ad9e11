"""The distribution of observed values."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import entr

from margin.core import check
from margin.core.types import Floats
from margin.distributions._base import Belief, ExponentialFamily, Univariate
from margin.distributions._parameters import parameter, probabilities
from margin.distributions._requirements import Seed, as_statistics, source
from margin.distributions.statistics._sample import WeightedSample


@dataclass(frozen=True, eq=False, repr=False)
class Empirical(Univariate, ExponentialFamily):
    r"""Weighted values, or an array of independent sets of them (distributions.17).

    .. math:: p(x) = \sum_k w_k \, [x = a_k], \qquad \sum_k w_k = 1

    The prediction of models that answer by examples: the rows in the leaves of a forest, the
    nearest neighbours, the members of an ensemble.

    Parameters
    ----------
    atoms : array-like of shape (..., n_atoms)
        The values :math:`a_k`; the last axis runs over the atoms of one distribution.
    weight : array-like, optional
        Non-negative :math:`w_k`, broadcast against the atoms and scaled to sum to one; equal by
        default. An atom of weight zero is as good as absent.

    Notes
    -----
    :math:`O(m \log m)` per distribution of :math:`m` atoms to sort them once.

    Examples
    --------
    >>> from margin.distributions import Empirical
    >>> dist = Empirical([[1.0, 2.0, 3.0, 4.0], [0.0, 0.0, 0.0, 8.0]])
    >>> dist.mean, dist.quantile(0.5)
    (array([2.5, 2. ]), array([2., 0.]))
    >>> dist.cdf(2.0)
    array([0.5 , 0.75])
    """

    atoms: Floats
    weight: Floats
    cumulative: Floats

    def __init__(self, atoms: ArrayLike, weight: ArrayLike | None = None) -> None:
        values = parameter(self, "atoms", atoms)
        if values.ndim == 0 or values.shape[-1] == 0:
            raise check.fail(self, "atoms", "of at least one value each", values.shape)
        share = self._shares(values, weight)
        order = np.argsort(values, axis=-1, kind="stable")
        share = np.take_along_axis(share, order, axis=-1)
        total = np.cumsum(share, axis=-1)
        object.__setattr__(self, "atoms", np.take_along_axis(values, order, axis=-1))
        object.__setattr__(self, "weight", share / total[..., -1:])
        object.__setattr__(self, "cumulative", total / total[..., -1:])
        for array in (self.atoms, self.weight, self.cumulative):
            array.flags.writeable = False

    def _shares(self, values: Floats, weight: ArrayLike | None) -> Floats:
        if weight is None:
            return np.ones(values.shape)
        given = parameter(self, "weight", weight)
        if given.size and given.min() < 0:
            raise check.fail(self, "weight", "at least 0 everywhere", float(given.min()))
        try:
            share = np.broadcast_to(given, values.shape)
        except ValueError:
            need = f"of a shape that fits the atoms {values.shape}"
            raise check.fail(self, "weight", need, given.shape) from None
        if not (share.sum(axis=-1) > 0).all():
            raise check.fail(self, "weight", "above 0 for some atom of each distribution", 0.0)
        return share

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array of distributions; ``()`` for a single one."""
        return self.atoms.shape[:-1]

    @property
    def mean(self) -> Floats:
        r"""Expectation :math:`\sum_k w_k a_k`."""
        return np.asarray((self.weight * self.atoms).sum(axis=-1))

    @property
    def var(self) -> Floats:
        r"""Variance :math:`\sum_k w_k (a_k - \mu)^2`."""
        gap = self.atoms - self.mean[..., None]
        return np.asarray((self.weight * gap**2).sum(axis=-1))

    @property
    def mode(self) -> Floats:
        """The heaviest value, the least of several; equal atoms count together."""
        best = self._together().argmax(axis=-1)[..., None]
        return np.asarray(np.take_along_axis(self.atoms, best, axis=-1)[..., 0])

    @property
    def skewness(self) -> Floats:
        """Third central moment over the cube of the standard deviation; NaN for one value."""
        return self._standardised(3)

    @property
    def kurtosis(self) -> Floats:
        """Excess over the normal distribution; NaN for one value."""
        return self._standardised(4) - 3.0

    @property
    def entropy(self) -> Floats:
        """Of the distinct values, in nats (distributions.20)."""
        return np.asarray(entr(self._together()).sum(axis=-1))

    def log_prob(self, x: ArrayLike) -> Floats:
        """Logarithm of the weight at ``x``: minus infinity off the atoms, 0 where NaN."""
        at = np.asarray(x, dtype=np.float64)
        hit = np.where(self.atoms == at[..., None], self.weight, 0.0).sum(axis=-1)
        with np.errstate(divide="ignore"):
            return np.where(np.isnan(at), 0.0, np.log(hit))

    def cdf(self, x: ArrayLike) -> Floats:
        """Weight of the atoms at most ``x``."""
        at = np.asarray(x, dtype=np.float64)
        last = (self.atoms <= at[..., None]).sum(axis=-1) - 1
        sums = np.broadcast_to(self.cumulative, (*last.shape, self.atoms.shape[-1]))
        below = np.take_along_axis(sums, np.maximum(last, 0)[..., None], axis=-1)[..., 0]
        return np.where(np.isnan(at), np.nan, np.where(last < 0, 0.0, below))

    def quantile(self, q: ArrayLike) -> Floats:
        """Least atom whose cumulative weight reaches ``q``; the axes of ``q`` come first."""
        return self._reach(probabilities(self, q, self.shape))

    def _reach(self, levels: Floats) -> Floats:
        """Least atoms that reach levels of a shape that fits the array of distributions."""
        # Sums of shares carry rounding errors, which must not skip an atom.
        reached = self.cumulative >= (levels * (1.0 - 1e-12))[..., None]
        first = (reached & (self.cumulative > 0)).argmax(axis=-1)
        atoms = np.broadcast_to(self.atoms, (*first.shape, self.atoms.shape[-1]))
        return np.asarray(np.take_along_axis(atoms, first[..., None], axis=-1)[..., 0])

    def sample(self, n: int, rng: Seed) -> Floats:
        """``n`` draws from each distribution, along a new first axis."""
        return self._reach(source(self, n, rng).uniform(size=(n, *self.shape)))

    @classmethod
    def statistics(cls, X: ArrayLike, weight: ArrayLike | None = None) -> WeightedSample:
        """The distinct values of one column and their weights (distributions.37)."""
        return WeightedSample.of(X, weight)

    @classmethod
    def fit(cls, stats: WeightedSample | ArrayLike, prior: Belief | None = None) -> Self:
        """The distribution of the values of one column, for one member or many."""
        if prior is not None:
            raise check.fail(cls.__name__, "prior", "None: the family has no conjugate one", prior)
        sample = as_statistics(cls.__name__, WeightedSample, stats)
        if sample.values.ndim != 1 or not np.all(sample.weight.sum(axis=-1) > 0):
            raise check.fail(cls.__name__, "data", "one observed column", sample.values.shape)
        values = np.broadcast_to(sample.values, sample.weight.shape)
        return cls(values, sample.weight)

    def _together(self) -> Floats:
        """Weights with those of equal atoms at the first of them."""
        fresh = np.ones(self.atoms.shape, dtype=bool)
        fresh[..., 1:] = np.diff(self.atoms, axis=-1) > 0
        group = np.cumsum(fresh, axis=-1) - 1
        total = np.zeros(self.atoms.shape)
        for index in np.ndindex(self.shape):
            sums = np.bincount(group[index], self.weight[index])
            total[index][fresh[index]] = sums
        return total

    def _standardised(self, k: int) -> Floats:
        gap = self.atoms - self.mean[..., None]
        spread = np.where(self.var > 0, self.var, np.nan)
        return np.asarray((self.weight * gap**k).sum(axis=-1) / spread ** (k / 2))

    def __getitem__(self, key: Any) -> Self:
        places = np.arange(max(int(np.prod(self.shape)), 1)).reshape(self.shape)[key]
        flat = self.atoms.reshape(-1, self.atoms.shape[-1])
        return type(self)(flat[places], self.weight.reshape(flat.shape)[places])

    def __repr__(self) -> str:
        batch = f", shape={self.shape}" if self.shape else ""
        return f"Empirical({self.atoms.shape[-1]} atoms{batch})"
