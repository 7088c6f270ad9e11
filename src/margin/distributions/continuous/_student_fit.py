"""Maximum likelihood of Student's t distribution of one column."""

from collections.abc import Iterator
from itertools import count

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import betaln

from margin.core import Iterate, Stop, check, iterate
from margin.core.types import Floats

_STOP = Stop("move of centre and width", 1e-12, 500, unit="step", keep="last")


def fit_column(
    owner: str, x: Floats, weight: Floats, df: float | None
) -> tuple[float, float, float]:
    r"""Degrees of freedom, centre and width of the largest likelihood.

    For given degrees of freedom the likelihood is climbed by expectation maximisation: each value
    counts :math:`(\nu + 1) / (\nu + z^2)` times. These are found on a scale of their logarithm.
    A value with the share ``s`` of the weight makes the likelihood unbounded, at no width, up to
    :math:`\nu = s/(1 - s)`; only degrees of freedom above that are considered.
    """
    if not len(x) or x.min() == x.max():
        raise check.fail(owner, "data", "of two values in every column", f"{min(len(x), 1)}")
    _, place = np.unique(x, return_inverse=True)
    heaviest = float(np.bincount(place.ravel(), weight).max() / weight.sum())
    if heaviest > 1.0 - 1e-12:
        raise check.fail(owner, "data", "of two values in every column", "1 with all the weight")
    least = heaviest / (1.0 - heaviest)
    if df is not None and df <= least:
        need = f"above {least:.3g} where {heaviest:.0%} of the data are one value"
        raise check.fail(owner, "df", need, df)
    # In units of the data, so that no square leaves the range of numbers.
    centre = float(np.median(x))
    unit = float(np.abs(x - centre).max())
    u = (x - centre) / unit
    freedom = df if df is not None else _freedom(u, weight, least)
    loc, scale, _ = _at(u, weight, freedom)
    return freedom, centre + unit * loc, unit * scale


def _freedom(x: Floats, weight: Floats, least: float) -> float:
    """Degrees of freedom of the largest likelihood, between a least and a million."""
    grid = np.linspace(np.log(max(0.2, 1.2 * least)), np.log(max(1e6, 10 * least)), 25)
    heights = [_at(x, weight, float(np.exp(g)))[2] for g in grid]
    best = int(np.argmax(heights))
    ends = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
    search = minimize_scalar(
        lambda g: -_at(x, weight, float(np.exp(g)))[2], bounds=ends, method="bounded"
    )
    return float(np.exp(search.x if -search.fun > heights[best] else grid[best]))


def _at(x: Floats, weight: Floats, df: float) -> tuple[float, float, float]:
    """Centre, width and mean log-likelihood at given degrees of freedom."""
    solution = iterate(_states(x, weight, df), _STOP)
    if solution.interrupted:  # of a larger search
        raise KeyboardInterrupt
    loc, scale = solution.x
    z = (x - loc) / scale
    tail = 0.5 * (df + 1) * (weight @ np.log1p(z**2 / df)) / weight.sum()
    height = -betaln(df / 2, 0.5) - 0.5 * np.log(df) - np.log(scale) - tail
    return loc, scale, float(height)


def _states(x: Floats, weight: Floats, df: float) -> Iterator[Iterate]:
    """Centre and width after every step, and how far they moved, in widths."""
    loc = float(np.median(x))
    scale = float(np.sqrt(weight @ (x - loc) ** 2 / weight.sum()))
    for n_steps in count(1):
        times = weight * (df + 1) / (df + ((x - loc) / scale) ** 2)
        moved = float(times @ x / times.sum())
        # Dividing by the sum of times, not of weights, has the same fixed point, sooner.
        width = float(np.sqrt(times @ (x - moved) ** 2 / times.sum()))
        change = (abs(moved - loc) + abs(width - scale)) / scale
        loc, scale = moved, max(width, 1e-300)
        yield Iterate((loc, scale), 0.0, change, n_steps)
