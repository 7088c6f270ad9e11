"""Principal axes of a table, by whichever decomposition is cheapest."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import lu, qr
from scipy.sparse.linalg import LinearOperator, svds

from margin.core import Solution
from margin.core.types import Floats
from margin.decomposition._signs import signed_rows
from margin.decomposition.linear._centred_table import CentredTable, Multiplied, mean_of
from margin.distributions import Moments
from margin.linalg import dense_pairs, largest_pairs, svd


@dataclass(frozen=True, eq=False)
class Spectrum:
    r"""The largest part of :math:`\sum_i w_i (x_i - \bar x)(x_i - \bar x)^\top`.

    Parameters
    ----------
    mean : ndarray of shape (p,)
        :math:`\bar x`.
    squares : ndarray of shape (k,)
        Eigenvalues of the scatter, largest first: squared singular values of the centred table.
    axes : ndarray of shape (k, p)
        Their orthonormal axes; the largest entry of each is positive.
    total : float
        Trace of the scatter.
    weight : float
        Sum of the weights.
    search : Solution or None
        How an iterative decomposition ended.
    """

    mean: Floats
    squares: Floats
    axes: Floats
    total: float
    weight: float
    search: Solution | None = None


def from_moments(stats: Moments, n_components: int | None = None) -> Spectrum:
    """By the eigenvectors of the scatter matrix (decomposition.02).

    Examples
    --------
    >>> found = from_moments(Moments.of([[0.0, 1.0], [2.0, 1.0]]))
    >>> found.squares, found.axes[0]
    (array([2., 0.]), array([1., 0.]))
    """
    k = len(stats.mean) if n_components is None else n_components
    total = float(np.trace(stats.scatter))
    values, vectors = dense_pairs(stats.scatter, k)
    return _spectrum(stats.mean, values, vectors.T, total, float(stats.weight))


def by_svd(table: CentredTable, weight: float) -> Spectrum:
    """By the singular values of the centred table (decomposition.03)."""
    _, values, axes = svd(table.dense())
    total = float(np.sum(values**2))
    return _spectrum(mean_of(table), values**2, axes, total, weight)


def by_dual(
    table: CentredTable, weight: float, n_components: int, rng: np.random.Generator
) -> Spectrum:
    r"""By the scalar products of the rows, fewer than the columns (decomposition.04).

    With :math:`X X^\top e = \lambda e` the axis is :math:`X^\top e\, \lambda^{-1/2}`.
    """
    K = table.row_products()
    total, n = float(np.trace(K)), len(K)
    search = None
    if 4 * (n_components + 10) < n:
        search = largest_pairs(lambda B: K @ B, n, n_components, rng=rng, tol=1e-8, max_iter=40)
    if search is not None and search.status.ok:
        values, vectors = search.x
    else:
        search = None
        values, vectors = dense_pairs(K, n_components)
    axes = table.transposed_product(np.ascontiguousarray(vectors)).T
    return _spectrum(mean_of(table), values, _unit(axes, values), total, weight, search)


def by_lanczos(
    table: Multiplied, weight: float, n_components: int, tol: float, rng: np.random.Generator
) -> Spectrum:
    """By ARPACK, which multiplies the table by one vector at a time."""
    n, p = table.shape
    total = table.total()
    if total == 0:  # ARPACK has nothing to start from
        return _spectrum(mean_of(table), np.zeros(n_components), np.eye(n_components, p), 0, weight)
    operator = LinearOperator(
        (n, p),
        matvec=lambda v: table.product(v.reshape(-1, 1)).ravel(),
        rmatvec=lambda v: table.transposed_product(v.reshape(-1, 1)).ravel(),
        matmat=table.product,
        rmatmat=table.transposed_product,
        dtype=np.float64,
    )
    start = rng.uniform(-1, 1, size=min(n, p))
    _, values, axes = svds(operator, k=n_components, tol=tol, v0=start)
    order = np.argsort(values)[::-1]
    squares, axes = values[order] ** 2, axes[order]
    return _spectrum(mean_of(table), squares, axes, total, weight)


def by_random_range(
    table: Multiplied,
    weight: float,
    n_components: int,
    *,
    n_iter: int,
    n_oversamples: int,
    normalizer: str,
    rng: np.random.Generator,
) -> Spectrum:
    """By a random sample of the row space, sharpened by power iterations.

    The basis lies in the space of the columns, so that the variances told are exactly those of
    the projections.

    References
    ----------
    Halko, Martinsson and Tropp (2011). Finding structure with randomness. SIAM Review 53.
    """
    n, p = table.shape
    width = min(n, p, n_components + n_oversamples)
    basis = table.transposed_product(rng.standard_normal((n, width)))
    if normalizer == "auto":
        normalizer = "none" if n_iter <= 2 else "LU"
    for _ in range(n_iter):
        images = table.product(_normalised(basis, normalizer))
        basis = table.transposed_product(_normalised(images, normalizer))
    basis = np.asarray(qr(basis, mode="economic", check_finite=False)[0])
    _, values, turn = svd(table.product(basis))
    axes = (basis @ turn[:n_components].T).T
    return _spectrum(mean_of(table), values[:n_components] ** 2, axes, table.total(), weight)


def _normalised(B: Floats, normalizer: str) -> Floats:
    """Columns of the same span that rounding does not make alike."""
    if normalizer == "QR":
        return np.asarray(qr(B, mode="economic", check_finite=False)[0])
    if normalizer == "LU":
        return np.asarray(lu(B, permute_l=True, check_finite=False)[0])
    return B


def _unit(axes: Floats, values: Floats) -> Floats:
    """Orthonormal axes also where a variance is rounding and its axis is free."""
    sure = values > 1e-10 * max(float(values[0]), np.finfo(float).tiny)
    sizes = np.linalg.norm(axes, axis=1)
    axes = axes / np.where(sizes > 0, sizes, 1.0)[:, None]
    if sure.all():
        return axes
    kept = axes[sure]
    rng = np.random.default_rng(0)
    rest = rng.standard_normal((int(np.sum(~sure)), axes.shape[1]))
    for _ in range(2):
        rest = rest - (rest @ kept.T) @ kept
    return np.vstack([kept, np.linalg.qr(rest.T)[0].T])


def _spectrum(
    mean: Floats,
    squares: Floats,
    axes: Floats,
    total: float,
    weight: float,
    search: Solution | None = None,
) -> Spectrum:
    return Spectrum(mean, np.maximum(squares, 0.0), signed_rows(axes), total, weight, search)
