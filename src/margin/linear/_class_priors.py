"""Prior probabilities of the classes."""

import warnings
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats


def class_priors(
    owner: object, priors: Any, total: Floats, name: str = "priors", *, rescale: bool = False
) -> Floats:
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
    rescale : bool
        Whether priors of another sum than one are scaled, with a warning, rather than refused.

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
        given = np.array(priors, dtype=np.float64)
    except (TypeError, ValueError):
        raise check.fail(owner, name, requirement, priors) from None
    if given.shape != total.shape:
        hint = "Number of priors must match number of classes"
    elif not (given >= 0).all():
        hint = f"{name} must be non-negative"
    elif np.isclose(given.sum(), 1.0):
        return given
    elif rescale and 0 < given.sum() < np.inf:
        told = f"{check.named(owner)}: {name} of the sum {given.sum():g} are scaled to 1"
        warnings.warn(told, UserWarning, stacklevel=4)
        return np.asarray(given / given.sum())
    else:
        hint = "The sum of the priors should be 1"
    raise ValueError(f"{check.fail(owner, name, requirement, priors)} ({hint})")
