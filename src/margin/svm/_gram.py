"""The kernel matrix that a solver is given, and whether it is one of a kernel."""

from typing import Any

import numpy as np

from margin.core.objects import count
from margin.core.types import Floats
from margin.kernels import Kernel, kernel_rows
from margin.optim import Gram, GramMatrix

# What the working sets of the solver hold; smaller problems are solved with the whole matrix.
SMALL = 512
EIGEN_ROWS = 300
LARGEST = 2e9  # bytes of a kernel matrix that is held whole


def training_gram(
    kernel: Kernel | None, X: Any, *, tol: float, cache_size: float, n_threads: int
) -> Gram:
    """Matrix of a kernel: in memory if it fits the cache, otherwise computed by rows.

    Parameters
    ----------
    kernel : Kernel or None
        ``None``: ``X`` is the matrix.
    X : table or list
    tol : float
        Of the solver: single precision is enough for a large one.
    cache_size : float
        Megabytes.
    n_threads : int
    """
    if kernel is None:
        return GramMatrix(X)
    rows = kernel_rows(kernel, X, allow_single=tol >= 1e-4, n_threads=n_threads)
    if rows.n <= SMALL or rows.n**2 * rows.dtype.itemsize <= 1e6 * cache_size:
        return GramMatrix(rows.matrix())
    return rows


def indefinite_notes(kernel: Kernel | None, gram: Gram) -> tuple[str, ...]:
    """Words on a kernel of unknown origin with a negative eigenvalue; nothing for a good one.

    Looks at a sample of the rows: an eigenvalue of a part of a symmetric matrix lies between the
    smallest and the largest of the whole.
    """
    if kernel is not None and kernel.definite == "positive":
        return ()
    rows = np.unique(np.linspace(0, gram.n - 1, min(gram.n, EIGEN_ROWS)).astype(np.int64))
    values = np.linalg.eigvalsh(np.asarray(gram.columns(rows)(rows), dtype=np.float64))
    if values[0] >= -1e-6 * max(abs(values[-1]), abs(values[0])):
        return ()
    return (
        f"the kernel matrix is not positive semi-definite: {len(rows)} of its rows have the "
        f"eigenvalue {values[0]:.4g}; the answer is a stationary point, not the optimum",
    )


def whole_matrix(owner: str, kernel: Kernel | None, X: Any) -> Floats:
    """Kernel matrix in double precision; refused where it would not fit."""
    n = count(X)
    if 8.0 * n * n > LARGEST:
        raise ValueError(
            f"{owner}: X must have at most {int((LARGEST / 8) ** 0.5)} rows, "
            f"got {n}, whose kernel matrix takes {8e-9 * n * n:.1f} GB; use LinearSVC or SVC"
        )
    K = np.asarray(X if kernel is None else kernel(X), dtype=np.float64)
    return np.ascontiguousarray(K)
