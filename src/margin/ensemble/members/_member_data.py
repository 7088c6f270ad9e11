"""Checked data in the form in which members of an ensemble may want it."""

from typing import Any, Literal

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.validation import check_is_fitted, validate_data

from margin.core import check
from margin.core.types import Array, Floats


def member_data(
    owner: Any,
    X: Any,
    y: Any,
    sample_weight: Any,
    *,
    target: Literal["numeric", "classes"],
    missing: bool,
) -> tuple[Any, Array, Floats | None]:
    """Data of a fit; tables by columns stay so, and arrays may have more than two axes."""
    if not _is_special(X):
        return check.data(owner, X, y, sample_weight, target=target, sparse=True, missing=missing)
    X, y = validate_data(
        owner, check.structure(owner, X), y, y_numeric=target == "numeric", **_rules(missing)
    )
    if target == "numeric":
        y = np.asarray(y, dtype=np.float64)
    return X, y, check.weights(owner, sample_weight, X.shape[0])


def member_table(owner: Any, X: Any, *, missing: bool) -> Any:
    """Data of a prediction, in the same way."""
    if not _is_special(X):
        return check.table(owner, X, sparse=True, missing=missing)
    check_is_fitted(owner)
    return validate_data(owner, check.structure(owner, X), reset=False, **_rules(missing))


def _is_special(X: Any) -> bool:
    return X.format == "csc" if issparse(X) else isinstance(X, np.ndarray) and X.ndim > 2


def _rules(missing: bool) -> dict[str, Any]:
    return {
        "accept_sparse": ["csr", "csc"],
        "allow_nd": True,
        "dtype": check.FLOATS,
        "ensure_all_finite": "allow-nan" if missing else True,
    }
