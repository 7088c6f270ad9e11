"""Poisson regression."""

from typing import Any, Self

import numpy as np
from scipy.special import kl_div
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_array, check_consistent_length

from margin import losses, optim, penalties
from margin.core import Card, atomic, check, progress, threads
from margin.core.types import Array, Floats, Matrix
from margin.distributions import Poisson

_ANSCOMBE = 0.375
_SOLVERS = {"newton": optim.Newton, "newton-cholesky": optim.Newton, "lbfgs": optim.LBFGS}


class PoissonRegressor(RegressorMixin, BaseEstimator):
    r"""Regression of counts with a logarithmic link (linear.11).

    With :math:`S = \sum_i s_i` and :math:`\mu_i = e^{x_i^\top w + b}`, minimises

    .. math:: \frac1S \sum_i s_i \big(\mu_i - y_i \log\mu_i + y_i \log y_i - y_i\big)
              + \frac\alpha2 \|w\|^2 ,

    half the mean deviance plus a penalty, as scikit-learn does.

    Parameters
    ----------
    alpha : float, default=1.0
        Strength of the penalty, at least 0; the intercept is not penalised.
    fit_intercept : bool, default=True
        Whether to fit :math:`b`.
    link : {"log", "sqrt"}, default="log"
        ``"log"`` is the model above. ``"sqrt"`` is the classical shortcut: penalised least squares
        on Anscombe's :math:`2\sqrt{y + 3/8}`, whose noise has nearly constant variance one, so
        that :math:`\mu_i = (x_i^\top w + b)^2 / 4 - 3/8`.
    solver : {"newton", "newton-cholesky", "lbfgs"}, default="lbfgs"
        All reach the minimum, the first two by the same steps; the square-root link needs one.
    tol : float, default=1e-4
        Largest entry of the gradient that counts as zero, for standardised features.
    max_iter : int, default=100
        Most iterations.
    warm_start : bool, default=False
        Whether to start from the coefficients of the last fit.
    verbose : int, default=0
        Without effect: progress is shown by :mod:`margin.core.progress`.
    n_jobs : int, optional
        Threads of the compiled passes; the answer does not depend on it.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Coefficients :math:`w`.
    intercept_ : float
        Intercept :math:`b`.
    fit_report_ : FitReport
        Objective trace and the gradient norm at the solution.
    n_iter_ : int
        Iterations made.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Examples
    --------
    >>> from margin.linear import PoissonRegressor
    >>> model = PoissonRegressor(alpha=0.0).fit([[0], [1]], [1, 3])
    >>> model.predict([[0], [1]]).round(4)
    array([1., 3.])
    """

    card = Card(tasks=("regression",), cost="linear", search_space={"alpha": (1e-4, 10.0, "log")})

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        fit_intercept: bool = True,
        link: str = "log",
        solver: str = "lbfgs",
        tol: float = 1e-4,
        max_iter: int = 100,
        warm_start: bool = False,
        verbose: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.link = link
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.warm_start = warm_start
        self.verbose = verbose
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the coefficients.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Counts, at least 0 and not all 0.
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
            flag="fit_intercept warm_start",
            one_of={"link": ("log", "sqrt"), "solver": tuple(_SOLVERS)},
        )
        X, y, weight = check.data(self, X, y, sample_weight, sparse=True, order="C")
        if y.min() < 0:
            raise ValueError(
                f"{type(self).__name__}: y must be at least 0 everywhere, got {float(y.min())!r}: "
                "Some value(s) of y are out of the valid range of the loss"
            )
        weight = np.full(len(y), 1.0 / len(y)) if weight is None else weight / weight.sum()
        if not (weight @ y) > 0:
            raise check.fail(self, "y", "above 0 somewhere", "all zeros")
        problem = optim.standardised(self._problem(X, y, weight))
        with progress.bar(type(self).__name__, self.max_iter) as tick:
            solution = optim.minimise(
                problem,
                _SOLVERS[self.solver](self.tol, self.max_iter),
                self._start(problem, weight @ y),
                callback=tick,
            )
        coef, intercept = problem.unpack(solution.x)
        self.coef_ = coef[:, 0].astype(X.dtype)
        self.intercept_ = intercept[0].astype(X.dtype) if self.fit_intercept else 0.0
        self.fit_report_ = check.report(self, solution)
        self.n_iter_ = solution.n_iter
        return self

    def _problem(self, X: Matrix, y: Floats, weight: Floats) -> optim.LinearProblem:
        log = self.link == "log"
        return optim.LinearProblem(
            X,
            y if log else 2.0 * np.sqrt(y + _ANSCOMBE),
            weight,
            losses.Poisson() if log else losses.Squared(),
            penalties.L2(self.alpha),
            intercept=self.fit_intercept,
            n_threads=threads.count(self.n_jobs),
        )

    def _start(self, problem: optim.Standardised, mean: float) -> Floats:
        """The last fit if it may serve, else no slopes and the intercept of the mean count."""
        last = getattr(self, "coef_", None) if self.warm_start else None
        if last is not None and last.shape == problem.scale.shape:
            level = np.array([self.intercept_] if self.fit_intercept else [], dtype=np.float64)
            return problem.pack(last.astype(np.float64)[:, None], level)
        start = np.zeros(problem.dimension)
        if self.fit_intercept:
            start[-1] = np.log(mean) if self.link == "log" else 2.0 * np.sqrt(mean + _ANSCOMBE)
        return start

    def predict(self, X: Any) -> Array:
        """Expected counts."""
        X = check.table(self, X, sparse=True)
        z = np.asarray(X @ self.coef_ + self.intercept_)
        if self.link == "log":
            return np.asarray(np.exp(z))
        return np.asarray(np.maximum((z / 2) ** 2 - _ANSCOMBE, 0.0))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        r"""Share of the deviance explained, :math:`D^2 = 1 - D(y, \hat\mu) / D(y, \bar y)`.

        With the Poisson deviance :math:`D(y, \mu) = 2 \sum_i s_i (y_i \log(y_i / \mu_i) - y_i +
        \mu_i)`: 1 at best, 0 for the mean count of ``y``, below 0 where that is better.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Counts, at least 0.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights.

        Returns
        -------
        float
        """
        mean = self.predict(X).astype(np.float64)
        count = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y").ravel()
        check_consistent_length(mean, count)
        if count.min() < 0:
            raise check.fail(self, "y", "at least 0 everywhere", float(count.min()))
        given = check.weights(self, sample_weight, len(count))
        weight = np.ones(len(count)) if given is None else given
        level = np.full(len(count), np.average(count, weights=weight))
        worst = _half_deviance(count, level, weight)
        explained = 1.0 - _half_deviance(count, mean, weight) / worst if worst > 0 else np.nan
        return float(explained)

    def predict_dist(self, X: Any) -> Poisson:
        r"""Law of the count at each row: Poisson with the predicted mean as its rate.

        :math:`P(y = k) = e^{-\mu} \mu^k / k!` with :math:`\mu = e^{x^\top w + b}`, or with the
        mean of the square-root link. The coefficients count as known.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        margin.distributions.Poisson
            One for every row.
        """
        return Poisson(self.predict(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.positive_only = True
        return tags


def _half_deviance(y: Floats, mean: Floats, weight: Floats) -> float:
    with np.errstate(divide="ignore"):
        return float(weight @ (kl_div(y, mean)))
