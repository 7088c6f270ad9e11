"""Eigenvectors of a centred kernel matrix."""

from typing import NamedTuple

import numpy as np
from scipy.sparse.linalg import eigsh

from margin.core import Solution
from margin.core.types import Floats
from margin.decomposition._signs import signed_rows
from margin.linalg import dense_pairs, largest_pairs, svd, weighted_means

SOLVERS = ("auto", "dense", "arpack", "randomized")
# Shares of the largest eigenvalue: negative beyond rounding, and positive within it.
_NEGATIVE, _ROUNDING = 1e-5, 1e-12


class Centre(NamedTuple):
    """Means of a kernel matrix: of every column, and of all."""

    columns: Floats
    whole: float


class KernelSpectrum(NamedTuple):
    """Eigenvalues, largest first, eigenvectors as columns, and how they were found."""

    values: Floats
    vectors: Floats
    solver: str
    search: Solution | None


class Settings(NamedTuple):
    """Solver, tolerance, most iterations and power iterations."""

    solver: str
    tol: float
    max_iter: int | None
    power: int | None
    rng: np.random.Generator


def centred(K: Floats) -> tuple[Floats, Centre]:
    """Scalar products about the mean in feature space, written over ``K``.

    Examples
    --------
    >>> centred(np.array([[1.0, 0.0], [0.0, 1.0]]))[0]
    array([[ 0.5, -0.5],
           [-0.5,  0.5]])
    """
    means = Centre(K.mean(axis=0), float(K.mean()))
    rows = K.mean(axis=1)
    K -= means.columns
    K -= rows[:, None]
    K += means.whole
    return K, means


def spectrum(K: Floats, n_components: int, settings: Settings) -> KernelSpectrum:
    """The largest eigenvalues of a symmetric matrix.

    ``"randomized"`` takes those of largest size, also negative ones; the others the largest.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> spectrum(np.diag([1.0, 3.0]), 1, Settings("dense", 0.0, None, None, rng)).values
    array([3.])
    """
    solver, n = settings.solver, len(K)
    search = None
    if solver == "auto":
        solver = "block Krylov" if 4 * (n_components + 10) < n else "dense"
    if solver == "block Krylov":
        tol = max(settings.tol, 1e-11)
        search = largest_pairs(lambda B: K @ B, n, n_components, rng=settings.rng, tol=tol)
        if search.status.ok:
            values, vectors = search.x
        else:
            solver, search = "dense", None
    if solver == "dense":
        values, vectors = dense_pairs(K, n_components)
    elif solver == "arpack":
        start = settings.rng.uniform(-1, 1, size=n)
        values, vectors = eigsh(
            K, n_components, which="LA", tol=settings.tol, maxiter=settings.max_iter, v0=start
        )
        order = np.argsort(values)[::-1]
        values, vectors = values[order], vectors[:, order]
    elif solver == "randomized":
        values, vectors = _by_random_range(K, n_components, settings)
    return KernelSpectrum(values, signed_rows(vectors.T).T, solver, search)


def row_spectrum(X: Floats, n_components: int) -> tuple[KernelSpectrum, Centre, float]:
    """The same of scalar products of rows, with their means and trace, from the rows alone.

    Singular values of the centred rows are the roots of the eigenvalues.

    Examples
    --------
    >>> axes, means, whole = row_spectrum(np.array([[1.0], [3.0], [5.0]]), 1)
    >>> axes.values.round(9), means.columns, means.whole, whole
    (array([8.]), array([ 3.,  9., 15.]), 9.0, 8.0)
    """
    mean = weighted_means(X)
    away = X - mean
    left, sizes, _ = svd(away)
    values = sizes[:n_components] ** 2
    vectors = signed_rows(left[:, :n_components].T).T
    axes = KernelSpectrum(values, vectors, "singular values", None)
    return axes, Centre(X @ mean, float(mean @ mean)), float(np.vdot(away, away))


def _by_random_range(K: Floats, k: int, settings: Settings) -> tuple[Floats, Floats]:
    n = len(K)
    power = settings.power
    if power is None:
        power = 7 if k < 0.1 * n else 4
    basis = settings.rng.standard_normal((n, min(n, k + 10)))
    for _ in range(power + 1):
        basis = np.linalg.qr(K @ basis)[0]
    inner = basis.T @ K @ basis
    values, turn = np.linalg.eigh((inner + inner.T) / 2)
    largest = np.argsort(np.abs(values))[::-1][:k]
    largest = largest[np.argsort(values[largest])[::-1]]
    return values[largest], basis @ turn[:, largest]


def without_rounding(owner: str, values: Floats) -> Floats:
    """Eigenvalues with those that are rounding set to zero; refuses negative ones.

    Examples
    --------
    >>> without_rounding("KernelPCA", np.array([2.0, 1e-15]))
    array([2., 0.])
    """
    largest, least = float(values.max(initial=0.0)), float(values.min(initial=0.0))
    if largest > 0 and least < -_NEGATIVE * largest and least < -1e-10:
        raise ValueError(
            f"{owner}: There are significant negative eigenvalues ({-least / largest:g} of the "
            "maximum positive): the kernel must be positive semi-definite; take fewer components "
            "or another kernel"
        )
    if largest <= 0:
        if least < -1e-10:
            raise ValueError(
                f"{owner}: All eigenvalues are negative (maximum is {values.max():g}): the kernel "
                "must be positive semi-definite"
            )
        return np.zeros_like(values)
    return np.where(values > _ROUNDING * largest, values, 0.0)
