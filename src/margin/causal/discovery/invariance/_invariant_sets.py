"""Sets of columns that predict equally well in every environment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.special import stdtrit
from sklearn.linear_model import lars_path

from margin.causal.discovery.invariance._residual_tests import same_line, same_normal, same_ranks
from margin.core.types import Floats, Indices

Residuals = Callable[[Floats, Floats], Floats]
Places = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class InvariantSets:
    """p-values of invariance.

    Parameters
    ----------
    p_values : dict of tuple of int to float
        For every set of columns.
    """

    p_values: dict[Places, float]

    def accepted(self, alpha: float) -> tuple[Places, ...]:
        """Sets that are not rejected at a level."""
        return tuple(some for some, p in self.p_values.items() if p > alpha)

    def common(self, alpha: float) -> Places:
        """Columns in all sets that are not rejected; none where all are."""
        sets = [set(some) for some in self.accepted(alpha)]
        return tuple(sorted(set.intersection(*sets))) if sets else ()

    def doubt(self, column: int) -> float:
        """Largest p-value of a set without the column."""
        return max((p for some, p in self.p_values.items() if column not in some), default=1.0)


def invariant_sets(
    X: Floats,
    y: Floats,
    groups: Indices,
    *,
    test: str,
    columns: Places,
    max_size: int,
    residuals: Residuals | None = None,
) -> InvariantSets:
    """Test every set of at most ``max_size`` of the columns.

    ``residuals(X, y)`` regresses; least squares with an intercept by default.
    """
    p_values = {}
    for chosen in subsets(columns, max_size):
        if test == "chow":
            p_values[chosen] = same_line(_line(X, chosen), y, groups)
            continue
        if not chosen:
            left = y - y.mean()
        elif residuals is None:
            design = _line(X, chosen)
            left = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
        else:
            left = residuals(X[:, list(chosen)], y)
        p_values[chosen] = (same_ranks if test == "rank" else same_normal)(left, groups)
    return InvariantSets(p_values)


def subsets(columns: Places, max_size: int) -> Iterator[Places]:
    """All sets, small ones first.

    Examples
    --------
    >>> list(subsets((3, 5), 2))
    [(), (3,), (5,), (3, 5)]
    """
    for size in range(min(max_size, len(columns)) + 1):
        yield from combinations(columns, size)


def first_of_the_lasso(X: Floats, y: Floats, most: int) -> Places:
    """The columns that enter the path of the lasso first.

    Examples
    --------
    >>> X = np.eye(6)[:, :4]
    >>> first_of_the_lasso(X, X @ [0.0, 3.0, 0.5, -2.0], 2)
    (1, 3)
    """
    if X.shape[1] <= most:
        return tuple(range(X.shape[1]))
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    _, _, coefficients = lars_path(Z, y - y.mean(), method="lasso")
    entered: list[int] = []
    for step in coefficients.T:
        entered += [int(j) for j in np.flatnonzero(step) if j not in entered]
    return tuple(sorted(entered[:most]))


def effect_range(
    X: Floats, y: Floats, column: int, sets: tuple[Places, ...], level: float
) -> tuple[float, float]:
    """Union of the confidence intervals of a coefficient over sets; zero where it is not in one."""
    low, high = np.inf, -np.inf
    for chosen in sets:
        if column not in chosen:
            low, high = min(low, 0.0), max(high, 0.0)
            continue
        design = _line(X, chosen)
        Q, R = np.linalg.qr(design)
        coefficients = np.linalg.solve(R, Q.T @ y)
        free = len(y) - design.shape[1]
        variance = np.sum((y - design @ coefficients) ** 2) / free
        at = 1 + chosen.index(column)
        spread = np.sqrt(variance) * np.linalg.norm(np.linalg.inv(R)[at])
        wide = float(stdtrit(free, 0.5 + level / 2)) * spread
        low, high = min(low, coefficients[at] - wide), max(high, coefficients[at] + wide)
    return float(low), float(high)


def _line(X: Floats, chosen: Places) -> Floats:
    return np.column_stack([np.ones(len(X)), X[:, list(chosen)]])
