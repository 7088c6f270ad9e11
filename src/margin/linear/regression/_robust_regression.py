"""Robust linear regression."""

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from margin.core import Card, Certificate, Solution, Status, atomic, check, progress, threads
from margin.linalg import ridge
from margin.linear.regression._least_squares_fit import predict_linear

_MAD_TO_SD = 1.4826022185056018
_LEAST_SCALE = 1e-150  # its square is still a normal number
_DEFAULT_DELTA = {"huber": 1.345, "tukey": 4.685, "absolute": 1e-3}


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

    def __init__(
        self,
        *,
        loss="huber",
        delta=None,
        alpha=0.0,
        fit_intercept=True,
        tol=1e-8,
        max_iter=200,
        n_jobs=None,
    ):
        self.loss = loss
        self.delta = delta
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X, y, sample_weight=None):
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
            one_of={"loss": tuple(_DEFAULT_DELTA)},
        )
        if self.delta is not None:
            check.params(self, positive="delta")
        X, y, weight = check.data(self, X, y, sample_weight)
        rows = _Reweighted(X, y, weight, self.alpha, self.fit_intercept, threads.count(self.n_jobs))
        with progress.bar(type(self).__name__, self.max_iter) as tick:
            start = rows.solve("absolute", 1e-3, rows.spread(y - rows.median(y)), 30, 1e-3, None)
            self.scale_ = rows.spread(y - rows.predict(start.fit))
            delta = _DEFAULT_DELTA[self.loss] if self.delta is None else float(self.delta)
            final = rows.solve(
                self.loss, delta, self.scale_, self.max_iter, self.tol, start.fit, tick
            )
        self.coef_ = final.fit.coef[:, 0].astype(X.dtype)
        self.intercept_ = final.fit.intercept[0].astype(X.dtype) if self.fit_intercept else 0.0
        self.weights_ = final.row_weight
        self.fit_report_ = check.report(self, final.solution)
        self.n_iter_ = final.solution.n_iter
        return self

    def predict(self, X):
        """Predicted targets."""
        return predict_linear(self, X)


class _Run:
    def __init__(self, fit, row_weight, solution):
        self.fit, self.row_weight, self.solution = fit, row_weight, solution


class _Reweighted:
    """Least squares with weights that depend on the last residuals."""

    def __init__(self, X, y, weight, alpha, intercept, n_threads):
        self.X, self.y, self.alpha = X, y, alpha
        self.weight = np.ones(len(y)) if weight is None else weight
        self.intercept, self.n_threads = intercept, n_threads

    def predict(self, fit):
        return np.asarray(self.X @ fit.coef[:, 0], dtype=np.float64) + fit.intercept[0]

    def median(self, values):
        """Weighted median; the lower and the upper one are averaged, as for an even number."""
        kept = self.weight > 0
        ordered = values[kept][order := np.argsort(values[kept])]
        mass = np.cumsum(self.weight[kept][order])
        low = np.searchsorted(mass, mass[-1] / 2)
        high = np.searchsorted(mass, mass[-1] / 2, "right")
        return 0.5 * (ordered[low] + ordered[min(high, len(ordered) - 1)])

    def spread(self, residual):
        """Median absolute residual, as a standard deviation; never so small that it overflows."""
        floor = 1e-12 * float(np.abs(self.y[self.weight > 0]).max()) + _LEAST_SCALE
        return max(_MAD_TO_SD * float(self.median(np.abs(residual))), floor)

    def solve(self, loss, delta, scale, max_iter, tol, fit, tick=None):
        """Reweight until the fitted values stand still."""
        fit = self._least_squares(np.ones(len(self.y))) if fit is None else fit
        fitted, trace = self.predict(fit), []
        change, status = np.inf, Status.MAX_ITER
        for _ in range(max_iter):
            u = (self.y - fitted) / scale
            trace.append(self._objective(loss, delta, u, scale, fit))
            row_weight = _weight(loss, delta, u)
            fit = self._least_squares(row_weight)
            moved = self.predict(fit)
            change = float(np.abs(moved - fitted).max(initial=0.0)) / scale
            fitted = moved
            if tick is not None:
                tick(len(trace), trace[-1])
            if change <= tol:
                status = Status.CONVERGED
                break
        u = (self.y - fitted) / scale
        trace.append(self._objective(loss, delta, u, scale, fit))
        solution = Solution(
            x=np.append(fit.coef[:, 0], fit.intercept),
            status=status,
            n_iter=len(trace) - 1,
            objective=trace[-1],
            trace={"objective": np.array(trace)},
            certificate=Certificate("last change in units of the noise", change, tol),
            solver="iteratively reweighted least squares",
            message=""
            if status.ok
            else f"stopped after max_iter={max_iter} reweightings with fitted values still moving "
            f"by {change:.2g} of the noise scale; raise max_iter or tol",
        )
        return _Run(fit, _weight(loss, delta, u), solution)

    def _least_squares(self, row_weight):
        return ridge(
            self.X,
            self.y[:, None],
            self.weight * row_weight,
            self.alpha,
            intercept=self.intercept,
            n_threads=self.n_threads,
        )

    def _objective(self, loss, delta, u, scale, fit):
        penalty = 0.5 * self.alpha * float(np.sum(fit.coef**2)) / scale**2
        return float(self.weight @ _value(loss, delta, u)) + penalty


def _weight(loss, delta, u):
    """Slope of the loss over the residual: what the row counts in the next least squares."""
    size = np.abs(u)
    if loss == "tukey":
        return np.where(size < delta, (1 - np.minimum(size / delta, 1.0) ** 2) ** 2, 0.0)
    return np.minimum(1.0, delta / np.maximum(size, np.finfo(float).tiny))


def _value(loss, delta, u):
    """Loss whose weights are above; Huber's with a small ``delta`` is a rounded absolute value."""
    size = np.abs(u)
    if loss == "tukey":
        return delta**2 / 6 * (1 - (1 - np.minimum(size / delta, 1.0) ** 2) ** 3)
    return np.where(size <= delta, 0.5 * u**2, delta * (size - 0.5 * delta))
