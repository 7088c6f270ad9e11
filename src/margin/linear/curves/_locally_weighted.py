"""Locally weighted regression."""

from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from margin.core import Card, Solution, Status, atomic, available_if, check, progress, threads
from margin.core.types import Array, Floats
from margin.distributions import Normal
from margin.linear.curves._local_rows import LocalRows, LocalSettings, in_units

_FARTHEST = 1e150  # spreads from the rows: squares of more are no numbers
_KERNELS = ("tricube", "gaussian", "epanechnikov")
_NOTHING_TO_SEARCH = Solution(
    x=np.empty(0),
    status=Status.CONVERGED,
    n_iter=0,
    objective=0.0,
    trace={"objective": np.empty(0)},
    solver="weighted least squares at every query, nothing to search for in fit",
)


class LocallyWeightedRegression(RegressorMixin, BaseEstimator):
    r"""Regression anew around every query, near rows counting most (linear.06, neighbors.05).

    The prediction at :math:`q` is :math:`b` of the weighted least-squares problem

    .. math:: \min_{b,\,w} \sum_i s_i\, \delta_i\, K\!\Big(\frac{\|x_i - q\|}{h(q)}\Big)
              \big(y_i - b - (x_i - q)^\top w\big)^2 ,

    with :math:`w = 0` for degree 0 (the weighted mean of Nadaraya and Watson), and
    :math:`\delta_i = 1` unless ``robust_iter`` asks for weights against outliers.

    Parameters
    ----------
    bandwidth : "auto" or float, default="auto"
        Width :math:`h`, in units of the standardised features. ``"auto"`` takes, at each query,
        the distance within which the fraction ``span`` of the training weight lies.
    span : float, default=0.3
        Fraction of the rows that counts as near, above 0; more is smoother. Used by ``"auto"``.
    kernel : {"tricube", "gaussian", "epanechnikov"}, default="tricube"
        :math:`(1 - u^3)^3`, :math:`e^{-u^2 / 2}` or :math:`1 - u^2`, all but the Gaussian zero
        for :math:`u \ge 1`.
    degree : {0, 1}, default=1
        Local constant or local plane. A plane has no bias at borders and on slopes.
    robust_iter : int, default=0
        Reweightings of the training rows by Tukey's biweight of their residuals over six times
        their median, as in the LOWESS of Cleveland.
    standardise : bool, default=True
        Whether distances are measured after dividing each feature by its standard deviation.
    n_jobs : int, optional
        Threads that share the queries; the answer does not depend on it.

    Attributes
    ----------
    robustness_ : ndarray of shape (n_kept,)
        Weight :math:`\delta` of every training row of positive weight.
    scale_ : ndarray of shape (n_features,)
        What the features are divided by.
    fit_report_ : FitReport
        Weighted residual sum of squares after each reweighting; nothing without reweighting.
    n_iter_ : int
        Passes over the training rows.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    The rows are the model: :math:`O(n p^2)` operations for each query, in blocks of bounded
    memory. Where fewer rows are near than a plane has slopes, the shortest slopes are taken; where
    none is within a fixed bandwidth, the nearest row answers.

    References
    ----------
    W. S. Cleveland, Robust locally weighted regression and smoothing scatterplots, JASA 74 (1979).

    Examples
    --------
    >>> import numpy as np
    >>> from margin.linear import LocallyWeightedRegression
    >>> x = np.linspace(0, 1, 101)[:, None]
    >>> model = LocallyWeightedRegression(span=0.1).fit(x, np.sin(6 * x[:, 0]))
    >>> model.predict([[0.25]]).round(2), round(float(np.sin(1.5)), 2)
    (array([0.99]), 1.0)
    """

    card = Card(
        tasks=("regression",),
        cost="quadratic",
        search_space={"span": (0.05, 1.0, "log"), "degree": [0, 1]},
        max_rows=20_000,
    )

    def __init__(
        self,
        *,
        bandwidth: Any = "auto",
        span: float = 0.3,
        kernel: str = "tricube",
        degree: int = 1,
        robust_iter: int = 0,
        standardise: bool = True,
        n_jobs: int | None = None,
    ) -> None:
        self.bandwidth = bandwidth
        self.span = span
        self.kernel = kernel
        self.degree = degree
        self.robust_iter = robust_iter
        self.standardise = standardise
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Keep the rows and find their robustness weights.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        self._check_params()
        X, y, weight = check.data(self, X, y, sample_weight)
        weight = np.ones(len(y)) if weight is None else weight
        kept = weight > 0
        table, target, weight = X[kept].astype(np.float64), y[kept], weight[kept]
        shares = in_units(weight)
        centre = np.average(table, axis=0, weights=shares)
        scale = _spread(table, centre, shares) if self.standardise else np.ones(X.shape[1])
        rows = LocalRows(
            (table - centre) / scale, target, weight, np.ones(len(target)), self._settings()
        )
        solution = _NOTHING_TO_SEARCH
        if self.robust_iter:
            with progress.bar(type(self).__name__, self.robust_iter + 1) as tick:
                rows, search = rows.reweighted(self.robust_iter, tick)
            solution = replace(search, x=np.empty(0), solver=_NOTHING_TO_SEARCH.solver)

        self._near, self._centre, self.scale_ = rows, centre, scale
        self.robustness_ = rows.robustness
        self.n_iter_ = solution.n_iter
        self.fit_report_ = check.report(self, solution)
        return self

    def _check_params(self) -> None:
        check.params(
            self,
            positive="span",
            flag="standardise",
            one_of={"kernel": _KERNELS, "degree": (0, 1)},
        )
        if self.bandwidth != "auto":
            check.params(self, positive="bandwidth")
        if self.span > 1:
            raise check.fail(self, "span", "at most 1", self.span)
        if self.robust_iter != 0:
            check.params(self, count="robust_iter")

    def _settings(self) -> LocalSettings:
        width = None if self.bandwidth == "auto" else float(self.bandwidth)
        n_threads = threads.count(self.n_jobs)
        return LocalSettings(width, self.span, self.kernel, self.degree, n_threads)

    def _queries(self, X: Array) -> Floats:
        queries = np.asarray((X.astype(np.float64) - self._centre) / self.scale_)
        farthest = float(np.abs(queries).max(initial=0.0))
        if not farthest < _FARTHEST:
            need = f"within {_FARTHEST:g} spreads of the rows of the fit"
            raise check.fail(self, "X", need, farthest)
        return queries

    def predict(self, X: Any) -> Array:
        """Value of the local fit at each row."""
        X = check.table(self, X)
        return self._near.values(self._queries(X)).astype(X.dtype)

    def _has_freedom(self) -> bool:
        near = getattr(self, "_near", None)
        if near is not None and not near.leaves_freedom:
            raise AttributeError(
                f"{type(self).__name__}: predict_dist needs local fits that do not go through "
                "every row; raise span or bandwidth"
            )
        return True

    @available_if(_has_freedom)
    def predict_dist(self, X: Any) -> Normal:
        r"""Law of a new target at each row: normal, with a variance estimated nearby.

        The local fit is linear in the targets, :math:`\hat y(q) = l^\top y`. With
        :math:`l^{(i)}` the weights at row :math:`i` and :math:`k_i(q)` those of the least-squares
        problem at :math:`q` (kernel, sample and robustness weight),

        .. math:: y \sim N\Big(\hat y(q),\ \hat\sigma^2(q) \Big[1 + \sum_j \frac{l_j^2}{s_j}
                  \Big]\Big), \qquad \hat\sigma^2(q) = \frac{\sum_i k_i(q) (y_i -
                  \hat y(x_i))^2}{\sum_i k_i(q)\, \delta_i}, \quad \delta_i = 1 - \frac{2
                  l^{(i)}_i}{s_i} + \sum_j \frac{(l^{(i)}_j)^2}{s_j} ,

        so that noise may differ from place to place. Where the rows near a query leave nothing to
        estimate the noise by, that of all rows is taken. Fits that go through all their rows do
        not have this method.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        margin.distributions.Normal
            One for every row.

        Notes
        -----
        The first call fits at every training row.
        """
        queries = self._queries(check.table(self, X))
        variance = self._near.variances(queries)
        spread = np.sqrt(np.maximum(variance, np.finfo(np.float64).tiny))
        return Normal(self.predict(X), spread)


def _spread(rows: Floats, centre: Floats, weight: Floats) -> Floats:
    """Standard deviations, 1 where a feature is constant but for rounding."""
    spread = np.sqrt(np.average((rows - centre) ** 2, axis=0, weights=weight))
    flat = spread <= len(rows) * np.finfo(float).eps * np.abs(centre)
    return np.where(flat | (spread == 0), 1.0, spread)
