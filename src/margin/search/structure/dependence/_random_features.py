"""Gaussian kernels by random Fourier features, block by block of rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from margin.core import threads
from margin.core.types import Floats
from margin.native.dependence.features import fourier_features
from margin.search.structure.dependence._kernel_factor import median_width

_WIDTH_ROWS = 500
_BLOCK = 2048


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

    def write(self, rows: slice, out: Floats) -> None:
        """Write the cosines of a block of rows, one row of ``out`` per feature."""
        columns = np.ascontiguousarray(self.columns[:, rows])
        fourier_features(columns, self.turns, self.phase, self.origin, out, threads.count())

    @property
    def scale(self) -> Floats:
        """The factor of each cosine."""
        return np.full(len(self.phase), np.sqrt(2.0 / len(self.phase)))


def gaussian_features(X: Floats, n_features: int, rng: np.random.Generator) -> Features:
    """Features whose inner products approach the kernel as wide as the median distance.

    The median is that of the first 500 rows.
    """
    width = median_width(X[:_WIDTH_ROWS])
    frequency = rng.standard_normal((X.shape[1], n_features)) / width
    shift = rng.uniform(0, 2 * np.pi, n_features)
    turns = np.ascontiguousarray(frequency.T) / (2 * np.pi)
    columns, phase, origin = np.ascontiguousarray(X.T), shift / (2 * np.pi), np.zeros(n_features)
    first = np.empty((n_features, 1))
    fourier_features(np.ascontiguousarray(columns[:, :1]), turns, phase, origin, first)
    return Features(columns, turns, phase, first[:, 0].copy())


def residual_features(
    variables: tuple[Features, Features], condition: Features | None, ridge: float
) -> tuple[Floats, Floats]:
    """Centred features less what a ridge regression on those of the condition explains.

    Parameters
    ----------
    variables : pair of Features
    condition : Features, optional
    ridge : float
        Regularisation of the regression per row.

    Returns
    -------
    first, second : ndarray of shape (n_features, n_rows)

    Notes
    -----
    Features are computed twice and never kept, but for the residuals: memory is that of a block.
    """
    parts = variables if condition is None else (condition, *variables)
    scale = np.concatenate([part.scale for part in parts])
    n, n_given = variables[0].columns.shape[1], len(scale) - sum(len(v.phase) for v in variables)
    coefficients, offset = _regression(parts, scale, n, n_given, ridge)
    residuals = np.empty((len(scale) - n_given, n))
    for rows, values in _blocks(parts, n):
        own = residuals[:, rows]
        np.multiply(values[n_given:], scale[n_given:, None], out=own)
        if n_given:
            own -= coefficients @ values[:n_given]
        own -= offset[:, None]
    return residuals[: len(variables[0].phase)], residuals[len(variables[0].phase) :]


def _regression(
    parts: tuple[Features, ...], scale: Floats, n: int, n_given: int, ridge: float
) -> tuple[Floats, Floats]:
    """Coefficients of the cosines of the condition, and what is left in the mean."""
    sums = np.zeros(len(scale))
    inner = np.zeros((len(scale), len(scale)))
    for _, values in _blocks(parts, n):
        sums += values.sum(axis=1)
        if n_given:
            inner += values @ values.T
    means = sums / n * scale
    if not n_given:
        return np.empty((len(scale), 0)), means
    inner = inner * scale * scale[:, None] - n * means * means[:, None]
    given, across = inner[:n_given, :n_given], inner[:n_given, n_given:]
    weights = cho_solve(cho_factor(given + ridge * n * np.eye(n_given)), across)
    return weights.T * scale[:n_given], means[n_given:] - means[:n_given] @ weights


def _blocks(parts: tuple[Features, ...], n: int) -> Iterator[tuple[slice, Floats]]:
    """Rows, and the cosines of all parts one below the other, in memory that is used again."""
    total = sum(len(part.phase) for part in parts)
    room = np.empty(total * min(n, _BLOCK))
    for first in range(0, n, _BLOCK):
        rows = slice(first, min(n, first + _BLOCK))
        values, at = room[: total * (rows.stop - first)].reshape(total, -1), 0
        for part in parts:
            part.write(rows, values[at : at + len(part.phase)])
            at += len(part.phase)
        yield rows, values


def feature_moments(A: Floats, B: Floats) -> tuple[float, float, float]:
    r"""Sum, trace and sum of squares of :math:`(A^\top A) \circ (B^\top B)`.

    Of the products :math:`A_{is} A_{js}` and :math:`B_{ks} B_{ls}` those with :math:`i \le j` and
    :math:`k \le l` are enough: all others are copies.

    Parameters
    ----------
    A, B : ndarray of shape (n_features, n_rows)
    """
    n = A.shape[1]
    value = float(np.square(A @ B.T).sum())
    trace = float(np.square(A).sum(axis=0) @ np.square(B).sum(axis=0))
    if len(A) * len(B) > n:  # the smaller side of the products
        return value, trace, float(np.square((A.T @ A) * (B.T @ B)).sum())
    pairs = [np.triu_indices(len(F)) for F in (A, B)]
    inner = np.zeros((len(pairs[0][0]), len(pairs[1][0])))
    for first in range(0, n, _BLOCK):
        own = (F[:, first : first + _BLOCK] for F in (A, B))
        left, right = (F[i] * F[j] for F, (i, j) in zip(own, pairs, strict=True))
        inner += left @ right.T
    copies = [np.where(i == j, 1.0, 2.0) for i, j in pairs]
    return value, trace, float(copies[0] @ np.square(inner) @ copies[1])
