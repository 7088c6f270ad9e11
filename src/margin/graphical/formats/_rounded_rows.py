"""Rows of a file that sum to one but for the digits the writer left out."""

import warnings
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from margin.core.types import Bools, Floats
from margin.graphical.formats._network_file import ParsedNetwork

# Sums that differ by less are those of numbers with all their digits.
_EXACT = 1e-9
# However few digits a file has, a sum further off is a mistake.
_MOST = 0.0101


def whole_rows(reader: str, parsed: ParsedNetwork) -> ParsedNetwork:
    r"""The network with rows scaled to sum to one where only rounding keeps them from it.

    A row of :math:`k` numbers of which the file shows :math:`d` digits may miss one by
    :math:`k\,10^{-d}`: six digits of three thirds sum to 0.999999. Such rows are scaled, and a
    warning says so. Rows that miss by more are left for the checks of the network.

    Examples
    --------
    >>> thirds = ParsedNetwork({}, {"x": ()}, {"x": np.array([0.333333] * 3)})
    >>> with warnings.catch_warnings(record=True) as told:
    ...     warnings.simplefilter("always")
    ...     whole = whole_rows("from_bif", thirds)
    >>> float(whole.tables["x"].sum())
    1.0
    >>> print(told[0].message)
    from_bif: 1 row of 'x' scaled to sum to 1 (rounded to 6 digits, off by at most 1e-06)
    """
    suspect = {name: _misses(table) for name, table in parsed.tables.items()}
    suspect = {name: missed for name, missed in suspect.items() if (missed > _EXACT).any()}
    if not suspect:
        return parsed
    digits = max(_digits(table) for table in parsed.tables.values())
    tables, scaled, largest = dict(parsed.tables), {}, 0.0
    for name, missed in suspect.items():
        table = parsed.tables[name]
        rows: Bools = (missed > _EXACT) & (missed <= min(table.shape[-1] * 10.0**-digits, _MOST))
        if rows.any():
            sums = np.where(rows, table.sum(axis=-1), 1.0)
            tables[name] = table / sums[..., None]
            scaled[name] = int(rows.sum())
            largest = max(largest, float(missed[rows].max()))
    if scaled:
        _tell(reader, scaled, digits, largest)
    return replace(parsed, tables=tables)


def _misses(table: Floats) -> Floats:
    missed: Floats = np.abs(table.sum(axis=-1) - 1.0)
    return missed


def _digits(table: Floats) -> int:
    """Most significant digits that an entry of a table was written with."""
    texts = (repr(value).partition("e")[0] for value in np.unique(table).tolist())
    return max((len(text.replace(".", "").strip("0")) for text in texts), default=1)


def _tell(reader: str, scaled: Mapping[str, int], digits: int, largest: float) -> None:
    rows = sum(scaled.values())
    names = ", ".join(map(repr, list(scaled)[:3])) + (", …" if len(scaled) > 3 else "")
    warnings.warn(
        f"{reader}: {rows} row{'s' if rows > 1 else ''} of {names} scaled to sum to 1 "
        f"(rounded to {digits} digits, off by at most {largest:.1g})",
        UserWarning,
        stacklevel=5,
    )
