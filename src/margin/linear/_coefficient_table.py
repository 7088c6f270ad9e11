"""The table of coefficients in a summary: estimates with their sampling law."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import stats

from margin.core import check, extra
from margin.core.types import Floats

if TYPE_CHECKING:
    import pandas as pd

LEVEL = 0.95


def check_level(owner: object, level: float) -> None:
    """Refuse a level of confidence that is not between 0 and 1."""
    if not 0 < level < 1:
        raise check.fail(owner, "level", "between 0 and 1", level)


def normal_columns(coef: Floats, std_error: Floats, level: float) -> dict[str, Any]:
    """Z statistics, two-sided p-values and limits of estimates that are normal in the limit.

    Examples
    --------
    >>> columns = normal_columns(np.array([1.96]), np.array([1.0]), 0.95)
    >>> {name: values.round(3).tolist() for name, values in columns.items()}
    {'z_value': [1.96], 'p_value': [0.05], 'low': [0.0], 'high': [3.92]}
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        z = coef / std_error
    reach = float(stats.norm.ppf(0.5 + 0.5 * level)) * std_error
    p = 2 * stats.norm.sf(np.abs(z))
    return {"z_value": z, "p_value": p, "low": coef - reach, "high": coef + reach}


def coefficient_frame(names: Sequence[str], columns: Mapping[str, Floats]) -> pd.DataFrame:
    """The table as a pandas frame, one row per coefficient."""
    pd = extra("pandas", "to_frame")
    return pd.DataFrame(dict(columns), index=list(names))


def coefficient_lines(
    names: Sequence[str], columns: Mapping[str, Floats], level: float
) -> list[str]:
    """The table as text: estimate, standard error, statistic, p-value and interval."""
    width = max(9, *(len(name) for name in names))
    head, *_ = (name for name in columns if name in ("t", "z"))
    percent = f"{100 * level:g} %"
    lines = [
        f"{'':<{width}} {'coef':>11} {'std error':>11} {head:>8} {'p':>8}   {percent} interval"
    ]
    rows = zip(names, *columns.values(), strict=True)
    for name, c, s, t, p, low, high in rows:
        lines.append(
            f"{name:<{width}} {c:>11.4g} {s:>11.4g} {t:>8.2f} {p:>8.3f}   {low:.4g} to {high:.4g}"
        )
    return lines
