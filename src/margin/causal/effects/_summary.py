"""Estimates with their errors as a table."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import norm

from margin.core import extra
from margin.core.types import Floats


@dataclass(frozen=True, eq=False, repr=False)
class EffectSummary:
    """What was estimated, how, and how sure it is.

    Parameters
    ----------
    title : str
        Method.
    names : tuple of str
        Contrasts.
    effect, std_error : ndarray of shape (m,)
    interval : ndarray of shape (m, 2)
    level : float
        Of the intervals.
    n : int
        Rows.
    facts : mapping of str to object
        Further lines.
    notes : tuple of str
    ranks : ndarray of shape (m,), optional
        p-values by placebos, where errors are not known.
    unit : str
        What ``n`` counts.

    Examples
    --------
    >>> EffectSummary("matching", ("b - a",), np.array([1.0]), np.array([0.5]),
    ...               np.array([[0.02, 1.98]]), 0.95, 100)
    matching, 100 rows
              effect  std. error       p    2.5 %   97.5 %
    b - a     1.0000      0.5000  0.0455   0.0200   1.9800
    """

    title: str
    names: tuple[str, ...]
    effect: Floats
    std_error: Floats
    interval: Floats
    level: float
    n: int
    facts: Mapping[str, Any] | None = None
    notes: tuple[str, ...] = ()
    ranks: Floats | None = None
    unit: str = "rows"

    @property
    def p_values(self) -> Floats:
        """Two-sided, of no effect."""
        if self.ranks is not None:
            return self.ranks
        with np.errstate(divide="ignore", invalid="ignore"):
            z = np.abs(self.effect) / self.std_error
        return np.asarray(2 * norm.sf(np.where(np.isnan(z), 0.0, z)))

    def to_frame(self) -> Any:
        """One row per contrast."""
        pd = extra("pandas", "a frame of effects")
        return pd.DataFrame(
            {
                "effect": self.effect, "std_error": self.std_error, "p_value": self.p_values,
                "low": self.interval[:, 0], "high": self.interval[:, 1],
            },
            index=list(self.names),
        )  # fmt: skip

    def __repr__(self) -> str:
        wide = max(8, *(len(name) for name in self.names))
        tails = [f"{100 * t:.3g} %" for t in (0.5 - self.level / 2, 0.5 + self.level / 2)]
        head = f"{'':{wide}} {'effect':>7}  std. error       p {tails[0]:>8} {tails[1]:>8}"
        lines = [f"{self.title}, {self.n} {self.unit}", head]
        for name, effect, error, p, (low, high) in zip(
            self.names, self.effect, self.std_error, self.p_values, self.interval, strict=True
        ):
            lines.append(
                f"{name:{wide}} {effect:7.4f}  {error:10.4f}  {p:6.4f} {low:8.4f} {high:8.4f}"
            )
        lines += [f"{key}: {value}" for key, value in (self.facts or {}).items()]
        lines += [f"note: {note}" for note in self.notes]
        return "\n".join(lines)
