"""A sum of Matérn processes on a line, and the observations of it."""

from dataclasses import dataclass

import numpy as np

from margin.core.types import Floats, Ints, Places


@dataclass(frozen=True, eq=False)
class MaternSum:
    r"""A sum :math:`\sum_c \sigma_c^2\, k_{\nu_c}(r / \ell_c)` and the variance of the noise.

    A Matérn process of smoothness :math:`p - \tfrac12` and its :math:`p - 1` derivatives are a
    Markov process: everything before a point matters only through the state there.

    Parameters
    ----------
    order : ndarray of int
        :math:`\nu_c + \tfrac12`, the number of entries of the state: 1, 2 or 3.
    scales : ndarray of shape (2, parts)
        Variances :math:`\sigma_c^2`, and rates :math:`\sqrt{2\nu_c} / \ell_c`.
    level : float
        Variance of the white noise.
    """

    order: Ints
    scales: Floats
    level: float

    @property
    def variance(self) -> float:
        """Variance of the function."""
        return float(self.scales[0].sum())


@dataclass(frozen=True, eq=False)
class Series:
    """Observations in the order of their coordinate.

    Parameters
    ----------
    x : ndarray of shape (n,)
        Coordinates, sorted.
    order : ndarray of int of shape (n,)
        Which row each is.
    noise : ndarray of shape (n,)
        Known variance of the noise, besides that of the process.
    data : ndarray of shape (n, k)
        Columns to filter, side by side.

    Examples
    --------
    >>> line = Series.of(np.array([3.0, 1.0]), np.zeros(2), np.array([[30.0], [10.0]]))
    >>> line.data.ravel(), line.gap
    (array([10., 30.]), array([0., 2.]))
    """

    x: Floats
    order: Places
    noise: Floats
    data: Floats

    @classmethod
    def of(cls, x: Floats, noise: Floats, data: Floats) -> "Series":
        """Sort rows."""
        order = np.argsort(x, kind="stable")
        return cls(x[order], order, noise[order], np.ascontiguousarray(data[order]))

    @property
    def gap(self) -> Floats:
        """Distance of each to the one before, 0 for the first."""
        return np.diff(self.x, prepend=self.x[:1])
