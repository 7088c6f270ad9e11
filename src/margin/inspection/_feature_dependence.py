"""How predictions change with one or two features, on average and row by row."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import _safe_indexing

from margin.core import check, extra
from margin.core.types import Array, Floats
from margin.inspection._columns import column_names, column_number, editable, set_column, table_of


@dataclass(frozen=True, eq=False)
class FeatureDependence:
    """Predictions with features set to the values of a grid.

    Parameters
    ----------
    names : tuple of str
        The one or two features.
    grid : tuple of ndarray
        Their values.
    individual : ndarray of shape (n_rows, n_values, …)
        Predictions of every row (individual conditional expectations).
    weight : ndarray of shape (n_rows,)
        Weights of the rows, which sum to one.
    """

    names: tuple[str, ...]
    grid: tuple[Array, ...]
    individual: Floats
    weight: Floats

    @property
    def average(self) -> Floats:
        """Mean over the rows."""
        return np.asarray(np.tensordot(self.weight, self.individual, axes=1))

    def plot(
        self, *, lines: int = 50, centred: bool = False, random_state: Any = 0, ax: Any = None
    ) -> Any:
        """The mean as a thick line over those of single rows; of two features, a map.

        Parameters
        ----------
        lines : int, default=50
            Rows shown.
        centred : bool, default=False
            Whether every line starts at zero, so that shapes can be compared.
        random_state : int, Generator or RandomState, default=0
            Which rows.
        ax : matplotlib Axes, optional
            Where to draw; a new figure when absent.

        Returns
        -------
        matplotlib Axes
        """
        plt = extra("matplotlib.pyplot", "FeatureDependence.plot")
        if ax is None:
            ax = plt.subplots(figsize=(6.0, 3.8), layout="constrained")[1]
        if len(self.grid) == 2:
            drawn = ax.contourf(self.grid[0], self.grid[1], self.average.T, levels=12)
            ax.figure.colorbar(drawn, ax=ax, label="mean prediction")
            ax.set(xlabel=self.names[0], ylabel=self.names[1])
            return ax
        rng = np.random.default_rng(random_state)
        n = len(self.individual)
        rows = rng.choice(n, size=min(lines, n), replace=False)
        shown, mean = self.individual[rows], self.average
        if centred:
            shown, mean = shown - shown[:, :1], mean - mean[0]
        ax.plot(self.grid[0], shown.T, color="0.65", lw=0.6, alpha=0.7)
        ax.plot(self.grid[0], mean, color="#b2182b", lw=2.4, label="mean of all rows")
        ax.set(xlabel=self.names[0], ylabel="prediction" + (", change" if centred else ""))
        ax.legend(frameon=False)
        return ax


def feature_dependence(
    model: Any,
    X: Any,
    features: int | str | Sequence[int | str],
    *,
    grid_resolution: int = 50,
    percentiles: tuple[float, float] = (0.05, 0.95),
    method: Literal["auto", "predict", "predict_proba", "decision_function"] = "auto",
    target: int = -1,
    sample_weight: ArrayLike | None = None,
) -> FeatureDependence:
    """Mean prediction, and that of every row, with one or two features set to given values.

    Parameters
    ----------
    model : fitted estimator
    X : array-like or frame of shape (n_rows, n_features)
        Rows over which the other features are averaged.
    features : int, str or pair of them
        Columns, by number or by name.
    grid_resolution : int, default=50
        Values per feature; a feature with fewer distinct ones has just these.
    percentiles : pair of float, default=(0.05, 0.95)
        Range of the grid.
    method : {"auto", "predict", "predict_proba", "decision_function"}, default="auto"
        What the model is asked; by default probabilities where it has them.
    target : int, default=-1
        Which class of probabilities or decision values.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows in the mean.

    Returns
    -------
    FeatureDependence

    Notes
    -----
    One prediction of all rows for each point of the grid.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.inspection import feature_dependence
    >>> from margin.linear import LinearRegression
    >>> X = np.random.default_rng(0).normal(size=(50, 2))
    >>> seen = feature_dependence(LinearRegression().fit(X, X @ [2.0, 1.0]), X, 0)
    >>> slope = np.diff(seen.average) / np.diff(seen.grid[0])
    >>> bool(np.allclose(slope, 2.0))
    True
    """
    X = table_of("feature_dependence", X)
    n_rows, n_features = np.shape(X)
    names = column_names(X, n_features)
    asked = [features] if isinstance(features, int | np.integer | str) else list(features)
    if not 1 <= len(asked) <= 2:
        raise check.fail("feature_dependence", "features", "one or two columns", features)
    columns = [column_number(names, feature) for feature in asked]
    grid = tuple(_grid(_safe_indexing(X, c, axis=1), grid_resolution, percentiles) for c in columns)
    weight = check.weights("feature_dependence", sample_weight, n_rows)
    share = np.full(n_rows, 1 / n_rows) if weight is None else weight / weight.sum()

    table = editable(X)
    individual = np.empty((n_rows, *map(len, grid)))
    for point in np.ndindex(*map(len, grid)):
        for column, values, at in zip(columns, grid, point, strict=True):
            set_column(table, column, values[at])
        individual[(slice(None), *point)] = _ask(model, table, method, target)
    return FeatureDependence(tuple(names[c] for c in columns), grid, individual, share)


def _grid(column: Any, resolution: int, percentiles: tuple[float, float]) -> Array:
    values = np.asarray(column)
    if values.dtype.kind not in "fiub":
        return np.unique(values)
    known = values[np.isfinite(values.astype(np.float64))]
    distinct = np.unique(known)
    if not len(distinct):
        raise check.fail("feature_dependence", "features", "a column with finite values", "none")
    if len(distinct) <= resolution:
        return distinct
    low, high = np.quantile(known, percentiles)
    return np.linspace(low, high, resolution)


def _ask(model: Any, table: Any, method: str, target: int) -> Floats:
    if method == "auto":
        known = ("predict_proba", "decision_function", "predict")
        method = next(name for name in known if hasattr(model, name))
    if not hasattr(model, method):
        need = f"one that {type(model).__name__} has"
        raise check.fail("feature_dependence", "method", need, method)
    answer = np.asarray(getattr(model, method)(table))
    if answer.dtype.kind not in "fiub":
        need = "'predict_proba' or 'decision_function' of a model that has it, for labels"
        raise check.fail("feature_dependence", "method", need, method)
    answer = answer.astype(np.float64)
    return np.asarray(answer[:, target] if answer.ndim == 2 else answer)
