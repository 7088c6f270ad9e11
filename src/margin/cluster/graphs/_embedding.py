"""Graphs of rows, their spectra, and labels from them; on plain arrays."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy.linalg import eigh, qr, svd
from scipy.sparse import csr_array, diags_array, issparse
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import eigsh, lobpcg

from margin.core.types import Array, Floats, Indices

_DENSE = 600  # rows up to which all eigenvectors are cheaper than a few


def embedding(
    A: Any, n_components: int, rng: np.random.Generator, *, solver: str | None, tol: float
) -> Floats:
    r"""Leading eigenvectors of :math:`D^{-1/2} A D^{-1/2}`, divided by :math:`D^{1/2}`.

    They are those of the least eigenvalues of the random-walk Laplacian
    :math:`I - D^{-1} A`: the relaxed answer to the normalised cut.

    Parameters
    ----------
    A : array or sparse matrix of shape (n, n)
        Symmetric similarities, at least 0.
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
    degree = np.asarray(A.sum(axis=1), dtype=np.float64).ravel()
    scale = 1.0 / np.sqrt(np.where(degree > 0, degree, 1.0))
    k = min(n_components, n)
    if issparse(A):
        D = diags_array(scale)
        S = csr_array(D @ csr_array(A, dtype=np.float64) @ D)
    else:
        S = scale[:, None] * np.asarray(A, dtype=np.float64) * scale
    if n <= _DENSE or k >= n - 1:
        full = S.toarray() if issparse(S) else S
        _, vectors = eigh(0.5 * (full + full.T), subset_by_index=[n - k, n - 1])
    elif solver == "lobpcg":
        values, vectors = lobpcg(S, rng.normal(size=(n, k)), largest=True, maxiter=2000,
                                 tol=tol or None)  # fmt: skip
        vectors = vectors[:, np.argsort(values)]
    else:
        # The spectrum lies in [-1, 1]: shifted it has no negative end to be confused with.
        _, vectors = eigsh(S, k=k, which="LA", tol=tol, v0=rng.uniform(-1, 1, size=n))
    vectors = vectors[:, ::-1] * scale[:, None]
    return np.asarray(vectors * np.sign(vectors[np.abs(vectors).argmax(axis=0), np.arange(k)]))


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
    label: Array = np.zeros(n, dtype=np.int64)
    before = -np.inf
    for _ in range(max_iter):
        label = (V @ rotation).argmax(axis=1)
        hot = (label[:, None] == np.arange(k)).astype(np.float64)
        left, value, right = svd(hot.T @ V, full_matrices=False)
        if value.sum() - before <= 1e-12 * max(1.0, value.sum()):
            break
        before = float(value.sum())
        rotation = right.T @ left.T
    return label.astype(np.int64)
