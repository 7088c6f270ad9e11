"""Targets of trees: classes of one or several outputs as codes, numbers as rows."""

from contextlib import nullcontext
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets

from margin.core import FitError, check
from margin.core.types import Array, Floats
from margin.search.growing._exact import ClassTargets, NumberTargets


@dataclass(frozen=True, eq=False)
class Labels:
    """Distinct labels of each output, and the codes of all rows."""

    classes: tuple[Array, ...]
    targets: ClassTargets

    @classmethod
    def of(cls, y: Array) -> "Labels":
        """Of a vector, or of a table with a column per output."""
        if y.ndim == 1:
            pairs = [check.classes("Labels", y, least=0)]
        else:
            check_classification_targets(y)
            pairs = [np.unique(column, return_inverse=True) for column in y.T]
        codes = np.array([inverse for _, inverse in pairs], dtype=np.int32)
        counts = np.array([len(labels) for labels, _ in pairs], dtype=np.int64)
        return cls(tuple(labels for labels, _ in pairs), ClassTargets(codes, counts))


def split_outputs(classes: tuple[Array, ...], shares: Floats) -> list[Floats]:
    """Columns of predicted shares, output by output."""
    return np.split(shares, np.cumsum([len(c) for c in classes])[:-1], axis=1)


def best_labels(classes: tuple[Array, ...], shares: Floats) -> Array:
    """Labels of the largest shares, a column per output if there are several."""
    labels = [
        names[part.argmax(axis=1)]
        for names, part in zip(classes, split_outputs(classes, shares), strict=True)
    ]
    return labels[0] if len(labels) == 1 else np.stack(labels, axis=1)


def number_targets(
    owner: object, y: Array, criterion: str, weight: Floats | None = None
) -> NumberTargets:
    """Numbers of one or several outputs, refused where the criterion has no value."""
    largest = float(np.maximum.reduce(np.abs(y), axis=None, initial=0.0))
    term = largest if criterion == "absolute_error" else largest * largest
    refuse_overflow(owner, term, len(y), weight)
    if criterion == "poisson" and (y < 0).any():
        raise ValueError(
            f"{check.named(owner)}: y must be at least 0 for criterion='poisson', got {y.min()}: "
            "Some value(s) of y are negative which is not allowed for Poisson regression."
        )
    if criterion == "poisson" and not y.sum() > 0:
        raise ValueError(
            f"{check.named(owner)}: y must be above 0 somewhere for criterion='poisson', but y is "
            "not positive: Sum of y is not strictly positive which is necessary for Poisson "
            "regression."
        )
    return NumberTargets(np.ascontiguousarray(y.reshape(len(y), -1).T))


def refuse_overflow(owner: object, term: float, n_rows: int, weight: Floats | None) -> None:
    """Refuse weights whose sum of terms, one per row, is beyond the largest number.

    Examples
    --------
    >>> refuse_overflow("Tree", 1e300, 10, None)
    >>> refuse_overflow("Tree", float("inf"), 10, None)
    Traceback (most recent call last):
    margin.core.FitError: Tree: the impurities are beyond the largest number; scale the target or \
the weights
    """
    with nullcontext() if weight is None else np.errstate(over="ignore"):
        total = float(n_rows) if weight is None else float(weight.sum())
    if not isfinite(term * total):
        text = "the impurities are beyond the largest number; scale the target or the weights"
        raise FitError(f"{check.named(owner)}: {text}")


def refuse_sparse(owner: object, y: Any) -> None:
    """Targets are dense: a sparse one is a mistake."""
    if issparse(y):
        raise TypeError(f"{check.named(owner)}: y must be dense, got a sparse matrix")


def row_weights(
    owner: object, class_weight: Any, y: Array, weight: Floats | None, n_outputs: int
) -> Floats | None:
    """Weights of the rows times the weights of their classes."""
    if class_weight is None:
        return weight
    valid = class_weight == "balanced" if isinstance(class_weight, str) else True
    if isinstance(class_weight, list | tuple):
        if len(class_weight) != n_outputs:
            raise ValueError(
                f"{check.named(owner)}: class_weight must be one mapping for each of {n_outputs} "
                f"outputs, got {class_weight!r}: number of elements in class_weight should match "
                "number of outputs."
            )
        class_weight = list(class_weight)
    elif not isinstance(class_weight, str):
        valid = isinstance(class_weight, dict) and n_outputs == 1
    if not valid:
        raise check.fail(
            owner,
            "class_weight",
            "None, 'balanced' or a mapping of classes to weights (a list of them for several "
            "outputs)",
            class_weight,
        )
    scale = compute_sample_weight(class_weight, y)
    return np.asarray(scale if weight is None else weight * scale, dtype=np.float64)
