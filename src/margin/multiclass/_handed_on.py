"""Rows that a reduction hands on to its classifiers as they are: frames and texts."""

from typing import Any

from scipy.sparse import issparse
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import (
    _num_samples,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from margin.core import check
from margin.core.types import Array, Floats


def handed_on(X: Any) -> bool:
    """Whether rows are none of our business: columns with names, or words.

    A pipeline may choose columns by their names, or count words.

    Examples
    --------
    >>> handed_on([[0.0, 1.0]]), handed_on(["one text", "another"])
    (False, True)
    """
    if hasattr(X, "columns"):
        return True
    if issparse(X):  # its rows are not looked at before its indices were
        return False
    try:
        return isinstance(X[0], str)
    except (TypeError, KeyError, IndexError):
        return False


def handed_on_data(
    estimator: Any, X: Any, y: Any, sample_weight: Any = None, *, reset: bool = True
) -> tuple[Any, Array, Floats | None]:
    """The rows themselves, labels and weights; names and number of columns are noted."""
    check.distinct_names(estimator, X)
    X, y = validate_data(estimator, X, y, skip_check_array=True, reset=reset)
    if y is None:
        raise ValueError(f"{check.named(estimator)}: requires y to be passed, but y is None")
    y = column_or_1d(y, warn=True)
    check_consistent_length(X, y)
    return X, y, check.weights(estimator, sample_weight, _num_samples(X))


def handed_on_table(estimator: Any, X: Any) -> Any:
    """The rows themselves, held against the names and number of columns of the fit."""
    check_is_fitted(estimator)
    return validate_data(estimator, X, skip_check_array=True, reset=False)


def rows_of(X: Any, rows: Any) -> Any:
    """Some of the rows of a table, a frame or a list.

    Examples
    --------
    >>> rows_of(["a", "b", "c"], [2, 0])
    ['c', 'a']
    """
    return _safe_indexing(X, rows)
