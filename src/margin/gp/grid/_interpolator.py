"""Interpolation on a regular grid by filtering."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.gp.grid._axis import GridAxis
from margin.kernels import (
    RBF,
    BSpline,
    CatmullRom,
    CompactSupport,
    Kernel,
    Separable,
    Sinc,
    Triangle,
)

_NAMED: dict[str, Any] = {
    "linear": Triangle,
    "catmull-rom": CatmullRom,
    "quadratic": lambda scale: BSpline(scale, degree=2),
    "cubic": lambda scale: BSpline(scale, degree=3),
    "sinc": Sinc,
}
_BOUNDARIES = ("zero", "mirror", "periodic")
_BLOCK = 1 << 22


class GridInterpolator:
    r"""Values between the nodes of a regular grid, by filters along the axes (gp.08–gp.11).

    With a product kernel :math:`k(x, z) = \prod_j k_j(x_j - z_j)` the matrix of the grid is a
    Kronecker product of Toeplitz matrices, so that its inverse is applied one axis at a time, once;
    a value is then a weighted sum of the few coefficients nearby,

    .. math:: \tilde Y = (K_1^{-1} \otimes \dots \otimes K_d^{-1})\, Y, \qquad
              \hat y(x) = \sum_i \tilde Y_i \prod_j k_j(x_j - x_{ij}).

    With ``boundary="zero"`` this is exactly the noise-free Gaussian process of that kernel.

    Parameters
    ----------
    values : array-like of shape (n_1, ..., n_d)
        Values at the nodes.
    method : str or Kernel, default="cubic"
        ``"linear"`` (triangle kernel: the filter is the identity), ``"catmull-rom"`` (four taps,
        no prefilter), ``"quadratic"`` and ``"cubic"`` (B-splines with a recursive prefilter),
        ``"sinc"`` (band-limited); or a product kernel, used as it is (any stationary kernel for one
        axis).
    origin, spacing : float or sequence of float, default=0.0, 1.0
        First node and distance of the nodes, one for all axes or one each.
    boundary : {"mirror", "zero", "periodic"}, default="mirror"
        What the coefficients do outside the grid: reflect about the first and the last node,
        vanish, or repeat.

    Attributes
    ----------
    coefficients : ndarray of shape (n_1, ..., n_d)
        :math:`\tilde Y`.

    Notes
    -----
    Time linear in the number of nodes and of points for kernels whose prefilter is recursive.

    References
    ----------
    M. Unser, A. Aldroubi and M. Eden, Fast B-spline transforms for continuous image representation
    and interpolation, 1991.

    Examples
    --------
    >>> from margin.gp import GridInterpolator
    >>> pulse = GridInterpolator([0, 0, 1, 0, 0], method="cubic", boundary="zero")
    >>> pulse.coefficients.round(6)
    array([ 0.115385, -0.461538,  1.730769, -0.461538,  0.115385])
    >>> pulse([1.0, 2.0]).round(6) + 0.0
    array([0., 1.])
    >>> line = GridInterpolator([0.0, 1.0, 4.0], method="linear", boundary="zero")
    >>> line([1.25]), line.variance([1.25])
    (array([1.75]), array([0.375]))
    """

    def __init__(
        self,
        values: ArrayLike,
        *,
        method: Any = "cubic",
        origin: float | Sequence[float] = 0.0,
        spacing: float | Sequence[float] = 1.0,
        boundary: str = "mirror",
    ) -> None:
        table = _checked(self, values)
        if boundary not in _BOUNDARIES:
            raise check.fail(self, "boundary", f"one of {_BOUNDARIES}", boundary)
        d = table.ndim
        starts, steps = _per_axis(self, "origin", origin, d), _per_axis(self, "spacing", spacing, d)
        if min(steps) <= 0:
            raise check.fail(self, "spacing", "above 0 on every axis", spacing)
        kernel = _kernel(self, method, steps)
        self.axes = tuple(
            _axis(self, kernel, j, d, table.shape[j], starts[j], steps[j], boundary)
            for j in range(d)
        )
        self.kernel, self.boundary = kernel, boundary
        for j, axis in enumerate(self.axes):
            table = np.moveaxis(axis.prefilter(np.moveaxis(table, j, 0)), 0, j)
        self.coefficients = np.ascontiguousarray(table)

    def __call__(self, X: ArrayLike) -> Floats:
        """Interpolated values at points.

        Parameters
        ----------
        X : array-like of shape (m, d), or (m,) for one axis

        Returns
        -------
        ndarray of shape (m,)
        """
        points = self._points(X)
        widths = [min(2 * a.reach, a.n) if np.isfinite(a.half_width) else a.n for a in self.axes]
        step = max(1, _BLOCK // max(1, sum(widths) * (1 if len(widths) > 1 else 2)))
        blocks = range(0, len(points), step)
        return np.concatenate([np.empty(0), *(self._gather(points[i : i + step]) for i in blocks)])

    def _gather(self, points: Floats) -> Floats:
        taps = [axis.taps(points[:, j]) for j, axis in enumerate(self.axes)]
        total = np.zeros(len(points))
        if len(taps) == 1:
            index, weight = taps[0]
            return np.asarray(np.einsum("ij,ij->i", weight, self.coefficients[index]))
        for choice in product(*(range(index.shape[1]) for index, _ in taps)):
            where = tuple(index[:, c] for (index, _), c in zip(taps, choice, strict=True))
            share = prod((w[:, c] for (_, w), c in zip(taps, choice, strict=True)), start=1.0)
            total += share * self.coefficients[where]
        return total

    def resample(self, *axes: ArrayLike) -> Floats:
        """Values on another grid, one axis filtered after the other (gp.11).

        Parameters
        ----------
        *axes : array-like of shape (m_j,)
            Coordinates of the new grid along each axis.

        Returns
        -------
        ndarray of shape (m_1, ..., m_d)

        Examples
        --------
        >>> GridInterpolator([[0, 1], [2, 3]], method="linear").resample([0.5], [0, 0.5, 1])
        array([[1. , 1.5, 2. ]])
        """
        if len(axes) != len(self.axes):
            raise check.fail(self, "axes", f"{len(self.axes)} lists of coordinates", len(axes))
        table = self.coefficients
        for j, (axis, x) in enumerate(zip(self.axes, axes, strict=True)):
            index, weight = axis.taps(np.asarray(x, dtype=np.float64).ravel())
            moved = np.moveaxis(table, j, 0)
            resampled = np.zeros((len(index), *moved.shape[1:]))
            shape = (-1,) + (1,) * (moved.ndim - 1)
            for c in range(index.shape[1]):
                resampled += weight[:, c].reshape(shape) * moved[index[:, c]]
            table = np.moveaxis(resampled, 0, j)
        return np.ascontiguousarray(table)

    def variance(self, X: ArrayLike) -> Floats:
        r"""Variance of the Gaussian process given the nodes, of the same shape as the values.

        .. math:: \prod_j k_j(0) - \prod_j k_j(x_j)^\top K_j^{-1} k_j(x_j),

        for the triangle kernel on its grid :math:`2t(1 - t)` (gp.08). Needs ``boundary="zero"``.
        """
        if self.boundary != "zero":
            raise check.fail(self, "boundary", "'zero' for the variance", self.boundary)
        points = self._points(X)
        prior = prod(float(axis.values(np.zeros(1))[0]) for axis in self.axes)
        known = np.ones(len(points))
        for j, axis in enumerate(self.axes):
            known *= axis.explained(points[:, j])
        return np.asarray(np.maximum(prior - known, 0.0))

    def _points(self, X: ArrayLike) -> Floats:
        points = np.asarray(X, dtype=np.float64)
        if points.ndim == 1 and len(self.axes) == 1:
            points = points[:, None]
        if points.ndim != 2 or points.shape[1] != len(self.axes):
            raise check.fail(self, "X", f"of shape (m, {len(self.axes)})", f"shape {points.shape}")
        if not np.isfinite(points).all():
            raise check.fail(self, "X", "finite", "NaN or infinity")
        return points


def _checked(owner: Any, values: ArrayLike) -> Floats:
    try:
        table = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise check.fail(owner, "values", "an array of numbers", values) from error
    if table.ndim < 1 or not table.size:
        raise check.fail(owner, "values", "an array with at least one node", table.shape)
    if not np.isfinite(table).all():
        raise check.fail(owner, "values", "finite", "NaN or infinity")
    return table


def _per_axis(owner: Any, name: str, given: Any, d: int) -> tuple[float, ...]:
    numbers = np.asarray(given, dtype=np.float64)
    if numbers.shape not in ((), (d,)) or not np.isfinite(numbers).all():
        raise check.fail(owner, name, f"a finite number or one per axis ({d})", given)
    return tuple(float(v) for v in np.broadcast_to(numbers, d))


def _kernel(owner: Any, method: Any, steps: tuple[float, ...]) -> Kernel:
    if isinstance(method, Kernel):
        return method
    if not isinstance(method, str) or method not in _NAMED:
        known = ", ".join(map(repr, _NAMED))
        raise check.fail(owner, "method", f"a Kernel or one of {known}", method)
    named: Kernel = _NAMED[method](steps if len(steps) > 1 else steps[0])
    return named


def _axis(
    owner: Any, kernel: Any, j: int, d: int, n: int, start: float, step: float, boundary: str
) -> GridAxis:
    """The factor of a product kernel along one axis."""
    if d > 1 or isinstance(getattr(kernel, "length_scale", None), tuple):
        if not isinstance(kernel, Separable | RBF):
            need = "a product of kernels of one column each, for several axes"
            raise check.fail(owner, "method", need, kernel)
        scales: Any = kernel.length_scale
        if isinstance(scales, tuple):
            if len(scales) != d:
                raise check.fail(owner, "method", f"a kernel of {d} length scales", kernel)
            kernel = replace(kernel, length_scale=scales[j])  # type: ignore[type-var]
    if not kernel.stationary:
        raise check.fail(owner, "method", "a stationary kernel", kernel)
    width = np.inf
    if isinstance(kernel, CompactSupport):
        width = kernel._reach()[1] / float(kernel.scaled(np.ones((1, 1)))[0, 0])
    if boundary != "zero" and not np.isfinite(width):
        raise check.fail(owner, "boundary", "'zero' for a kernel without end", boundary)
    return GridAxis(n, start, step, kernel, float(width), boundary)
