"""One number per row: what estimators of curves accept, and targets at distinct points."""

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
    return distinct_points(x, y, weight)


def distinct_points(x, y, weight):
    """Distinct sorted numbers or rows with weighted mean targets, weights, and deviations in ties.

    Examples
    --------
    >>> points, mean, total, ties = distinct_points(np.array([2.0, 1.0, 2.0]), np.arange(3.0), None)
    >>> points, mean, total, ties
    (array([1., 2.]), array([1., 1.]), array([1., 2.]), 2.0)
    """
    weight = np.ones(len(x)) if weight is None else weight
    keep = weight > 0
    x, y, weight = x[keep], y[keep], weight[keep]
    points, place = np.unique(x, axis=None if x.ndim == 1 else 0, return_inverse=True)
    place = place.ravel()
    total = np.bincount(place, weights=weight)
    mean = np.bincount(place, weights=weight * y) / total
    return points, mean, total, float(weight @ (y - mean[place]) ** 2)


def curve_points(estimator, X):
    """Abscissae of a prediction."""
    return check.table(estimator, _column(X))[:, 0].astype(np.float64)


def _column(X):
    if hasattr(X, "columns"):  # a frame keeps its column name
        return X
    X = np.asarray(X)
    return X.reshape(-1, 1) if X.ndim == 1 else X
