"""The scale of one column: what its values may be compared by, and the reason in words."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from margin.core.types import Floats
from margin.evaluation.table import _dates
from margin.evaluation.table._column_info import Scale

if TYPE_CHECKING:
    import pandas as pd

MAX_LEVELS = 20
SHORT_TEXTS = "short texts that share words"
ORDERED_WORDS: tuple[tuple[str, ...], ...] = (
    ("very low", "low", "medium", "high", "very high"),
    ("very low", "low", "moderate", "high", "very high"),
    ("low", "normal", "high"),
    ("low", "mid", "high"),
    ("none", "mild", "moderate", "severe", "critical"),
    ("never", "rarely", "sometimes", "often", "always"),
    ("very small", "small", "medium", "large", "very large"),
    ("xxs", "xs", "s", "m", "l", "xl", "xxl"),
    ("very bad", "bad", "fair", "good", "very good", "excellent"),
    ("very poor", "poor", "fair", "good", "very good", "excellent"),
    ("poor", "average", "good", "excellent"),
    ("strongly disagree", "disagree", "neutral", "agree", "strongly agree"),
    ("very dissatisfied", "dissatisfied", "neutral", "satisfied", "very satisfied"),
    ("cold", "cool", "mild", "warm", "hot"),
    ("bronze", "silver", "gold", "platinum"),
    ("primary", "secondary", "tertiary"),
    ("beginner", "intermediate", "advanced", "expert"),
    ("first", "second", "third", "fourth", "fifth"),
)

_ID_NAME = re.compile(r"(?i:(^|[_\s.-])(id|uuid|guid|index)$|^unnamed: \d+$)|[a-z0-9](Id|ID|UUID)$")
_TEXT_WORDS = 4
_MOSTLY_NUMBERS = 0.9
_SHARED_BY = 3
_WORD_SAMPLE = 2000


class Inferred(NamedTuple):
    """A scale and why."""

    scale: Scale
    reason: str


def plain(word: str) -> str:
    """Lower case, single spaces: the form in which ordered words are compared.

    Examples
    --------
    >>> plain(" Very_High ")
    'very high'
    """
    return re.sub(r"[\s_-]+", " ", word).strip().casefold()


def ordered_words(levels: set[str]) -> tuple[str, ...] | None:
    """The known ordered scale that holds all ``levels``, or ``None``.

    Examples
    --------
    >>> ordered_words({"High", "low"})
    ('very low', 'low', 'medium', 'high', 'very high')
    """
    words = {plain(level) for level in levels}
    if len(words) < 2:
        return None
    return next((scale for scale in ORDERED_WORDS if words <= set(scale)), None)


def infer(
    name: str,
    column: pd.Series,
    values: pd.Series | None = None,
    n_distinct: int | None = None,
) -> Inferred:
    """Scale of one column.

    Parameters
    ----------
    name : str
        Name of the column.
    column : Series
        Its values.
    values, n_distinct : Series, int, optional
        Those that are not missing, and how many of them differ, where already known.

    Examples
    --------
    >>> import pandas as pd
    >>> infer("dose", pd.Series([0.5, 1.25, 2.0, 0.75]))
    Inferred(scale='numeric', reason='numbers, none negative')
    >>> infer("size", pd.Series(["S", "M", "L", "M"]))
    Inferred(scale='ordinal', reason='ordered words: s < m < l')
    """
    import pandas as pd

    values = column.dropna() if values is None else values
    n_distinct = distinct(name, values) if n_distinct is None else n_distinct
    if not len(values):
        return Inferred("empty", "no value at all")
    if n_distinct == 1:
        if len(values) == len(column):
            return Inferred("constant", "the same value in every row")
        return Inferred("nominal", "one value or missing")
    kind, types = column.dtype, pd.api.types
    if types.is_bool_dtype(kind):
        return Inferred("nominal", "true or false")
    if types.is_datetime64_any_dtype(kind) or isinstance(kind, pd.PeriodDtype):
        return Inferred("date", "date type")
    if isinstance(kind, pd.CategoricalDtype):
        if kind.ordered:
            return Inferred("ordinal", "ordered categories")
        return _levels(values, n_distinct)
    if types.is_timedelta64_dtype(kind):
        return Inferred("numeric", "durations, taken in days")
    if types.is_numeric_dtype(kind):
        return _numbers(name, values.to_numpy(dtype=float), n_distinct)
    return _objects(name, values, n_distinct)


def distinct(name: str, values: pd.Series) -> int:
    """Number of different values; refuses lists and the like."""
    try:
        return int(values.nunique())
    except TypeError:
        kind = type(values.iloc[0]).__name__
        raise ValueError(
            f"column {name!r} must hold numbers, text or dates, got values of type {kind}"
        ) from None


def _objects(name: str, values: pd.Series, n_distinct: int) -> Inferred:
    import pandas as pd

    kind = pd.api.types.infer_dtype(values, skipna=True)
    if kind in {"integer", "floating", "mixed-integer-float", "decimal"}:
        return _numbers(name, values.to_numpy(dtype=float), n_distinct)
    if kind == "boolean":
        return Inferred("nominal", "true or false")
    if kind in {"datetime", "datetime64", "date"}:
        return Inferred("date", "date objects")
    if kind != "string":
        raise ValueError(
            f"column {name!r} mixes types ({_two_types(values)}); clean it, or name its scale"
        )
    return _strings(name, values, n_distinct)


def _two_types(values: pd.Series) -> str:
    seen: dict[str, object] = {}
    for value in values:
        seen.setdefault(type(value).__name__, value)
    return ", ".join(f"{kind} such as {value!r}" for kind, value in list(seen.items())[:2])


def _strings(name: str, values: pd.Series, n_distinct: int) -> Inferred:
    import pandas as pd

    levels = pd.Series(values.unique()).astype(str)
    numbers = pd.to_numeric(levels, errors="coerce")
    share = float(numbers.notna().mean())
    if share == 1.0:
        return _numbers(name, numbers.to_numpy(dtype=float), n_distinct, len(values))
    if share >= _MOSTLY_NUMBERS:
        odd = levels[numbers.isna()].iloc[0]
        raise ValueError(
            f"column {name!r} mixes numbers with text such as {odd!r}; clean it, or name its scale"
        )
    if _dates.layout(levels) is not None:
        return Inferred("date", "text that reads as dates")
    words = ordered_words(set(levels)) if n_distinct <= MAX_LEVELS else None
    if words is not None:
        present = {plain(level) for level in levels}
        return Inferred("ordinal", "ordered words: " + " < ".join(w for w in words if w in present))
    length = levels.iloc[:1000].str.split().str.len().median()
    if length >= _TEXT_WORDS and n_distinct > 0.5 * len(values):
        return Inferred("text", f"free text, about {length:.0f} words each")
    taken = _levels(values, n_distinct)
    if taken.scale == "identifier" and not _ID_NAME.search(name) and shares_words(levels):
        return Inferred("text", SHORT_TEXTS)
    return taken


def shares_words(texts: pd.Series) -> bool:
    """Whether texts that all differ share words, as names and addresses do but codes do not.

    Most of them must have a word of two letters or more that others have too, though not nearly
    all of them.

    Examples
    --------
    >>> import pandas as pd
    >>> shares_words(pd.Series([f"{t} {n}" for t in ("Mr", "Mrs") for n in "abcdefgh"]))
    True
    >>> shares_words(pd.Series([f"user-{i:05}" for i in range(20)]))
    False
    """
    sample = texts.iloc[:_WORD_SAMPLE].astype(str)
    if len(sample) < 2 * _SHARED_BY or sample.str.fullmatch(r"[0-9a-fA-F-]+").mean() > 0.5:
        return False
    words = [set(re.findall(r"[^\W\d_]{2,}", text.casefold())) for text in sample]
    counts = Counter(word for text in words for word in text)
    few, many = max(_SHARED_BY, 0.01 * len(words)), 0.95 * len(words)
    shared = {word for word, count in counts.items() if few <= count <= many}
    return sum(bool(text & shared) for text in words) >= 0.5 * len(words)


def _levels(values: pd.Series, n_distinct: int) -> Inferred:
    if n_distinct == len(values):
        return Inferred("identifier", "every row has its own value")
    if n_distinct > max(MAX_LEVELS, 0.5 * len(values)):
        return Inferred(
            "identifier", f"{n_distinct} levels in {len(values)} rows: too few rows for each"
        )
    if n_distinct > MAX_LEVELS:
        return Inferred("nominal", f"{n_distinct} levels, the rare ones pooled")
    return Inferred("nominal", f"{n_distinct} levels")


def _numbers(name: str, values: Floats, n_distinct: int, n_rows: int | None = None) -> Inferred:
    n = len(values) if n_rows is None else n_rows
    whole = bool((values % 1 == 0).all())
    low, high = float(values.min()), float(values.max())
    if whole and n_distinct == n:
        if _ID_NAME.search(name):
            return Inferred("identifier", "named as an identifier, every row has its own")
        if n >= MAX_LEVELS and low in (0, 1) and high - low == n - 1:
            return Inferred("identifier", "counts the rows")
    if n_distinct == 2:
        return Inferred("nominal", f"two values, {low:g} and {high:g}")
    if whole and low >= 0 and high <= 10 and n >= 5 * n_distinct:
        return Inferred("ordinal", f"whole numbers from {low:g} to {high:g}, as in ratings")
    return Inferred("numeric", "numbers, none negative" if low >= 0 else "numbers")
