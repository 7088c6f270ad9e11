"""Checks at the border, the one place of contact with scikit-learn's validation.

Every refusal names class, parameter, requirement and value:
``Ridge: alpha must be at least 0, got -1.0``.
"""

import warnings
from math import isnan
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import (
    _check_n_features,
    check_array,
    check_is_fitted,
)

from margin.core.border import _parameter_rules, _refusal
from margin.core.iteration._report import FitReport
from margin.core.iteration._solution import FitError, Solution, Status
from margin.core.rows import _labels, _plain, _row_weights, _validated
from margin.core.rows._column_names import repeated_name
from margin.core.rows._sparse_structure import plain_format, structural_fault

__all__ = [
    "FLOATS",
    "all_finite",
    "classes",
    "count",
    "data",
    "distinct",
    "distinct_names",
    "fail",
    "listed",
    "named",
    "objects",
    "params",
    "report",
    "structure",
    "table",
    "unserved",
    "validated",
    "weights",
]

FLOATS, all_finite = _plain.FLOATS, _plain.all_finite
fail, named, unserved = _refusal.fail, _refusal.named, _refusal.unserved
params, count = _parameter_rules.params, _parameter_rules.count
validated = _validated.validated
weights = _row_weights.weights
classes, distinct = _labels.classes, _labels.distinct


def data(
    estimator: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    target: Literal["numeric", "classes"] = "numeric",
    sparse: bool = False,
    multi_output: bool = False,
    missing: bool = False,
    order: Literal["C", "F"] | None = None,
    reset: bool = True,
    part: bool = False,
) -> tuple[Any, NDArray[Any], NDArray[np.float64] | None]:
    """Validated ``X``, ``y`` and weights of a supervised fit.

    ``X`` keeps float32 or float64, anything else becomes float64; sparse input becomes CSR.
    Weights come back as float64, or ``None`` when none were given (all ones). With ``part`` these
    are a block of the rows, whose weights may all be zero.
    """
    if _plain.is_plain_fit(estimator, X, y, order, reset):
        # What validated notes on the estimator.
        _check_n_features(estimator, X, reset=reset)
    else:
        X = structure(estimator, X)
        X, y = validated(
            estimator,
            X,
            y,
            accept_sparse="csr" if sparse else False,
            dtype=FLOATS,
            order=order,
            ensure_all_finite="allow-nan" if missing else True,
            multi_output=multi_output,
            y_numeric=target == "numeric",
            reset=reset,
        )
    if target == "numeric":
        y = np.asarray(y, dtype=np.float64)
    return X, y, weights(estimator, sample_weight, X.shape[0], part=part)


def table(
    estimator: Any,
    X: Any,
    *,
    sparse: bool = False,
    missing: bool = False,
    order: Literal["C", "F"] | None = None,
    reset: bool = False,
) -> Any:
    """Validated ``X`` of a prediction, held against what the estimator was fitted on.

    With ``reset`` it is the ``X`` of a fit without targets.
    """
    if _plain.is_plain_table(estimator, X, order, known=not reset):
        if reset:
            _check_n_features(estimator, X, reset=True)
        return X
    if not reset:
        check_is_fitted(estimator)
    return validated(
        estimator,
        structure(estimator, X),
        accept_sparse="csr" if sparse else False,
        dtype=FLOATS,
        order=order,
        ensure_all_finite="allow-nan" if missing else True,
        reset=reset,
    )


