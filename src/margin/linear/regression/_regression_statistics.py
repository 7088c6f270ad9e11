"""The sums that regression needs of its rows: a monoid, so batches add up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from margin.core.types import Array, Floats
from margin.linalg import gram, weighted_means


@dataclass(frozen=True)
class RegressionStatistics:
    r"""Weighted count, means and second moments about them, of features and target.

    Parameters
    ----------
    count : float
        Sum of weights.
    x_mean, y_mean : ndarray of shape (p,) and float
        Means, or zeros when the data are not centred.
    xx, xy, yy : ndarray of shape (p, p) and (p,), float
        Second moments :math:`\sum_i s_i (x_i - \bar x)(x_i - \bar x)^\top` and so on.
    centred : bool
        Whether moments are about the means.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.array([[0.0], [2.0], [7.0]]), np.array([1.0, 3.0, 2.0])
    >>> whole = RegressionStatistics.of(X, y, None, centre=True)
    >>> parts = [RegressionStatistics.of(X[i : i + 1], y[i : i + 1], None, centre=True)
    ...          for i in range(3)]
    >>> total = parts[0] + parts[1] + parts[2]
    >>> bool(np.isclose(total.xx, whole.xx).all() and np.isclose(total.xy, whole.xy).all())
    True
    """

    count: float
    x_mean: Floats
    y_mean: float
    xx: Floats
    xy: Floats
    yy: float
    centred: bool

    @classmethod
    def of(
        cls, X: Array, y: Floats, weight: Floats | None, *, centre: bool
    ) -> RegressionStatistics:
        """Statistics of a batch of rows."""
        s = np.ones(len(y)) if weight is None else weight
        count = float(s.sum())
        x_mean, y_mean = np.zeros(X.shape[1]), 0.0
        if centre:
            x_mean = weighted_means(X, weight)
            y_mean = float(weighted_means(y[:, None], weight)[0])
        rest = y - y_mean
        xx, xy = gram(X, weight, centre=x_mean if centre else None, targets=rest[:, None])
        assert xy is not None
        return cls(count, x_mean, y_mean, xx, xy[:, 0], float(s @ rest**2), centre)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.x_mean)

    def __add__(self, other: RegressionStatistics) -> RegressionStatistics:
        if self.n_features != other.n_features or self.centred != other.centred:
            raise ValueError(
                "RegressionStatistics: both sides must have the same features and centring, "
                f"got {self.n_features} and {other.n_features} features"
            )
        count = self.count + other.count
        share = self.count * other.count / count
        dx, dy = other.x_mean - self.x_mean, other.y_mean - self.y_mean
        return RegressionStatistics(
            count,
            self.x_mean + dx * (other.count / count),
            self.y_mean + dy * (other.count / count),
            self.xx + other.xx + share * np.outer(dx, dx),
            self.xy + other.xy + share * dx * dy,
            self.yy + other.yy + share * dy * dy,
            self.centred,
        )
