"""A weighted, centred view of dense regression data that never copies the data."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.linalg._gram import gram, row_chunks, weighted_means
from margin.native import losses as native_losses
from margin.native import products

Floats = NDArray[np.float64]


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
    """

    X: NDArray[Any]
    Y: Floats
    weight: Floats | None
    intercept: bool
    x_mean: Floats
    y_mean: Floats
    n_threads: int

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

    def gram_and_moments(self) -> tuple[Floats, Floats]:
        """Centred Gram matrix and its moments with the centred targets."""
        matrix, moments = gram(
            self.X,
            self.weight,
            centre=self.x_mean if self.intercept else None,
            targets=self.centred_target(),
        )
        assert moments is not None
        return matrix, moments

    def product(self, coef: Floats) -> Floats:
        """Predictions of the centred design without intercept."""
        offset = self.x_mean @ coef
        if self.X.dtype == np.float64:
            return np.asarray(self.X @ coef - offset)
        out = np.empty((len(self.X), coef.shape[1]))
        for chunk in row_chunks(*self.X.shape):
            out[chunk] = self.X[chunk].astype(np.float64) @ coef
        return out - offset

    def transposed_product(self, rows: Floats) -> Floats:
        """Centred design, transposed, times ``rows``."""
        offset = np.outer(self.x_mean, rows.sum(axis=0))
        if self.X.dtype == np.float64:
            return np.asarray(self.X.T @ rows - offset)
        total = np.zeros((self.X.shape[1], rows.shape[1]))
        for chunk in row_chunks(*self.X.shape):
            total += self.X[chunk].astype(np.float64).T @ rows[chunk]
        return total - offset

    def objective_and_gradient(self, coef: Floats, alpha: float) -> tuple[float, Floats]:
        """Half the penalised residual sum of squares and its gradient in ``coef``."""
        loss, slope = self._loss_and_slope(coef)
        return loss + 0.5 * alpha * float(np.vdot(coef, coef)), slope + alpha * coef

    def _loss_and_slope(self, coef: Floats) -> tuple[float, Floats]:
        if self.Y.shape[1] == 1 and self.X.flags.c_contiguous:
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
            return loss, gradient[:-1, None] - self.x_mean[:, None] * gradient[-1]
        error = self.product(coef) - self.centred_target()
        loss = 0.5 * float(np.sum(self.weighted(error) * error))
        return loss, self.transposed_product(self.weighted(error))

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
    if intercept:
        x_mean, y_mean = weighted_means(X, weight), weighted_means(Y, weight)
    else:
        x_mean, y_mean = np.zeros(X.shape[1]), np.zeros(Y.shape[1])
    return Centred(X, Y, weight, intercept, x_mean, y_mean, n_threads)
