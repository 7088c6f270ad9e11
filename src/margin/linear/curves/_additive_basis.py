"""One smooth function of one variable as a few columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.interpolate import BSpline
from scipy.linalg import eigh

from margin.core.types import Floats

_DEGREE = 3


@dataclass(frozen=True)
class SplineBasis:
    r"""Centred cubic splines of one variable, split into a line and what bends.

    With :math:`u = (x - \text{low}) / \text{width}` from 0 to 1 over the data, the columns are the
    standardised variable and functions :math:`g_k` with :math:`\int g_k'' g_l''\,du = [k = l]`, all
    of mean zero over the data, so that the squared norm of their coefficients is the bending
    energy. Beyond the data the functions go on as straight lines.

    Parameters
    ----------
    low, width : float
        Least value and range of the data.
    mean, deviation : float
        Of the variable; a deviation of 0 means that it is constant and has no columns.
    knots : ndarray
        Knots in ``u``, the ends repeated; empty for a straight line.
    transform : ndarray of shape (n_splines, n_splines - 2)
        From B-splines to the columns that bend.
    centre : ndarray of shape (n_splines - 2,)
        Means of those columns.
    """

    low: float
    width: float
    mean: float
    deviation: float
    knots: Floats
    transform: Floats
    centre: Floats

    @classmethod
    def of(cls, x: Floats, weight: Floats, n_knots: int) -> SplineBasis:
        """Basis with knots at quantiles of the distinct values of positive weight.

        Examples
        --------
        >>> x = np.linspace(0, 1, 50)
        >>> basis = SplineBasis.of(x, np.ones(50), 6)
        >>> basis.n_columns, bool(np.abs(basis.columns(x).mean(axis=0)).max() < 1e-12)
        (7, True)
        """
        distinct = np.unique(x[weight > 0])
        low, width = float(distinct[0]), float(distinct[-1] - distinct[0])
        mean = float(weight @ x / weight.sum())
        deviation = float(np.sqrt(weight @ (x - mean) ** 2 / weight.sum()))
        none = np.empty((0, 0))
        if width <= 1e-12 * np.abs(distinct).max() or deviation == 0:
            return cls(low, 1.0, mean, 0.0, np.empty(0), none, np.empty(0))
        if len(distinct) == 2:
            return cls(low, width, mean, deviation, np.empty(0), none, np.empty(0))
        places = np.linspace(0, 1, min(n_knots, len(distinct)))
        inner = np.quantile((distinct - low) / width, places)
        knots = np.concatenate([np.zeros(_DEGREE), inner, np.ones(_DEGREE)])
        energy, vectors = eigh(_bending(knots))
        transform = vectors[:, 2:] / np.sqrt(energy[2:])
        raw = cls(low, width, mean, deviation, knots, transform, np.zeros(transform.shape[1]))
        centre = weight @ raw.columns(x)[:, 1:] / weight.sum()
        return cls(low, width, mean, deviation, knots, transform, centre)

    @property
    def n_columns(self) -> int:
        """One for the line, the others bend."""
        return 0 if self.deviation == 0 else 1 + self.transform.shape[1]

    def columns(self, x: Any) -> Floats:
        """Values of the functions, of shape (len(x), n_columns)."""
        x = np.asarray(x, dtype=np.float64)
        if self.n_columns == 0:
            return np.empty((len(x), 0))
        line = (x - self.mean) / self.deviation
        if self.n_columns == 1:
            return np.asarray(line[:, None])
        u = (x - self.low) / self.width
        inside = np.clip(u, 0.0, 1.0)
        bent = BSpline.design_matrix(inside, self.knots, _DEGREE) @ self.transform
        outside = np.flatnonzero(u != inside)
        if len(outside):
            slope = BSpline(self.knots, self.transform, _DEGREE).derivative()(inside[outside])
            bent[outside] += (u - inside)[outside, None] * slope
        return np.column_stack([line, bent - self.centre])


def _bending(knots: Floats) -> Floats:
    """Integrals of products of second derivatives, exact by two Gauss points per interval."""
    edges = np.unique(knots)
    middle, half = (edges[1:] + edges[:-1]) / 2, np.diff(edges) / 2
    nodes = np.concatenate([middle - half / np.sqrt(3), middle + half / np.sqrt(3)])
    n_splines = len(knots) - _DEGREE - 1
    bend = BSpline(knots, np.eye(n_splines), _DEGREE).derivative(2)(nodes)
    return np.asarray(bend.T @ (np.tile(half, 2)[:, None] * bend))
