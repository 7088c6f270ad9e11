"""Rules that constructor parameters keep."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from math import isfinite, isinf
from numbers import Integral, Real
from typing import Any

import numpy as np

from margin.core.border._refusal import fail

_GENERATORS = (np.random.Generator, np.random.RandomState)


def _real(value: Any) -> bool:
    if type(value) is float or type(value) is int:  # an abstract class is slow to ask
        return isfinite(value)
    return isinstance(value, Real) and value is not True and value is not False and isfinite(value)


def _integer(value: Any) -> bool:
    return type(value) is int or (isinstance(value, Integral) and not isinstance(value, bool))


def _flag(value: Any) -> bool:
    return value is True or value is False or isinstance(value, np.bool_)


_RULES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "positive": (lambda v: _real(v) and v > 0, "a number above 0"),
    "nonnegative": (lambda v: _real(v) and v >= 0, "a number of at least 0"),
    "fraction": (lambda v: _real(v) and 0 <= v <= 1, "a number between 0 and 1"),
    "count": (lambda v: _integer(v) and v >= 1, "an integer of at least 1"),
    "flag": (_flag, "True or False"),
}
_NOTHING: Mapping[str, tuple[Any, ...]] = {}
_OF_NUMBERS = ("positive", "nonnegative", "fraction")

# Parameters that mean the same in every estimator, checked wherever they occur.
_COMMON: dict[str, tuple[Callable[[Any], bool], str]] = {
    "n_jobs": (lambda v: v is None or (_integer(v) and v != 0), "None or a non-zero integer"),
    "random_state": (
        lambda v: v is None or v is np.random or _integer(v) or isinstance(v, _GENERATORS),
        "None, an integer, a Generator or a RandomState",
    ),
    "verbose": (
        lambda v: _flag(v) or (_integer(v) and v >= 0),
        "True, False or an integer of at least 0",
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

    ``n_jobs``, ``random_state``, ``verbose`` and ``class_weight`` mean the same everywhere and are
    checked without being named, where the estimator has them.

    Parameters
    ----------
    estimator : object
        Its attributes are checked.
    positive, nonnegative, fraction, count, flag : str
        Names of parameters, separated by spaces, that must satisfy the rule.
    one_of : mapping of str to tuple
        Allowed values of the parameters that are choices.
    own : str
        Which of the common four mean something else here and are checked by the estimator.

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
    for name, rule in _asked(positive, nonnegative, fraction, count, flag):
        value = getattr(estimator, name)
        holds, requirement = _RULES[rule]
        if not holds(value):
            # Infinity is above 0 and at least 0: what it lacks is an end.
            infinite = rule in _OF_NUMBERS and isinstance(value, Real) and isinf(value)
            raise fail(estimator, name, "finite" if infinite else requirement, value)
    for name, (holds, requirement) in _COMMON.items():
        value = getattr(estimator, name, None)  # each of them may be None
        if value is not None and name not in own.split() and not holds(value):
            raise fail(estimator, name, requirement, value)
    for name, allowed in (one_of or _NOTHING).items():
        value = getattr(estimator, name)
        if not _one_of(value, allowed):
            choices = ", ".join(map(repr, allowed))
            raise fail(estimator, name, f"one of {choices}", value)


@lru_cache(maxsize=1024)
def _asked(*names: str) -> tuple[tuple[str, str], ...]:
    """Each parameter and its rule, from names separated by spaces for every rule in turn."""
    return tuple(
        (name, rule) for rule, text in zip(_RULES, names, strict=True) for name in text.split()
    )


def _one_of(value: Any, allowed: tuple[Any, ...]) -> bool:
    for choice in allowed:
        if value is choice or (type(value) is type(choice) and value == choice):
            return True
    return False


def count(owner: object, name: str, value: Any, *, least: int = 1) -> int:
    """A whole number of something, as an argument of a function.

    Examples
    --------
    >>> count("gibbs", "n_samples", np.int64(5))
    5
    >>> count("gibbs", "burn_in", 2.5, least=0)
    Traceback (most recent call last):
    ValueError: gibbs: burn_in must be an integer of at least 0, got 2.5
    """
    if not _integer(value) or value < least:
        raise fail(owner, name, f"an integer of at least {least}", value)
    return int(value)
