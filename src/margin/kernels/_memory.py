"""Kernel matrices and memory: refuse what cannot fit, and work block by block."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from margin.core import check, memory, threads
from margin.core.objects import count
from margin.kernels._base import Floats, Kernel

BLOCK_BYTES = 1 << 26


def refuse_beyond_memory(owner: object, n: int, m: int, dtype: DTypeLike) -> None:
    """Refuse a dense matrix that is larger than the memory of the process, before any work."""
    needed = n * m * np.dtype(dtype).itemsize
    if needed <= BLOCK_BYTES:
        return
    limit = memory.total()
    if limit is not None and needed > limit:
        raise MemoryError(
            f"{type(owner).__name__}: a matrix of {n} by {m} needs {needed / 2**30:.1f} GiB and "
            f"this process may use {limit / 2**30:.1f} GiB; use kernels.approximate, "
            "kernels.apply, or a kernel of compact support and its sparse matrix"
        )


def row_blocks(
    kernel: Kernel, X: Any, Z: Any, *, n_bytes: int = BLOCK_BYTES, n_threads: int | None = None
) -> Iterator[tuple[slice, Floats]]:
    """Rows of ``kernel(X, Z)`` a block at a time, with where they belong.

    Parameters
    ----------
    kernel : Kernel
        What is evaluated.
    X, Z : objects
        Rows and columns of the matrix.
    n_bytes : int
        About how much memory a block may take; it has one row at least.
    n_threads : int, optional
        Threads of the evaluation.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.kernels import Linear
    >>> blocks = row_blocks(Linear(), np.ones((5, 2)), np.ones((3, 2)), n_bytes=48)
    >>> [(part.start, block.shape) for part, block in blocks]
    [(0, (2, 3)), (2, (2, 3)), (4, (1, 3))]
    """
    if n_bytes < 1:
        raise check.fail("row_blocks", "n_bytes", "an integer of at least 1", n_bytes)
    n = count(X)
    size = max(1, n_bytes // (8 * max(1, count(Z))))
    for start in range(0, n, size):
        part = slice(start, min(start + size, n))
        yield part, kernel(X[part], Z, n_threads=n_threads)


def apply(
    kernel: Kernel,
    X: Any,
    Z: Any,
    coefficients: ArrayLike,
    *,
    n_bytes: int = BLOCK_BYTES,
    n_threads: int | None = None,
) -> Floats:
    r"""The product :math:`K(X, Z)\, \alpha` without ever holding the matrix (kernels.01).

    What a kernel machine computes to predict, by :meth:`Kernel.prepare`: memory is that of a block
    and of the result.

    Parameters
    ----------
    kernel : Kernel
        What is evaluated.
    X, Z : objects
        Where to predict, and the anchors.
    coefficients : array-like of shape (m,) or (m, k)
        Coefficients :math:`\alpha` of the anchors.
    n_bytes, n_threads : int
        Size of a block and threads.

    Examples
    --------
    >>> from margin.kernels import Linear
    >>> apply(Linear(), [[1.0], [2.0]], [[3.0], [4.0]], [1.0, -1.0])
    array([-1., -2.])
    """
    alpha = np.asarray(coefficients)
    if alpha.ndim not in (1, 2) or len(alpha) != count(Z):
        wanted = f"of {count(Z)} rows, one per object of Z"
        raise check.fail("apply", "coefficients", wanted, f"shape {alpha.shape}")
    prepared, columns = kernel.prepare(Z), np.ascontiguousarray(alpha.reshape(len(alpha), -1))
    sums = prepared.sums(X, columns, threads.count(n_threads), n_bytes=n_bytes)
    return sums.reshape(len(sums), *alpha.shape[1:])
