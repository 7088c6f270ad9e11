"""One number per row: what estimators of curves accept."""

import numpy as np

from margin.core import check


def curve_data(estimator, X, y, sample_weight):
    """Distinct sorted abscissae, weighted means and weights of the targets there.

    Returns also the squared deviations inside ties, which no curve can explain, and the weight.
    """
    X = _column(X)
    X, y, weight = check.data(estimator, X, y, sample_weight)
    if X.shape[1] != 1:
        raise check.fail(estimator, "X", "one column", f"{X.shape[1]} columns")
    x = X[:, 0].astype(np.float64)
    weight = np.ones(len(x)) if weight is None else weight
    keep = weight > 0
    x, y, weight = x[keep], y[keep], weight[keep]
    knots, place = np.unique(x, return_inverse=True)
    total = np.bincount(place, weights=weight)
    mean = np.bincount(place, weights=weight * y) / total
    ties = float(weight @ (y - mean[place]) ** 2)
    return knots, mean, total, ties


def curve_points(estimator, X):
    """Abscissae of a prediction."""
    return check.table(estimator, _column(X))[:, 0].astype(np.float64)


def _column(X):
    if hasattr(X, "columns"):  # a frame keeps its column name
        return X
    X = np.asarray(X)
    return X.reshape(-1, 1) if X.ndim == 1 else X
