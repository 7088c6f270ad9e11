"""Which regression suits the noise and the shape of the problem."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from margin.core import check
from margin.linear.curves._locally_weighted import LocallyWeightedRegression
from margin.linear.least_squares._constrained_least_squares import ConstrainedLeastSquares
from margin.linear.least_squares._nonlinear_least_squares import NonlinearLeastSquares
from margin.linear.least_squares._total_least_squares import TotalLeastSquares
from margin.linear.regression._linear_regression import LinearRegression
from margin.linear.regression._poisson_regression import PoissonRegressor
from margin.linear.regression._robust_regression import RobustRegressor

_NOISES = ("auto", "gaussian", "poisson", "outliers")
_SMALL_COUNT = 30.0  # above this mean a count is as good as Gaussian
_FAR_SHARE = 0.005  # of the rows beyond 4.7 standard deviations; Gaussian noise has 3e-6


@dataclass(frozen=True)
class RegressionChoice:
    """A recommended estimator, not yet fitted, and why.

    Parameters
    ----------
    estimator : estimator
        Ready for ``fit(X, y)``.
    reason : str
        What speaks for it, in words.
    needs_weights : bool
        Whether ``fit`` should be given ``sample_weight``, one over the noise variance of the row.
    """

    estimator: Any
    reason: str
    needs_weights: bool = False


def choose_regression(
    X: Any,
    y: Any,
    *,
    noise: str = "auto",
    noisy_features: bool = False,
    equal_noise: bool = True,
    linear: bool = True,
    function: Any = None,
    p0: Any = None,
) -> RegressionChoice:
    """Recommend a regression from what is known about the noise and the curve (linear.02).

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    noise : {"auto", "gaussian", "poisson", "outliers"}, default="auto"
        Kind of noise in ``y``; ``"auto"`` looks for small counts and for rows far from a robust
        fit.
    noisy_features : bool, default=False
        Whether the features carry errors of measurement too.
    equal_noise : bool, default=True
        Whether the noise is the same in every row.
    linear : bool, default=True
        Whether ``y`` is a linear function of the features, but for the noise.
    function, p0 : callable and array-like, optional
        Formula of a curve that is not linear, and parameters to start from, as
        :class:`NonlinearLeastSquares` takes them.

    Returns
    -------
    RegressionChoice

    Notes
    -----
    The first that applies: a formula; no formula and not linear; noise in the features; counts;
    fewer rows than unknowns; outliers; unequal noise; none of these.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.arange(12.0)[:, None]
    >>> y = x[:, 0] + np.cos(5 * x[:, 0])
    >>> choose_regression(x, y).estimator
    LinearRegression()
    >>> y[4] += 80
    >>> choose_regression(x, y).reason
    '1 of 12 rows lie far from the rest: a robust loss keeps them from spoiling the fit'
    """
    if noise not in _NOISES:
        raise check.fail("choose_regression", "noise", f"one of {_NOISES}", noise)
    X, y, _ = check.data(LinearRegression(), X, y)
    if function is not None or not linear:
        return _curved(noise, function, p0)
    if noisy_features:
        return RegressionChoice(
            TotalLeastSquares(),
            "the features are noisy too: least squares would shrink the slopes, the distance to "
            "the hyperplane does not; set noise_ratio if the noises differ",
        )
    if noise == "poisson" or (noise == "auto" and _small_counts(y)):
        return RegressionChoice(
            PoissonRegressor(),
            "the targets are counts, whose variance grows with their mean: a logarithmic link; "
            "link='sqrt' is the shortcut by a variance-stabilising transform",
        )
    return _straight(X, y, noise, equal_noise)


def _curved(noise: str, function: Any, p0: Any) -> RegressionChoice:
    if function is not None and noise in ("auto", "gaussian"):
        return RegressionChoice(
            NonlinearLeastSquares(function=function, p0=p0),
            "a formula with additive Gaussian noise: non-linear least squares fits its parameters",
        )
    if noise in ("auto", "gaussian"):
        return RegressionChoice(
            LocallyWeightedRegression(),
            "a curve without a formula: planes fitted around each query follow it",
        )
    if noise == "outliers":
        return RegressionChoice(
            LocallyWeightedRegression(robust_iter=3),
            "a curve with outliers: local planes, with the rows reweighted by their residuals",
        )
    from sklearn.ensemble import RandomForestRegressor

    return RegressionChoice(
        RandomForestRegressor(criterion="poisson"),
        "a curve with noise that is not Gaussian: a regression forest assumes neither, here "
        "with splits by the deviance of counts",
    )


def _straight(X: Any, y: Any, noise: str, equal_noise: bool) -> RegressionChoice:
    n, p = X.shape
    if n <= p:
        return RegressionChoice(
            ConstrainedLeastSquares(),
            f"{n} rows cannot determine {p} coefficients and an intercept: the shortest solution, "
            "or constraints you know; Ridge and Lasso are the usual alternatives",
        )
    far = _far_rows(X, y) if noise == "auto" else 0
    if noise == "outliers" or far > _FAR_SHARE * n:
        who = f"{far} of {n} rows lie" if noise == "auto" else "some rows lie"
        return RegressionChoice(
            RobustRegressor(),
            f"{who} far from the rest: a robust loss keeps them from spoiling the fit",
        )
    if not equal_noise:
        return RegressionChoice(
            LinearRegression(),
            "the noise differs from row to row: weighted least squares, each row weighing one "
            "over its noise variance",
            needs_weights=True,
        )
    return RegressionChoice(
        LinearRegression(),
        "a linear function with equal Gaussian noise in y alone: ordinary least squares is the "
        "most likely and the best unbiased fit",
    )


def _small_counts(y: Any) -> bool:
    whole = bool((y >= 0).all() and (y == np.round(y)).all())
    return whole and len(np.unique(y)) > 2 and 0 < float(y.mean()) < _SMALL_COUNT


def _far_rows(X: Any, y: Any) -> int:
    """Rows that a bounded loss ignores, unless the fit is exact and there is nothing to measure."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = RobustRegressor(loss="tukey").fit(X, y)
    if model.scale_ <= 1e-9 * float(np.std(y)):
        return 0
    return int(np.sum(model.weights_ == 0.0))
