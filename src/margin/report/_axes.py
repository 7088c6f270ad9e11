"""Scales and ticks: from values to places on the page, and to labels a person reads."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True)
class Axis:
    """A linear map of ``[low, high]`` onto ``[start, stop]`` with round tick values.

    Parameters
    ----------
    low, high : float
        Range of the values.
    start, stop : float
        Where the range lies on the page.
    ticks : tuple of float
        Values to label.
    label : str
        What is measured.

    Examples
    --------
    >>> axis = Axis(0.0, 1.0, 100.0, 300.0)
    >>> axis(0.25)
    150.0
    """

    low: float
    high: float
    start: float
    stop: float
    ticks: tuple[float, ...] = ()
    label: str = ""

    def __call__(self, value: float) -> float:
        """Place of ``value`` on the page."""
        share = (float(value) - self.low) / (self.high - self.low)
        return self.start + share * (self.stop - self.start)

    def names(self) -> list[str]:
        """Labels of the ticks, all with the same number of decimals."""
        return tick_labels(self.ticks)


def fitted(
    values: Iterable[float],
    start: float,
    stop: float,
    *,
    label: str = "",
    count: int = 5,
    pad: float = 0.06,
    within: tuple[float, float] = (-math.inf, math.inf),
) -> Axis:
    """An axis that shows all finite ``values`` with some room around them.

    Parameters
    ----------
    values : iterable of float
        What must be visible.
    start, stop : float
        Where the axis lies on the page.
    label : str
        What is measured.
    count : int
        About how many ticks.
    pad : float
        Room on both sides, as a share of the range.
    within : (float, float)
        Values that the padding does not cross (an accuracy does not exceed 1).

    Examples
    --------
    >>> fitted([0.2, 0.9], 0, 100, within=(0, 1)).ticks
    (0.2, 0.4, 0.6, 0.8)
    """
    finite = [float(v) for v in values if math.isfinite(v)]
    low, high = (min(finite), max(finite)) if finite else (0.0, 1.0)
    if not math.isfinite(high - low):
        low, high = low / 4, high / 4
    if high - low <= 1e-9 * max(abs(low), abs(high), 1e-12):
        spread = max(abs(low), 1.0) * 0.05
        low, high = low - spread, high + spread
    room = pad * (high - low)
    floor, ceiling = within
    bottom = max(low - room, floor) if low >= floor else low - room
    top = min(high + room, ceiling) if high <= ceiling else high + room
    return Axis(bottom, top, start, stop, ticks(bottom, top, count), label)


def ticks(low: float, high: float, count: int = 5) -> tuple[float, ...]:
    """Multiples of 1, 2 or 5 times a power of ten inside ``[low, high]``, about ``count``.

    Examples
    --------
    >>> ticks(0.0, 1.0)
    (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    >>> ticks(13, 96, 4)
    (20.0, 40.0, 60.0, 80.0)
    """
    step = _step((high - low) / max(count, 1))
    if step <= 0 or not math.isfinite(step):
        return ()
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return tuple(float(f"{k * step:.12g}") + 0.0 for k in range(first, last + 1))


def _step(raw: float) -> float:
    """The number among 1, 2, 5, 10 times a power of ten that is nearest in ratio to ``raw``."""
    if not raw > 0 or not math.isfinite(raw):
        return 0.0
    power = 10.0 ** math.floor(math.log10(raw))
    return min((power * m for m in (1, 2, 5, 10)), key=lambda s: abs(math.log(s / raw)))


def tick_labels(values: Sequence[float]) -> list[str]:
    """Labels with just enough decimals to tell neighbours apart.

    Examples
    --------
    >>> tick_labels((0.0, 0.5, 1.0))
    ['0.0', '0.5', '1.0']
    >>> tick_labels((0.0, 250000.0, 500000.0))
    ['0', '250k', '500k']
    >>> tick_labels((-2e-7, 0.0, 2e-7))
    ['−2e-07', '0', '2e-07']
    """
    if not values:
        return []
    step = min((b - a for a, b in pairwise(values)), default=abs(values[0]))
    largest = max(abs(v) for v in values)
    if largest >= 1e7 or 0 < largest < 1e-3:
        return [minus(f"{v:.3g}") for v in values]
    if step >= 1000 and all(v % 1000 == 0 for v in values):
        return ["0" if v == 0 else minus(f"{v / 1000:.0f}k") for v in values]
    decimals = 0 if step >= 1 or step <= 0 else math.ceil(-math.log10(step) - 1e-9)
    return [minus(f"{v:.{decimals}f}") for v in values]


def minus(number: str) -> str:
    """The number with a true minus sign in front, as printed mathematics has it.

    Examples
    --------
    >>> minus("-0.5")
    '−0.5'
    """
    return number.replace("-", "\N{MINUS SIGN}", 1) if number.startswith("-") else number
