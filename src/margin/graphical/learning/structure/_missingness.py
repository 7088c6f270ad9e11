"""What the pattern of unknown values depends on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.search import Categories, bonferroni, table_test


@dataclass(frozen=True)
class MissingnessReport:
    """Tests of whether values are missing completely at random (graphical.21).

    Parameters
    ----------
    fraction : dict of column to float
        Share of unknown values.
    p_values : dict of (column with unknown values, other column) to float
        p-value of the G-test of "the first is unknown" against the value of the second, on the rows
        that know the second.
    p_value : float
        All of them together, by Bonferroni.
    alpha : float
        Level of the verdict.

    Notes
    -----
    A small p-value refutes "missing completely at random" (MCAR), in which case the mechanism is at
    best "missing at random" (MAR): dependent on values that are seen. No test of the data can tell
    MAR from dependence on the unknown values themselves, since those are not seen; EM and the
    likelihood are unbiased under MAR and not otherwise.
    """

    fraction: dict[Any, float]
    p_values: dict[tuple[Any, Any], float]
    p_value: float
    alpha: float = 0.05

    @property
    def verdict(self) -> str:
        """``"complete"``, ``"not MCAR"`` or ``"MCAR not refuted"``; MAR cannot be verified."""
        if not any(self.fraction.values()):
            return "complete"
        return "not MCAR" if self.p_value <= self.alpha else "MCAR not refuted"

    def __repr__(self) -> str:
        lines = [f"missing values: {self.verdict} (p = {self.p_value:.3g})"]
        lines += [f"  {name!s:<12} {f:.1%} unknown" for name, f in self.fraction.items() if f]
        strong = sorted((p, pair) for pair, p in self.p_values.items() if p <= self.alpha)
        lines += [f"  {a!s} unknown depends on {b!s} (p = {p:.3g})" for p, (a, b) in strong[:10]]
        lines.append("  MAR cannot be verified from the data")
        return "\n".join(lines)


def missingness_report(
    frame: Any, *, alpha: float = 0.05, n_bins: int = 4, sample_weight: Any = None
) -> MissingnessReport:
    """Test every column's pattern of unknown values against every other column (graphical.21).

    Parameters
    ----------
    frame : frame or array
        Columns; those of many different numbers are cut into ``n_bins`` equally frequent parts.
    alpha : float
        Level of the verdict.
    n_bins : int
        Parts of a numeric column.

    Examples
    --------
    >>> rows = [["a", 1.0]] * 20 + [["b", None]] * 20 + [["b", 1.0]] * 5
    >>> missingness_report(rows).verdict
    'not MCAR'
    """
    table = Categories.of("missingness_report", frame, sample_weight=sample_weight)
    weight = np.ones(table.n_rows) if table.weight is None else table.weight
    cards = table.cards
    unknown = table.codes == cards[:, None]
    fraction = {
        name: float(weight @ gone / weight.sum())
        for name, gone in zip(table.names, unknown, strict=True)
    }
    coarse = [_binned(table, j, n_bins) for j in range(len(cards))]
    p_values = {}
    for i in np.flatnonzero(unknown.any(axis=1)).tolist():
        for j in range(len(cards)):
            if i == j:
                continue
            seen = ~unknown[j]
            counts = np.zeros((2, int(coarse[j].max()) + 1))
            np.add.at(counts, (unknown[i, seen].astype(int), coarse[j][seen]), weight[seen])
            result = table_test(counts)
            if result.dof > 0:
                p_values[table.names[i], table.names[j]] = result.p_value
    return MissingnessReport(fraction, p_values, bonferroni(list(p_values.values())), alpha)


def _binned(table: Categories, column: int, n_bins: int) -> Any:
    code = table.codes[column].astype(np.int64)
    states = table.states[column]
    numeric = all(isinstance(s, int | float) and not isinstance(s, bool) for s in states)
    if not numeric or len(states) <= 2 * n_bins:
        return code
    known = code < len(states)
    cuts = np.quantile(code[known], np.arange(1, n_bins) / n_bins)
    return np.searchsorted(cuts, code, side="right")
