"""Scores as a reader sees them: three decimals, and no minus sign before nothing."""

from __future__ import annotations

import math

_NOTHING = 0.0005


def shown(value: float) -> str:
    """A score with three decimals, a large one with three digits; a dash where there is none.

    Examples
    --------
    >>> shown(0.97812), shown(-0.0004), shown(-1.5), shown(2.5e6), shown(float("nan"))
    ('0.978', '0.000', '-1.500', '2.5e+06', '–')
    """
    if not math.isfinite(value):
        return "–"
    if abs(value) < _NOTHING:
        return "0.000"
    return f"{value:.3f}" if abs(value) < 1e5 else f"{value:.3g}"


def signed(value: float) -> str:
    """A difference with its sign, none where it rounds to nothing.

    Examples
    --------
    >>> signed(0.25), signed(-0.25), signed(-0.0001)
    ('+0.250', '-0.250', '0.000')
    """
    return f"+{shown(value)}" if value >= _NOTHING else shown(value)
