"""Classes of a model that is fitted piece by piece."""

from typing import Any

import numpy as np
from sklearn.utils.class_weight import compute_class_weight

from margin.core import check


def known_classes(
    estimator: Any, X: Any, y: Any, classes: Any, sample_weight: Any
) -> tuple[Any, Any, Any]:
    """Rows, codes and weights of a ``partial_fit``; sets ``classes_`` in the first call.

    The labels that will ever occur must be given in the first call; later ones hold rows and
    labels against what was announced.
    """
    name = type(estimator).__name__
    first = not hasattr(estimator, "coef_")
    if first and classes is None:
        raise ValueError(
            f"{name}: classes must be given in the first call of partial_fit, got None"
        )
    X, y, weight = check.data(
        estimator, X, y, sample_weight, target="classes", sparse=True, order="C", reset=first
    )
    if first:
        estimator.classes_, _ = check.classes(estimator, np.asarray(classes))
    elif classes is not None and not np.array_equal(np.unique(classes), estimator.classes_):
        raise ValueError(
            f"{name}: classes must be those of the first call ({estimator.classes_.tolist()}), "
            f"got {np.unique(classes).tolist()}"
        )
    codes = np.searchsorted(estimator.classes_, y).clip(max=len(estimator.classes_) - 1)
    if (estimator.classes_[codes] != y).any():
        unknown = np.setdiff1d(y, estimator.classes_).tolist()
        raise ValueError(f"{name}: y must hold known classes, got {unknown}")
    return X, codes, weight


def class_factors(estimator: Any, codes: Any) -> Any:
    """Weight of every row's class, or ``None`` where ``class_weight`` is not given."""
    if estimator.class_weight is None:
        return None
    return compute_class_weight(
        estimator.class_weight, classes=estimator.classes_, y=estimator.classes_[codes]
    )[codes]
