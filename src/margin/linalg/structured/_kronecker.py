"""Tensor-product matrices on a regular grid, one axis at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from margin.core.types import Floats
from margin.linalg.factors._cholesky import Cholesky, cholesky


@dataclass(frozen=True, eq=False, repr=False)
class Kronecker:
    r"""Factored tensor product :math:`K = K_1 \otimes \dots \otimes K_d` (linalg.11).

    A function on a grid with :math:`n_1 \times \dots \times n_d` points is an array of that shape;
    ``K`` acts on it axis by axis, so that a solve costs :math:`O(N \sum_j n_j)` for
    :math:`N = \prod_j n_j` points instead of :math:`O(N^3)`, and ``K`` itself is never formed.
    Made by :func:`kronecker`.

    Parameters
    ----------
    factors : tuple of Cholesky
        Factor of each :math:`K_j`, in the order of the axes.
    """

    factors: tuple[Cholesky, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of grid points along each axis."""
        return tuple(len(f.lower) for f in self.factors)

    def solve(self, y: ArrayLike) -> Floats:
        """Solution of ``K x = y``; ``y`` and the answer have the shape of the grid."""
        x = self._on_grid(y)
        for axis, factor in enumerate(self.factors):
            x = _along(factor.solve, x, axis)
        return x

    def product(self, x: ArrayLike) -> Floats:
        """``K x``; ``x`` and the answer have the shape of the grid."""
        y = self._on_grid(x)
        for axis, factor in enumerate(self.factors):
            y = _along(factor.product, y, axis)
        return y

    @property
    def log_det(self) -> float:
        r""":math:`\log\det K = \sum_j (N / n_j) \log\det K_j`."""
        points = int(np.prod(self.shape))
        return sum(
            points // n * f.log_det for n, f in zip(self.shape, self.factors, strict=True) if n
        )

    @property
    def repairs(self) -> tuple[str, ...]:
        """What jitter was added to which factor."""
        return tuple(f.repair for f in self.factors if f.repair)

    def _on_grid(self, y: ArrayLike) -> Floats:
        x = np.asarray(y, dtype=np.float64)
        if x.shape != self.shape:
            raise ValueError(
                f"linalg: values on the grid must have shape {self.shape}, got {x.shape}"
            )
        return x

    def __repr__(self) -> str:
        return f"Kronecker({' x '.join(map(str, self.shape))})"


def kronecker(matrices: Sequence[ArrayLike]) -> Kronecker:
    r"""Factor each term of a tensor product :math:`K_1 \otimes \dots \otimes K_d` (linalg.11).

    Parameters
    ----------
    matrices : sequence of array-like of shape (n_j, n_j)
        Symmetric positive-definite terms, in the order of the axes.

    Returns
    -------
    Kronecker

    Examples
    --------
    >>> import numpy as np
    >>> grid = kronecker([[[2.0]], [[1.0, 0.5], [0.5, 1.0]]])
    >>> grid.solve([[3.0, 3.0]])
    array([[1., 1.]])
    >>> round(float(np.exp(grid.log_det)), 12)
    3.0
    """
    if not len(matrices):
        raise ValueError("linalg: matrices must hold at least 1 matrix, got none")
    return Kronecker(tuple(cholesky(K, name=f"Kronecker term {j}") for j, K in enumerate(matrices)))


def _along(act: Callable[[Floats], Floats], y: Floats, axis: int) -> Floats:
    """Apply ``act`` to the columns of ``y`` unfolded along ``axis``."""
    front = np.moveaxis(y, axis, 0)
    acted = act(front.reshape(front.shape[0], -1)).reshape(front.shape)
    return np.moveaxis(acted, 0, axis)
