"""Graphs of rows, their spectra, and labels from them; on plain arrays."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve, eigh, qr, svd
from scipy.sparse import csc_array, csr_array, diags_array, eye_array, issparse
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh, lobpcg

from margin.core import Iterate, Stop, iterate
from margin.core.types import Floats, Indices

_DENSE = 600  # rows up to which all eigenvectors are cheaper than a few
_LIFT = 1e-5  # of the lifted matrix above the spectrum
_RESTARTS = 300


def embedding(
    A: Any, n_components: int, rng: np.random.Generator, *, solver: str | None, tol: float
) -> Floats:
    r"""Leading eigenvectors of :math:`D^{-1/2} A D^{-1/2}`, divided by :math:`D^{1/2}`.

    They are those of the least eigenvalues of the random-walk Laplacian
    :math:`I - D^{-1} A`: the relaxed answer to the normalised cut.

    Parameters
    ----------
    A : array or sparse matrix of shape (n, n)
        Symmetric similarities, at least 0; those of a row to itself do not count.
    n_components : int
    rng : Generator
        For the start of iterative solvers.
    solver : {None, "arpack", "lobpcg"}
    tol : float
        Of iterative solvers, 0 for machine precision.

    Returns
    -------
    ndarray of shape (n, n_components)
        Each column with its largest entry positive.
    """
    n = A.shape[0]
    A = without_loops(A)
    degree = np.asarray(A.sum(axis=1), dtype=np.float64).ravel()
    scale = 1.0 / np.sqrt(np.where(degree > 0, degree, 1.0))
    k = min(n_components, n)
    if issparse(A):
        D = diags_array(scale)
        S = csr_array(D @ A @ D)
    else:
        S = scale[:, None] * A * scale
    if n <= _DENSE or k >= n - 1:
        vectors = _all(S, k)
    elif solver == "lobpcg":
        values, vectors = lobpcg(S, rng.normal(size=(n, k)), largest=True, maxiter=2000,
                                 tol=tol or None)  # fmt: skip
        vectors = vectors[:, np.argsort(values)]
    else:
        vectors = _few(S, k, rng.uniform(-1, 1, size=n), tol)
    vectors = vectors[:, ::-1] * scale[:, None]
    return np.asarray(vectors * np.sign(vectors[np.abs(vectors).argmax(axis=0), np.arange(k)]))


def without_loops(A: Any) -> Any:
    """The graph without edges from a row to itself, which no cut can separate.

    Examples
    --------
    >>> without_loops(np.array([[1.0, 0.5], [0.5, 1.0]]))
    array([[0. , 0.5],
           [0.5, 0. ]])
    """
    if issparse(A):
        graph = csr_array(A, dtype=np.float64)
        return csr_array(graph - diags_array(graph.diagonal()))
    graph = np.array(A, dtype=np.float64)
    np.fill_diagonal(graph, 0.0)
    return graph


def _all(S: Any, k: int) -> Floats:
    """The last eigenvectors of all; whatever their multiplicity, there are ``k``."""
    n = S.shape[0]
    full = S.toarray() if issparse(S) else S
    full = 0.5 * (full + full.T)
    _, vectors = eigh(full, subset_by_index=[n - k, n - 1])
    if vectors.shape[1] < k:  # LAPACK loses some of a cluster of equal values
        vectors = eigh(full, driver="evd")[1][:, n - k :]
    return np.asarray(vectors)


def _few(S: Any, k: int, start: Floats, tol: float) -> Floats:
    """Eigenvectors by Lanczos, which is given up early where values are all but equal.

    The spectrum ends at 1, so that a matrix lifted above it has a Cholesky factor, by which
    close values are told apart. Sparse products are cheap: they come first.
    """
    with suppress(ArpackNoConvergence):
        if issparse(S):
            return np.asarray(eigsh(S, k=k, which="LA", tol=tol, v0=start, maxiter=_RESTARTS)[1])
        factor = cho_factor((1.0 + _LIFT) * np.eye(len(S)) - S, lower=True, overwrite_a=True)
        inverse = LinearOperator(S.shape, lambda x: cho_solve(factor, x), dtype=np.float64)
        return np.asarray(eigsh(inverse, k=k, which="LA", tol=tol, v0=start, maxiter=_RESTARTS)[1])
    return _all(S, k) if not issparse(S) else _lifted(S, k, start, tol)


def _lifted(S: Any, k: int, start: Floats, tol: float) -> Floats:
    """Sparse eigenvectors by a factor of the lifted matrix, or of all values."""
    lifted = csc_array((1.0 + _LIFT) * eye_array(S.shape[0]) - S)
    with suppress(ArpackNoConvergence):
        _, vectors = eigsh(lifted, k=k, sigma=0.0, which="LM", tol=tol, v0=start, maxiter=_RESTARTS)
        return np.asarray(vectors[:, ::-1])
    return _all(S, k)


def warn_of_pieces(A: Any, name: str) -> None:
    """Warn when a graph falls apart: the first eigenvectors then only tell the pieces."""
    pieces, _ = connected_components(csr_array(A), directed=False)
    if pieces > 1:
        warnings.warn(
            f"{name}: Graph is not fully connected, spectral embedding may not work as expected: "
            f"{pieces} pieces.",
            stacklevel=4,
        )


def labels_by_qr(vectors: Floats) -> Indices:
    """The most outstanding rows by a pivoted QR, and for every row the one it is most like."""
    k = vectors.shape[1]
    _, _, pivots = qr(vectors.T, pivoting=True)
    left, _, right = svd(vectors[pivots[:k]].T)
    turned = np.abs(vectors @ (left @ right.conj()))
    return np.asarray(turned.argmax(axis=1), dtype=np.int64)


def labels_by_rotation(vectors: Floats, rng: np.random.Generator, max_iter: int = 100) -> Indices:
    """The partition that some rotation of the eigenvectors is closest to."""
    n, k = vectors.shape
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    V = vectors / np.where(length > 0, length, 1.0)
    rotation = np.zeros((k, k))
    rotation[:, 0] = V[rng.integers(n)]
    closeness = np.zeros(n)
    for j in range(1, k):
        closeness += np.abs(V @ rotation[:, j - 1])
        rotation[:, j] = V[closeness.argmin()]
    stop = Stop("relative gain of closeness", 1e-12, max_iter, unit="rotation", keep="last")
    solution = iterate(_rotations(V, rotation), stop)
    if solution.interrupted:  # of a larger fit
        raise KeyboardInterrupt
    labels: Indices = solution.x
    return labels


def _rotations(V: Floats, rotation: Floats) -> Iterator[Iterate]:
    """The nearest partition of a rotation, then the rotation nearest to that, in turn."""
    before = None
    for n_turns in count(1):
        label = (V @ rotation).argmax(axis=1).astype(np.int64)
        hot = (label[:, None] == np.arange(len(rotation))).astype(np.float64)
        left, value, right = svd(hot.T @ V, full_matrices=False)
        total = float(value.sum())
        gain = None if before is None else (total - before) / max(1.0, total)
        yield Iterate(label, -total, gain, n_turns)
        before, rotation = total, right.T @ left.T
