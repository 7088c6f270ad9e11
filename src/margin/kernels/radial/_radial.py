"""Kernels of the distance between two points."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from margin.core import check, threads
from margin.core.types import Places
from margin.kernels._base import Floats
from margin.kernels._prepared import Prepared
from margin.kernels.products._gaussian_rows import GaussianRows
from margin.kernels.vectors._distances import DIRECT_COLUMNS, radial, squared_distances
from margin.kernels.vectors._vectors import VectorKernel, rows
from margin.native.kernels import kernel_maps


class Radial(VectorKernel):
    r"""A function of the weighted Euclidean distance of two points (kernels.06).

    .. math:: k(x, z) = f(s), \qquad s = r^2 = \sum_j \frac{(x_j - z_j)^2}{\ell_j^2}.

    ``length_scale`` is one number, or one per column: automatic relevance determination. A
    subclass gives :math:`f(s)`, its slope and, if ``f`` has a positive parameter of its own that
    is a hyper-parameter, the derivative in its logarithm; a compiled map is named by ``_compiled``.
    """

    takes_sparse = True
    length_scale: float | tuple[float, ...]

    @property
    def stationary(self) -> bool:
        """True: the value depends on the difference of the points."""
        return True

    @abstractmethod
    def profile(self, s: Floats) -> Floats:
        """Values :math:`f(s)` at squared distances in units of the length scale."""

    @abstractmethod
    def slope(self, s: Floats) -> Floats:
        """:math:`-2 f'(s)`, with a finite value where the slope is infinite, at ``s = 0``."""

    def shape_slope(self, s: Floats) -> Floats | None:
        """Derivative of ``f`` in the logarithm of its own parameter, if it has one."""
        return None

    def _compiled(self) -> tuple[int, float] | None:
        """Kind and parameter of the compiled map, if there is one."""
        return None

    def scaled(self, X: Any) -> Any:
        """The table in units of the length scales."""
        scales = self.length_scale
        if isinstance(scales, tuple):
            if len(scales) != X.shape[1]:
                wanted = f"one number or one per column ({X.shape[1]})"
                raise check.fail(self, "length_scale", wanted, f"{len(scales)} numbers")
            factors = (1.0 / np.array(scales)).astype(X.dtype)
            return X.multiply(factors).tocsr() if sparse.issparse(X) else X * factors
        return X if scales == 1.0 else X * X.dtype.type(1.0 / scales)

    def _matrix(self, X: Any, Z: Any, n_threads: int) -> Floats:
        return self._map(
            kernel_maps.VALUE, self.scaled(X), None if Z is None else self.scaled(Z), n_threads
        )

    def _map(self, order: int, X: Any, Z: Any, n_threads: int) -> Floats:
        """The profile, its slope or its derivative in the parameter, for scaled tables."""
        compiled = self._compiled()
        if compiled is not None:
            return radial(compiled[0], order, compiled[1], X, Z, n_threads)
        s = squared_distances(X, Z, n_threads=n_threads)
        function = (self.profile, self.slope, self.shape_slope)[order]
        return np.asarray(function(s), dtype=s.dtype)

    def _diagonal(self, X: Any) -> Floats:
        return np.ones(X.shape[0], dtype=X.dtype)

    def derivatives(self, X: Any) -> Iterator[Floats]:
        r"""First in the length scales: :math:`-2 f'(s) (x_j - z_j)^2 / \ell_j^2`."""
        X = self.scaled(rows(self, X, takes_sparse=True))
        n_threads = threads.count(None)
        slope = self._map(kernel_maps.SLOPE, X, None, n_threads)
        if isinstance(self.length_scale, tuple):
            dense = X.toarray() if sparse.issparse(X) else X
            for column in dense.T:
                yield slope * np.subtract.outer(column, column) ** 2
        else:
            yield slope * squared_distances(X, n_threads=n_threads)
        if len(self._free()) > 1:
            yield self._map(kernel_maps.SHAPE, X, None, n_threads)

    def gradient_product(self, X: Any, weight: Floats) -> NDArray[np.float64]:
        """Weighted sums of the derivatives in one pass: no matrix per hyper-parameter."""
        return self.weighted_sums(X, weight, total=False)[0]

    def weighted_sums(
        self, X: Any, weight: Floats, *, total: bool = True
    ) -> tuple[NDArray[np.float64], float]:
        """Weighted sums of the derivatives and, if asked, of the kernel itself, in one pass."""
        X = self.scaled(rows(self, X, takes_sparse=True))
        n_threads, has_shape = threads.count(None), len(self._free()) > 1
        weight = np.ascontiguousarray(weight, dtype=X.dtype)
        compiled = self._compiled()
        if compiled is not None and not sparse.issparse(X) and X.shape[1] <= DIRECT_COLUMNS:
            sums = kernel_maps.gradient(*compiled, X, weight, has_shape, n_threads, total)
            lengths, shape, values = sums[:-2], sums[-2:-1], sums[-1]
        else:
            G, shape, values = self._weighted(X, None, weight, n_threads, total)
            lengths = square_sums(X, G)
        return self._by_theta(lengths, shape), float(values)

    def _weighted(
        self, X: Any, Z: Any, weight: Floats, n_threads: int, total: bool = True
    ) -> tuple[Floats, Floats, float]:
        """Slopes times weights, the sum of the derivative in the shape, that of the kernel."""
        G = weight * self._map(kernel_maps.SLOPE, X, Z, n_threads)
        shape, values, compiled = np.empty(0), 0.0, self._compiled()
        if len(self._free()) > 1:
            matrix = self._map(kernel_maps.SHAPE, X, Z, n_threads)
            shape = np.array([np.vdot(weight, matrix)], dtype=np.float64)
        # The slope of the Gaussian is the Gaussian.
        if total and compiled is not None and compiled[0] == kernel_maps.GAUSSIAN:
            values = float(G.sum())
        elif total:
            values = float(np.vdot(weight, self._map(kernel_maps.VALUE, X, Z, n_threads)))
        return G, shape, values

    @property
    def by_pairs(self) -> bool:
        """True: a function of the distance."""
        return True

    def at_pairs(self, X: Any, Z: Any, i: Places, j: Places) -> Floats:
        """The profile at the squared distances."""
        u = self.scaled(X)[i] - self.scaled(Z)[j]
        return np.asarray(self.profile(np.einsum("ij,ij->i", u, u)))

    def pair_derivatives(self, X: Any, i: Places, j: Places) -> Iterator[Floats]:
        """In the length scales, then in the shape parameter if it is free."""
        scaled = self.scaled(X)
        squares = (scaled[i] - scaled[j]) ** 2
        s = squares.sum(axis=1)
        slope = self.slope(s)
        if isinstance(self.length_scale, tuple):
            yield from (slope * column for column in squares.T)
        else:
            yield slope * s
        shape = self.shape_slope(s) if len(self._free()) > 1 else None
        if shape is not None:
            yield shape

    def _by_theta(self, lengths: Floats, shape: Floats) -> NDArray[np.float64]:
        """Sums of the columns, and that of a free shape parameter, in the order of theta."""
        if not isinstance(self.length_scale, tuple):
            lengths = np.array([lengths.sum()])
        return np.concatenate([lengths, shape[: len(self._free()) - 1]])

    def prepare(self, Z: Any) -> Prepared:
        """Packed for the compiled rows of Gaussians; any other by blocks."""
        compiled = self._compiled()
        if compiled is None or compiled[0] != kernel_maps.GAUSSIAN or sparse.issparse(Z):
            return super().prepare(Z)
        table = Z if isinstance(Z, np.ndarray) and Z.dtype.kind == "f" else rows(self, Z, "Z")
        return GaussianRows(self.length_scale, table)

    def cross_gradient(
        self, X: Any, Z: Any, weight: Floats, *, points: bool = True
    ) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
        """Both derivatives, of :meth:`cross_gradient_product`."""
        return self.cross_gradient_product(X, Z, weight, points=points)[:2]

    def cross_gradient_product(
        self, X: Any, Z: Any, weight: Floats, *, points: bool = True
    ) -> tuple[NDArray[np.float64], NDArray[np.float64] | None, float]:
        r"""Weighted sums over ``K(X, Z)``: derivatives in ``theta`` and in ``X``, and values.

        Parameters
        ----------
        X, Z : array-like of shape (n, p) and (m, p)
            Dense tables.
        weight : ndarray of shape (n, m)
            Weights :math:`W_{ij}`, not necessarily symmetric.
        points : bool
            Whether the derivatives in ``X`` are wanted.

        Returns
        -------
        theta : ndarray of shape (n_theta,)
            :math:`\sum_{ij} W_{ij}\, \partial K_{ij} / \partial \theta`.
        points : ndarray of shape (n, p), or None
            :math:`\sum_j W_{ij}\, \partial K_{ij} / \partial x_i`.
        total : float
            :math:`\sum_{ij} W_{ij} K_{ij}`.
        """
        if not points:
            # The kernel is symmetric, and the weights may lie in memory the other way round.
            X, Z, weight = Z, X, weight.T
        X, Z = self.scaled(rows(self, X)), self.scaled(rows(self, Z, "Z"))
        n_threads, has_shape = threads.count(None), len(self._free()) > 1
        weight = np.ascontiguousarray(weight, dtype=X.dtype)
        compiled = self._compiled()
        if compiled is not None and X.shape[1] <= DIRECT_COLUMNS:
            Z = Z.astype(X.dtype, copy=False)
            sums, pulls = kernel_maps.cross_gradient(
                *compiled, X, Z, weight, has_shape, n_threads, points
            )
            lengths, shape, total = sums[:-2], sums[-2:-1], sums[-1]
        else:
            G, shape, total = self._weighted(X, Z, weight, n_threads)
            lengths, pulls = square_pulls(X, Z, G)
        moved = pulls / np.asarray(self.length_scale) if points else None
        return self._by_theta(lengths, shape), moved, float(total)


def square_pulls(X: Floats, Z: Floats, weight: Floats) -> tuple[Floats, Floats]:
    r""":math:`\sum_{ij} G_{ij} (z_{jk} - x_{ik})^2` and :math:`\sum_j G_{ij} (z_{jk} - x_{ik})`."""
    centre = X.mean(axis=0) if len(X) else 0.0
    X, Z = X - centre, Z - centre
    towards = weight @ Z
    pulls = towards - weight.sum(axis=1)[:, None] * X
    sums = weight.sum(axis=0) @ Z**2 - ((towards + pulls) * X).sum(axis=0)
    return np.asarray(sums), np.asarray(pulls)


def square_sums(X: Any, weight: Floats) -> NDArray[np.float64]:
    r""":math:`\sum_{ij} G_{ij} (x_{ik} - x_{jk})^2` for every column, by one product."""
    if sparse.issparse(X):
        squares = X.multiply(X)
    else:
        X = X - X.mean(axis=0)
        squares = X * X
    ends = weight.sum(axis=0) + weight.sum(axis=1)
    crossed = X.multiply(weight @ X) if sparse.issparse(X) else X * (weight @ X)
    sums = np.asarray(ends @ squares) - 2.0 * np.asarray(crossed.sum(axis=0))
    return np.asarray(sums, dtype=np.float64).ravel()
