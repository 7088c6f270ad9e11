"""Covariances by an estimator that the user hands over."""

from typing import Any

import numpy as np
from sklearn.base import clone

from margin.core import check
from margin.core.types import Array, Floats, Places
from margin.linear.discriminant._covariance_shrinkage import Shrinkage, check_shrinkage


def check_covariance(
    owner: object, solver: str, shrinkage: Shrinkage, estimator: Any, X: Array, weight: Any
) -> None:
    """Refuse a choice of ``shrinkage`` and ``covariance_estimator`` that contradicts itself.

    As in scikit-learn, ``"svd"`` asked for by name goes with neither of the two.

    Parameters
    ----------
    owner : object
        Whose name stands in errors.
    solver, shrinkage, estimator
        Parameters ``solver``, ``shrinkage`` and ``covariance_estimator``.
    X, weight
        Checked rows and weights: an estimator of covariances takes complete rows without weights.
    """
    name = type(owner).__name__
    if shrinkage is not None and solver == "svd":
        raise check.unserved(owner, "shrinkage", "None with solver='svd'", shrinkage)
    check_shrinkage(owner, shrinkage, X)
    if estimator is None:
        return
    if shrinkage is not None:
        raise ValueError(
            f"{name}: covariance_estimator and shrinkage parameters are not None. "
            "Only one of the two can be set."
        )
    if solver == "svd":
        raise ValueError(
            f"{name}: covariance_estimator is not supported with solver='svd' "
            f"(covariance estimator is not supported with svd), got {estimator!r}"
        )
    if not hasattr(estimator, "fit"):
        raise check.fail(owner, "covariance_estimator", "an object with fit", estimator)
    if weight is not None or np.isnan(X).any():
        need = "None where rows have weights or NaN"
        raise check.fail(owner, "covariance_estimator", need, estimator)


def estimated_covariances(owner: object, estimator: Any, X: Array, code: Places) -> Floats:
    """Covariance of the rows of each class, of shape (n_classes, p, p), by a copy of the estimator.

    Parameters
    ----------
    owner : object
        Whose name stands in errors.
    estimator : object
        With ``fit(X)`` and, after it, ``covariance_``.
    X : ndarray of shape (n, p)
        Complete rows.
    code : ndarray of shape (n,)
        Class of each row.
    """
    p = X.shape[1]
    covariances = np.empty((int(code.max()) + 1, p, p))
    for k in range(len(covariances)):
        fitted = clone(estimator, safe=False)
        fitted.fit(X[code == k])
        covariance = np.asarray(getattr(fitted, "covariance_", None))
        if covariance.shape != (p, p):
            need = f"an estimator whose fit leaves covariance_ of shape ({p}, {p})"
            raise check.fail(owner, "covariance_estimator", need, estimator)
        covariances[k] = covariance
    return covariances
