"""Smooth functions on a graph: eigenvectors of its Laplacian."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve, eigh
from scipy.sparse import csc_array, csr_array, eye_array, issparse
from scipy.sparse.csgraph import connected_components, laplacian
from scipy.sparse.linalg import LinearOperator, eigsh

from margin.core.types import Floats

_DENSE = 800  # rows up to which all eigenvectors cost little
_LIFT = 1e-5


@dataclass(frozen=True)
class LaplacianMap:
    """Eigenvalues, rising, their functions in columns, the residual, and the parts of the graph."""

    values: Floats
    functions: Floats
    residual: float
    n_parts: int


def laplacian_map(affinity: Any, n_components: int, rng: np.random.Generator) -> LaplacianMap:
    r"""The ``n_components`` smoothest functions on a graph (decomposition.14).

    .. math:: L = I - D^{-1/2} A D^{-1/2}, \qquad L u = \lambda u, \qquad f = D^{-1/2} u,
              \qquad \tfrac12 \sum_{ij} A_{ij} (f_i - f_j)^2 = \lambda \; f^\top D f

    The first is constant. Small graphs by LAPACK, larger ones by Lanczos iterations on the inverse.

    Parameters
    ----------
    affinity : ndarray or sparse matrix of shape (n, n)
        Symmetric, not negative; its diagonal does not count.
    n_components : int
    rng : numpy.random.Generator
        Makes the first vector of Lanczos.

    Examples
    --------
    >>> path = np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> laplacian_map(path, 2, np.random.default_rng(0)).values.round(6)
    array([0., 1.])
    """
    n = affinity.shape[0]
    L, root = laplacian(affinity, normed=True, return_diag=True)
    k = min(n_components, n)
    if n <= _DENSE or 2 * k >= n:
        dense = L.toarray() if issparse(L) else np.asarray(L)
        values, vectors = eigh(dense, subset_by_index=[0, k - 1])
    else:
        values, vectors = _smoothest(L, k, rng.uniform(-1.0, 1.0, n))
    residual = float(np.abs(L @ vectors - vectors * values).max())
    functions = vectors / root[:, None]
    largest = functions[np.abs(functions).argmax(axis=0), np.arange(k)]
    functions = functions * np.where(largest < 0, -1.0, 1.0)
    n_parts = int(connected_components(csr_array(affinity), directed=False)[0])
    return LaplacianMap(np.maximum(values, 0.0), functions, residual, n_parts)


def _smoothest(L: Any, k: int, start: Floats) -> tuple[Floats, Floats]:
    """The ``k`` smallest eigenvalues, rising, and their vectors, from one factorisation."""
    n = L.shape[0]
    # Lifted, so that it is positive definite and can be factored.
    if issparse(L):
        lifted, solver = csc_array(L + _LIFT * eye_array(n)), None
    else:
        lifted = np.array(L)
        lifted.flat[:: n + 1] += _LIFT
        factor = cho_factor(lifted, check_finite=False)
        solver = LinearOperator(
            (n, n), partial(cho_solve, factor, check_finite=False), dtype=lifted.dtype
        )
    values, vectors = eigsh(lifted, k=k, sigma=0.0, which="LM", v0=start, OPinv=solver)
    order = np.argsort(values)
    return values[order] - _LIFT, vectors[:, order]
