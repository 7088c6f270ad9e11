"""Which class each row belongs to, for certain or in shares, and sums of the rows by class."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from margin.core.types import Array, Floats, Indices
from margin.linear._class_statistics import ClassMoments
from margin.native.rows import moments, naive_bayes, tables


@dataclass(frozen=True)
class Membership:
    """Rows and their classes: codes, or a share of every row for every class.

    Every statistic of naive Bayes is a sum over rows, so labelled rows and rows whose class is only
    believed in go through the same code.

    Parameters
    ----------
    n_classes : int
    code : ndarray of shape (n,) or None
        Class of each row.
    share : ndarray of shape (n, n_classes) or None
        Weight of each row in each class, in place of codes.
    weight : ndarray of shape (n,) or None
        Weights that go with codes; ones when absent.
    n_threads : int
        Threads of the compiled passes.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0], [2.0], [4.0]])
    >>> Membership.hard(np.array([0, 0, 1]), 2).sums(X)[1].ravel()
    array([3., 4.])
    >>> Membership.soft(np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])).sums(X)[1].ravel()
    array([2., 5.])
    """

    n_classes: int
    code: Indices | None = None
    share: Floats | None = None
    weight: Floats | None = None
    n_threads: int = 1

    @classmethod
    def hard(
        cls, code: Array, n_classes: int, weight: Floats | None = None, n_threads: int = 1
    ) -> Membership:
        """Rows of known class, counted ``weight`` times."""
        codes = np.ascontiguousarray(code, dtype=np.int64)
        return cls(n_classes, code=codes, weight=weight, n_threads=n_threads)

    @classmethod
    def soft(cls, share: Floats, weight: Floats | None = None) -> Membership:
        """Rows shared between the classes, counted ``weight`` times."""
        return cls(share.shape[1], share=share if weight is None else share * weight[:, None])

    @property
    def total(self) -> Floats:
        """Weight of the rows of each class."""
        if self.share is not None:
            return np.asarray(self.share.sum(axis=0))
        assert self.code is not None
        total = np.bincount(self.code, weights=self.weight, minlength=self.n_classes)
        return total.astype(np.float64)

    def sums(self, X: Any) -> Floats:
        """Weight of the observed entries and their sum, of shape (2, n_classes, p).

        NaN is unobserved; a sparse ``X`` is observed everywhere.
        """
        if sparse.issparse(X):
            product = X.T @ self._matrix()
            added = (product.toarray() if sparse.issparse(product) else np.asarray(product)).T
            return np.stack([np.broadcast_to(self.total[:, None], added.shape), added])
        if self.share is not None:
            seen = ~np.isnan(X)
            return np.stack([self.share.T @ seen, self.share.T @ np.where(seen, X, 0.0)])
        assert self.code is not None
        shift = np.zeros(X.shape[1])
        return moments.class_moments(
            np.ascontiguousarray(X), self.code, self.n_classes, self.weight, shift, self.n_threads
        )[:2]

    def counts(self, X: Any) -> tuple[Floats, float]:
        """Sum of the rows of each class and the least entry, of rows that are observed."""
        if sparse.issparse(X):
            return self.sums(X)[1], float(np.min(X.data, initial=0.0))
        if self.share is not None:
            return self.share.T @ X, float(np.min(X, initial=0.0))
        assert self.code is not None
        return naive_bayes.class_sums(
            np.ascontiguousarray(X), self.code, self.n_classes, self.weight, self.n_threads
        )

    def moments(self, X: Array) -> ClassMoments:
        """Weight, mean and scatter of every column in every class."""
        if self.share is None:
            assert self.code is not None
            return ClassMoments.of(X, self.code, self.n_classes, self.weight, self.n_threads)
        seen = ~np.isnan(X)
        count = self.share.T @ seen
        column = np.where(seen, X, 0.0).sum(axis=0) / np.maximum(seen.sum(axis=0), 1)
        away = np.where(seen, X - column, 0.0)
        sums, squares = self.share.T @ away, self.share.T @ away**2
        offset = sums / np.where(count > 0, count, 1.0)
        mean = np.where(count > 0, column + offset, 0.0)
        return ClassMoments(self.total, count, mean, np.maximum(squares - offset * sums, 0.0))

    def tables(self, cells: Array, sizes: tuple[int, ...]) -> list[Floats]:
        """Weight of each value 0, 1, … of each column, of shape (n_classes, size) for each.

        Entries that are no whole number below the size of their column, such as NaN, are left out.
        """
        if self.share is None:
            assert self.code is not None
            offset = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
            flat = tables.table_counts(
                np.ascontiguousarray(cells),
                self.code,
                self.n_classes,
                self.weight,
                offset,
                self.n_threads,
            )
            counts = np.ascontiguousarray(flat.T)
            return [counts[:, start:end] for start, end in pairwise(offset.tolist())]
        parts: list[Floats] = []
        for j, size in enumerate(sizes):
            values = cells[:, j]
            seen = (values >= 0) & (values < size) & (values == np.floor(values))
            where, share = values[seen].astype(np.int64), self.share[seen]
            parts.append(np.stack([np.bincount(where, weights=s, minlength=size) for s in share.T]))
        return parts

    def _matrix(self) -> Any:
        """Weight of every row in every class, as a matrix; sparse where classes are certain."""
        if self.share is not None:
            return self.share
        assert self.code is not None
        n = len(self.code)
        weight = np.ones(n) if self.weight is None else self.weight
        matrix = sparse.csr_array((weight, self.code, np.arange(n + 1)), shape=(n, self.n_classes))
        return matrix.toarray() if self.n_classes <= 16 else matrix
