"""What generative classifiers need of their rows: a monoid per class, so batches add up."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from margin.core.check import all_finite
from margin.core.types import Array, Floats, Indices
from margin.linalg import gram
from margin.native.rows import moments


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
    >>> moments = ClassMoments.of(X, code, 2)
    >>> moments.mean.ravel(), moments.scatter.ravel()
    (array([ 2., 10.]), array([2., 0.]))
    """

    total: Floats
    count: Floats
    mean: Floats
    scatter: Floats

    @classmethod
    def of(
        cls,
        X: Array,
        code: Array,
        n_classes: int,
        weight: Floats | None = None,
        n_threads: int = 1,
    ) -> ClassMoments:
        """Moments of a batch of rows in one pass.

        Sums are taken about the mean of a few rows, which keeps the digits of data far from zero.
        """
        X = np.ascontiguousarray(X)
        code64: Indices = np.ascontiguousarray(code, dtype=np.int64)
        few = X[:: max(1, len(X) // 256)].astype(np.float64)
        shift = np.add.reduce(few, axis=0) / max(1, len(few))
        if not all_finite(shift):
            seen = ~np.isnan(few)
            shift = np.nan_to_num(few.sum(axis=0, where=seen) / np.maximum(seen.sum(axis=0), 1))
        count, sums, squares = moments.class_moments(X, code64, n_classes, weight, shift, n_threads)
        safe = np.where(count > 0, count, 1.0)
        offset = sums / safe
        scatter = np.maximum(squares - offset * sums, 0.0)
        total = np.bincount(code64, weights=weight, minlength=n_classes).astype(np.float64)
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


@dataclass(frozen=True)
class ClassScatter:
    r"""Weights, means and scatter matrices of classes, pooled or one per class.

    Parameters
    ----------
    total : ndarray of shape (K,)
        Weight of each class.
    mean : ndarray of shape (K, p)
    scatter : ndarray of shape (1, p, p) or (K, p, p)
        :math:`\sum_i s_i (x_i - \bar x_k)(x_i - \bar x_k)^\top`, summed over classes if pooled.

    Examples
    --------
    >>> import numpy as np
    >>> X, code = np.array([[1.0], [3.0], [10.0], [10.0]]), np.array([0, 0, 1, 1])
    >>> ClassScatter.of(X, code, 2, pooled=True).scatter
    array([[[2.]]])
    >>> parts = ClassScatter.of(X[::2], code[::2], 2) + ClassScatter.of(X[1::2], code[1::2], 2)
    >>> parts.scatter.ravel()
    array([2., 0.])
    """

    total: Floats
    mean: Floats
    scatter: Floats

    @classmethod
    def of(
        cls,
        X: Array,
        code: Array,
        n_classes: int,
        weight: Floats | None = None,
        *,
        pooled: bool = False,
        n_threads: int = 1,
    ) -> ClassScatter:
        """Statistics of a batch of rows in two passes."""
        columns = ClassMoments.of(X, code, n_classes, weight, n_threads)
        if pooled:
            matrices = [gram(X, weight, centre=columns.mean, group=code)[0]]
        else:
            matrices = [
                gram(X, weight, centre=mean, rows=rows)[0]
                for mean, rows in zip(columns.mean, _rows_of(code, n_classes), strict=True)
            ]
        return cls(columns.total, columns.mean, np.stack(matrices))

    def __add__(self, other: ClassScatter) -> ClassScatter:
        total = self.total + other.total
        safe = np.where(total > 0, total, 1.0)
        gap = other.mean - self.mean
        share = self.total * other.total / safe
        shift = share[:, None, None] * gap[:, :, None] * gap[:, None, :]
        if len(self.scatter) == 1:
            shift = shift.sum(axis=0, keepdims=True)
        mean = self.mean + gap * (other.total / safe)[:, None]
        return ClassScatter(total, mean, self.scatter + other.scatter + shift)


def _rows_of(code: Array, n_classes: int) -> list[Indices]:
    """Rows of each class, in order."""
    # Numbers of sixteen bits are sorted by counting.
    short = code.astype(np.int16) if n_classes < 2**15 else code
    order = np.argsort(short, kind="stable")
    ends = np.cumsum(np.bincount(code, minlength=n_classes)).tolist()
    return [order[start:end] for start, end in pairwise([0, *ends])]
