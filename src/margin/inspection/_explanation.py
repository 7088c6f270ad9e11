"""What each feature adds to each prediction."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import extra
from margin.core.types import Array, Floats
from margin.inspection._columns import column_number

_LOW, _HIGH = "#2166ac", "#b2182b"


@dataclass(frozen=True, eq=False)
class Explanation:
    """Shapley values of predictions: with the base they add up to the prediction of each row.

    Parameters
    ----------
    values : ndarray of shape (n_rows, n_features, n_outputs)
        What every feature adds, before the link.
    base : ndarray of shape (n_outputs,)
        Prediction when nothing is known.
    data : ndarray of shape (n_rows, n_features)
        The rows.
    feature_names : tuple of str
    interactions : ndarray of shape (n_rows, n_features, n_features, n_outputs) or None
        The same values shared out over pairs of features.

    Examples
    --------
    >>> import numpy as np
    >>> shown = Explanation(np.array([[[1.0], [-3.0]]]), np.zeros(1), np.zeros((1, 2)), ("a", "b"))
    >>> shown.importance(), shown.prediction.ravel()
    (array([1., 3.]), array([-2.]))
    """

    values: Floats
    base: Floats
    data: Array
    feature_names: tuple[str, ...]
    interactions: Floats | None = None

    @property
    def prediction(self) -> Floats:
        """Predictions before the link, of shape (n_rows, n_outputs)."""
        return np.asarray(self.values.sum(axis=1) + self.base)

    def importance(self, output: int = 0) -> Floats:
        """Mean size of the values of each feature."""
        return np.asarray(np.abs(self.values[:, :, output]).mean(axis=0))

    def plot_summary(self, *, output: int = 0, most: int = 12, ax: Any = None) -> Any:
        """Values of all rows, a line of dots per feature, the most important on top.

        Parameters
        ----------
        output : int, default=0
            Which output.
        most : int, default=12
            Features shown.
        ax : matplotlib Axes, optional
            Where to draw; a new figure when absent.

        Returns
        -------
        matplotlib Axes
        """
        order = np.argsort(self.importance(output), kind="stable")[::-1][:most][::-1]
        ax = _axes(ax, (7.0, 1.2 + 0.42 * len(order)))
        dots = None
        for line, feature in enumerate(order):
            value = self.values[:, feature, output]
            dots = ax.scatter(
                value,
                line + _spread(value),
                c=_ranks(self.data[:, feature]),
                cmap="coolwarm",
                vmin=0.0,
                vmax=1.0,
                s=9,
                linewidths=0,
            )
        ax.axvline(0.0, color="0.6", lw=0.8, zorder=0)
        ax.set_yticks(range(len(order)), [self.feature_names[j] for j in order])
        ax.set_xlabel("Shapley value: what the feature adds to the prediction")
        if dots is not None:
            bar = ax.figure.colorbar(dots, ax=ax, ticks=[0, 1], pad=0.02)
            bar.ax.set_yticklabels(["low", "high"])
            bar.set_label("value of the feature")
        return ax

    def plot_waterfall(self, row: int, *, output: int = 0, most: int = 10, ax: Any = None) -> Any:
        """From the base to the prediction of one row, a bar per feature.

        Parameters
        ----------
        row : int
            Which row.
        output : int, default=0
            Which output.
        most : int, default=10
            Features with a bar of their own; the rest share one.
        ax : matplotlib Axes, optional
            Where to draw; a new figure when absent.

        Returns
        -------
        matplotlib Axes
        """
        value = self.values[row, :, output]
        order = np.argsort(-np.abs(value), kind="stable")
        names = [f"{self.feature_names[j]} = {_short(self.data[row, j])}" for j in order[:most]]
        steps = list(value[order[:most]])
        if len(order) > most:
            names.append(f"{len(order) - most} others")
            steps.append(float(value[order[most:]].sum()))
        ends = float(self.base[output]) + np.cumsum(steps[::-1])[::-1]
        starts = ends - steps
        lines = np.arange(len(steps))[::-1]
        ax = _axes(ax, (7.0, 1.4 + 0.4 * len(steps)))
        colors = [_HIGH if step > 0 else _LOW for step in steps]
        ax.barh(lines, steps, left=starts, color=colors, height=0.62)
        for line, start, step in zip(lines, starts, steps, strict=True):
            side = "left" if step >= 0 else "right"
            gap = 3 if step >= 0 else -3
            ax.annotate(
                f"{step:+.3g}",
                (start + step, line),
                xytext=(gap, 0),
                textcoords="offset points",
                ha=side,
                va="center",
                fontsize=8,
            )
        ax.axvline(float(self.base[output]), color="0.6", lw=0.8, ls="--", zorder=0)
        ax.set_yticks(lines, names)
        low, high = min(starts.min(), ends.min()), max(starts.max(), ends.max())
        room = 0.12 * max(high - low, 1e-12)
        ax.set_xlim(low - room, high + room)
        total = float(self.base[output]) + float(value.sum())
        ax.set_xlabel(f"from {self.base[output]:.4g} (nothing known) to {total:.4g} (all known)")
        return ax

    def plot_dependence(self, feature: int | str, *, output: int = 0, ax: Any = None) -> Any:
        """Values of one feature against the feature itself.

        Parameters
        ----------
        feature : int or str
            Column, by number or by name.
        output : int, default=0
            Which output.
        ax : matplotlib Axes, optional
            Where to draw; a new figure when absent.

        Returns
        -------
        matplotlib Axes
        """
        column = column_number(self.feature_names, feature)
        ax = _axes(ax, (6.0, 3.8))
        ax.scatter(self.data[:, column], self.values[:, column, output], s=10, linewidths=0)
        ax.axhline(0.0, color="0.6", lw=0.8, zorder=0)
        ax.set_xlabel(self.feature_names[column])
        ax.set_ylabel("Shapley value")
        return ax


def _axes(ax: Any, size: tuple[float, float]) -> Any:
    if ax is not None:
        return ax
    plt = extra("matplotlib.pyplot", "Explanation")
    return plt.subplots(figsize=size, layout="constrained")[1]


def _ranks(values: Array) -> Floats:
    """Ranks between 0 and 1, the middle for missing values: colours that outliers do not spoil."""
    known = np.asarray(values, dtype=np.float64)
    ranks = np.full(len(known), 0.5)
    finite = np.isfinite(known)
    distinct, place = np.unique(known[finite], return_inverse=True)
    if len(distinct) > 1:
        ranks[finite] = place / (len(distinct) - 1)
    return ranks


def _spread(values: Floats, bins: int = 60, width: float = 0.36) -> Floats:
    """Heights at which dots of equal place lie beside one another."""
    low, high = float(values.min()), float(values.max())
    cell = np.minimum(((values - low) / max(high - low, 1e-300) * bins).astype(int), bins - 1)
    counts = np.bincount(cell, minlength=bins)
    heights = np.zeros(len(values))
    for b in np.flatnonzero(counts):
        rows = np.flatnonzero(cell == b)
        n = len(rows)
        heights[rows] = (np.arange(n) - (n - 1) / 2) / max(n - 1, 1)
        heights[rows] *= 2 * width * (n / counts.max()) ** 0.5 if n > 1 else 0.0
    return heights


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float | np.floating) else str(value)
