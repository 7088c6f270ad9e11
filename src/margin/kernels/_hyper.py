"""Values of hyper-parameters: positive numbers, their logarithms, and how they are written."""

from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Array


def positive(owner: object, name: str, value: Any) -> float | tuple[float, ...]:
    """A positive number, or a tuple of them from any sequence; refuses everything else."""
    if isinstance(value, str) or np.ndim(value) > 1:
        raise check.fail(owner, name, "a number above 0, or one per column", value)
    try:
        numbers = np.atleast_1d(np.asarray(value, dtype=np.float64))
    except (TypeError, ValueError):
        raise check.fail(owner, name, "a number above 0, or one per column", value) from None
    if isinstance(value, bool) or not (numbers.size and (numbers > 0).all()):
        raise check.fail(owner, name, "a number above 0, or one per column", value)
    if not np.isfinite(numbers).all():
        raise check.fail(owner, name, "finite", value)
    return tuple(map(float, numbers)) if np.ndim(value) else float(numbers[0])


def moved(old: Array, theta: Array) -> tuple[float, ...]:
    """Exponentials of ``theta``; to the bit the old values where these have not moved."""
    return tuple(map(float, np.where(theta == np.log(old), old, np.exp(theta))))


def written(value: Any) -> str:
    """A value in a formula: three digits, tuples in brackets."""
    if isinstance(value, tuple):
        return f"({', '.join(map(written, value))})"
    return f"{value:.3g}" if isinstance(value, float) else str(value)
