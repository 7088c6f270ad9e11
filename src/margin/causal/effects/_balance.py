"""Whether groups are comparable: covariates and propensities before and after weighting."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from margin.core import extra
from margin.core.types import Bools, Floats


@dataclass(frozen=True, eq=False)
class BalanceReport:
    r"""Differences of the covariates between a level and the baseline (causal.19).

    .. math:: d = \frac{\bar x_1 - \bar x_0}{\sqrt{(s_1^2 + s_0^2) / 2}}

    Parameters
    ----------
    columns : tuple of str
        Covariates.
    before, after : ndarray of shape (p,)
        Standardised differences of the means as the groups were, and with the weights of the
        method; a common rule calls 0.1 comparable.
    variance_ratio : ndarray of shape (p,)
        Variances of the level over those of the baseline, weighted.
    overlap : tuple of float
        Smallest and largest propensity.
    effective_rows : tuple of float
        Rows that the weights are worth, for the baseline and the level.
    """

    columns: tuple[str, ...]
    before: Floats
    after: Floats
    variance_ratio: Floats = field(repr=False)
    overlap: tuple[float, float] | None = None
    effective_rows: tuple[float, float] = (0.0, 0.0)

    @property
    def worst(self) -> float:
        """Largest difference that is left."""
        return float(np.abs(self.after).max()) if len(self.after) else 0.0

    def to_frame(self) -> Any:
        """One row per covariate."""
        pd = extra("pandas", "a frame of balance")
        return pd.DataFrame(
            {"before": self.before, "after": self.after, "variance_ratio": self.variance_ratio},
            index=list(self.columns),
        )

    def plot(self, ax: Any = None) -> Any:
        """Love plot: the size of every difference before and after."""
        plt = extra("matplotlib.pyplot", "a picture of balance")
        ax = plt.subplots(layout="constrained")[1] if ax is None else ax
        order = np.argsort(np.abs(self.before))
        places = np.arange(len(order))
        for values, marker, label in (
            (self.before, "o", "before"), (self.after, "D", "after"),
        ):  # fmt: skip
            ax.plot(np.abs(values[order]), places, marker, label=label)
        ax.axvline(0.1, color="0.6", linestyle="--", linewidth=1)
        ax.set_yticks(places, [self.columns[i] for i in order])
        ax.set_xlabel("standardised difference of means, absolute")
        ax.set_xlim(left=0)
        ax.legend()
        return ax


def balance_report(
    X: Floats,
    columns: tuple[str, ...],
    treated: Bools,
    control: Bools,
    weight: Floats,
    balancing: Floats | None,
    propensity: Floats | None = None,
) -> BalanceReport:
    """Compare two groups before and after weighting.

    Examples
    --------
    >>> import numpy as np
    >>> X, group = np.array([[0.0], [2.0], [2.0], [0.0]]), np.array([True, True, False, False])
    >>> report = balance_report(X, ("x",), group, ~group, np.array([1, 3, 1, 1.0]), None)
    >>> report.before.round(4)
    array([0.5345])
    """
    after = weight if balancing is None else weight * balancing
    spread = _moments(X, treated, weight)[1] + _moments(X, control, weight)[1]
    scale = np.sqrt(spread / 2)
    scale[scale == 0] = 1.0
    gaps, ratio = [], np.ones(X.shape[1])
    for use in (weight, after):
        (m1, v1), (m0, v0) = _moments(X, treated, use), _moments(X, control, use)
        gaps.append((m1 - m0) / scale)
        ratio = np.where(v0 > 0, v1 / np.where(v0 > 0, v0, 1.0), 1.0)
    effective = tuple(
        float(after[g].sum() ** 2 / (after[g] ** 2).sum()) for g in (control, treated)
    )
    shown = None if propensity is None else (float(propensity.min()), float(propensity.max()))
    return BalanceReport(columns, gaps[0], gaps[1], ratio, shown, effective)  # type: ignore[arg-type]


def _moments(X: Floats, group: Bools, weight: Floats) -> tuple[Floats, Floats]:
    w = weight[group] / weight[group].sum()
    mean = w @ X[group]
    return mean, w @ (X[group] - mean) ** 2
