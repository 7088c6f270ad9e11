"""The Laplacian kernel."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.spatial.distance import cdist

from margin.core import check
from margin.kernels._base import Floats
from margin.kernels.vectors._vectors import VectorKernel, rows
from margin.native.kernels import kernel_maps


@dataclass(frozen=True)
class Laplacian(VectorKernel):
    r"""Exponential of the city-block distance: :math:`\exp(-\sum_j |x_j - z_j| / \ell_j)`.

    The product of one Ornstein–Uhlenbeck kernel per column.

    Parameters
    ----------
    length_scale : float or sequence of float
        Unit of distance, one for all columns or one each.

    Examples
    --------
    >>> Laplacian(2.0)([[0.0, 0.0]], [[1.0, -1.0]]).round(6)
    array([[0.367879]])
    """

    length_scale: float | tuple[float, ...] = 1.0
    hyper: ClassVar[tuple[str, ...]] = ("length_scale",)

    @property
    def stationary(self) -> bool:
        """True."""
        return True

    def _scaled(self, X: Floats) -> Floats:
        scales = self.length_scale
        if isinstance(scales, tuple) and len(scales) != X.shape[1]:
            wanted = f"one number or one per column ({X.shape[1]})"
            raise check.fail(self, "length_scale", wanted, f"{len(scales)} numbers")
        return np.asarray(X / np.asarray(scales, dtype=X.dtype))

    def _matrix(self, X: Any, Z: Any, n_threads: int) -> Floats:
        other = None if Z is None else self._scaled(Z)
        kind, order = kernel_maps.CITY_BLOCK, kernel_maps.VALUE
        return kernel_maps.direct(kind, order, 0.0, self._scaled(X), other, n_threads)

    def _diagonal(self, X: Any) -> Floats:
        return np.ones(X.shape[0], dtype=X.dtype)

    def derivatives(self, X: Any) -> Iterator[Floats]:
        r""":math:`k\, |x_j - z_j| / \ell_j`."""
        table = rows(self, X)
        X = self._scaled(table)
        if not isinstance(self.length_scale, tuple):
            distances = cdist(X, X, "cityblock").astype(X.dtype, copy=False)
            yield np.exp(-distances) * distances
            return
        K = self(table)
        for column in X.T:
            yield K * np.abs(np.subtract.outer(column, column))
