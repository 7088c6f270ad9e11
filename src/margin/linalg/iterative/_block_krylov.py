"""The largest eigenpairs of a symmetric operator, by blocks."""

from collections.abc import Callable, Iterator

import numpy as np
from scipy.linalg import eigh

from margin.core import Iterate, Solution, Stop, iterate, threads
from margin.core.types import Floats

Apply = Callable[[Floats], Floats]
Pairs = tuple[Floats, Floats]

_DEPTH = 4
_SMALL = 500
_EXTRA = 10


def largest_pairs(
    apply: Apply,
    n: int,
    n_components: int,
    *,
    rng: np.random.Generator,
    tol: float = 1e-10,
    max_iter: int = 100,
    start: Floats | None = None,
    own: bool = False,
) -> Solution:
    r"""Largest eigenvalues of :math:`v \mapsto A v` with their vectors, by block Krylov spaces.

    Each cycle multiplies a block of vectors a few times, keeping all images orthonormal, takes
    the best vectors within their span (Rayleigh and Ritz) and starts again from those and from
    what they miss. Products are of matrices, which costs far less than one vector at a time.

    Parameters
    ----------
    apply : callable
        ``B -> A @ B`` for a matrix of columns.
    n : int
        Dimension.
    n_components : int
        How many pairs.
    rng : numpy.random.Generator
        Makes the first block.
    tol : float
        Converged when every :math:`\|A u - \theta u\|` is at most ``tol`` times the largest
        :math:`\theta`.
    max_iter : int
        Most cycles.
    start : ndarray of shape (n, m), optional
        First block, of orthonormal columns, in the place of a random one.
    own : bool
        Whether each residual is a part of its own :math:`\theta`, not of the largest.

    Returns
    -------
    Solution
        ``x`` are values in falling order and vectors as columns; the objective is minus the sum of
        the values; ``extras["block"]`` is what a further search may start from.

    References
    ----------
    Musco and Musco (2015). Randomized block Krylov methods for stronger and faster approximate
    singular value decomposition.

    Examples
    --------
    >>> import numpy as np
    >>> d = np.arange(200.0)
    >>> found = largest_pairs(lambda B: d[:, None] * B, 200, 2, rng=np.random.default_rng(0))
    >>> found.x[0].round(6)
    array([199., 198.])
    """
    stop = Stop(
        "eigenvector residual", tol, max_iter, unit="cycle", keep="closest", columns=("residual",)
    )
    width = min(n, n_components + _EXTRA)
    if start is None:
        start = _orthonormal(rng.standard_normal((n, width)))
    return iterate(_cycles(apply, n_components, start, own), stop, solver="block Krylov")


def _cycles(apply: Apply, k: int, basis: Floats, own: bool) -> Iterator[Iterate]:
    width = basis.shape[1]
    images = apply(basis)
    fresh, n_iter = images, 0
    while True:
        for _ in range(_DEPTH):
            fresh = _outside(basis, fresh)
            if not fresh.shape[1]:
                break
            latest = apply(fresh)
            basis, images = np.hstack([basis, fresh]), np.hstack([images, latest])
            fresh = latest
        inner = basis.T @ images
        values, turn = np.linalg.eigh((inner + inner.T) / 2)
        turn = turn[:, ::-1][:, :width]
        values = values[::-1][:width]
        basis, images = basis @ turn, images @ turn
        misses = images - basis * values
        sizes = np.abs(values[:k]) if own else np.abs(values[:1])
        left = np.linalg.norm(misses[:, :k], axis=0) / np.maximum(sizes, np.finfo(float).tiny)
        worst, n_iter = float(left.max(initial=0.0)), n_iter + 1
        pairs = values[:k], basis[:, :k]
        extras = {"block": basis}
        yield Iterate(pairs, -float(values[:k].sum()), worst, n_iter, (worst,), extras=extras)
        fresh = misses


def _orthonormal(B: Floats) -> Floats:
    return np.asarray(np.linalg.qr(B)[0])


def _outside(basis: Floats, B: Floats) -> Floats:
    """Orthonormal columns that span what the basis lacks of the columns of ``B``."""
    room = len(basis) - basis.shape[1]
    sizes = np.linalg.norm(B, axis=0)
    for _ in range(2):
        B = B - basis @ (basis.T @ B)
    left = np.linalg.norm(B, axis=0)
    B = B[:, left > 1e-13 * np.maximum(sizes, np.finfo(float).tiny)][:, :room]
    if not B.shape[1]:
        return B
    B, triangle = np.linalg.qr(B / np.linalg.norm(B, axis=0))
    B = B[:, np.abs(np.diagonal(triangle)) > 1e-10]
    # Columns that nearly vanished have to be taken off the basis once more.
    B = B - basis @ (basis.T @ B)
    return _orthonormal(B) if B.shape[1] else B


def dense_pairs(K: Floats, n_components: int) -> Pairs:
    """The same pairs of a matrix that is there, by a decomposition in full or in part."""
    n = len(K)
    if not n_components:
        return np.empty(0), np.empty((n, 0))
    if n <= _SMALL:
        # Threads gain nothing here, and would be in the way of the next loop for a while.
        with threads.single_blas():
            values, vectors = np.linalg.eigh(K)
    elif 2 * n_components >= n:
        values, vectors = np.linalg.eigh(K)
    else:
        values, vectors = eigh(K, subset_by_index=[n - n_components, n - 1], check_finite=False)
        if vectors.shape[1] < n_components:  # LAPACK loses some of a cluster of equal values
            values, vectors = np.linalg.eigh(K)
    return values[::-1][:n_components], vectors[:, ::-1][:, :n_components]
