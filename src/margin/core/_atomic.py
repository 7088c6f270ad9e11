"""All-or-nothing fitting: an answer in numbers, or a clear error and the old model."""

import functools
from collections.abc import Callable
from math import isfinite
from typing import Any, TypeVar

import numpy as np

from margin.core.iteration._solution import FitError
from margin.core.rows._plain import finite_sum

Fit = TypeVar("Fit", bound=Callable[..., Any])

_ADVICE = "scale the columns, the target or the weights"
# Infinite, they would answer NaN wherever they meet a zero.
_FINITE = ("coef_", "intercept_", "dual_coef_")
# What NumPy, SciPy and Python say of numbers that are none, without naming who asked.
_NOT_NUMBERS = ("infs or NaNs", "convert float NaN", "convert float infinity")


def atomic(fit: Fit) -> Fit:
    """Fit as a whole or not at all.

    A fit that raises leaves the estimator as it was, so that an old model survives. Arithmetic
    that breaks down in a library below (a factorisation without end, an overflow, a division by
    zero) is raised as :class:`FitError` with the name of the class and the cause, and so is a
    fitted attribute that holds NaN, or coefficients that are infinite: no model is half a model.

    Examples
    --------
    >>> class Model:
    ...     @atomic
    ...     def fit(self, value):
    ...         self.value_ = value
    ...         return 1 / value
    >>> model = Model()
    >>> model.fit(2)
    0.5
    >>> model.fit(0)
    Traceback (most recent call last):
    margin.core.FitError: Model: the arithmetic broke down (division by zero); scale the columns, \
the target or the weights
    >>> model.value_
    2
    """

    @functools.wraps(fit)
    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        before = dict(vars(self))
        try:
            answer = fit(self, *args, **kwargs)
            _refuse_nan(self, before)
        except BaseException as error:
            vars(self).clear()
            vars(self).update(before)
            if not _is_breakdown(error):
                raise
            raise FitError(
                f"{type(self).__name__}: the arithmetic broke down ({error}); {_ADVICE}"
            ) from error
        return answer

    return run  # type: ignore[return-value]


def _is_breakdown(error: BaseException) -> bool:
    """Whether the numbers were at fault, and nobody has said so in our words."""
    if isinstance(error, FitError):
        return False
    if isinstance(error, ArithmeticError | np.linalg.LinAlgError):
        return True
    return isinstance(error, ValueError) and any(text in str(error) for text in _NOT_NUMBERS)


def _refuse_nan(model: Any, before: dict[str, Any]) -> None:
    """Refuse a fitted attribute of floating point numbers that are none.

    A class names in ``nan_attributes`` those where NaN says that a row has no answer.
    """
    excused = getattr(model, "nan_attributes", ())
    for name, value in vars(model).items():
        if name[-1:] != "_" or name[0] == "_" or before.get(name) is value or name in excused:
            continue
        fault = defect(value, finite=name in _FINITE)
        if fault:
            raise FitError(f"{type(model).__name__}: {name} {fault}; {_ADVICE}")


def defect(value: Any, *, finite: bool = False) -> str:
    """What is wrong with a float, an array of floats or a sparse matrix of them; empty if nothing.

    Examples
    --------
    >>> defect(np.array([1.0, np.nan]))
    'came out as NaN'
    >>> defect(np.array([np.inf, -np.inf])), defect(np.inf, finite=True)
    ('', 'is beyond the largest number')
    """
    array = value.tocsr().data if hasattr(value, "tocsr") else value
    if isinstance(array, float):
        if isfinite(array):
            return ""
        array = np.array(array)
    if type(array) is not np.ndarray or array.dtype.kind != "f":
        return ""
    # A finite sum has finite terms: one cheap look decides most.
    if finite_sum(array):
        return ""
    if np.isnan(array).any():
        return "came out as NaN"
    return "is beyond the largest number" if finite and np.isinf(array).any() else ""