def objects(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    target: Literal["numeric", "classes"] | None = "numeric",
    multi_output: bool = False,
) -> tuple[list[Any], Any]:
    """List of objects that are no rows of a table, and finite targets for them.

    ``target`` is None where there are none. What the estimator knew of columns is forgotten.

    Examples
    --------
    >>> objects("GaussianProcessRegressor", ("ab", "b"), [1, 2])
    (['ab', 'b'], array([1., 2.]))
    """
    items = listed(estimator, X)
    if target is not None:
        if y is None:
            raise ValueError(f"{named(estimator)}: requires y to be passed, but y is None")
        kind = "numeric" if target == "numeric" else None
        y = check_array(y, ensure_2d=False, dtype=kind, input_name="y")
        y = y.astype(np.float64) if target == "numeric" else y
        if len(y) != len(items) or (y.ndim != 1 and not multi_output):
            need = f"of length {len(items)}, one finite value per object"
            raise fail(estimator, "y", need, f"shape {y.shape}")
    for name in ("n_features_in_", "feature_names_in_"):
        getattr(estimator, "__dict__", {}).pop(name, None)
    return items, y


def listed(estimator: object, X: Any) -> list[Any]:
    """Objects to be compared, as a list of at least one."""
    if isinstance(X, str | bytes):
        raise fail(estimator, "X", "a list of objects", f"one {type(X).__name__}")
    items = list(X)
    if not items:
        raise ValueError(f"{named(estimator)}: X must hold at least 1 sample, got 0")
    return items


def structure(owner: object, X: Any, name: str = "X") -> Any:
    """``X``, refused where it is a sparse matrix whose arrays contradict each other.

    The one check that stands between the indices of a sparse matrix and the compiled loops that
    follow them. Lists of entries come back as compressed rows, everything else as it is. A frame
    is refused whose columns share a name.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> X = csr_array(np.eye(2))
    >>> X.indices[0] = -5
    >>> structure("Ridge", X)
    Traceback (most recent call last):
    ValueError: Ridge: X must be a sparse matrix with column indices from 0 to 1, got -5
    """
    if not issparse(X) or X.ndim != 2:
        distinct_names(owner, X, name)
        return X
    matrix = plain_format(X)
    fault = structural_fault(matrix)
    if fault is not None:
        raise fail(owner, name, *fault)
    return matrix


def distinct_names(owner: object, X: Any, name: str = "X") -> None:
    """Refuse a frame in which several columns share a name.

    Examples
    --------
    >>> import pandas as pd
    >>> distinct_names("Ridge", pd.DataFrame([[1, 2]], columns=["a", "a"]))
    Traceback (most recent call last):
    ValueError: Ridge: X must be a frame with a name of its own for every column, got 'a' 2 times
    """
    repeated = repeated_name(X)
    if repeated is not None:
        told, times = repeated
        requirement = "a frame with a name of its own for every column"
        raise ValueError(
            f"{named(owner)}: {name} must be {requirement}, got {told!r} {times} times"
        )


def report(
    estimator: object,
    solution: Solution,
    notes: tuple[str, ...] = (),
    *,
    unknown_objective: bool = False,
) -> FitReport:
    """Turn an engine's solution into a fit report: silence, a warning or an exception.

    CONVERGED is silent, STALLED and MAX_ITER warn with what to do, FAILED raises, and so does an
    objective or a certificate that is NaN, for the answer is none either. A method that has no
    objective says so by ``unknown_objective``.

    Examples
    --------
    >>> report("Ridge", Solution(np.zeros(1), Status.CONVERGED, 1, float("nan")))
    Traceback (most recent call last):
    margin.core.FitError: Ridge: the objective came out as NaN; scale the columns, the target or \
the weights
    """
    told = FitReport.of(estimator, solution, notes)
    if solution.status is Status.FAILED:
        raise FitError(f"{told.estimator}: {solution.message}")
    proof = solution.certificate
    measured = {"" if unknown_objective else "objective": solution.objective}
    measured |= {} if proof is None else {proof.kind: proof.value}
    for what, value in measured.items():
        if what and isnan(value):
            advice = "scale the columns, the target or the weights"
            raise FitError(f"{told.estimator}: the {what} came out as NaN; {advice}")
    if not solution.status.ok:
        warnings.warn(f"{told.estimator}: {solution.message}", ConvergenceWarning, stacklevel=3)
    return told
