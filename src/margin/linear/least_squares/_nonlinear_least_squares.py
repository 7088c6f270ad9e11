"""Non-linear least squares."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from margin.core import Card, Solution, atomic, check, progress
from margin.core.types import Array, Floats
from margin.optim import levenberg_marquardt

Predictor = Callable[[Floats, Floats], Floats]


class NonlinearLeastSquares(RegressorMixin, BaseEstimator):
    r"""Least squares for a function of your own, not linear in its parameters (linear.10).

    Minimises :math:`\tfrac12 \sum_i s_i \big(y_i - f(x_i, \theta)\big)^2` over :math:`\theta` by
    the Levenberg-Marquardt method: the most likely parameters under additive Gaussian noise.

    Parameters
    ----------
    function : callable, optional
        ``function(X, theta)`` gives the prediction for every row of the float64 table ``X``. By
        default :math:`x^\top w + b` with :math:`\theta = (w, b)`, which is linear regression.
    p0 : array-like of shape (n_params,), optional
        Where to start; needed with ``function``, zeros without. Of several valleys the one
        downhill from here is found.
    jacobian : callable, optional
        ``jacobian(X, theta)`` gives the derivatives of the predictions, of shape
        (n_samples, n_params); central differences by default.
    tol : float, default=1e-8
        Share of the residual that a further linear step may promise to remove.
    max_iter : int, default=200
        Most steps to try.

    Attributes
    ----------
    params_ : ndarray of shape (n_params,)
        Parameters :math:`\theta`.
    covariance_ : ndarray of shape (n_params, n_params)
        :math:`\hat\sigma^2 (J^\top S J)^{-1}`, the covariance of the parameters for small noise;
        infinite where the data do not determine them.
    noise_variance_ : float
        :math:`\hat\sigma^2`, residual sum of squares over the degrees of freedom left.
    fit_report_ : FitReport
        Objective trace and the gradient norm at the solution.
    n_iter_ : int
        Steps tried.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.linear import NonlinearLeastSquares
    >>> def decay(X, theta):
    ...     return theta[0] * np.exp(-theta[1] * X[:, 0])
    >>> t = np.linspace(0, 4, 9)[:, None]
    >>> model = NonlinearLeastSquares(function=decay, p0=[1.0, 1.0])
    >>> model.fit(t, 3 * np.exp(-0.5 * t[:, 0])).params_.round(6)
    array([3. , 0.5])
    """

    # Without a function of the user's it repeats LinearRegression: never started unasked.
    card = Card(tasks=("regression",), cost="linear", on_request=True)

    def __init__(
        self,
        *,
        function: Predictor | None = None,
        p0: Any = None,
        jacobian: Predictor | None = None,
        tol: float = 1e-8,
        max_iter: int = 200,
    ) -> None:
        self.function = function
        self.p0 = p0
        self.jacobian = jacobian
        self.tol = tol
        self.max_iter = max_iter

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the parameters.

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
        check.params(self, positive="tol", count="max_iter")
        X, y, weight = check.data(self, X, y, sample_weight)
        weight = np.ones(len(y)) if weight is None else weight
        kept = weight > 0
        rows, target, root = X[kept].astype(np.float64), y[kept], np.sqrt(weight[kept])
        function, start, slopes = self._model(X.shape[1])
        self._check_shape(function(rows, start), len(rows))
        with progress.bar(type(self).__name__, self.max_iter) as tick:
            solution = levenberg_marquardt(
                lambda theta: root * (function(rows, theta) - target),
                start,
                jacobian=slopes and (lambda theta: root[:, None] * slopes(rows, theta)),
                scale=float(np.linalg.norm(root * target)),
                tol=self.tol,
                max_iter=self.max_iter,
                callback=tick,
            )
        self.fit_report_ = check.report(self, solution)
        self.params_ = solution.x
        self.n_iter_ = solution.n_iter
        self.noise_variance_, self.covariance_ = _uncertainty(solution, float(weight.sum()))
        return self

    def _model(self, n_features: int) -> tuple[Predictor, Floats, Predictor | None]:
        """Function, start and derivatives, the linear ones where none is given."""
        for name in ("function", "jacobian"):
            value = getattr(self, name)
            if value is not None and not callable(value):
                raise check.fail(self, name, "callable or None", value)
        if self.function is None and self.jacobian is not None:
            raise check.fail(self, "jacobian", "None without a function", self.jacobian)
        if self.p0 is None:
            if self.function is not None:
                raise check.fail(self, "p0", "given together with function", None)
            return _line, np.zeros(n_features + 1), _line_slopes
        try:
            start = np.array(self.p0, dtype=np.float64)
        except (TypeError, ValueError):
            start = np.empty(0)
        if start.ndim != 1 or not len(start) or not np.isfinite(start).all():
            raise check.fail(self, "p0", "a non-empty list of finite numbers", self.p0)
        if self.function is not None:
            return self.function, start, self.jacobian
        if len(start) != n_features + 1:
            raise check.fail(self, "p0", f"of length {n_features + 1} here", len(start))
        return _line, start, _line_slopes

    def _check_shape(self, predictions: Any, n_samples: int) -> None:
        if np.shape(predictions) != (n_samples,):
            shape = np.shape(predictions)
            raise check.fail(self, "function", f"giving shape {(n_samples,)}", shape)

    def predict(self, X: Any) -> Array:
        """Values of the function at the fitted parameters."""
        X = check.table(self, X)
        function = _line if self.function is None else self.function
        return np.asarray(function(X.astype(np.float64), self.params_)).astype(X.dtype)


def _uncertainty(solution: Solution, n: float) -> tuple[float, Floats]:
    """Noise variance and covariance of the parameters, for rows that weigh ``n``."""
    J, p, rank = solution.extras["jacobian"], len(solution.x), int(solution.extras["rank"])
    if n <= rank:
        return float(np.inf), np.full((p, p), np.inf)
    noise = 2 * solution.objective / (n - rank)
    if rank < p:
        return noise, np.full((p, p), np.inf)
    norms = np.linalg.norm(J, axis=0)
    inverse = np.linalg.inv(np.linalg.qr(J / norms, mode="r")) / norms[:, None]
    return noise, noise * inverse @ inverse.T


def _line(X: Floats, theta: Floats) -> Floats:
    return np.asarray(X @ theta[:-1] + theta[-1])


def _line_slopes(X: Floats, theta: Floats) -> Floats:
    return np.column_stack([X, np.ones(len(X))])
