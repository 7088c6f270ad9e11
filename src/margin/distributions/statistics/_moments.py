"""Sufficient statistics of normal vectors, merged without cancellation."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.distributions._requirements import numbers
from margin.distributions.statistics._weights import (
    blocks,
    is_shared,
    responsibilities,
    row_weights,
)


@dataclass(frozen=True, eq=False)
class Moments:
    r"""Weight, mean and scatter of rows: all that a Gaussian fit needs (distributions.37).

    .. math:: n = \sum_i w_i, \quad m = \tfrac1n \sum_i w_i x_i, \quad
              S = \sum_i w_i (x_i - m)(x_i - m)^\top

    A commutative monoid: ``a + b`` are the statistics of the rows of both, :meth:`zero` those of no
    rows. The scatter is about the mean, so that large means cost no digits; the textbook
    :math:`\sum x x^\top - n m m^\top` cancels (distributions.16). With a matrix of weights, a
    column for each of ``k`` members, all three are stacked along a first axis.

    Parameters
    ----------
    weight : float or ndarray of shape (k,)
        Total weight ``n``.
    mean : ndarray of shape (d,) or (k, d)
        ``m``.
    scatter : ndarray of shape (d, d) or (k, d, d)
        ``S``.

    References
    ----------
    Chan, Golub and LeVeque (1983), Algorithms for computing the sample variance.

    Examples
    --------
    >>> a, b = Moments.of([[1.0], [2.0]]), Moments.of([[3.0], [4.0]])
    >>> a + b
    Moments(weight=4.0, mean=array([2.5]), scatter=array([[5.]]))
    >>> (a + b).covariance(ddof=1).round(6)
    array([[1.666667]])
    >>> two = Moments.of([[1.0], [2.0], [6.0]], [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    >>> two.weight, two[1].scatter.round(6)
    (array([1.5, 1.5]), array([[5.333333]]))
    """

    weight: Any
    mean: Floats
    scatter: Floats

    @classmethod
    def of(cls, X: ArrayLike, weight: ArrayLike | None = None) -> Self:
        """Statistics of the rows of ``X``, each counted ``weight`` times.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows without missing values.
        weight : array-like of shape (n,) or (n, k), optional
            Non-negative weights; all ones when absent. A matrix gives statistics for each of its
            columns, in one pass and without a table of n × k × d numbers.
        """
        X = numbers(cls.__name__, "X", X)
        if X.ndim != 2:
            raise check.fail(cls.__name__, "X", "two-dimensional", f"shape {X.shape}")
        if not np.isfinite(X).all():
            bad = "NaN" if np.isnan(X).any() else "infinity"
            raise check.fail(cls.__name__, "X", "finite everywhere", bad)
        if weight is not None and is_shared(weight):
            return cls(*_shared_moments(X, responsibilities(cls.__name__, weight, len(X))))
        w = row_weights(cls.__name__, weight, len(X))
        total = float(w.sum())
        if total == 0:
            return cls.zero(X.shape[1])
        # Two passes around a row of the data: what rounding left in the first is taken by the next.
        mean = X[np.argmax(w)].copy()
        centred = X - mean
        for _ in range(2):
            rest = w @ centred / total
            mean += rest
            centred -= rest
        half = np.sqrt(w)[:, None] * centred
        return cls(total, mean, half.T @ half)

    @classmethod
    def zero(cls, d: int) -> Self:
        """Statistics of no rows, the neutral element."""
        return cls(0.0, np.zeros(d), np.zeros((d, d)))

    @classmethod
    def stack(cls, members: list["Moments"]) -> Self:
        """Statistics of several members as one, along a new first axis."""
        return cls(
            np.array([m.weight for m in members]),
            np.array([m.mean for m in members]),
            np.array([m.scatter for m in members]),
        )

    def __add__(self, other: "Moments") -> "Moments":
        if not isinstance(other, Moments):
            return NotImplemented
        if self.mean.shape != other.mean.shape:
            raise check.fail(self, "dimension", f"{_size(self.mean)}", _size(other.mean))
        if not np.any(self.weight) or not np.any(other.weight):
            return other if not np.any(self.weight) else self
        total = self.weight + other.weight
        share = other.weight / np.where(total > 0, total, 1.0)
        both = np.asarray((self.weight > 0) & (other.weight > 0))[..., None]
        shift = np.where(both, other.mean - self.mean, 0.0)
        start = np.where(np.asarray(self.weight > 0)[..., None], self.mean, other.mean)
        outer = shift[..., :, None] * shift[..., None, :]
        return Moments(
            total,
            start + shift * np.asarray(share)[..., None],
            self.scatter + other.scatter + outer * np.asarray(self.weight * share)[..., None, None],
        )

    def __radd__(self, other: int) -> "Moments":
        """Let ``sum`` start from 0."""
        return self if other == 0 else NotImplemented

    def __getitem__(self, member: int) -> "Moments":
        if self.mean.ndim != 2:
            raise TypeError("Moments: statistics of one member cannot be indexed")
        return Moments(float(self.weight[member]), self.mean[member], self.scatter[member])

    def covariance(self, *, ddof: float = 0.0, mean: ArrayLike | None = None) -> Floats:
        r"""Covariance :math:`S / (n - \mathrm{ddof})` (distributions.16, distributions.17).

        Parameters
        ----------
        ddof : float
            0 for maximum likelihood, 1 for the unbiased estimate when weights are counts.
        mean : array-like of shape (d,), optional
            The true mean if it is known; the scatter is then taken about it and ``ddof`` should
            stay 0.
        """
        if not np.all(self.weight > ddof):
            raise check.fail(self, "weight", f"above ddof={ddof:g}", float(np.min(self.weight)))
        scatter, weight = self.scatter, np.asarray(self.weight)[..., None, None]
        if mean is not None:
            shift = self.mean - np.asarray(mean, dtype=np.float64)
            scatter = scatter + weight * (shift[..., :, None] * shift[..., None, :])
        return np.asarray(scatter / (weight - ddof))


def _shared_moments(X: Floats, shares: Floats) -> tuple[Floats, Floats, Floats]:
    """Weight, mean and scatter for every column of ``shares``."""
    k, d = shares.shape[1], X.shape[1]
    total = shares.sum(axis=0)
    mean, scatter, rest = np.zeros((k, d)), np.zeros((k, d, d)), np.zeros((k, d))
    if not len(X):
        return total, mean, scatter
    safe = np.where(total > 0, total, 1.0)[:, None]
    centre = X.mean(axis=0)
    for part in blocks(len(X), d):
        mean += shares[part].T @ (X[part] - centre)
    mean = centre + mean / safe
    for part in blocks(len(X), d):
        rows, half = X[part], np.sqrt(shares[part])
        for j in range(k):
            away = (rows - mean[j]) * half[:, j, None]
            rest[j] += half[:, j] @ away
            scatter[j] += away.T @ away
    # What rounding left in the mean: its own square leaves the scatter.
    rest /= safe
    scatter -= safe[..., None] * (rest[:, :, None] * rest[:, None, :])
    empty = total == 0
    mean[empty], scatter[empty] = 0.0, 0.0
    return total, np.where(empty[:, None], 0.0, mean + rest), scatter


def _size(mean: Floats) -> Any:
    return len(mean) if mean.ndim == 1 else mean.shape
