"""Values of options that need more than a number: durations, scales, lists of names."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from margin.cli._errors import CommandError

_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_PART = re.compile(r"(\d+(?:\.\d+)?)\s*(h|ms|m|s)", re.IGNORECASE)


def seconds(duration: str) -> float:
    """Seconds of ``"60s"``, ``"2m"``, ``"1h30m"``; a bare number counts seconds.

    Examples
    --------
    >>> seconds("1m30s"), seconds("45"), seconds("0.5h")
    (90.0, 45.0, 1800.0)
    """
    text = duration.strip()
    try:
        total = float(text)
    except ValueError:
        parts = _PART.findall(text)
        if not parts or _PART.sub("", text).strip():
            raise CommandError(
                f"--budget must be a duration such as 60s or 2m, got {duration!r}"
            ) from None
        total = sum(float(number) * _UNITS[unit.lower()] for number, unit in parts)
    if not (math.isfinite(total) and total > 0):
        raise CommandError(f"--budget must be longer than 0 s, got {duration!r}")
    return total


def scales(pairs: Iterable[str]) -> dict[str, str]:
    """Scale per column from ``COL=SCALE`` texts; the column name may itself hold ``=``.

    Examples
    --------
    >>> scales(["year=ordinal", "a=b=nominal"])
    {'year': 'ordinal', 'a=b': 'nominal'}
    """
    scales: dict[str, str] = {}
    for pair in pairs:
        name, equals, scale = pair.rpartition("=")
        if not (equals and name and scale):
            raise CommandError(f"--scale must be COLUMN=SCALE, got {pair!r}")
        scales[name] = scale.strip().lower()
    return scales


def names(text: str | None) -> list[str] | None:
    """Names separated by commas; ``None`` stays ``None``.

    Examples
    --------
    >>> names("Ridge, LinearRegression")
    ['Ridge', 'LinearRegression']
    """
    if text is None:
        return None
    listed = [part.strip() for part in text.split(",") if part.strip()]
    if not listed:
        raise CommandError("--models must name at least one model, got none")
    return listed
