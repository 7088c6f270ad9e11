"""Checks at the border, the one place of contact with scikit-learn's validation.

Every refusal names class, parameter, requirement and value:
``Ridge: alpha must be at least 0, got -1.0``.
"""

import warnings
from collections.abc import Callable, Mapping
from math import isfinite, isinf, isnan
from numbers import Integral, Real
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_n_features,
    check_array,
    check_is_fitted,
)

from margin.core.iteration._report import FitReport
from margin.core.iteration._solution import FitError, Solution, Status
from margin.core.rows import _plain, _validated
from margin.core.rows._column_names import repeated_name
from margin.core.rows._sparse_structure import plain_format, structural_fault

FLOATS = _plain.FLOATS
validated = _validated.validated
_GENERATORS = (np.random.Generator, np.random.RandomState)


def fail(owner: object, parameter: str, requirement: str, value: object) -> ValueError:
    """Error in the house format; raise what this returns."""
    return ValueError(f"{named(owner)}: {parameter} must be {requirement}, got {value!r}")


def _real(value: Any) -> bool:
    if type(value) is float or type(value) is int:  # an abstract class is slow to ask
        return isfinite(value)
    return isinstance(value, Real) and value is not True and value is not False and isfinite(value)


def _integer(value: Any) -> bool:
    return type(value) is int or (isinstance(value, Integral) and not isinstance(value, bool))


_RULES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "positive": (lambda v: _real(v) and v > 0, "a number above 0"),
    "nonnegative": (lambda v: _real(v) and v >= 0, "a number of at least 0"),
    "fraction": (lambda v: _real(v) and 0 <= v <= 1, "a number between 0 and 1"),
    "count": (lambda v: _integer(v) and v >= 1, "an integer of at least 1"),
    "flag": (lambda v: isinstance(v, bool | np.bool_), "True or False"),
}
_OF_NUMBERS = ("positive", "nonnegative", "fraction")

# Parameters that mean the same in every estimator, checked wherever they occur.
_COMMON: dict[str, tuple[Callable[[Any], bool], str]] = {
    "n_jobs": (lambda v: v is None or (_integer(v) and v != 0), "None or a non-zero integer"),
    "random_state": (
        lambda v: v is None or v is np.random or _integer(v) or isinstance(v, _GENERATORS),
        "None, an integer, a Generator or a RandomState",
    ),
    "class_weight": (
        lambda v: v is None or isinstance(v, Mapping) or (isinstance(v, str) and v == "balanced"),
        "None, 'balanced' or a mapping of classes to weights",
    ),
}


def params(
    estimator: object,
    *,
    positive: str = "",
    nonnegative: str = "",
    fraction: str = "",
    count: str = "",
    flag: str = "",
    one_of: Mapping[str, tuple[Any, ...]] | None = None,
    own: str = "",
) -> None:
    """Refuse bad constructor parameters before any work.

    ``n_jobs``, ``random_state`` and ``class_weight`` mean the same everywhere and are checked
    without being named, where the estimator has them.

    Parameters
    ----------
    estimator : object
        Its attributes are checked.
    positive, nonnegative, fraction, count, flag : str
        Names of parameters, separated by spaces, that must satisfy the rule.
    one_of : mapping of str to tuple
        Allowed values of the parameters that are choices.
    own : str
        Which of the common three mean something else here and are checked by the estimator.

    Examples
    --------
    >>> class Model:
    ...     alpha = -1.0
    >>> params(Model(), nonnegative="alpha")
    Traceback (most recent call last):
    ValueError: Model: alpha must be a number of at least 0, got -1.0
    >>> Model.alpha = np.inf
    >>> params(Model(), nonnegative="alpha")
    Traceback (most recent call last):
    ValueError: Model: alpha must be finite, got inf
    """
    asked = (
        ("positive", positive),
        ("nonnegative", nonnegative),
        ("fraction", fraction),
        ("count", count),
        ("flag", flag),
    )
    for rule, names in asked:
        if not names:
            continue
        holds, requirement = _RULES[rule]
        for name in names.split():
            value = getattr(estimator, name)
            if not holds(value):
                # Infinity is above 0 and at least 0: what it lacks is an end.
                infinite = rule in _OF_NUMBERS and isinstance(value, Real) and isinf(value)
                raise fail(estimator, name, "finite" if infinite else requirement, value)
    for name, (holds, requirement) in _COMMON.items():
        value = getattr(estimator, name, None)  # each of them may be None
        if value is not None and name not in own.split() and not holds(value):
            raise fail(estimator, name, requirement, value)
    for name, allowed in (one_of or {}).items():
        value = getattr(estimator, name)
        if not any(value is a or (type(value) is type(a) and value == a) for a in allowed):
            choices = ", ".join(map(repr, allowed))
            raise fail(estimator, name, f"one of {choices}", value)


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


def weights(
    estimator: object,
    sample_weight: Any,
    n_samples: int,
    *,
    negative: bool = False,
    part: bool = False,
) -> NDArray[np.float64] | None:
    """One finite, non-negative float64 weight per row, not all zero; ``None`` stays ``None``.

    With ``negative`` there may be negative weights, of rows to be left out: they become zero. With
    ``part`` they are those of a block of the rows, and may all be zero.

    Examples
    --------
    >>> weights("Ridge", [1, -2], 2)
    Traceback (most recent call last):
    ValueError: Ridge: sample_weight must be at least 0 everywhere, got -2.0: Negative values in \
data passed to `sample_weight`
    """
    if sample_weight is None:
        return None
    try:
        weight = np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise fail(estimator, "sample_weight", "numbers", sample_weight) from error
    if weight.ndim == 0:
        weight = np.full(n_samples, float(weight))
    if weight.ndim != 1:
        raise ValueError(
            f"{named(estimator)}: Sample weights must be 1D array or scalar, "
            f"got an array of shape {weight.shape}"
        )
    if len(weight) != n_samples:
        raise ValueError(
            f"{named(estimator)}: sample_weight must be of length {n_samples}, got {len(weight)}: "
            f"sample_weight.shape == {weight.shape}, expected ({n_samples},)!"
        )
    if not np.isfinite(weight).all():
        raise fail(estimator, "sample_weight", "finite everywhere", "NaN or infinity")
    if weight.size and weight.min() < 0:
        if not negative:
            raise ValueError(
                f"{named(estimator)}: sample_weight must be at least 0 everywhere, got "
                f"{float(weight.min())}: Negative values in data passed to `sample_weight`"
            )
        weight = np.maximum(weight, 0.0)
    if not part and not weight.any():
        raise ValueError(
            f"{named(estimator)}: sample_weight must be above 0 somewhere, got all zeros; Invalid "
            "input - all samples have zero or negative weights."
        )
    return weight


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
    if values.size:
        least, most = int(values.min()), int(values.max())
        if most - least <= 2 * values.size and most <= np.iinfo(np.int64).max:
            places = values.astype(np.int64) - least
            present = np.bincount(places, minlength=most - least + 1) > 0
            labels = (np.flatnonzero(present) + least).astype(values.dtype)
            if len(labels) == len(present):
                return labels, places.astype(np.intp, copy=False)
            return labels, (np.cumsum(present) - 1)[places]
    labels, codes = np.unique(values, return_inverse=True)
    return labels, codes


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


def named(owner: object) -> str:
    """Name of an estimator, or of whoever gave it as text, at the head of a message."""
    return owner if isinstance(owner, str) else type(owner).__name__
