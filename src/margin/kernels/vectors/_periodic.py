"""The periodic kernel."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from margin.core import check
from margin.kernels._base import Floats
from margin.kernels.vectors._distances import radial
from margin.kernels.vectors._vectors import VectorKernel, rows
from margin.native.kernels import kernel_maps


@dataclass(frozen=True)
class Periodic(VectorKernel):
    r"""Functions that repeat: the Gaussian kernel of points on a circle.

    .. math:: k(x, z) = \exp\Bigl(-2 \sum_j \frac{\sin^2(\pi (x_j - z_j) / p_j)}{\ell_j^2}\Bigr).

    Parameters
    ----------
    length_scale : float or sequence of float
        Smoothness within a period, one for all columns or one each.
    period : float or sequence of float
        After what distance values repeat, one for all columns or one each.

    Notes
    -----
    For one column this is scikit-learn's ``ExpSineSquared``. For several that class takes the sine
    of the Euclidean distance, which is not positive definite; here each column is periodic.

    Examples
    --------
    >>> Periodic(1.0, 2.0)([[0.0]], [[1.0], [2.0]]).round(6)
    array([[0.135335, 1.      ]])
    """

    length_scale: float | tuple[float, ...] = 1.0
    period: float | tuple[float, ...] = 1.0
    hyper: ClassVar[tuple[str, ...]] = ("length_scale", "period")

    @property
    def stationary(self) -> bool:
        """True: the value depends on the difference of the points."""
        return True

    def _columns(self, X: Floats) -> tuple[Floats, Floats]:
        """Length scale and period of every column."""
        waves = []
        for name in self.hyper:
            value = getattr(self, name)
            if isinstance(value, tuple) and len(value) != X.shape[1]:
                wanted = f"one number or one per column ({X.shape[1]})"
                raise check.fail(self, name, wanted, f"{len(value)} numbers")
            waves.append(np.broadcast_to(np.asarray(value, dtype=X.dtype), X.shape[1]))
        return waves[0], waves[1]

    def _circles(self, X: Floats) -> Floats:
        """Every column wound round a circle of radius one over its length scale."""
        lengths, periods = self._columns(X)
        angles = np.mod(X, periods) * (2.0 * np.pi / periods)
        return np.hstack([np.cos(angles) / lengths, np.sin(angles) / lengths]).astype(X.dtype)

    def _matrix(self, X: Any, Z: Any, n_threads: int) -> Floats:
        # The chord of an angle a is 2 sin(a / 2): one sine per point instead of one per pair.
        other = None if Z is None else self._circles(Z)
        kind, order = kernel_maps.GAUSSIAN, kernel_maps.VALUE
        return radial(kind, order, 0.0, self._circles(X), other, n_threads)

    def _diagonal(self, X: Any) -> Floats:
        return np.ones(len(X), dtype=X.dtype)

    def derivatives(self, X: Any) -> Iterator[Floats]:
        r""":math:`4 k \sin^2 a_j / \ell_j^2` and :math:`2 k a_j \sin(2 a_j) / \ell_j^2`."""
        X = rows(self, X)
        K = self._matrix(X, None, 1)
        yield from self._collect(self.length_scale, (K * w for w in self._terms(X, False)))
        yield from self._collect(self.period, (K * w for w in self._terms(X, True)))

    def _terms(self, X: Floats, of_period: bool) -> Iterator[Floats]:
        for x, length, period in zip(X.T, *self._columns(X), strict=True):
            angle = np.subtract.outer(x, x) * (np.pi / period)
            if of_period:
                yield 2.0 * angle * np.sin(2.0 * angle) / length**2
            else:
                yield 4.0 * (np.sin(angle) / length) ** 2

    @staticmethod
    def _collect(value: object, terms: Iterator[Floats]) -> Iterator[Floats]:
        if isinstance(value, tuple):
            yield from terms
        else:
            yield np.sum(list(terms), axis=0)
