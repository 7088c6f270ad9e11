"""Small tables on which every estimator can be tried."""

import warnings
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import get_tags

from margin.core.types import Floats

LABELS = ("low", "middle", "top")


class Sample(NamedTuple):
    """A table, its targets and a weight per row; ``y`` is ``None`` where there is none."""

    X: Floats
    y: Any
    weight: Floats

    def take(self, rows: Any) -> "Sample":
        """Chosen rows, in the order and as often as asked for."""
        return Sample(self.X[rows], None if self.y is None else self.y[rows], self.weight[rows])


def sample_for(estimator: Any, n: int = 60, p: int = 4, seed: int = 0) -> Sample:
    """Table that suits the estimator: overlapping classes, a noisy line, or no target.

    Classes come as strings, three of them unless the estimator takes two only.

    Examples
    --------
    >>> from margin.linear import Ridge
    >>> sample_for(Ridge(), n=10).X.shape
    (10, 4)
    """
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) + np.linspace(-1.0, 1.0, p)
    if get_tags(estimator).input_tags.positive_only:
        X = np.abs(X)
    weight = rng.uniform(0.5, 2.0, size=n)
    signal = X @ (np.linspace(1.0, 2.0, p) * (-1.0) ** np.arange(p))
    if is_classifier(estimator):
        many = get_tags(estimator).classifier_tags.multi_class
        labels = np.array(LABELS if many else LABELS[:2])
        noisy = signal + rng.normal(scale=np.std(signal), size=n)
        cuts = np.quantile(noisy, np.arange(1, len(labels)) / len(labels))
        return Sample(X, labels[np.searchsorted(cuts, noisy)], weight)
    if is_regressor(estimator):
        y = 1.5 + signal + 0.3 * rng.normal(size=n)
        if get_tags(estimator).target_tags.positive_only:
            y = np.exp(y / np.std(y))
        return Sample(X, y, weight)
    return Sample(X, None, weight)


def fitted(estimator: Any, X: Any, y: Any, weight: Any = None, **changes: Any) -> Any:
    """Clone with changed parameters, fitted; a given weight is passed on."""
    model = clone(estimator).set_params(**changes)
    arguments = (X,) if y is None else (X, y)
    return model.fit(*arguments) if weight is None else model.fit(*arguments, sample_weight=weight)


def fitted_precisely(estimator: Any, X: Any, y: Any, weight: Any = None, **changes: Any) -> Any:
    """Clone fitted as exactly as it can be, for comparing answers that should be the same.

    The tolerance asked for may lie below machine precision, so a stalled fit is what is wanted.
    """
    if "tol" in estimator.get_params():
        changes = {"tol": 1e-11, **changes}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return fitted(estimator, X, y, weight, **changes)
