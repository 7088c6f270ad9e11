"""What all distributions ask of draws and of data."""

from numbers import Integral
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.random import generator
from margin.core.types import Floats

T = TypeVar("T")
Seed: TypeAlias = np.random.Generator | int | None


def source(owner: object, n: Any, rng: Any) -> np.random.Generator:
    """The generator of ``n`` draws; a seed makes one.

    Examples
    --------
    >>> source("Normal", 3, rng="dice")
    Traceback (most recent call last):
    ValueError: Normal: rng must be a numpy Generator, an integer seed or None, got 'dice'
    """
    if not isinstance(n, Integral) or n is True or n is False or n < 0:
        raise check.fail(owner, "n", "an integer of at least 0", n)
    try:
        return generator(rng)
    except ValueError:
        needed = "a numpy Generator, an integer seed or None"
        raise check.fail(owner, "rng", needed, rng) from None


def numbers(owner: object, name: str, values: ArrayLike) -> Floats:
    """Values as a float64 array, or a refusal that names them."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise check.fail(owner, name, "numbers", values) from error


def as_statistics(owner: object, kind: type[T], data: Any) -> T:
    """Statistics as they are; rows of data are summed up first.

    Examples
    --------
    >>> from margin.distributions import ColumnMoments
    >>> float(as_statistics("Normal", ColumnMoments, [1.0, 3.0]).mean)
    2.0
    >>> as_statistics("Normal", ColumnMoments, "many")
    Traceback (most recent call last):
    ValueError: Normal: stats must be ColumnMoments or rows of numbers, got 'many'
    """
    if isinstance(data, kind):
        return data
    try:
        rows = np.asarray(data, dtype=np.float64)
    except (TypeError, ValueError):
        rows = None
    if rows is None or rows.ndim == 0:
        raise check.fail(owner, "stats", f"{kind.__name__} or rows of numbers", data)
    return kind.of(rows)  # type: ignore[attr-defined, no-any-return]
