"""Values of options that need more than a number: durations, scales, lists of names."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

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


def costs(texts: Iterable[str]) -> Any:
    """Costs of wrong answers from ``FP:FN``, or from ``TRUE>ANSWER=COST`` texts.

    Examples
    --------
    >>> costs(["1:50"]), costs(["a>b=2", "b>a=0.5"]), costs([])
    ((1.0, 50.0), {('a', 'b'): 2.0, ('b', 'a'): 0.5}, None)
    """
    listed = list(texts)
    if not listed:
        return None
    pair = listed[0].split(":")
    if len(listed) == 1 and len(pair) == 2 and ">" not in listed[0]:
        return tuple(_cost(part, listed[0]) for part in pair)
    named: dict[tuple[str, str], float] = {}
    for text in listed:
        names, equals, value = text.rpartition("=")
        true, arrow, answer = names.partition(">")
        if not (equals and arrow and true.strip() and answer.strip()):
            raise CommandError(
                f"--cost must be FP:FN, such as 1:10, or TRUE>ANSWER=COST, got {text!r}"
            )
        named[true.strip(), answer.strip()] = _cost(value, text)
    return named


def _cost(number: str, text: str) -> float:
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0):
        raise CommandError(f"--cost must hold numbers of at least 0, got {text!r}")
    return value


def split(text: str) -> str:
    """``random``, ``time`` or ``time:COLUMN``, checked.

    Examples
    --------
    >>> split("time:sold at")
    'time:sold at'
    """
    kind, colon, column = text.strip().partition(":")
    if kind not in ("random", "time") or (colon and (kind == "random" or not column)):
        raise CommandError(f"--split must be random, time or time:COLUMN, got {text!r}")
    return text.strip()


def foreign(texts: Iterable[str]) -> list[str] | None:
    """Addresses of classes of other libraries, checked for their form; ``None`` for none.

    Examples
    --------
    >>> foreign(["sklearn.linear_model:Ridge"]), foreign([])
    (['sklearn.linear_model:Ridge'], None)
    """
    listed = [text.strip() for text in texts]
    for text in listed:
        module, colon, name = text.partition(":")
        if not (colon and module and name):
            raise CommandError(
                "--with must be MODULE:CLASS, such as "
                f"sklearn.ensemble:HistGradientBoostingClassifier, got {text!r}"
            )
    return listed or None
