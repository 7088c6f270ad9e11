"""A tensor product plus a multiple of the identity, through eigenvectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np
from numpy.typing import ArrayLike

from margin.core import FitError
from margin.core.types import Floats
from margin.linalg.factors._jitter import EPS, jitters
from margin.linalg.structured._centrosymmetric import symmetric_eigen
from margin.linalg.structured._kronecker_product import kronecker_product


@dataclass(frozen=True, eq=False, repr=False)
class ShiftedKronecker:
    r"""The matrix :math:`C = c\,K_1 \otimes \dots \otimes K_d + s I` (linalg.11).

    With :math:`K_j = Q_j \Lambda_j Q_j^\top` it is diagonal in the basis
    :math:`Q_1 \otimes \dots \otimes Q_d`: solves cost :math:`O(N \sum_j n_j)`, the determinant
    :math:`O(N)`. Made by :func:`shifted_kronecker`.

    Parameters
    ----------
    values, vectors : tuple of ndarray
        Eigenvalues and eigenvectors of each :math:`K_j`.
    factor, shift : float
        :math:`c` and :math:`s`, jitter included.
    jitter : float
        What was added to make the matrix definite.
    """

    values: tuple[Floats, ...]
    vectors: tuple[Floats, ...]
    factor: float
    shift: float
    jitter: float = 0.0

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of points along each axis."""
        return tuple(map(len, self.values))

    def others(self, axis: int | None = None) -> Floats:
        """``c`` times the product of the eigenvalues of all axes but one, on the whole grid."""
        return self.factor * eigenvalue_products(self.values, axis)

    @cached_property
    def spectrum(self) -> Floats:
        """All eigenvalues, of shape (N,), in the order of the grid."""
        return self.others() + self.shift

    def rotate(self, Y: Floats) -> Floats:
        """Columns in the basis of the eigenvectors."""
        return kronecker_product([Q.T for Q in self.vectors], Y)

    def back(self, Y: Floats) -> Floats:
        """Columns from the basis of the eigenvectors."""
        return kronecker_product(self.vectors, Y)

    def solve(self, Y: Floats) -> Floats:
        r""":math:`C^{-1} Y` for columns on the grid, of shape (N, k)."""
        return self.back(self.rotate(Y) / self.spectrum[:, None])

    @property
    def log_det(self) -> float:
        r""":math:`\log\det C`."""
        return float(np.sum(np.log(self.spectrum)))

    def inverse_diagonal(self) -> Floats:
        r"""Diagonal of :math:`C^{-1}`, of shape (N,)."""
        squares = [Q * Q for Q in self.vectors]
        return kronecker_product(squares, 1.0 / self.spectrum[:, None])[:, 0]

    @property
    def repair(self) -> str:
        """What was done to the matrix, as a text for ``FitReport.repairs``; empty if nothing."""
        if not self.jitter:
            return ""
        return f"added {self.jitter:.3g} to the diagonal of the tensor product to make it definite"


def eigenvalue_products(values: Sequence[Floats], skip: int | None = None) -> Floats:
    """Products of the eigenvalues of all axes, but for one axis if asked, on the whole grid.

    Examples
    --------
    >>> import numpy as np
    >>> eigenvalue_products([np.array([1.0, 2.0]), np.array([3.0, 5.0])], skip=0)
    array([3., 5., 3., 5.])
    """
    kept = [np.ones_like(v) if j == skip else v for j, v in enumerate(values)]
    return np.asarray(reduce(np.multiply.outer, kept).ravel())


def shifted_kronecker(
    matrices: Sequence[ArrayLike],
    *,
    factor: float = 1.0,
    shift: float = 0.0,
    max_jitter: float = 1e-6,
) -> ShiftedKronecker:
    r"""Factor :math:`c\,K_1 \otimes \dots \otimes K_d + s I` (linalg.11).

    The policy for a matrix that is singular up to rounding is that of :func:`cholesky`.

    Parameters
    ----------
    matrices : sequence of array-like of shape (n_j, n_j)
        Symmetric, in the order of the axes.
    factor, shift : float
        :math:`c` and :math:`s`.
    max_jitter : float
        Largest repair relative to the mean of the diagonal.

    Raises
    ------
    FitError
        The matrix is not positive definite even with the largest repair.

    Examples
    --------
    >>> import numpy as np
    >>> matrix = shifted_kronecker([[[2.0]], [[1.0, 0.5], [0.5, 1.0]]], shift=1.0)
    >>> matrix.solve(np.array([[4.0], [4.0]])).ravel().round(12)
    array([1., 1.])
    >>> round(float(np.exp(matrix.log_det)), 12)
    8.0
    """
    if not len(matrices):
        raise ValueError("linalg: matrices must hold at least 1 matrix, got none")
    pairs = [symmetric_eigen(K, semidefinite=True) for K in matrices]
    values = tuple(v for v, _ in pairs)
    vectors = tuple(Q for _, Q in pairs)
    shifted = ShiftedKronecker(values, vectors, factor, shift)
    jitter = definite_jitter(shifted.spectrum, max_jitter)
    return ShiftedKronecker(values, vectors, factor, shift + jitter, jitter)


def definite_jitter(spectrum: Floats, max_jitter: float) -> float:
    """What to add to eigenvalues so that none is lost in rounding errors."""
    least, n = float(np.min(spectrum, initial=np.inf)), len(spectrum)
    scale = float(np.mean(np.abs(spectrum))) if n else 1.0
    for jitter in jitters(n, scale, max_jitter):
        if least + jitter > n * EPS * scale:
            return jitter
    raise FitError(
        "linalg: tensor product must be positive definite, got smallest eigenvalue "
        f"{least:.3g} ({n} rows, jitter tried up to {max_jitter * scale:.3g})"
    )
