"""A density with its gradient, however the user gives them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats

ValueAndGradient = Callable[[Floats], tuple[float, Floats]]


def differentiable(owner: str, log_density: Any, gradient: Any, start: Any) -> ValueAndGradient:
    """One function for value and gradient, from one that gives both or from two.

    What is not a number counts as impossible.
    """
    if gradient is None:

        def both(x: Floats) -> tuple[float, Floats]:
            value, slope = log_density(x)
            return float(value), np.asarray(slope, dtype=np.float64)
    else:

        def both(x: Floats) -> tuple[float, Floats]:
            return float(log_density(x)), np.asarray(gradient(x), dtype=np.float64)

    point = np.atleast_2d(np.asarray(start, dtype=np.float64))[0]
    try:
        slope = both(point.copy())[1]
    except (TypeError, ValueError) as error:
        wanted = "a function that returns (value, gradient), or one with gradient= beside it"
        raise check.fail(owner, "log_density", wanted, log_density) from error
    if slope.shape != point.shape:
        raise check.fail(owner, "gradient", f"of shape {point.shape}", slope.shape)
    return both
