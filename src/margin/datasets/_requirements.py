"""What an argument of a loader or generator must be; the message names function, name and value."""

from collections.abc import Collection
from numbers import Integral, Real
from typing import Any

import numpy as np

from margin.core import check


def count(owner: str, minimum: int = 1, **values: Any) -> None:
    """Refuse anything that is not an integer of at least ``minimum``.

    Examples
    --------
    >>> count("make_cars", n_samples=0)
    Traceback (most recent call last):
    ValueError: make_cars: n_samples must be an integer of at least 1, got 0
    """
    for name, value in values.items():
        whole = isinstance(value, Integral) and not isinstance(value, bool)
        if not whole or value < minimum:
            raise check.fail(owner, name, f"an integer of at least {minimum}", value)


def between(
    owner: str,
    low: float = -np.inf,
    high: float = np.inf,
    *,
    open_low: bool = False,
    open_high: bool = False,
    **values: Any,
) -> None:
    """Refuse anything that is not a finite number between ``low`` and ``high``.

    Examples
    --------
    >>> between("make_missing", 0, 1, open_low=True, rate=0.0)
    Traceback (most recent call last):
    ValueError: make_missing: rate must be a number in (0, 1], got 0.0
    """
    left = "(" if open_low or np.isneginf(low) else "["
    right = ")" if open_high or np.isposinf(high) else "]"
    requirement = f"a number in {left}{low:g}, {high:g}{right}"
    for name, value in values.items():
        if not _is_finite_number(value):
            raise check.fail(owner, name, requirement, value)
        above = value > low if open_low else value >= low
        below = value < high if open_high else value <= high
        if not (above and below):
            raise check.fail(owner, name, requirement, value)


def _is_finite_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    return bool(np.isfinite(float(value)))


def positive(owner: str, **values: Any) -> None:
    """Refuse anything that is not a finite number above zero.

    Examples
    --------
    >>> positive("make_rings", noise=-1.0)
    Traceback (most recent call last):
    ValueError: make_rings: noise must be a number in (0, inf), got -1.0
    """
    between(owner, 0, open_low=True, **values)


def one_of(owner: str, choices: Collection[Any], **values: Any) -> None:
    """Refuse anything that is not among ``choices``.

    Examples
    --------
    >>> one_of("load_boolean", ("and", "or"), function="maybe")
    Traceback (most recent call last):
    ValueError: load_boolean: function must be one of 'and', 'or', got 'maybe'
    """
    for name, value in values.items():
        if not isinstance(value, str) or value not in choices:
            listed = ", ".join(repr(choice) for choice in choices)
            raise check.fail(owner, name, f"one of {listed}", value)


def distribution(owner: str, **values: Any) -> None:
    """Refuse anything whose last axis is not a probability distribution.

    Examples
    --------
    >>> distribution("make_dice_rolls", probabilities=[0.5, 0.6])
    Traceback (most recent call last):
    ValueError: make_dice_rolls: probabilities must be nonnegative and sum to 1, got [0.5, 0.6]
    """
    for name, value in values.items():
        table = np.asarray(value, dtype=float)
        sums = table.sum(axis=-1) if table.ndim else np.zeros(1)
        if not np.all(table >= 0) or not np.allclose(sums, 1.0, rtol=0, atol=1e-9):
            raise check.fail(owner, name, "nonnegative and sum to 1", value)
