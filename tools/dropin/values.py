"""Values that scikit-learn's own declarations allow a parameter, and which of them ours refuses."""

import warnings
from collections.abc import Iterator
from numbers import Integral
from typing import Any

from sklearn.base import clone
from sklearn.utils import _param_validation as declared

from tools.dropin.faces import DEPRECATED


def legal_values(theirs: type) -> Iterator[tuple[str, Any]]:
    """Parameter and value: the ends of intervals, options, flags and ``None``.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> [value for name, value in legal_values(Ridge) if name == "max_iter"]
    [1, 2, None]
    """
    for name, constraints in getattr(theirs, "_parameter_constraints", {}).items():
        if constraints == "no_validation" or name in ("random_state", "n_jobs"):
            continue
        seen: list[str] = []
        for constraint in constraints:
            for value in _values(constraint):
                if repr(value) not in seen and not _outworn(value):
                    seen.append(repr(value))
                    yield name, value


def _values(constraint: Any) -> Iterator[Any]:
    if constraint is None:
        yield None
    elif isinstance(constraint, str):
        yield from {"boolean": (True, False), "verbose": (True, 1)}.get(constraint, ())
    elif isinstance(constraint, declared.StrOptions | declared.Options):
        options = constraint.options - (constraint.deprecated or set())
        yield from sorted(options, key=repr)
    elif isinstance(constraint, declared.Interval):
        yield from _of_interval(constraint)


def _of_interval(interval: Any) -> Iterator[Any]:
    whole = interval.type is Integral
    left, right = interval.left, interval.right
    step = 1 if whole else 0.5
    if left is not None and interval.closed in ("left", "both"):
        yield int(left) if whole else float(left)
    if left is not None and (right is None or left + step < right):
        yield int(left) + step if whole else left + step
    if right is not None and interval.closed in ("right", "both"):
        yield int(right) if whole else float(right)


def _outworn(value: Any) -> bool:
    return isinstance(value, str) and value == DEPRECATED


def refused(ours: Any, theirs: Any, X: Any, y: Any) -> Iterator[tuple[str, Any, str]]:
    """Parameter, value and error: what theirs takes in a fit of this table, and ours does not.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> class Ours(Ridge):
    ...     def fit(self, X, y):
    ...         if self.alpha == 0:
    ...             raise ValueError("alpha must be above 0")
    >>> list(refused(Ours(), Ridge(), [[0.0], [1.0], [2.0]], [0.0, 1.0, 1.0]))
    [('alpha', 0.0, 'alpha must be above 0')]
    """
    for name, value in legal_values(type(theirs)):
        if not _failure(theirs, name, value, X, y):
            words = _failure(ours, name, value, X, y)
            if words:
                yield name, value, words


def _failure(model: Any, name: str, value: Any, X: Any, y: Any) -> str:
    """Words of the error of a fit with one parameter changed; empty where there is none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            clone(model).set_params(**{name: value}).fit(X, y)
        except Exception as error:
            return str(error).split("\n")[0] or type(error).__name__
    return ""
