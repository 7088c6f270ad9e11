"""Predictions as distributions: laws of the states, mixed."""

from typing import Any

from margin.core.types import Floats
from margin.distributions import MixtureDistribution


def mixture_of(weight: Floats, laws: Any) -> Any:
    """The mixture of the members of ``laws``; one law alone where it has all the weight.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.distributions import Normal
    >>> float(mixture_of(np.array([0.25, 0.75]), Normal([0.0, 4.0], 1.0)).mean)
    3.0
    """
    return MixtureDistribution(weight, [laws[j] for j in range(len(weight))])
