"""What is left of a least-squares fit once it is solved: the inverse of its normal equations."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import eigh, solve_triangular
from scipy.sparse import diags_array, issparse

from margin.core.types import Array, Bools, Floats
from margin.linalg.data._gram import row_chunks

MOST_NUMBERS = 10_000_000  # that a fit keeps for the sake of its uncertainty: 80 MB


class NormalInverse(ABC):
    r"""The matrix :math:`M = (A^\top A + \alpha I)^{-1}` of the centred, weighted rows :math:`A`.

    Times the variance of the noise it is the covariance of the coefficients: of the estimates
    where :math:`\alpha = 0` (then the pseudo-inverse), of the posterior under a normal prior
    otherwise. It is kept as the solver left it, in a factored form.

    Attributes
    ----------
    centre : ndarray of shape (p,)
        What is subtracted from every row.
    alpha : float
        Strength of the penalty.
    """

    centre: Floats
    alpha: float

    @abstractmethod
    def dof(self) -> float:
        r"""Effective parameters :math:`\sum_j d_j^2 / (d_j^2 + \alpha)`, the intercept not counted.

        :math:`d_j` are the singular values of :math:`A` (linear.13).
        """

    @abstractmethod
    def _along(self, away: Floats) -> Floats:
        """Quadratic form at rows that are centred."""

    def along(self, X: Any) -> Floats:
        r"""The form :math:`(x - \bar x)^\top M (x - \bar x)` at every row of a table."""
        form = np.empty(X.shape[0])
        for chunk in row_chunks(*X.shape):
            rows = X[chunk].toarray() if issparse(X) else X[chunk]
            form[chunk] = self._along(np.subtract(rows, self.centre, dtype=np.float64))
        return form


@dataclass(frozen=True, eq=False)
class ColumnInverse(NormalInverse):
    r"""From the Cholesky factor of the columns' equations, :math:`M = D^{-1} L^{-T} L^{-1} D^{-1}`.

    Parameters
    ----------
    centre, alpha
        As for every inverse.
    lower, scale : ndarray of shape (p, p) and (p,)
        :math:`L` (only its lower triangle counts) and the diagonal of :math:`D`.
    live : ndarray of bool of shape (p,)
        Columns that the equations are about; without a penalty, constant ones are not.

    Examples
    --------
    >>> kept = ColumnInverse(np.zeros(1), 1.0, np.eye(1), np.array([2.0]), np.array([True]))
    >>> kept.along(np.array([[1.0], [4.0]])), kept.dof()
    (array([0.25, 4.  ]), 0.75)
    """

    centre: Floats
    alpha: float
    lower: Floats
    scale: Floats
    live: Bools

    def dof(self) -> float:
        if self.alpha == 0:
            return float(self.live.sum())
        root = self._halved(np.eye(len(self.scale)))
        return float(len(self.scale) - self.alpha * np.sum(root**2))

    def _along(self, away: Floats) -> Floats:
        root = self._halved(np.where(self.live, away, 0.0))
        return np.asarray(np.einsum("ij,ij->j", root, root))

    def _halved(self, rows: Floats) -> Floats:
        scaled = (rows / self.scale).T
        return np.asarray(solve_triangular(self.lower, scaled, lower=True, check_finite=False))


@dataclass(frozen=True, eq=False)
class RowInverse(NormalInverse):
    r"""From the rows' equations, :math:`M = (I - A^\top (A A^\top + \alpha I)^{-1} A) / \alpha`.

    Parameters
    ----------
    centre, alpha
        As for every inverse; the penalty is above 0.
    rows, root : ndarray of shape (n, p) and (n,)
        The rows as they came, and the square roots of their weights.
    lower, unit : ndarray of shape (n, n) and float
        Cholesky factor of :math:`(A A^\top + \alpha I) / \text{unit}`, which may have ``unit`` more
        along a direction that :math:`A^\top` maps to 0.
    filled : bool
        Whether it has.

    Examples
    --------
    >>> rows = np.array([[3.0, 0.0]])
    >>> kept = RowInverse(np.zeros(2), 1.0, rows, np.ones(1), np.eye(1), 10.0, False)
    >>> kept.along(np.eye(2)).round(12), round(kept.dof(), 12)
    (array([0.1, 1. ]), 0.9)
    """

    centre: Floats
    alpha: float
    rows: Array
    root: Floats
    lower: Floats
    unit: float
    filled: bool

    def dof(self) -> float:
        root = solve_triangular(self.lower, np.eye(len(self.lower)), lower=True)
        left = self.alpha * float(np.sum(root**2)) / self.unit
        if self.filled:
            left += 1.0 - self.alpha / (self.unit + self.alpha)
        return len(self.lower) - left

    def _along(self, away: Floats) -> Floats:
        products = self.root[:, None] * (self.rows @ away.T - away @ self.centre)
        root = solve_triangular(self.lower, products, lower=True, check_finite=False)
        seen = np.einsum("ij,ij->j", root, root) / self.unit
        size = np.einsum("ij,ij->i", away, away)
        return np.asarray(np.maximum(size - seen, 0.0) / self.alpha)


@dataclass(frozen=True, eq=False)
class SpectralInverse(NormalInverse):
    r"""From singular values, :math:`M = V (D^2 + \alpha)^{-1} V^\top`, and 1/alpha elsewhere.

    Parameters
    ----------
    centre, alpha
        As for every inverse.
    axes, values : ndarray of shape (p, r) and (r,)
        Right singular vectors as columns, which need not be orthonormal without a penalty, and
        singular values above 0.

    Examples
    --------
    >>> kept = SpectralInverse(np.zeros(2), 1.0, np.eye(2), np.array([1.0, 3.0]))
    >>> kept.along(np.eye(2)), round(kept.dof(), 12)
    (array([0.5, 0.1]), 1.4)
    """

    centre: Floats
    alpha: float
    axes: Floats
    values: Floats

    def dof(self) -> float:
        squares = self.values**2
        return float(np.sum(squares / (squares + self.alpha)))

    def _along(self, away: Floats) -> Floats:
        seen = (away @ self.axes) ** 2
        form = np.asarray(seen @ (1.0 / (self.values**2 + self.alpha)))
        if self.alpha > 0 and len(self.values) < len(self.centre):
            beyond = np.einsum("ij,ij->i", away, away) - seen.sum(axis=1)
            form = form + np.maximum(beyond, 0.0) / self.alpha
        return form


@dataclass(frozen=True, eq=False)
class SparseInverse(NormalInverse):
    r"""From sparse rows, factored when first asked: the solver of sparse systems factors nothing.

    Parameters
    ----------
    centre, alpha
        As for every inverse.
    transposed : CSR matrix of shape (p, n)
        The rows as they came, transposed.
    weight : ndarray of shape (n,)
        Their weights.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> kept = SparseInverse(np.zeros(1), 0.0, csr_array([[1.0, 2.0]]), np.array([1.0, 2.0]))
    >>> kept.along(np.array([[3.0]])), kept.dof()
    (array([1.]), 1.0)
    """

    centre: Floats
    alpha: float
    transposed: Any
    weight: Floats

    def dof(self) -> float:
        return self._spectrum.dof()

    def _along(self, away: Floats) -> Floats:
        return self._spectrum._along(away)

    @cached_property
    def _spectrum(self) -> SpectralInverse:
        product = self.transposed @ diags_array(self.weight) @ self.transposed.T
        matrix = product.toarray().astype(np.float64, copy=False)
        matrix -= float(self.weight.sum()) * np.outer(self.centre, self.centre)
        squares, axes = eigh(matrix)
        rounding = len(squares) * np.finfo(np.float64).eps * float(np.abs(squares).max(initial=0.0))
        kept = squares > rounding
        return SpectralInverse(self.centre, self.alpha, axes[:, kept], np.sqrt(squares[kept]))
