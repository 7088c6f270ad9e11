"""Labels of rows as codes of their classes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets

from margin.core.border._refusal import named
from margin.native.columns.distinct import distinct_integers


def classes(estimator: object, y: Any, *, least: int = 2) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Sorted distinct labels and the code of each row; refuses fewer than ``least`` classes.

    Examples
    --------
    >>> classes("LogisticRegression", np.array(["b", "a", "b"]))
    (array(['a', 'b'], dtype='<U1'), array([1, 0, 1]))
    """
    integers = type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "iub"
    if not integers:
        check_classification_targets(y)
    labels, codes = distinct(y) if integers else np.unique(y, return_inverse=True)
    if integers and 2 * len(labels) >= len(y):  # perhaps a regression: scikit-learn warns
        check_classification_targets(y)
    if len(labels) < least:
        shown = labels[0].item() if len(labels) and hasattr(labels[0], "item") else labels.tolist()
        raise ValueError(
            f"{named(estimator)}: y must hold at least 2 classes, got 1 class ({shown!r})"
        )
    return labels, codes


def distinct(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Sorted distinct integers and the code of each, counted where they lie close together.

    Examples
    --------
    >>> distinct(np.array([7, 5, 7]))
    (array([5, 7]), array([1, 0, 1]))
    """
    if values.dtype.kind == "b":
        labels, codes = distinct(values.view(np.uint8))
        return labels.astype(bool), codes
    if values.dtype.type is not np.uint64:  # of which not all are 64-bit integers with a sign
        counted = distinct_integers(values.astype(np.int64, copy=False))
        if counted is not None:
            labels, codes = counted
            return labels.astype(values.dtype, copy=False), codes.astype(np.intp, copy=False)
    labels, codes = np.unique(values, return_inverse=True)
    return labels, codes
