"""Least squares and ridge by singular values, for designs near the edge of precision."""

from typing import NamedTuple

import numpy as np
from scipy import linalg

from margin.core.types import Floats
from margin.linalg.data._centred import Centred
from margin.linalg.factors._finite import svd
from margin.linalg.least_squares._normal_inverse import MOST_NUMBERS, SpectralInverse
from margin.linalg.least_squares._ridge_fit import RidgeFit, gradient_unit, penalised_half


def svd_ridge(view: Centred, alpha: float, *, forced: bool) -> RidgeFit:
    """Minimiser by the singular values of the (triangular factor of the) centred design."""
    design, target = view.dense()
    n, p = design.shape
    norm = float(np.linalg.norm(design))
    cutoff = max(n, p) * np.finfo(float).eps
    if n > 2 * p:
        stacked = linalg.qr(
            np.hstack([design, target]), mode="r", overwrite_a=True, check_finite=False
        )[0][: p + target.shape[1]]
        design, target = stacked[:p, :p], stacked[:p, p:]
    singular = _svd_solve(design, target, alpha, cutoff)
    if singular.rank < p <= view.n_effective and alpha == 0:
        # Small columns look dependent beside large ones: judge them at equal size.
        scale = np.linalg.norm(design, axis=0)
        scale[scale == 0] = 1.0
        scaled = _svd_solve(design / scale, target, alpha, cutoff)
        if scaled.rank == p:
            singular = _Singular(
                scaled.coef / scale[:, None], scaled.axes / scale[:, None], scaled.values
            )
    halves, gradient = view.halves_and_gradient(singular.coef, alpha)
    moments = view.transposed_product(view.weighted(view.centred_target()))
    residual = float(np.abs(gradient).max(initial=0.0)) / gradient_unit(moments, norm, view)
    why = "as asked" if forced else f"rank {singular.rank} of {min(view.X.shape)}"
    kept = None
    if singular.axes.size <= MOST_NUMBERS:
        kept = SpectralInverse(view.x_mean, alpha, singular.axes, singular.values)
    return RidgeFit(
        singular.coef,
        view.intercept_of(singular.coef),
        f"SVD ({why})",
        singular.rank,
        residual,
        0,
        penalised_half(halves, singular.coef, alpha),
        2.0 * halves,
        kept,
    )


class _Singular(NamedTuple):
    """Coefficients of least norm, and the singular values that count with their vectors."""

    coef: Floats
    axes: Floats
    values: Floats

    @property
    def rank(self) -> int:
        return len(self.values)


def _svd_solve(design: Floats, target: Floats, alpha: float, cutoff: float) -> _Singular:
    left, values, right = svd(design)
    keep = values > cutoff * values.max(initial=0.0)
    shrunk = 1.0 / (values[keep] + alpha / values[keep])
    axes = right[keep].T
    return _Singular(axes @ (shrunk[:, None] * (left[:, keep].T @ target)), axes, values[keep])
