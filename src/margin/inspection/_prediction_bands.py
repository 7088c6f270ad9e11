"""Predictions that are distributions, drawn: the mean, and bands that hold new targets."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import _safe_indexing

from margin.core import check, extra
from margin.core.types import Array, Floats
from margin.inspection._columns import column_names, column_number

_LINE, _DATA = "#2e86ab", "#1b1f23"


@dataclass(frozen=True, eq=False)
class PredictionBands:
    """Means and central intervals of predictions along one feature.

    Parameters
    ----------
    name : str
        The feature.
    at : ndarray of shape (n_rows,)
        Its values, in increasing order.
    mean : ndarray of shape (n_rows,)
        Means of the predictions.
    levels : tuple of float
        Probabilities of the bands, in decreasing order.
    low, high : ndarray of shape (n_levels, n_rows)
        Ends of the bands.
    """

    name: str
    at: Array
    mean: Floats
    levels: tuple[float, ...]
    low: Floats
    high: Floats

    def plot(
        self, x: ArrayLike | None = None, y: ArrayLike | None = None, *, ax: Any = None
    ) -> Any:
        """The mean as a line, the bands around it, and data as points where they are given.

        Parameters
        ----------
        x, y : array-like of shape (n_data,), optional
            Values of the feature and targets, to be drawn as points.
        ax : matplotlib Axes, optional
            Where to draw; a new figure when absent.

        Returns
        -------
        matplotlib Axes
        """
        if (x is None) != (y is None):
            raise check.fail(self, "x and y", "given together", "one of them")
        plt = extra("matplotlib.pyplot", "PredictionBands.plot")
        if ax is None:
            ax = plt.subplots(figsize=(6.4, 3.9), layout="constrained")[1]
        shades = np.linspace(0.14, 0.32, len(self.levels)) if len(self.levels) > 1 else [0.2]
        for level, low, high, shade in zip(self.levels, self.low, self.high, shades, strict=True):
            name = f"{100 * level:.3g} %"
            ax.fill_between(self.at, low, high, color=_LINE, alpha=float(shade), lw=0, label=name)
        ax.plot(self.at, self.mean, color=_LINE, lw=2, label="mean")
        if x is not None and y is not None:
            ax.plot(np.ravel(x), np.ravel(y), "o", ms=3.5, color=_DATA, alpha=0.7, label="data")
        ax.set(xlabel=self.name, ylabel="target")
        ax.legend(frameon=False)
        return ax


def prediction_bands(
    model: Any,
    X: Any,
    feature: int | str = 0,
    *,
    levels: Sequence[float] = (0.5, 0.9),
    **options: Any,
) -> PredictionBands:
    r"""Mean and quantile bands of ``model.predict_dist(X)`` along one feature.

    A band of level :math:`p` goes from the quantile :math:`(1 - p)/2` to :math:`(1 + p)/2`.

    Parameters
    ----------
    model : fitted estimator with ``predict_dist``
        A process, a Bayesian regression, a quantile forest, …
    X : array-like or frame of shape (n_rows, n_features)
        Where to predict; usually a fine grid of one feature, the others held. A plain vector is one
        column.
    feature : int or str, default=0
        The column along which to draw.
    levels : sequence of float, default=(0.5, 0.9)
        Probabilities of the bands, each between 0 and 1.
    **options
        Passed to ``predict_dist``: ``latent=True`` of a process leaves the noise of new data out.

    Returns
    -------
    PredictionBands
        With a ``plot``.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.inspection import prediction_bands
    >>> from margin.linear import BayesianLinearRegression
    >>> x = np.linspace(0, 1, 30)
    >>> y = 2 * x + np.random.default_rng(0).normal(scale=0.1, size=30)
    >>> model = BayesianLinearRegression().fit(x[:, None], y)
    >>> bands = prediction_bands(model, np.linspace(0, 1, 5))
    >>> bool(np.allclose(bands.mean, model.predict(np.linspace(0, 1, 5)[:, None])))
    True
    >>> bool(np.all(bands.low < bands.mean) and np.all(bands.mean < bands.high))
    True
    """
    wanted = tuple(sorted(map(float, levels), reverse=True))
    if not wanted or not 0 < wanted[-1] <= wanted[0] < 1:
        raise check.fail("prediction_bands", "levels", "between 0 and 1, excluded", levels)
    if not hasattr(model, "predict_dist"):
        need = "an estimator with predict_dist"
        raise check.fail("prediction_bands", "model", need, type(model).__name__)
    table = np.asarray(X)[:, None] if np.ndim(X) == 1 else X
    names = column_names(table, np.shape(table)[1])
    column = column_number(names, feature)
    at = np.asarray(_safe_indexing(table, column, axis=1))
    law = model.predict_dist(table, **options)
    mean = np.asarray(law.mean, dtype=np.float64)
    if mean.ndim != 1:
        raise check.fail("prediction_bands", "model", "one of a single target", mean.shape)
    order = np.argsort(at, kind="stable")
    low = np.array([np.asarray(law.quantile((1 - p) / 2))[order] for p in wanted])
    high = np.array([np.asarray(law.quantile((1 + p) / 2))[order] for p in wanted])
    return PredictionBands(names[column], at[order], mean[order], wanted, low, high)
