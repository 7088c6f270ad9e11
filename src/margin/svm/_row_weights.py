"""Weights of rows: those given, times those of their classes."""

from typing import Any

import numpy as np
from sklearn.utils.class_weight import compute_class_weight

from margin.core import check
from margin.core.types import Array, Floats


def row_weights(
    owner: str,
    classes: Array,
    codes: Array,
    weight: Floats | None,
    class_weight: Any = None,
    *,
    otherwise: str = "",
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
    otherwise : str
        What follows for the machine where only one class is left, added to the message.

    Examples
    --------
    >>> row_weights("SVC", np.array([0, 1]), np.array([0, 1, 1]), None, {1: 3.0})
    array([1., 3., 3.])
    """
    if weight is None and class_weight is None:
        return np.ones(len(codes))
    factors = class_factors(owner, classes, codes, weight, class_weight)
    weight = factors[codes] if weight is None else weight * factors[codes]
    if len(np.unique(codes[weight > 0])) < 2:
        raise ValueError(
            f"{owner}: sample_weight must be above 0 in at least 2 classes; Invalid input - all "
            f"samples with positive weights belong to the same class{otherwise}"
        )
    return weight


def class_factors(
    owner: str, classes: Array, codes: Array, weight: Floats | None, class_weight: Any = None
) -> Floats:
    """Factor of every class, ones where none are given.

    Examples
    --------
    >>> class_factors("SVC", np.array([0, 1]), np.array([0, 1, 1]), None, "balanced")
    array([1.5 , 0.75])
    """
    if class_weight is None:
        return np.ones(len(classes))
    factors: Floats = compute_class_weight(
        class_weight, classes=classes, y=classes[codes], sample_weight=weight
    )
    if factors.min() < 0:
        raise check.fail(owner, "class_weight", "at least 0 for every class", class_weight)
    return factors
