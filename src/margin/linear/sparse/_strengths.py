"""Sequences of penalty strengths."""

import warnings
from numbers import Integral, Real
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats

NO_GRID = (
    "Automatic alpha grid generation is not supported for l1_ratio=0. Please supply a grid by "
    "providing your estimator with the appropriate `alphas=` argument."
)
_LEAST = float(np.finfo(np.float64).resolution)


def alpha_grid(owner: str, alphas: Any, top: float, l1_ratio: float, eps: float) -> Floats:
    """Strengths in decreasing order, as given or so many from the strongest on.

    Parameters
    ----------
    owner : str
        Who asks, for messages.
    alphas : int or array-like
        How many, or the strengths themselves.
    top : float
        Largest product of a column with the target: the least strength of the absolute values
        that lets no feature in.
    l1_ratio : float
        Share of the absolute values.
    eps : float
        Least strength of an automatic sequence, as a share of the largest.

    Examples
    --------
    >>> alpha_grid("LassoCV", 3, 1.0, 0.5, 1e-2)
    array([2.  , 0.2 , 0.02])
    >>> alpha_grid("LassoCV", [0.1, 1.0], 1.0, 0.5, 1e-2)
    array([1. , 0.1])
    """
    if np.ndim(alphas) > 0:
        return _given(owner, alphas)
    if not isinstance(alphas, int | np.integer) or isinstance(alphas, bool) or alphas < 1:
        raise check.fail(owner, "alphas", "a count of at least 1 or an array", alphas)
    if l1_ratio == 0:
        raise ValueError(f"{owner}: l1_ratio must be above 0 unless alphas are given: {NO_GRID}")
    strongest = top / l1_ratio
    if strongest <= _LEAST:
        return np.full(alphas, _LEAST)
    return np.geomspace(strongest, strongest * eps, alphas)


def counted_strengths(
    owner: str, alphas: Any, n_alphas: Any, *, spell: tuple[str, str] = ("1.9", "1.11")
) -> Any:
    """Strengths or their number, from today's parameter and the one that scikit-learn deprecated.

    ``spell`` are the versions of scikit-learn that deprecate and that drop the latter.

    Examples
    --------
    >>> counted_strengths("enet_path", 100, "deprecated")
    100
    """
    since, until = spell
    if not (isinstance(n_alphas, str) and n_alphas == "deprecated"):
        if not isinstance(n_alphas, Integral) or n_alphas < 1:
            raise check.fail(owner, "n_alphas", "an integer of at least 1", n_alphas)
        warnings.warn(
            f"{owner}: 'n_alphas' was deprecated in {since} and will be removed in {until}. Give "
            "the number of strengths as 'alphas'.",
            FutureWarning,
            stacklevel=3,
        )
        return n_alphas if alphas is None or np.ndim(alphas) == 0 else alphas
    if alphas is None:
        warnings.warn(
            f"{owner}: 'alphas=None' is deprecated and will be removed in {until}. Give the number "
            "of strengths, which is 100 by default.",
            FutureWarning,
            stacklevel=3,
        )
        return 100
    return alphas


def _given(owner: str, alphas: Any) -> Floats:
    for k, value in enumerate(alphas):
        if isinstance(value, str | bytes) or not isinstance(value, Real):
            raise TypeError(
                f"{owner}: alphas must be a list of numbers of at least 0, got "
                f"alphas[{k}] must be an instance of float, not {type(value).__name__}"
            )
    grid = np.asarray(alphas, dtype=np.float64)
    if grid.ndim == 1 and (grid < 0).any():
        k = int(np.flatnonzero(grid < 0)[0])
        raise ValueError(
            f"{owner}: alphas must be a list of numbers of at least 0, got "
            f"alphas[{k}] == {alphas[k]}, must be >= 0.0."
        )
    if grid.ndim != 1 or not grid.size or not np.isfinite(grid).all():
        raise check.fail(owner, "alphas", "a list of numbers of at least 0", alphas)
    return np.sort(grid)[::-1]
