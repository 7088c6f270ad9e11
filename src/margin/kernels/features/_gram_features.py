"""Feature vectors from a kernel matrix."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import eigh

from margin.core import check
from margin.kernels._base import Floats, Kernel


@dataclass(frozen=True, eq=False)
class GramFeatures:
    r"""Vectors whose scalar products are a kernel matrix: :math:`K = B B^\top` (kernels.23).

    Parameters
    ----------
    features : ndarray of shape (n, r)
        The factor ``B``, principal directions first: columns are orthogonal.
    singular_values : ndarray of shape (r,)
        Lengths of the columns, roots of the eigenvalues of ``K``, largest first.
    residual : float
        Largest entry of ``K`` that is not explained.
    """

    features: NDArray[np.float64]
    singular_values: NDArray[np.float64]
    residual: float


def gram_features(K: ArrayLike, rank: int | None = None, *, tol: float = 1e-12) -> GramFeatures:
    r"""Feature vectors from a kernel matrix by its eigenvectors (kernels.23).

    :math:`B = V \Lambda^{1/2}`. The map exists if and only if ``K`` is positive semi-definite.

    Parameters
    ----------
    K : array-like of shape (n, n)
        Positive semi-definite matrix.
    rank : int, optional
        Number of features; all that are not rounding if left out.
    tol : float
        Eigenvalues below ``tol`` times the largest are dropped.

    Examples
    --------
    >>> factor = gram_features([[4.0, 2.0], [2.0, 1.0]])
    >>> factor.features.round(6)
    array([[2.],
           [1.]])
    """
    matrix = np.asarray(K, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise check.fail("gram_features", "K", "a square matrix", f"shape {matrix.shape}")
    values, vectors = eigh(matrix)
    largest = float(np.abs(values).max(initial=0.0))
    if len(values) and values[0] < -1e-8 * largest:
        raise check.fail(
            "gram_features", "K", "positive semi-definite", f"eigenvalue {values[0]:.6g}"
        )
    kept = np.flatnonzero(values > tol * largest)[::-1][:rank]
    roots = np.sqrt(values[kept])
    B = _pointing_up(vectors[:, kept]) * roots
    residual = float(np.abs(matrix - B @ B.T).max(initial=0.0))
    return GramFeatures(np.asarray(B), np.asarray(roots), residual)


def _pointing_up(vectors: Floats) -> Floats:
    """Eigenvectors with the largest entry positive: their sign is otherwise an accident."""
    if not vectors.size:
        return vectors
    largest = np.abs(vectors).argmax(axis=0)
    return np.asarray(vectors * np.sign(vectors[largest, np.arange(vectors.shape[1])]))


@dataclass(frozen=True, eq=False)
class MercerExpansion:
    r"""Leading eigenfunctions of a kernel under the distribution of a sample (kernels.23).

    .. math:: k(x, z) \approx \sum_i \lambda_i\, \phi_i(x)\, \phi_i(z), \qquad
        \phi_i(x) = \frac{\sqrt n}{\mu_i}\, k(x, X)\, v_i, \quad \lambda_i = \mu_i / n,

    where :math:`\mu_i, v_i` are eigenvalues and eigenvectors of the matrix of the sample. The
    functions are orthonormal in the mean over the sample.

    Parameters
    ----------
    kernel : Kernel
        What is expanded.
    points : objects
        The sample.
    eigenvalues : ndarray of shape (r,)
        :math:`\lambda_i`, largest first.
    vectors : ndarray of shape (n, r)
        Eigenvectors :math:`v_i` of the matrix.
    """

    kernel: Kernel
    points: Any
    eigenvalues: NDArray[np.float64]
    vectors: NDArray[np.float64]

    def functions(self, X: Any) -> Floats:
        """Values of the eigenfunctions, of shape ``(m, r)``."""
        n = len(self.vectors)
        scaled = self.vectors / (np.sqrt(n) * self.eigenvalues)
        return np.asarray(self.kernel(X, self.points) @ scaled)

    def __call__(self, X: Any) -> Floats:
        r"""Features :math:`\sqrt{\lambda_i} \phi_i(x)`, whose scalar products are the kernel."""
        return np.asarray(self.functions(X) * np.sqrt(self.eigenvalues))


def mercer(kernel: Kernel, X: Any, n: int | None = None, *, tol: float = 1e-10) -> MercerExpansion:
    """Leading ``n`` eigenfunctions of a kernel from a sample (kernels.23).

    Examples
    --------
    >>> import numpy as np
    >>> from margin.kernels import Linear
    >>> X = np.array([[1.0], [-1.0], [2.0]])
    >>> expansion = mercer(Linear(), X)
    >>> expansion.eigenvalues, expansion.functions([[2.0]]).round(6)
    (array([2.]), array([[1.414214]]))
    """
    factor = gram_features(kernel(X), n, tol=tol)
    mu = factor.singular_values**2
    size = len(factor.features)
    return MercerExpansion(kernel, X, mu / size, factor.features / factor.singular_values)
