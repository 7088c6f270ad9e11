"""Robust linear regression."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from margin.core import Card, atomic, available_if, check, progress, threads
from margin.core.types import Array
from margin.distributions import Normal
from margin.linalg import NormalInverse
from margin.linear.regression._least_squares_fit import linear_values
from margin.linear.regression._reweighting import ReweightedRows
from margin.linear.regression._robust_loss import DEFAULT_DELTA, RobustLoss


class RobustRegressor(RegressorMixin, BaseEstimator):
    r"""Linear regression that outliers do not spoil (linear.12).

    Minimises :math:`\sum_i s_i\, \rho\big((y_i - x_i^\top w - b) / \sigma\big) +
    \tfrac{\alpha}{2\sigma^2} \|w\|^2` by iteratively reweighted least squares. The scale
    :math:`\sigma` is the median absolute residual of a least-absolute-deviations start, made
    consistent for Gaussian noise.

    Parameters
    ----------
    loss : {"huber", "absolute", "tukey"}, default="huber"
        Quadratic then linear; linear throughout; or bounded, which ignores far outliers and is not
        convex.
    delta : float, optional
        Where the loss leaves the parabola, in units of :math:`\sigma`: 1.345 for Huber and 4.685
        for Tukey's biweight keep 95 % efficiency under Gaussian noise. For ``"absolute"`` the
        width of the rounded tip, 0.001.
    alpha : float, default=0.0
        Strength of a quadratic penalty on the coefficients.
    fit_intercept : bool, default=True
        Whether to fit :math:`b`.
    tol : float, default=1e-8
        Largest change of a fitted value, in units of :math:`\sigma`, that counts as none.
    max_iter : int, default=200
        Most reweightings.
    n_jobs : int, optional
        Threads of the compiled passes; the answer does not depend on it.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Coefficients :math:`w`.
    intercept_ : float
        Intercept :math:`b`.
    scale_ : float
        Noise scale :math:`\sigma`.
    weights_ : ndarray of shape (n_samples,)
        Final weight of every row, from 1 down to 0 for rows that are ignored.
    fit_report_ : FitReport
        Objective trace, which never rises, and the last change.
    n_iter_ : int
        Reweightings made.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.linear import RobustRegressor
    >>> x = np.arange(10.0)
    >>> y = 2 * x + 1 + 0.1 * np.cos(3 * x)
    >>> y[9] = 100.0
    >>> RobustRegressor(loss="tukey").fit(x[:, None], y).coef_.round(2)
    array([2.])
    """

    card = Card(
        tasks=("regression",), cost="linear", search_space={"loss": ["huber", "absolute", "tukey"]}
    )

    _inverse: NormalInverse | None

    def __init__(
        self,
        *,
        loss: str = "huber",
        delta: float | None = None,
        alpha: float = 0.0,
        fit_intercept: bool = True,
        tol: float = 1e-8,
        max_iter: int = 200,
        n_jobs: int | None = None,
    ) -> None:
        self.loss = loss
        self.delta = delta
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the coefficients.

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
        check.params(
            self,
            nonnegative="alpha",
            positive="tol",
            count="max_iter",
            flag="fit_intercept",
            one_of={"loss": tuple(DEFAULT_DELTA)},
        )
        if self.delta is not None:
            check.params(self, positive="delta")
        X, y, weight = check.data(self, X, y, sample_weight)
        weight = np.ones(len(y)) if weight is None else weight
        n_threads = threads.count(self.n_jobs)
        rows = ReweightedRows(X, y, weight, float(self.alpha), self.fit_intercept, n_threads)
        delta = DEFAULT_DELTA[self.loss] if self.delta is None else float(self.delta)
        loss = RobustLoss(self.loss, delta)
        with progress.bar(type(self).__name__, self.max_iter) as tick:
            fit = rows.fit(loss, self.tol, self.max_iter, tick)

        self.coef_ = fit.coef.astype(X.dtype)
        self.intercept_ = X.dtype.type(fit.intercept) if self.fit_intercept else 0.0
        self.scale_, self.weights_ = fit.scale, fit.row_weight
        self._inverse, self._loss = fit.plain.inverse, loss
        self._share = 1.0 / float(weight.sum()) if self.fit_intercept else 0.0
        self.fit_report_ = check.report(self, fit.solution)
        self.n_iter_ = fit.solution.n_iter
        return self

    def predict(self, X: Any) -> Array:
        """Predicted targets."""
        return linear_values(check.table(self, X, sparse=True), self.coef_, self.intercept_)

    def _has_inverse(self) -> bool:
        if getattr(self, "_inverse", True) is None:
            raise AttributeError(
                f"{type(self).__name__}: predict_dist needs rows that determine the coefficients, "
                "and a factor of the normal equations that takes less than 80 MB"
            )
        return True

    @available_if(_has_inverse)
    def predict_dist(self, X: Any) -> Normal:
        r"""Law of a new target that is no outlier: normal, with the robust scale of the noise.

        .. math:: y \sim N\Big(\hat y(x),\ \sigma^2 \Big[1 + \tau \Big(\frac1N + (x - \bar x)^\top
                  (A^\top A + \alpha I)^{-1} (x - \bar x)\Big)\Big]\Big), \qquad \tau =
                  \frac{E[\rho'(u)^2]}{E[\rho''(u)]^2} ,

        with :math:`\sigma` the median absolute residual made consistent for Gaussian noise
        (``scale_``), :math:`A` the centred rows, :math:`N` the sum of the weights and :math:`\tau`
        the variance of this estimator over that of least squares for :math:`u \sim N(0, 1)`: 1.05
        for the usual Huber and Tukey losses, :math:`\pi/2` for absolute values.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        margin.distributions.Normal
            One for every row.
        """
        X = check.table(self, X, sparse=True)
        assert self._inverse is not None  # or the method would not be here
        unsure = self._loss.inefficiency * (self._share + self._inverse.along(X))
        mean = linear_values(X, self.coef_, self.intercept_)
        return Normal(mean, self.scale_ * np.sqrt(1.0 + unsure))
