"""Estimators with a number of clusters to be chosen, by whichever name they call it."""

from typing import Any

import numpy as np
from sklearn.base import clone

from margin.core import check
from margin.core.types import Array

_NAMES = ("n_clusters", "n_components")


def numbered(owner: str, estimator: Any, k: int) -> Any:
    """A clone with this number of clusters, or of components.

    Examples
    --------
    >>> from margin.cluster import KMeans
    >>> numbered("choose_k", KMeans(), 3)
    KMeans(n_clusters=3)
    """
    known = estimator.get_params(deep=False) if hasattr(estimator, "get_params") else {}
    for name in _NAMES:
        if name in known:
            return clone(estimator).set_params(**{name: k})
    need = f"an estimator with {' or '.join(_NAMES)}"
    raise check.fail(owner, "estimator", need, type(estimator).__name__)


def labels_of(model: Any, X: Array) -> Array:
    """Labels of the rows of the fit: those kept, or the most probable components."""
    return np.asarray(model.labels_ if hasattr(model, "labels_") else model.predict(X))
