"""Probabilities that sum to one."""

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.distributions._parameters import parameter

_TOL = 1e-8


def simplex(owner: object, name: str, value: ArrayLike, rest: Floats | float = 0.0) -> Floats:
    """Non-negative numbers whose last axis sums to one less ``rest``, made to do so exactly.

    Examples
    --------
    >>> simplex("Categorical", "probabilities", [0.5, 0.6])
    Traceback (most recent call last):
    ValueError: Categorical: probabilities must be of sum 1 along the last axis, got 1.1
    """
    given = parameter(owner, name, value)
    if given.ndim == 0 or given.shape[-1] == 0:
        raise check.fail(owner, name, "of shape (..., K)", f"shape {given.shape}")
    if given.size and given.min() < 0:
        raise check.fail(owner, name, "at least 0 everywhere", float(given.min()))
    total = given.sum(axis=-1) + np.asarray(rest)
    if not np.all(np.abs(total - 1.0) <= _TOL):
        worst = float(np.ravel(total)[np.argmax(np.abs(np.ravel(total) - 1.0))])
        raise check.fail(owner, name, "of sum 1 along the last axis", worst)
    scaled = np.array(given / total[..., None])
    scaled.flags.writeable = False
    return scaled
