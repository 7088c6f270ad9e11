"""A weighted, centred view of dense regression data that never copies the data."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Floats
from margin.linalg.data._gram import gram, row_chunks, scatter, weighted_means
from margin.native.rows import losses as native_losses
from margin.native.rows import products

_SAMPLE = 1000
_SAMPLE_NUMBERS = 200_000


@dataclass(frozen=True)
class Centred:
    r"""Rows :math:`x_i - \bar x` with weights :math:`s_i` and targets :math:`y_i - \bar y`.

    Parameters
    ----------
    X, Y : ndarray of shape (n, p) and (n, k)
    weight : ndarray of shape (n,) or None
    intercept : bool
        Without an intercept nothing is subtracted.
    x_mean, y_mean : ndarray
        Weighted means, or zeros.
    n_threads : int
        Threads of the compiled passes.
    near_origin : bool
        Whether the means are small enough, measured by the spread of the data, that products of
        uncentred rows keep their digits.
    """

    X: NDArray[Any]
    Y: Floats
    weight: Floats | None
    intercept: bool
    x_mean: Floats
    y_mean: Floats
    n_threads: int
    near_origin: bool

    @property
    def n_effective(self) -> int:
        """Largest possible rank of the centred, weighted design."""
        rows = len(self.Y) if self.weight is None else int(np.count_nonzero(self.weight))
        return rows - int(self.intercept)

    def root_weight(self) -> Floats:
        """Square roots of the weights."""
        return np.ones(len(self.Y)) if self.weight is None else np.sqrt(self.weight)

    def weighted(self, values: Floats) -> Floats:
        """Rows of ``values`` times their weights."""
        return values if self.weight is None else self.weight[:, None] * values

    def centred_target(self) -> Floats:
        """Targets minus their mean."""
        return self.Y - self.y_mean if self.intercept else self.Y

    def centred_chunks(self) -> Iterator[tuple[slice, Floats]]:
        """Chunks of rows, centred in float64."""
        for chunk in row_chunks(*self.X.shape):
            yield chunk, np.subtract(self.X[chunk], self.x_mean, dtype=np.float64)

    def product(self, coef: Floats) -> Floats:
        """Predictions of the centred design without intercept."""
        if self.near_origin and self.X.dtype == np.float64:
            return np.asarray(self.X @ coef - self.x_mean @ coef)
        out = np.empty((len(self.X), coef.shape[1]))
        for chunk, rows in self.centred_chunks():
            out[chunk] = rows @ coef
        return out

    def transposed_product(self, values: Floats) -> Floats:
        """Centred design, transposed, times ``values``."""
        if self.near_origin and self.X.dtype == np.float64:
            return np.asarray(self.X.T @ values - np.outer(self.x_mean, values.sum(axis=0)))
        total = np.zeros((self.X.shape[1], values.shape[1]))
        for chunk, rows in self.centred_chunks():
            total += rows.T @ values[chunk]
        return total

    def objective_and_gradient(self, coef: Floats, alpha: float) -> tuple[float, Floats]:
        """Half the penalised residual sum of squares and its gradient in ``coef``."""
        halves, gradient = self.halves_and_gradient(coef, alpha)
        return float(halves.sum()) + 0.5 * alpha * float(np.vdot(coef, coef)), gradient

    def halves_and_gradient(self, coef: Floats, alpha: float) -> tuple[Floats, Floats]:
        """Half the residual sum of squares of each target; gradient of the penalised objective."""
        halves, slope = self._halves_and_slope(coef)
        return halves, slope + alpha * coef

    def _halves_and_slope(self, coef: Floats) -> tuple[Floats, Floats]:
        if self.near_origin and self.Y.shape[1] == 1 and self.X.flags.c_contiguous:
            gradient = np.empty(len(coef) + 1)
            loss = products.linear_pass(
                native_losses.SQUARED,
                self.X,
                np.ascontiguousarray(self.Y[:, 0]),
                self.weight,
                np.ascontiguousarray(coef[:, 0]),
                float(self.intercept_of(coef)[0]),
                None,
                gradient,
                self.n_threads,
            )
            slope = gradient[:-1, None] - self.x_mean[:, None] * gradient[-1]
            return np.array([loss]), slope
        halves, slope = np.zeros(self.Y.shape[1]), np.zeros_like(coef)
        target = self.centred_target()
        for chunk, rows in self.centred_chunks():
            error = rows @ coef - target[chunk]
            pull = error if self.weight is None else self.weight[chunk, None] * error
            halves += 0.5 * np.einsum("ij,ij->j", pull, error)
            slope += rows.T @ pull
        return halves, slope

    def intercept_of(self, coef: Floats) -> Floats:
        """Best intercept for given coefficients."""
        return self.y_mean - self.x_mean @ coef

    def dense(self) -> tuple[Floats, Floats]:
        """A copy of the centred, root-weighted design and targets."""
        root = self.root_weight()[:, None]
        design = np.subtract(self.X, self.x_mean, dtype=np.float64)
        design *= root
        return design, root * self.centred_target()


def centred(
    X: NDArray[Any], Y: Floats, weight: Floats | None, intercept: bool, n_threads: int
) -> Centred:
    """View of the data with their weighted means, or with zeros when there is no intercept.

    Examples
    --------
    >>> import numpy as np
    >>> view = centred(np.array([[1.0], [3.0]]), np.array([[0.0], [4.0]]), None, True, 1)
    >>> view.x_mean, view.y_mean
    (array([2.]), array([2.]))
    """
    if not intercept:
        return _as_given(X, Y, weight, n_threads)
    x_mean, y_mean = weighted_means(X, weight), weighted_means(Y, weight)
    near = _near_origin(X, x_mean) and _near_origin(Y, y_mean)
    return Centred(X, Y, _contiguous(weight), intercept, x_mean, y_mean, n_threads, near)


def centred_with_products(
    X: NDArray[Any], Y: Floats, weight: Floats | None, intercept: bool, n_threads: int
) -> tuple[Centred, Floats, Floats]:
    """The view, its Gram matrix and its moments with the targets, from one read of the data.

    Examples
    --------
    >>> import numpy as np
    >>> X, Y = np.array([[1.0], [3.0]]), np.array([[0.0], [4.0]])
    >>> view, matrix, moments = centred_with_products(X, Y, None, True, 1)
    >>> view.x_mean, matrix, moments
    (array([2.]), array([[2.]]), array([[4.]]))
    """
    weight = _contiguous(weight)
    if not intercept:
        matrix, moments = gram(X, weight, targets=Y, n_threads=n_threads)
        assert moments is not None
        return _as_given(X, Y, weight, n_threads), matrix, moments
    y_mean = weighted_means(Y, weight)
    sums = scatter(X, np.ascontiguousarray(Y - y_mean), weight, n_threads)
    total = len(X) if weight is None else weight.sum()
    spread = np.sqrt(np.maximum(sums.gram.diagonal(), 0.0) / total)
    near = _within_reach(sums.mean, spread) and _near_origin(Y, y_mean)
    view = Centred(X, Y, weight, intercept, sums.mean, y_mean, n_threads, near)
    return view, sums.gram, sums.moments


def _as_given(X: NDArray[Any], Y: Floats, weight: Floats | None, n_threads: int) -> Centred:
    nothing = np.zeros(X.shape[1]), np.zeros(Y.shape[1])
    return Centred(X, Y, _contiguous(weight), False, *nothing, n_threads, near_origin=True)


def _contiguous(weight: Floats | None) -> Floats | None:
    return None if weight is None else np.ascontiguousarray(weight)


def _near_origin(X: NDArray[Any], mean: Floats) -> bool:
    """Whether products of uncentred rows keep their digits, judged by some rows."""
    rows = max(16, min(_SAMPLE, _SAMPLE_NUMBERS // max(1, X.shape[1])))
    some = np.subtract(X[:: max(1, len(X) // rows)], mean, dtype=np.float64)
    squares = np.add.reduce(np.square(some, out=some), axis=0)
    return _within_reach(mean, np.sqrt(squares / len(some)))


def _within_reach(mean: Floats, spread: Floats) -> bool:
    """Whether no mean exceeds a hundred times its column's deviation.

    A column without deviation is held against the largest one.
    """
    size = np.abs(mean)
    if (size <= 100 * spread).all():
        return True
    spread = np.where(spread == 0, spread.max(initial=0.0), spread)
    return bool((size <= 100 * spread).all())
