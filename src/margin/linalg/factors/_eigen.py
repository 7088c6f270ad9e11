"""Eigenproblems of symmetric matrices and of operators that are never formed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh
from scipy.sparse.linalg import LinearOperator, eigsh

from margin.core import Iterate, Solution, Stop, check, iterate
from margin.core.types import Floats
from margin.linalg._matrix import symmetric, vector
from margin.linalg.factors._cholesky import cholesky

Apply = Callable[[Floats], Floats]


@dataclass(frozen=True, eq=False)
class Eigen:
    """Eigenvalues in falling order with their eigenvectors as columns.

    The sign of each vector is fixed by making its largest entry positive.

    Parameters
    ----------
    values : ndarray of shape (k,)
        Eigenvalues, largest first.
    vectors : ndarray of shape (n, k)
        ``vectors[:, i]`` belongs to ``values[i]``.
    repair : str
        What jitter was needed on the way; empty if none.
    """

    values: Floats
    vectors: Floats
    repair: str = ""


def generalised_eigen(A: ArrayLike, B: ArrayLike, n_components: int | None = None) -> Eigen:
    r"""Largest solutions of :math:`A v = \lambda B v`, through Cholesky of ``B`` (linalg.15).

    With :math:`B = L L^\top` the symmetric problem :math:`(L^{-1} A L^{-\top})\, e = \lambda e` has
    the same eigenvalues; its eigenvectors go back by :math:`v = L^{-\top} e`, so that
    :math:`v_i^\top B v_j = \delta_{ij}`. A ``B`` that is singular up to rounding is mended by the
    jitter policy of :func:`cholesky`, and ``repair`` says so.

    Parameters
    ----------
    A : array-like of shape (n, n)
        Symmetric.
    B : array-like of shape (n, n)
        Symmetric positive definite.
    n_components : int, optional
        How many of the largest to return; all when absent.

    Examples
    --------
    >>> pair = generalised_eigen([[2.0, 0.0], [0.0, 3.0]], [[1.0, 0.0], [0.0, 4.0]])
    >>> pair.values
    array([2.  , 0.75])
    >>> abs(pair.vectors)
    array([[1. , 0. ],
           [0. , 0.5]])
    """
    A, factor = symmetric(A, "A"), cholesky(B, name="B")
    if A.shape != factor.lower.shape:
        raise ValueError(f"linalg: B must have shape {A.shape}, got {factor.lower.shape}")
    k = _count(n_components, len(A))
    half = factor.half_solve(A)
    reduced = factor.half_solve(half.T)
    values, vectors = eigh((reduced + reduced.T) / 2, subset_by_index=[len(A) - k, len(A) - 1])
    back = factor.half_solve(vectors[:, ::-1], transpose=True)
    return Eigen(values[::-1], _signed(back), factor.repair)


def largest_eigen(
    apply: Apply, n: int, n_components: int, *, rng: np.random.Generator, tol: float = 0.0
) -> Eigen:
    r"""Largest eigenpairs of a symmetric operator :math:`v \mapsto A v`, by Lanczos (linalg.15).

    Only products with vectors are made; the matrix is never formed, unless so many pairs are asked
    for that a dense decomposition costs less.

    Parameters
    ----------
    apply : callable
        ``v -> A @ v`` for a vector or for a matrix of columns.
    n : int
        Dimension.
    n_components : int
        How many of the (algebraically) largest to return.
    rng : numpy.random.Generator
        Makes the first vector.
    tol : float
        Relative accuracy of the eigenvalues; 0 means machine precision.

    Examples
    --------
    >>> import numpy as np
    >>> d = np.arange(1.0, 101.0)
    >>> top = largest_eigen(lambda v: (d * v.T).T, 100, 2, rng=np.random.default_rng(0))
    >>> top.values.round(9)
    array([100.,  99.])
    """
    k = _count(n_components, n)
    if 2 * k + 1 >= n:
        dense = apply(np.eye(n))
        values, vectors = eigh((dense + dense.T) / 2, subset_by_index=[n - k, n - 1])
    else:
        operator = LinearOperator((n, n), matvec=apply, dtype=np.float64)
        values, vectors = eigsh(operator, k=k, which="LA", v0=rng.normal(size=n), tol=tol)
    order = np.argsort(values)[::-1]
    return Eigen(values[order], _signed(vectors[:, order]))


def power_iteration(
    apply: Apply, start: ArrayLike, *, tol: float = 1e-10, max_iter: int = 1000
) -> Solution:
    r"""Dominant eigenvector of an operator :math:`v \mapsto A v` by repeated products (linalg.15).

    :math:`v \leftarrow A v / \|A v\|`; the error falls by :math:`|\lambda_2 / \lambda_1|` per
    iteration. ``A`` need not be symmetric (the ranking of web pages is of this kind).

    Parameters
    ----------
    apply : callable
        ``v -> A @ v``.
    start : array-like of shape (n,)
        First vector, not orthogonal to the answer.
    tol : float
        Converged when :math:`\|A v - \lambda v\| \le \mathrm{tol}\,\|A v\|`.
    max_iter : int
        Largest number of products.

    Returns
    -------
    Solution
        ``x`` is the unit eigenvector, ``objective`` its eigenvalue (Rayleigh quotient).

    Examples
    --------
    >>> import numpy as np
    >>> A = np.array([[2.0, 1.0], [1.0, 2.0]])
    >>> leading = power_iteration(lambda v: A @ v, [1.0, 0.0])
    >>> round(leading.objective, 9), leading.x.round(6)
    (3.0, array([0.707107, 0.707107]))
    """
    v = np.asarray(start, dtype=np.float64)
    v = vector(v, v.size, "start")
    if not np.linalg.norm(v) > 0:
        raise ValueError("linalg: start must be a vector other than zero, got zeros")
    check.count("linalg", "max_iter", max_iter)
    stop = Stop(
        "relative eigenvector residual",
        tol,
        max_iter,
        unit="product",
        keep="last",
        columns=("residual",),
        advice=("raise tol",),
    )
    return iterate(_powers(apply, v / np.linalg.norm(v)), stop, solver="power iteration")


def _powers(apply: Apply, v: Floats) -> Iterator[Iterate]:
    """The vector that was multiplied, its quotient and its residual, for every product."""
    for n_products in count(1):
        image = apply(v)
        value, length = float(v @ image), float(np.linalg.norm(image))
        residual = float(np.linalg.norm(image - value * v))
        yield Iterate(v, value, residual / (length or 1.0), n_products, (residual,))
        v = image / length


def _count(k: int | None, n: int) -> int:
    if k is None:
        return n
    if not 1 <= k <= n:
        raise ValueError(f"linalg: n_components must be between 1 and {n}, got {k!r}")
    return k


def _signed(vectors: Floats) -> Floats:
    """Flip columns so that the entry of largest size is positive."""
    largest = vectors[np.argmax(np.abs(vectors), axis=0), np.arange(vectors.shape[1])]
    return vectors * np.where(largest < 0, -1.0, 1.0)
