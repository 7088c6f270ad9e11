"""Weights of rows: those given, times those of their classes."""

from typing import Any

import numpy as np
from sklearn.utils.class_weight import compute_class_weight

from margin.core import check
from margin.core.types import Array, Floats


def row_weights(
    owner: str, classes: Array, codes: Array, weight: Floats | None, class_weight: Any = None
) -> Floats:
    """Factor of the loss of every row.

    Parameters
    ----------
    owner : str
        Name of the estimator in messages.
    classes : ndarray of shape (n_classes,)
    codes : ndarray of int, class of every row
    weight : ndarray or None
        Weights of the rows; ``None`` for ones.
    class_weight : dict, "balanced" or None
        Factors of the classes.

    Examples
    --------
    >>> row_weights("SVC", np.array([0, 1]), np.array([0, 1, 1]), None, {1: 3.0})
    array([1., 3., 3.])
    """
    weight = np.ones(len(codes)) if weight is None else weight
    if class_weight is not None:
        factors = compute_class_weight(
            class_weight, classes=classes, y=classes[codes], sample_weight=weight
        )
        if factors.min() < 0:
            raise check.fail(owner, "class_weight", "at least 0 for every class", class_weight)
        weight = weight * factors[codes]
    if len(np.unique(codes[weight > 0])) < 2:
        raise ValueError(
            f"{owner}: sample_weight must be above 0 in at least 2 classes; Invalid input - all "
            "samples with positive weights belong to the same class"
        )
    return weight


def without_negatives(owner: object, sample_weight: Any) -> Any:
    """Weights with zeros for the negative ones, which leave their rows out as in LIBSVM.

    What is no list of numbers is handed on, to be refused where weights are checked.

    Examples
    --------
    >>> without_negatives("SVC", [1, -2])
    array([1., 0.])
    """
    try:
        weight = np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError):
        return sample_weight
    if sample_weight is None or weight.ndim != 1 or not weight.size or weight.min() > 0:
        return sample_weight
    if weight.max() <= 0:
        raise check.fail(
            owner,
            "sample_weight",
            "above 0 somewhere",
            "Invalid input - all samples have zero or negative weights.",
        )
    return np.maximum(weight, 0.0)
