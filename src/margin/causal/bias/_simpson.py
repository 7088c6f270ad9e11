"""Simpson's paradox: the whole against its parts."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.stats import chi2

from margin.causal.tables._columns import is_words, levels, numbers
from margin.core import check
from margin.core.types import Floats


@dataclass(frozen=True, eq=False)
class SimpsonReport:
    """Differences of two groups, in the whole and within strata (causal.01).

    Parameters
    ----------
    overall : float
        Mean outcome of the second group less that of the first.
    adjusted : float
        The same within strata, weighted by their sizes.
    strata : tuple
        Levels of the stratum.
    within : ndarray
        Difference in each.
    sizes : ndarray
        Rows of each.
    g_tests : mapping of level (or "total") to (G, p)
        Likelihood-ratio test of independence, for outcomes of two levels.
    """

    overall: float
    adjusted: float
    strata: tuple[Any, ...]
    within: Floats
    sizes: Floats
    g_tests: dict[Any, tuple[float, float]] = field(default_factory=dict, repr=False)

    @property
    def reversed(self) -> bool:
        """Whether the whole says the opposite of what is left within strata."""
        return self.overall * self.adjusted < 0

    @property
    def strict(self) -> bool:
        """Whether every single stratum contradicts the whole."""
        return bool((self.within * self.overall < 0).all())


def simpson_reversal(
    frame: Any,
    treatment: Hashable,
    outcome: Hashable,
    stratum: Hashable,
    *,
    baseline: Any = None,
) -> SimpsonReport:
    """Look for a reversal between a table and its strata (causal.01).

    Parameters
    ----------
    frame : data frame or mapping
    treatment : name
        Column of two groups.
    outcome : name
        Numbers, or two levels of which the second counts as 1.
    stratum : name
    baseline : level, optional
        The group that is compared with; the first by default.

    Examples
    --------
    >>> from margin.datasets import load_kidney_stones
    >>> stones = load_kidney_stones(as_frame=True)
    >>> frame = stones.data.assign(recovered=stones.target)
    >>> report = simpson_reversal(frame, "treatment", "recovered", "size", baseline="B")
    >>> report.reversed, round(report.overall, 4), round(report.adjusted, 4)
    (True, -0.0457, 0.0537)
    """
    owner = "simpson_reversal"
    groups, codes = levels(owner, frame, treatment)
    if len(groups) != 2:
        raise check.fail(owner, f"column {treatment!r}", "of two levels", groups)
    if baseline is not None:
        if baseline not in groups:
            raise check.fail(owner, "baseline", f"one of {groups}", baseline)
        codes = codes if groups[0] == baseline else 1 - codes
    names, strata = levels(owner, frame, stratum)
    y = _values(owner, frame, outcome)
    count = np.bincount(strata * 2 + codes, minlength=2 * len(names)).reshape(-1, 2).astype(float)
    if (count == 0).any():
        empty = names[int(np.argmax((count == 0).any(axis=1)))]
        raise check.fail(owner, f"stratum {empty!r}", "with rows of both groups", count.min())
    total = np.bincount(strata * 2 + codes, y, 2 * len(names)).reshape(-1, 2)
    within = (total / count) @ [-1.0, 1.0]
    sizes = count.sum(axis=1)
    overall = float((total.sum(axis=0) / count.sum(axis=0)) @ [-1.0, 1.0])
    tests = {}
    if set(np.unique(y)) <= {0.0, 1.0}:
        tables = np.stack([count - total, total], axis=2)
        tests = {"total": g_test(tables.sum(axis=0))}
        tests |= {name: g_test(t) for name, t in zip(names, tables, strict=True)}
    adjusted = float(within @ sizes / sizes.sum())
    return SimpsonReport(overall, adjusted, names, within, sizes, tests)


def _values(owner: str, frame: Any, name: Hashable) -> Floats:
    held, codes = levels(owner, frame, name)
    if is_words(np.asarray(held)):
        if len(held) != 2:
            raise check.fail(owner, f"column {name!r}", "numbers or two levels", held)
        return codes.astype(np.float64)
    return numbers(owner, frame, name)


def g_test(table: Floats) -> tuple[float, float]:
    r"""Likelihood-ratio test :math:`G = 2 \sum o \log (o / e)` of independence in a table.

    Examples
    --------
    >>> [round(v, 4) for v in g_test(np.array([[77.0, 273.0], [61.0, 289.0]]))]
    [2.3148, 0.1281]
    """
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    some = table > 0
    G = float(2 * (table[some] * np.log(table[some] / expected[some])).sum())
    dof = (table.shape[0] - 1) * (table.shape[1] - 1)
    return G, float(chi2.sf(max(G, 0.0), dof))
