"""Coefficients and seed that a caller wants a stochastic fit to start from."""

import functools
from typing import Any

import numpy as np

from margin.core import check
from margin.core.random import generator
from margin.core.types import Floats


def given_start(
    owner: object, coef: Any, intercept: Any, n_outputs: int, n_features: int
) -> tuple[Floats, Floats] | None:
    """``coef_init`` and ``intercept_init`` as one row per output; nothing where none is given.

    What is given alone goes with zeros for the other.

    Examples
    --------
    >>> given_start("SGDClassifier", [1.0, 2.0], None, 1, 2)
    (array([[1., 2.]]), array([0.]))
    """
    if coef is None and intercept is None:
        return None
    rows = np.zeros((n_outputs, n_features))
    if coef is not None:
        rows = np.array(coef, dtype=np.float64)
        rows = rows.reshape(1, -1) if n_outputs == 1 else rows
        if rows.shape != (n_outputs, n_features):
            need = (
                f"of shape ({n_outputs}, {n_features}); Provided coef_init does not match dataset."
            )
            raise check.fail(owner, "coef_init", need, np.shape(coef))
    offsets = np.zeros(n_outputs)
    if intercept is not None:
        offsets = np.atleast_1d(np.array(intercept, dtype=np.float64))
        if offsets.shape != (n_outputs,):
            need = f"of shape ({n_outputs},); Provided intercept_init does not match dataset."
            raise check.fail(owner, "intercept_init", need, np.shape(intercept))
    return rows, offsets


def drawn_seed(random_state: Any) -> int:
    """A seed for the orders of the rows.

    Examples
    --------
    >>> drawn_seed(0) == drawn_seed(0), drawn_seed(np.random.default_rng(0)) == drawn_seed(0)
    (True, True)
    """
    if type(random_state) is int:
        return _seed_of(random_state)
    return int(generator(random_state).integers(2**31))


@functools.lru_cache(maxsize=1024)
def _seed_of(number: int) -> int:
    """What a generator of this seed draws first: to make one takes longer than a short fit."""
    return int(generator(number).integers(2**31))
