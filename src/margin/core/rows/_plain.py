"""Plain arrays, which need no conversion: the short way past scikit-learn's validation.

Nothing is refused here. What is not plain, or would be refused, takes the long way and gets its
conversion, warning or error there.
"""

from math import isfinite
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config

from margin import native
from margin.native.rows.table_sum import table_sum

FLOATS = (np.float64, np.float32)
_MANY = 1_000_000  # numbers that threads can share
Order = Literal["C", "F"] | None


def is_plain_fit(estimator: Any, X: Any, y: Any, order: Order, reset: bool) -> bool:
    """Whether ``X`` and ``y`` can be taken as they are; on ``reset`` columns may be others."""
    if type(y) is not np.ndarray or y.ndim != 1 or y.dtype.kind not in "fiub":
        return False
    if not is_plain_table(estimator, X, order, known=not reset):
        return False
    return len(y) == len(X) and y.dtype.isnative and finite_sum(y)


def is_plain_table(estimator: Any, X: Any, order: Order, *, known: bool = True) -> bool:
    """Whether ``X`` is a finite float array that validation would return as it is.

    With ``known`` it must have as many columns as the estimator was fitted on, without names.
    """
    held = vars(estimator)
    if type(X) is not np.ndarray or X.ndim != 2 or "feature_names_in_" in held:
        return False
    if known and held.get("n_features_in_") != X.shape[1]:
        return False
    settings = get_config()
    return (
        X.dtype.type in FLOATS
        and X.dtype.isnative
        and X.size > 0
        and (order != "C" or X.flags.c_contiguous)
        and (order != "F" or X.flags.f_contiguous)
        and not settings["array_api_dispatch"]
        and (settings["assume_finite"] or finite_sum(X))
    )


def all_finite(values: NDArray[Any]) -> bool:
    """Whether all values are finite, at the cost of their sum.

    Examples
    --------
    >>> all_finite(np.array([1e308, 1e308])), all_finite(np.array([1.0, np.nan]))
    (True, False)
    """
    return finite_sum(values) or bool(np.isfinite(values).all())


def finite_sum(values: NDArray[Any]) -> bool:
    """Whether the sum is finite, and so all values; false also where it overflows.

    Examples
    --------
    >>> finite_sum(np.array([1.0, 2.0])), finite_sum(np.array([1e308, 1e308]))
    (True, False)
    """
    kind = values.dtype
    if kind.kind != "f":
        return True
    if values.flags.forc and kind.type in FLOATS and kind.isnative:
        n_threads = native.max_threads() if values.size > _MANY else 1
        return isfinite(table_sum(values, n_threads))
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(np.add.reduce(values, axis=None)))
