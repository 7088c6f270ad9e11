"""What generative classifiers need of their rows: a monoid per class, so batches add up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.linalg import gram
from margin.native import moments

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ClassMoments:
    r"""Weight, mean and sum of squared deviations of every column in every class.

    Parameters
    ----------
    total : ndarray of shape (K,)
        Weight of the rows of each class.
    count : ndarray of shape (K, p)
        Weight of the observed entries; NaN is unobserved.
    mean, scatter : ndarray of shape (K, p)
        Means and :math:`\sum_i s_i (x_{ij} - \bar x_{kj})^2`; zero where nothing was observed.

    Examples
    --------
    >>> import numpy as np
    >>> X, code = np.array([[1.0], [3.0], [10.0]]), np.array([0, 0, 1])
    >>> found = ClassMoments.of(X, code, 2)
    >>> found.mean.ravel(), found.scatter.ravel()
    (array([ 2., 10.]), array([2., 0.]))
    """

    total: Floats
    count: Floats
    mean: Floats
    scatter: Floats

    @classmethod
    def of(
        cls,
        X: NDArray[Any],
        code: NDArray[np.integer],
        n_classes: int,
        weight: Floats | None = None,
        n_threads: int = 1,
    ) -> ClassMoments:
        """Moments of a batch of rows in one pass.

        Sums are taken about the mean of a few rows, which keeps the digits of data far from zero.
        """
        X = np.ascontiguousarray(X)
        code = np.ascontiguousarray(code, dtype=np.int64)
        few = X[:: max(1, len(X) // 256)].astype(np.float64)
        shift = np.nan_to_num(
            few.sum(axis=0, where=~np.isnan(few)) / np.maximum((~np.isnan(few)).sum(axis=0), 1)
        )
        count, sums, squares = moments.class_moments(X, code, n_classes, weight, shift, n_threads)
        safe = np.where(count > 0, count, 1.0)
        offset = sums / safe
        scatter = np.maximum(squares - offset * sums, 0.0)
        total = np.bincount(code, weights=weight, minlength=n_classes).astype(np.float64)
        return cls(total, count, np.where(count > 0, shift + offset, 0.0), scatter)

    def __add__(self, other: ClassMoments) -> ClassMoments:
        count = self.count + other.count
        safe = np.where(count > 0, count, 1.0)
        gap = other.mean - self.mean
        return ClassMoments(
            self.total + other.total,
            count,
            self.mean + gap * (other.count / safe),
            self.scatter + other.scatter + gap**2 * (self.count * other.count / safe),
        )


def within_scatter(
    X: NDArray[Any], code: NDArray[np.integer], means: Floats, weight: Floats | None = None
) -> Floats:
    r"""Pooled scatter :math:`\sum_i s_i (x_i - \bar x_{k(i)})(x_i - \bar x_{k(i)})^\top`.

    Examples
    --------
    >>> import numpy as np
    >>> X, code = np.array([[1.0], [3.0], [10.0]]), np.array([0, 0, 1])
    >>> within_scatter(X, code, np.array([[2.0], [10.0]]))
    array([[2.]])
    """
    return gram(X, weight, centre=means, group=code)[0]
