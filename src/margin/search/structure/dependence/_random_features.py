"""Gaussian kernels by random Fourier features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import jv

from margin.core import threads
from margin.core.types import Floats
from margin.native.dependence.features import chebyshev_rows, fourier_features
from margin.search.structure.dependence._kernel_factor import median_width

_WIDTH_ROWS = 500
_NOTHING = 1e-17  # a coefficient that is less is below rounding


@dataclass(frozen=True, eq=False)
class Features:
    r"""Features :math:`\sqrt{2/m} \cos 2\pi(w_f^\top x + s_f)`, less those of the first row.

    Centred they are the same, and columns that are constant leave no rounding.

    Parameters
    ----------
    columns : ndarray of shape (p, n)
    turns : ndarray of shape (m, p)
    phase : ndarray of shape (m,)
        Frequencies and phases in full turns.
    origin : ndarray of shape (m,)
        Cosines of the first row.
    """

    columns: Floats
    turns: Floats
    phase: Floats
    origin: Floats

    def __len__(self) -> int:
        return len(self.phase)

    @property
    def mix(self) -> Floats:
        """What the rows of :meth:`write` are multiplied by to be the features."""
        return np.diag(np.full(len(self), np.sqrt(2.0 / len(self))))

    def write(self, rows: slice, out: Floats) -> None:
        """Write the cosines of a block of rows, one row of ``out`` per feature."""
        columns = np.ascontiguousarray(self.columns[:, rows])
        fourier_features(columns, self.turns, self.phase, self.origin, out, threads.count())


@dataclass(frozen=True, eq=False)
class Polynomials:
    """Features of one column in Chebyshev polynomials, of which fewer are enough.

    Parameters
    ----------
    column : ndarray of shape (n,)
        Between -1 and 1.
    mix : ndarray of shape (m, n_polynomials)
        Coefficients of the features, but for constants.
    """

    column: Floats
    mix: Floats

    def __len__(self) -> int:
        return self.mix.shape[1]

    def write(self, rows: slice, out: Floats) -> None:
        """Write the polynomials of a block of rows, one row of ``out`` for each."""
        chebyshev_rows(self.column[rows], out, threads.count())


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
    return Features(columns, turns, phase, origin)


def condensed(features: Features) -> Features | Polynomials:
    r"""The same features by fewer functions, where there are such to the last digit.

    Features of one column are smooth functions of it. On an interval of half length h the
    coefficients of :math:`\cos(\omega x + s)` in Chebyshev polynomials are Bessel functions
    :math:`J_k(\omega h)`, which vanish soon after :math:`k > \omega h`.

    Examples
    --------
    >>> x = np.random.default_rng(0).standard_normal((1000, 1))
    >>> short = condensed(gaussian_features(x, 100, np.random.default_rng(1)))
    >>> 20 < len(short) < 50
    True
    """
    if len(features.columns) != 1:
        return features
    low, high = features.columns.min(), features.columns.max()
    half = 0.5 * (high - low)
    if not half > 0:
        return features
    argument = 2.0 * np.pi * half * float(np.abs(features.turns).max())
    size = np.abs(jv(np.arange(len(features) + 1), argument))
    count = int(np.flatnonzero(size > _NOTHING)[-1]) + 1
    if count >= len(features):
        return features
    angle = np.pi * (np.arange(count) + 0.5) / count
    nodes = 0.5 * (low + high) + half * np.cos(angle)
    transform = np.cos(np.arange(count) * angle[:, None]) * (2.0 / count)
    transform[:, 0] *= 0.5
    mix = _cosines(nodes[None], features.turns, features.phase) @ transform
    column = np.clip((features.columns[0] - 0.5 * (low + high)) / half, -1.0, 1.0)
    return Polynomials(column, mix * np.sqrt(2.0 / len(features)))


def _cosines(columns: Floats, turns: Floats, phase: Floats) -> Floats:
    out = np.empty((len(turns), columns.shape[1]))
    fourier_features(np.ascontiguousarray(columns), turns, phase, np.zeros(len(turns)), out)
    return out
