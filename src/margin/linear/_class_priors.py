"""Prior probabilities of the classes."""

from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats


def class_priors(owner: object, priors: Any, total: Floats, name: str = "priors") -> Floats:
    """Given priors, checked, or the frequencies of the classes (linear.25).

    Parameters
    ----------
    owner : object
        Whose name stands in errors.
    priors : None, "uniform" or array-like of shape (n_classes,)
        None for frequencies, ``"uniform"`` for equal ones, or one number per class.
    total : ndarray of shape (n_classes,)
        Weight of the rows of each class.
    name : str
        What the parameter is called in errors.

    Examples
    --------
    >>> class_priors("Model", None, np.array([1.0, 3.0]))
    array([0.25, 0.75])
    """
    if priors is None:
        return np.asarray(total / total.sum())
    if isinstance(priors, str) and priors == "uniform":
        return np.full(len(total), 1.0 / len(total))
    requirement = f'None, "uniform" or {len(total)} non-negative numbers with sum 1'
    try:
        given = np.asarray(priors, dtype=np.float64)
    except (TypeError, ValueError):
        raise check.fail(owner, name, requirement, priors) from None
    if given.shape != total.shape or (given < 0).any() or not np.isclose(given.sum(), 1.0):
        raise check.fail(owner, name, requirement, priors)
    return given
