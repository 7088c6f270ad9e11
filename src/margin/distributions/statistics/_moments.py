"""Sufficient statistics of Gaussian models, merged without cancellation."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.distributions._requirements import numbers


@dataclass(frozen=True, eq=False)
class Moments:
    r"""Weight, mean and scatter of rows: all that a Gaussian fit needs (distributions.37).

    .. math:: n = \sum_i w_i, \quad m = \tfrac1n \sum_i w_i x_i, \quad
              S = \sum_i w_i (x_i - m)(x_i - m)^\top

    A commutative monoid: ``a + b`` are the statistics of the rows of both, :meth:`zero` those of no
    rows. The scatter is about the mean, so that large means cost no digits; the textbook
    :math:`\sum x x^\top - n m m^\top` cancels (distributions.16).

    Parameters
    ----------
    weight : float
        Total weight ``n``.
    mean : ndarray of shape (d,)
        ``m``.
    scatter : ndarray of shape (d, d)
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
    """

    weight: float
    mean: Floats
    scatter: Floats

    @classmethod
    def of(cls, X: ArrayLike, weight: ArrayLike | None = None) -> Self:
        """Statistics of the rows of ``X``, each counted ``weight`` times.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows without missing values.
        weight : array-like of shape (n,), optional
            Non-negative weights; all ones when absent.
        """
        X = numbers(cls.__name__, "X", X)
        if X.ndim != 2:
            raise check.fail(cls.__name__, "X", "two-dimensional", f"shape {X.shape}")
        if not np.isfinite(X).all():
            bad = "NaN" if np.isnan(X).any() else "infinity"
            raise check.fail(cls.__name__, "X", "finite everywhere", bad)
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

    def __add__(self, other: "Moments") -> "Moments":
        if not isinstance(other, Moments):
            return NotImplemented
        if self.mean.shape != other.mean.shape:
            raise check.fail(self, "dimension", f"{len(self.mean)}", len(other.mean))
        if self.weight == 0 or other.weight == 0:
            return other if self.weight == 0 else self
        total = self.weight + other.weight
        shift = other.mean - self.mean
        return Moments(
            total,
            self.mean + shift * (other.weight / total),
            self.scatter
            + other.scatter
            + np.outer(shift, shift) * (self.weight / total * other.weight),
        )

    def __radd__(self, other: int) -> "Moments":
        """Let ``sum`` start from 0."""
        return self if other == 0 else NotImplemented

    def covariance(self, *, ddof: float = 0.0, mean: ArrayLike | None = None) -> Floats:
        r"""Covariance :math:`S / (n - \mathrm{ddof})` (distributions.16).

        Parameters
        ----------
        ddof : float
            0 for maximum likelihood, 1 for the unbiased estimate when weights are counts.
        mean : array-like of shape (d,), optional
            The true mean if it is known; the scatter is then taken about it and ``ddof`` should
            stay 0.
        """
        if not self.weight > ddof:
            raise check.fail(self, "weight", f"above ddof={ddof:g}", self.weight)
        scatter = self.scatter
        if mean is not None:
            shift = self.mean - np.asarray(mean, dtype=np.float64)
            scatter = scatter + self.weight * np.outer(shift, shift)
        return scatter / (self.weight - ddof)


@dataclass(frozen=True, eq=False)
class ColumnMoments:
    """Weight, mean and scatter of every column by itself; NaN is left out (distributions.37).

    As :class:`Moments`, without the products between columns, and with a weight for each column.

    Parameters
    ----------
    weight, mean, scatter : ndarray of shape () or (d,)
        Total weight of the observed entries, their mean and their sum of squares about it.

    Examples
    --------
    >>> import numpy as np
    >>> ColumnMoments.of([[1.0, np.nan], [3.0, 5.0]])
    ColumnMoments(weight=array([2., 1.]), mean=array([2., 5.]), scatter=array([2., 0.]))
    """

    weight: Floats
    mean: Floats
    scatter: Floats

    @classmethod
    def of(cls, X: ArrayLike, weight: ArrayLike | None = None) -> Self:
        """Statistics of the columns of ``X`` of shape (n,) or (n, d); NaN means unobserved."""
        X = numbers(cls.__name__, "X", X)
        if X.ndim not in (1, 2):
            raise check.fail(cls.__name__, "X", "one- or two-dimensional", f"shape {X.shape}")
        if np.isinf(X).any():
            raise check.fail(cls.__name__, "X", "finite or NaN", "infinity")
        w = row_weights(cls.__name__, weight, len(X))
        seen = ~np.isnan(X) & (w > 0).reshape((-1,) + (1,) * (X.ndim - 1))
        each = np.where(seen, w.reshape((-1,) + (1,) * (X.ndim - 1)), 0.0)
        total = np.asarray(each.sum(axis=0))
        safe = np.where(total > 0, total, 1.0)
        if not len(X):
            return cls(total, np.zeros(X.shape[1:]), np.zeros(X.shape[1:]))
        first = np.take_along_axis(X, np.expand_dims(np.argmax(seen, axis=0), 0), axis=0)[0]
        mean = np.where(total > 0, first, 0.0)
        centred = np.where(seen, X - mean, 0.0)
        for _ in range(2):
            rest = np.asarray((each * centred).sum(axis=0)) / safe
            mean = mean + rest
            centred = np.where(seen, centred - rest, 0.0)
        return cls(total, mean, np.asarray((each * centred**2).sum(axis=0)))

    def __add__(self, other: "ColumnMoments") -> "ColumnMoments":
        if not isinstance(other, ColumnMoments):
            return NotImplemented
        if self.mean.shape != other.mean.shape:
            raise check.fail(self, "shape", f"{self.mean.shape}", other.mean.shape)
        total = self.weight + other.weight
        share = other.weight / np.where(total > 0, total, 1.0)
        shift = np.where((self.weight > 0) & (other.weight > 0), other.mean - self.mean, 0.0)
        return ColumnMoments(
            total,
            np.where(self.weight > 0, self.mean, other.mean) + shift * share,
            self.scatter + other.scatter + shift**2 * self.weight * share,
        )

    def __radd__(self, other: int) -> "ColumnMoments":
        """Let ``sum`` start from 0."""
        return self if other == 0 else NotImplemented


def row_weights(owner: str, weight: ArrayLike | None, n: int) -> Floats:
    """One finite, non-negative weight per row; unlike those of a fit, they may all be zero."""
    if weight is None:
        return np.ones(n)
    w = np.asarray(weight, dtype=np.float64)
    if w.shape != (n,):
        raise check.fail(owner, "weight", f"of shape ({n},)", f"shape {w.shape}")
    if not np.isfinite(w).all() or (n and w.min() < 0):
        raise check.fail(owner, "weight", "finite and at least 0 everywhere", float(w.min()))
    return w
