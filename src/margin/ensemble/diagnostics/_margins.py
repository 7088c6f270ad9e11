"""Margins of a classifier: how far the right class is ahead."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Matrix
from margin.distributions import Empirical
from margin.ensemble.members._lead import lead


def margin_distribution(model: Any, X: Matrix, y: ArrayLike) -> Empirical:
    """Distribution of the margins of a fitted classifier over the rows (tree.18).

    A margin is the share of the right class minus that of the best wrong one: negative where the
    prediction is wrong, near one where it is unanimous. Boosting goes on to raise the low ones
    when no training error is left.

    Parameters
    ----------
    model : classifier
        With a method ``margins(X, y)``, or with ``predict_proba``.
    X : array-like or sparse matrix of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)

    Returns
    -------
    Empirical
        Its ``cdf(0)`` is the error, its lowest ``atoms`` the worst rows.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.linear import LogisticRegression
    >>> X, y = np.array([[-2.0], [-1.0], [1.0], [2.0]]), [0, 0, 1, 1]
    >>> float(margin_distribution(LogisticRegression().fit(X, y), X, y).cdf(0.0))
    0.0
    """
    if hasattr(model, "margins"):
        return Empirical(model.margins(X, y))
    truth = np.asarray(y)
    if not np.isin(truth, model.classes_).all():
        unknown = np.setdiff1d(truth, model.classes_)[0]
        raise check.fail("margin_distribution", "y", "among the classes of the model", unknown)
    codes = np.searchsorted(model.classes_, truth)
    return Empirical(lead(model.predict_proba(X), codes))
