"""What kind of quantity a target is: ordered, counted, cut off, with a heavy tail."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import stats

from margin.core.types import Array, Floats
from margin.evaluation.table import _scales
from margin.evaluation.table._metric import MetricName

if TYPE_CHECKING:
    import pandas as pd

_RATING = re.compile(
    r"(?i)(^|[_\s.-])(quality|rating|rank|grade|stars?|score|level|stage|severity|satisfaction)"
    r"($|[_\s.-])"
)
_FEWEST_ROWS = 30
_USUAL_COUNT = 20
_PILE_SHARE, _PILE_ROWS, _PILE_FACTOR = 0.02, 5, 4
_SKEWED = 2.0
_FEW_DECIDE = 0.5
_SPREAD = 1e4


@dataclass(frozen=True)
class Nature:
    """What was recognised about a target, and what follows from it.

    Parameters
    ----------
    kinds : tuple of str
        Any of ``"ordered"``, ``"count"``, ``"censored"``, ``"skewed"``, ``"heavy-tailed"``.
    remarks : tuple of str
        What to tell a reader, a sentence each.
    metric : str or None
        The score that suits it, where the usual one does not.
    logarithm : bool
        Whether models should be tried on a logarithmic scale too.
    lower, upper : float or None
        Bounds that no prediction should pass.
    levels : tuple
        Ordered classes, lowest first.
    """

    kinds: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    metric: MetricName | None = None
    logarithm: bool = False
    lower: float | None = None
    upper: float | None = None
    levels: tuple[Any, ...] = ()

    @property
    def plain(self) -> bool:
        """Whether nothing special was recognised."""
        return not self.kinds


def nature_of_classes(column: pd.Series, labels: Array) -> Nature:
    """Whether classes have an order: ordered categories, known ordered words, or ratings.

    Parameters
    ----------
    column : Series
        The target as it came.
    labels : ndarray
        The classes of its rows as models see them.

    Examples
    --------
    >>> import pandas as pd
    >>> words = pd.Series(["low", "high", "medium", "low"], name="risk")
    >>> nature_of_classes(words, words.to_numpy().astype(str)).levels
    ('low', 'medium', 'high')
    """
    distinct, counts = np.unique(labels, return_counts=True)
    if len(distinct) < 3:
        return Nature()
    levels, why = _levels(column, distinct, counts)
    if not levels:
        return Nature()
    shown = " < ".join(map(str, levels[:6])) + (" < …" if len(levels) > 6 else "")
    name = column.name
    return Nature(
        ("ordered",),
        (f"{name!r} is ordered ({why}: {shown}): a model of ordered classes takes part",),
        levels=levels,
    )


def _levels(column: pd.Series, distinct: Array, counts: Any) -> tuple[tuple[Any, ...], str]:
    import pandas as pd

    known = set(distinct.tolist())
    if isinstance(column.dtype, pd.CategoricalDtype):
        if not column.dtype.ordered:
            return (), ""
        texts = [str(c) for c in column.cat.categories]
        return tuple(t for t in texts if t in known), "ordered categories"
    if distinct.dtype.kind == "U":
        words = _scales.ordered_words(known)
        if words is None:
            return (), ""
        place = {word: i for i, word in enumerate(words)}
        return tuple(sorted(known, key=lambda t: place[_scales.plain(t)])), "ordered words"
    if distinct.dtype.kind != "i" or not (np.diff(distinct) == 1).all():
        return (), ""
    # digits and codes come about equally often; ratings have a most frequent level amid rarer ones
    peak = int(np.argmax(counts))
    humped = (np.diff(counts[: peak + 1]) >= 0).all() and (np.diff(counts[peak:]) <= 0).all()
    if _RATING.search(str(column.name)) or (humped and counts.max() >= 3 * counts.min()):
        return tuple(distinct.tolist()), "whole numbers as in ratings"
    return (), ""


def nature_of_numbers(y: Floats, name: str = "target") -> Nature:
    """Whether a numeric target counts, is cut off at a bound, or has a heavy tail.

    Parameters
    ----------
    y : ndarray
        The target.
    name : str
        Its name, for the remarks.

    Examples
    --------
    >>> y = np.random.default_rng(0).poisson(3.0, 200).astype(float)
    >>> nature_of_numbers(y).kinds, nature_of_numbers(y).metric
    (('count',), 'D² Poisson')
    >>> nature_of_numbers(np.random.default_rng(0).normal(size=200)).plain
    True
    """
    if len(y) < _FEWEST_ROWS:
        return Nature()
    counting = _counts(y)
    tail = _tail(y, name)
    lower, upper, piles = _piles(y, name, both=not counting)
    kinds = (*(("count",) if counting else ()), *(("censored",) if piles else ()), *tail.kinds)
    remarks = list(piles)
    metric, logarithm = tail.metric, tail.logarithm
    if counting:
        metric, lower = "D² Poisson", 0.0
        remarks.insert(0, f"{name!r} counts: judged by the deviance of counts, never below 0")
        remarks += [] if piles or not logarithm else tail.remarks
    else:
        remarks += tail.remarks
    return Nature(kinds, tuple(remarks), metric, logarithm, lower, upper)


def _counts(y: Floats) -> bool:
    whole = bool((y % 1 == 0).all())
    return whole and 0 <= float(y.min()) <= 1 and float(np.median(y)) <= _USUAL_COUNT


def _piles(
    y: Floats, name: str, *, both: bool
) -> tuple[float | None, float | None, tuple[str, ...]]:
    """Bounds at which many rows lie although values elsewhere hardly repeat."""
    values, counts = np.unique(y, return_counts=True)
    if len(values) < 2 * _PILE_ROWS:
        return None, None, ()
    usual = max(1.0, float(np.median(counts)), float(np.sort(counts)[-3]))
    least = max(_PILE_ROWS, _PILE_SHARE * len(y), _PILE_FACTOR * usual)
    remarks, bounds = [], []
    for place, side in ((0, "smallest"), (-1, "largest")):
        held = int(counts[place])
        piled = held >= least and (both or place == -1)
        bounds.append(float(values[place]) if piled else None)
        if piled:
            remarks.append(
                f"{held} rows of {name!r} have its {side} value, {values[place]:g}: it looks cut "
                "off there, and no prediction passes it"
            )
    return bounds[0], bounds[1], tuple(remarks)


def log_start(y: Floats) -> float:
    """Where a logarithmic scale of the values should start, below all of them.

    Zero where all are positive and none is tiny beside the others; else as far below the smallest
    as the small ones of the rest lie above it.

    Examples
    --------
    >>> log_start(np.array([1.0, 2.0, 50.0])), log_start(np.array([0.0, 2.0, 2.0, 9.0]))
    (0.0, -2.0)
    """
    low = float(y.min())
    if low > 0 and float(np.median(y)) < _SPREAD * low:
        return 0.0
    above = y[y > low] - low
    return low - (float(np.quantile(above, 0.05, method="lower")) if len(above) else 1.0)


def _tail(y: Floats, name: str) -> Nature:
    skew = float(stats.skew(y))
    logged = float(stats.skew(np.log(y - log_start(y))))
    if not (skew > _SKEWED and abs(logged) < skew / 2):
        return Nature()
    squares = np.sort((y - y.mean()) ** 2)[::-1]
    top = max(1, len(y) // 100)
    share = float(squares[:top].sum() / squares.sum())
    words = f"{name!r} has a long tail (skewness {skew:.1f}): models are tried on its logarithm too"
    if share < _FEW_DECIDE:
        return Nature(("skewed",), (words,), logarithm=True)
    few = f"one row in a hundred makes {share:.0%} of its variance".replace("%", " %")
    return Nature(
        ("heavy-tailed",),
        (f"{words}; {few}, so absolute errors are scored",),
        metric="D² absolute",
        logarithm=True,
    )
