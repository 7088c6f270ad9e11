"""Randomness enters at the border, as one generator."""

from typing import Any

import numpy as np


def generator(random_state: Any = None, name: str = "random_state") -> np.random.Generator:
    """One :class:`numpy.random.Generator` from whatever scikit-learn's ``random_state`` may be.

    Parameters
    ----------
    random_state : None, int, numpy.random.Generator or numpy.random.RandomState
        A ``Generator`` is passed on as it is, a ``RandomState`` seeds a new one.
    name : str
        What a refusal calls it.

    Examples
    --------
    >>> int(generator(0).integers(100)) == int(generator(0).integers(100))
    True
    """
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31, size=4))
    if random_state is np.random:
        return np.random.default_rng(np.random.randint(2**31, size=4))  # noqa: NPY002
    if random_state is None or (
        isinstance(random_state, int | np.integer) and not isinstance(random_state, bool)
    ):
        return np.random.default_rng(random_state)
    raise ValueError(
        f"{name} must be None, an integer, a numpy Generator or a RandomState, got {random_state!r}"
    )
