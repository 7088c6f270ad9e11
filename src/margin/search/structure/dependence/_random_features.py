"""Gaussian kernels by random Fourier features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import jv

from margin.core.types import Floats
from margin.native.dependence.features import Functions, function_combinations
from margin.search.structure.dependence._kernel_factor import median_width

_WIDTH_ROWS = 500
_NOTHING = 1e-17  # a coefficient that is less is below rounding


@dataclass(frozen=True, eq=False)
class Features:
    r"""Features of rows as combinations of functions, but for constants.

    Parameters
    ----------
    functions : Functions
        :math:`\cos 2\pi(w_f^\top x + s_f)` less those of the first row, so that columns that are
        constant leave no rounding; or polynomials of one column.
    mix : ndarray of shape (n_features, n_functions)
        Coefficients of the features.
    """

    functions: Functions
    mix: Floats

    def __len__(self) -> int:
        return len(self.mix)


def gaussian_features(X: Floats, n_features: int, rng: np.random.Generator) -> Features:
    """Features whose inner products approach the kernel as wide as the median distance.

    The median is that of the first 500 rows.
    """
    width = median_width(X[:_WIDTH_ROWS])
    frequency = rng.standard_normal((X.shape[1], n_features)) / width
    shift = rng.uniform(0, 2 * np.pi, n_features)
    turns = np.ascontiguousarray(frequency.T) / (2 * np.pi)
    columns, phase = np.ascontiguousarray(X.T), shift / (2 * np.pi)
    origin = _cosines(columns[:, :1], turns, phase)[:, 0].copy()
    cosines = Functions(np.empty(0), 0, columns, turns, phase, origin)
    return Features(cosines, np.diag(np.full(n_features, np.sqrt(2.0 / n_features))))


def condensed(features: Features) -> Features:
    r"""The same features by fewer functions, where there are such to the last digit.

    Features of one column are smooth functions of it. On an interval of half length h the
    coefficients of :math:`\cos(\omega x + s)` in Chebyshev polynomials are Bessel functions
    :math:`J_k(\omega h)`, which vanish soon after :math:`k > \omega h`.

    Examples
    --------
    >>> x = np.random.default_rng(0).standard_normal((1000, 1))
    >>> short = condensed(gaussian_features(x, 100, np.random.default_rng(1)))
    >>> 20 < len(short.functions) < 50
    True
    """
    cosines, n = features.functions, features.functions.columns.shape[1]
    if len(cosines.columns) != 1:
        return features
    low, high = cosines.columns.min(), cosines.columns.max()
    half = 0.5 * (high - low)
    if not half > 0:
        return features
    argument = 2.0 * np.pi * half * float(np.abs(cosines.turns).max())
    size = np.abs(jv(np.arange(len(features) + 1), argument))
    count = int(np.flatnonzero(size > _NOTHING)[-1]) + 1
    if count >= len(features):
        return features
    angle = np.pi * (np.arange(count) + 0.5) / count
    nodes = 0.5 * (low + high) + half * np.cos(angle)
    transform = np.cos(np.arange(count) * angle[:, None]) * (2.0 / count)
    transform[:, 0] *= 0.5
    mix = _cosines(nodes[None], cosines.turns, cosines.phase) @ transform
    column = np.clip((cosines.columns[0] - 0.5 * (low + high)) / half, -1.0, 1.0)
    none = np.empty(0)
    polynomials = Functions(column, count, np.empty((0, n)), np.empty((0, 0)), none, none)
    return Features(polynomials, features.mix @ mix)


def _cosines(columns: Floats, turns: Floats, phase: Floats) -> Floats:
    zero = np.zeros(len(turns))
    cosines = Functions(np.empty(0), 0, np.ascontiguousarray(columns), turns, phase, zero)
    return function_combinations(cosines, np.eye(len(turns)), zero)
