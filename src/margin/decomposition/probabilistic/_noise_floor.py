"""Least noise variances, below which a likelihood has no bound."""

import numpy as np

from margin.core import check
from margin.core.types import Bools, Floats

SHARE = 1e-8
"""Least noise variance of a column, as a share of its variance."""


def noise_floor(variances: Floats, share: float = SHARE) -> Floats:
    """Least noise variance of every column; that of a constant one follows the others.

    Examples
    --------
    >>> noise_floor(np.array([2.0, 0.0, 4.0]), 0.5)
    array([1. , 1.5, 2. ])
    """
    some = variances[variances > 0]
    typical = float(some.mean()) if some.size else 1.0
    return np.asarray(share * np.where(variances > 0, variances, typical))


def floor_repairs(noise: Floats, floor: Floats, *, isotropic: bool) -> tuple[str, ...]:
    """What to tell about noise variances that ended at their least."""
    low: Bools = noise <= floor * (1 + 1e-9)
    if not low.any():
        return ()
    if isotropic:
        return (f"noise variance raised to {SHARE:g} of the mean variance of the columns",)
    places = np.flatnonzero(low)
    names = ", ".join(map(str, places[:10])) + (" …" if len(places) > 10 else "")
    bound = f"{SHARE:g} of the variance of the column"
    return (f"noise variance of column {names} held at its least, {bound} (a Heywood case)",)


def check_observed(owner: object, weight: Floats) -> None:
    """Refuse a column that no row shows."""
    if np.any(weight <= 0):
        column = int(np.argmax(weight <= 0))
        need = "observed at least once in every column"
        raise check.fail(owner, "X", need, f"NaN throughout column {column}")
