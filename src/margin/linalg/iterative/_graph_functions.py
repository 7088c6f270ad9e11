"""Smooth functions on a graph: leading eigenvectors of its normalised weights."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve, eigh
from scipy.linalg.blas import dtrsv
from scipy.sparse import csc_array, csr_array, diags_array, eye_array, issparse
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh, lobpcg

from margin.core.types import Bools, Floats
from margin.linalg.iterative._block_krylov import Pairs, largest_pairs

_DENSE = 400  # rows up to which a full decomposition is as cheap as a few pairs
_LIFT = 1e-5  # of the lifted matrix above the spectrum
_RESTARTS = 300
_EXACT = 1e-11
_LARGE = 2000  # rows from which on a factor costs more than some products
_TRIED = 2  # cycles of products that tell how many more there would be
_BLOCK = 256


@dataclass(frozen=True, eq=False)
class GraphFunctions:
    r"""Functions :math:`f` on the rows of a graph with :math:`D^{-1} A f = \lambda f`.

    Parameters
    ----------
    values : ndarray of shape (k,)
        :math:`\lambda`, largest first; 1 is the largest there may be.
    functions : ndarray of shape (n, k)
        In columns, with :math:`f^\top D f = 1` and the largest entry positive.
    residual : float
        Largest entry of :math:`S u - \lambda u` in size.
    """

    values: Floats
    functions: Floats
    residual: float


def graph_functions(
    A: Any,
    n_components: int,
    *,
    rng: np.random.Generator,
    tol: float = 0.0,
    solver: str | None = None,
) -> GraphFunctions:
    r"""Leading eigenvectors :math:`u` of :math:`S = D^{-1/2} A D^{-1/2}`, as :math:`D^{-1/2} u`.

    They minimise :math:`\tfrac12 \sum_{ij} A_{ij} (f_i - f_j)^2` under :math:`f^\top D f = 1`, each
    orthogonal to those before; the first is constant. Weights of a row to itself do not count; a
    row without any other is a part of its own, with the value 1.

    Small graphs are decomposed in full. Of a larger dense one the constant function is taken off;
    the others are Lanczos vectors of the inverse of :math:`I - S`, by one Cholesky factor, or come
    from products with :math:`S` where it is large and its spectrum decays. Of a sparse one: Lanczos
    vectors, and those of the inverse where the values are all but equal.

    Parameters
    ----------
    A : ndarray or sparse matrix of shape (n, n)
        Symmetric.
    n_components : int
    rng : numpy.random.Generator
        Makes the first vectors.
    tol : float
        Of iterative solvers; 0 is close to machine precision.
    solver : {None, "lobpcg"}

    Examples
    --------
    >>> import numpy as np
    >>> path = np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> graph_functions(path, 2, rng=np.random.default_rng(0)).values.round(6) + 0.0
    array([1., 0.])
    """
    n = A.shape[0]
    k = min(n_components, n)
    S, degree = _normalised(A)
    if n <= _DENSE or 2 * k >= n:
        values, vectors = _all(S, k)
    elif solver == "lobpcg":
        start = rng.normal(size=(n, k))
        values, vectors = lobpcg(S, start, largest=True, maxiter=2000, tol=tol or None)
    elif issparse(S):
        values, vectors = _sparse_pairs(S, k, rng.uniform(-1, 1, size=n), tol)
    else:
        values, vectors = _leading(S, np.sqrt(degree), k, rng, tol)
    order = np.argsort(values)[::-1]
    values, vectors = values[order], vectors[:, order]
    residual = float(np.abs(S @ vectors - vectors * values).max(initial=0.0))
    functions = vectors / np.sqrt(np.where(degree > 0, degree, 1.0))[:, None]
    largest = functions[np.abs(functions).argmax(axis=0), np.arange(k)]
    return GraphFunctions(values, functions * np.where(largest < 0, -1.0, 1.0), residual)


def n_parts(A: Any) -> int:
    """How many parts a symmetric graph falls into.

    Examples
    --------
    >>> import numpy as np
    >>> n_parts(np.eye(3))
    3
    """
    if issparse(A):
        return int(connected_components(csr_array(A), directed=False)[0])
    left: Bools = np.ones(len(A), dtype=bool)
    count = 0
    while left.any():
        first = int(left.argmax())
        left[first], front = False, [first]
        count += 1
        while front and left.any():
            near = np.flatnonzero(left & (A[front.pop()] != 0))
            left[near] = False
            front.extend(near.tolist())
    return count


def _normalised(A: Any) -> tuple[Any, Floats]:
    """The weights over the roots of the degrees of both ends, and the degrees."""
    if issparse(A):
        A = csr_array(A, dtype=np.float64)
        A = csr_array(A - diags_array(A.diagonal()))
        degree = np.asarray(A.sum(axis=1)).ravel()
        D = diags_array(_inverse_root(degree))
        return csr_array(D @ A @ D + diags_array((degree == 0).astype(float))), degree
    S = np.array(A, dtype=np.float64, order="C")
    np.fill_diagonal(S, 0.0)
    degree = S.sum(axis=1)
    scale = _inverse_root(degree)
    S *= scale[:, None]
    S *= scale
    S[np.diag_indices_from(S)] = degree == 0
    return S, degree


def _inverse_root(degree: Floats) -> Floats:
    return np.asarray(1.0 / np.sqrt(np.where(degree > 0, degree, 1.0)))


def _all(S: Any, k: int) -> Pairs:
    """The last pairs of all; whatever their multiplicity, there are ``k``."""
    n = S.shape[0]
    if not k:
        return np.empty(0), np.empty((n, 0))
    full = S.toarray() if issparse(S) else S
    full = 0.5 * (full + full.T)
    values, vectors = eigh(full, subset_by_index=[n - k, n - 1])
    if vectors.shape[1] < k:  # LAPACK loses some of a cluster of equal values
        values, vectors = eigh(full, driver="evd")
    return values[-k:], vectors[:, -k:]


def _leading(S: Floats, root: Floats, k: int, rng: np.random.Generator, tol: float) -> Pairs:
    """The constant function, whose value is 1, and the leading ones of what is left."""
    n = len(S)
    whole = np.linalg.norm(root)
    if k == 0 or not whole > 0:
        return _all(S, k)
    unit = root / whole
    if k == 1:
        return np.ones(1), unit[:, None]
    search = _by_products(S, unit, k - 1, rng, tol or _EXACT) if n >= _LARGE else None
    if search is None:
        search = _by_inverse(S, unit, k - 1, rng, tol)
    if search is None:
        return _all(S, k)
    return np.append(1.0, search[0]), np.column_stack([unit, search[1]])


def _by_products(
    S: Floats, unit: Floats, k: int, rng: np.random.Generator, tol: float
) -> Pairs | None:
    """Pairs from products with the matrix alone, while these are fewer than a factor costs."""
    n = len(S)

    def apply(B: Floats) -> Floats:
        out: Floats = S @ B
        out -= np.multiply.outer(2.0 * unit, unit @ B)
        return out

    search = largest_pairs(apply, n, k, rng=rng, tol=tol, max_iter=_TRIED)
    if not search.status.ok:
        first, last = search.trace["residual"][[0, -1]]
        gain = np.log(first / last) / (_TRIED - 1) if 0 < last < first else 0.0
        rest = np.log(last / tol) / gain if gain > 0 else np.inf
        afford = max(2, n // (24 * search.extras["block"].shape[1]))
        if not rest <= afford:
            return None
        search = largest_pairs(
            apply, n, k, rng=rng, tol=tol, max_iter=2 * afford, start=search.extras["block"]
        )
    return search.x if search.status.ok else None


def _by_inverse(
    S: Floats, unit: Floats, k: int, rng: np.random.Generator, tol: float
) -> Pairs | None:
    """Pairs from a factor of the matrix that is lifted above the spectrum, which ends at 1."""
    n = len(S)
    lifted = np.negative(S)
    for first in range(0, n, _BLOCK):
        rows = slice(first, first + _BLOCK)
        lifted[rows] += np.multiply.outer(2.0 * unit[rows], unit)
    lifted.flat[:: n + 1] += 1.0 + _LIFT
    factor, _ = cho_factor(lifted.T, lower=False, overwrite_a=True, check_finite=False)

    def solve(b: Floats) -> Floats:
        return np.asarray(dtrsv(factor, dtrsv(factor, b, trans=1)))

    values, vectors = np.empty(0), np.empty((n, 0))
    with suppress(ArpackNoConvergence):
        operator = LinearOperator((n, n), solve, dtype=np.float64)
        start = rng.uniform(-1, 1, size=n)
        values, vectors = eigsh(operator, k, which="LA", tol=tol, v0=start, maxiter=_RESTARTS)
    if len(values) < k:  # of equal values one vector after the other sees one
        search = largest_pairs(
            lambda B: np.asarray(cho_solve((factor, False), B, check_finite=False)),
            n, k, rng=rng, tol=tol or _EXACT, own=True,
        )  # fmt: skip
        if not search.status.ok:
            return None
        values, vectors = search.x
    return 1.0 + _LIFT - 1.0 / values, vectors


def _sparse_pairs(S: Any, k: int, start: Floats, tol: float) -> Pairs:
    """Products are cheap: Lanczos, given up early where values are all but equal.

    Then the inverse of the lifted matrix tells close values apart.
    """
    with suppress(ArpackNoConvergence):
        pairs: Pairs = eigsh(S, k=k, which="LA", tol=tol, v0=start, maxiter=_RESTARTS)
        return pairs
    lifted = csc_array((1.0 + _LIFT) * eye_array(S.shape[0]) - S)
    with suppress(ArpackNoConvergence):
        values, vectors = eigsh(
            lifted, k=k, sigma=0.0, which="LM", tol=tol, v0=start, maxiter=_RESTARTS
        )
        return 1.0 + _LIFT - values, vectors
    return _all(S, k)
