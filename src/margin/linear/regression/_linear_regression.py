"""Ordinary least squares."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.linear_model import LinearRegression as Peer

from margin.core import Card, atomic, available_if, check, threads
from margin.core.types import Array
from margin.distributions import StudentT
from margin.linear._coefficient_table import LEVEL
from margin.linear.regression._compressed_rows import CompressedRows
from margin.linear.regression._least_squares_fit import (
    LeastSquaresFit,
    fit_least_squares,
    linear_values,
)
from margin.linear.regression._nonnegative_fit import NonnegativeFit, fit_nonnegative
from margin.linear.regression._predictive_law import PredictiveLaw
from margin.linear.regression._sampling_law import regression_summary
from margin.linear.regression._summary import RegressionSummary

_MAX_ITER = 1000  # working sets, for coefficients at least 0


class LinearRegression(MultiOutputMixin, RegressorMixin, BaseEstimator):
    r"""Ordinary least squares (linear.03), weighted if asked (linear.05).

    Minimises :math:`\tfrac12 \sum_i s_i (y_i - x_i^\top w - b)^2`. When columns are dependent or
    there are fewer rows than columns, the solution of least norm is returned.

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether to fit :math:`b`.
    copy_X : bool, default=True
        Without effect: the data are never changed, and copied only where they must be.
    tol : float, default=1e-6
        Without effect: every solver goes to the precision of the numbers, sparse rows too, and the
        residual is in ``fit_report_``.
    positive : bool, default=False
        Whether the coefficients must be at least 0.
    solver : {"auto", "cholesky", "svd"}, default="auto"
        ``"auto"`` factors the scaled normal equations and refines until the gradient vanishes; if
        their condition does not allow it, takes the singular value decomposition. Without effect
        with ``positive``.
    n_jobs : int, optional
        Threads of the compiled passes; the answer does not depend on it.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
        Coefficients :math:`w`.
    intercept_ : float or ndarray of shape (n_targets,)
        Intercept :math:`b`.
    rank_ : int
        Numerical rank of the centred design.
    fit_report_ : FitReport
        Method chosen and the residual of the normal equations at the solution.
    n_iter_ : int
        Solves made, refinements included.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n p \min(n, p))` operations. The data are read in chunks and never copied, unless the
    problem is so ill-conditioned that singular values are needed.

    Examples
    --------
    >>> from margin.linear import LinearRegression
    >>> model = LinearRegression().fit([[0], [1], [2]], [1, 2, 4])
    >>> model.coef_.round(6), round(float(model.intercept_), 6)
    (array([1.5]), 0.833333)
    """

    card = Card(tasks=("regression",), cost="linear")
    _law: PredictiveLaw | None

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        tol: float = 1e-6,
        n_jobs: int | None = None,
        positive: bool = False,
        solver: str = "auto",
    ) -> None:
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.tol = tol
        self.positive = positive
        self.solver = solver
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the coefficients.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        self._check_params()
        X, y, weight = check.data(self, X, y, sample_weight, sparse=True, multi_output=True)
        intercept, n_threads = self.fit_intercept, threads.count(self.n_jobs)
        fit: LeastSquaresFit | NonnegativeFit
        if self.positive:
            fit = fit_nonnegative(
                X,
                y,
                weight,
                np.zeros(1),
                intercept=intercept,
                max_iter=_MAX_ITER,
                n_threads=n_threads,
            )
        else:
            fit = fit_least_squares(
                X,
                y,
                weight,
                np.zeros(1),
                intercept=intercept,
                method=self.solver,
                n_threads=n_threads,
                owner=type(self).__name__,
            )
        return self._store(fit)

    @atomic
    def fit_blocks(self, blocks: Any) -> Self:
        """Fit to rows that come in blocks, the same as to all of them in memory.

        Every block is turned into as many rows as there are columns, which are all that is kept.

        Parameters
        ----------
        blocks : iterable or callable
            Tuples ``(X, y)`` or ``(X, y, sample_weight)`` of dense rows, from something that can be
            read again or from a function that opens it.

        Returns
        -------
        self
        """
        if self.positive:
            raise check.fail(self, "positive", "False for rows in blocks", self.positive)
        self._check_params()
        rows = CompressedRows.of(self, blocks)
        return self._store(
            rows.fit(
                np.zeros(1),
                intercept=self.fit_intercept,
                method=self.solver,
                n_threads=threads.count(self.n_jobs),
                owner=type(self).__name__,
            )
        )

    def _check_params(self) -> None:
        check.params(
            self,
            nonnegative="tol",
            flag="fit_intercept copy_X positive",
            one_of={"solver": ("auto", "cholesky", "svd")},
        )

    def _store(self, fit: LeastSquaresFit | NonnegativeFit) -> Self:
        self.coef_, self.intercept_, self.rank_ = fit.coef, fit.intercept, fit.rank
        self._law = fit.law
        self.fit_report_ = check.report(self, fit.solution)
        self.n_iter_ = fit.solution.n_iter
        return self

    def predict(self, X: Any) -> Array:
        """Predicted targets, of shape (n_samples,) or (n_samples, n_targets)."""
        return linear_values(check.table(self, X, sparse=True), self.coef_, self.intercept_)

    def _has_law(self) -> bool:
        if getattr(self, "_law", 0) is None:
            raise AttributeError(f"{type(self).__name__}: coefficients at least 0 have no such law")
        law = getattr(self, "_law", None)
        if law is not None and law.missing:
            raise AttributeError(f"{type(self).__name__}: {law.missing}")
        return True

    @available_if(_has_law)
    def predict_dist(self, X: Any) -> StudentT:
        r"""Law of a new target at each row, exact for Gaussian noise of equal variance.

        .. math:: \frac{y - \hat y(x)}{\hat\sigma \sqrt{1 + \tfrac1N + (x - \bar x)^\top (A^\top
                  A)^{-1} (x - \bar x)}} \sim t_\nu, \qquad \hat\sigma^2 = \mathrm{RSS} / \nu,
                  \quad \nu = N - 1 - \operatorname{rank} A,

        with :math:`A` the centred rows and :math:`N` the sum of the weights; without an intercept
        nothing is centred and :math:`1/N` and the 1 in :math:`\nu` are left out. A model that has
        at most 2 degrees of freedom left does not have this method.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        margin.distributions.StudentT
            One for every row, or for every row and target.
        """
        X = check.table(self, X, sparse=True)
        assert self._law is not None  # or the method would not be here
        return self._law.at(X, linear_values(X, self.coef_, self.intercept_))

    def summary(
        self, X: Any, y: Any, sample_weight: Any = None, level: float = LEVEL
    ) -> RegressionSummary:
        """Coefficient table, tests, fit criteria and diagnostics on the rows of the fit.

        Parameters
        ----------
        X, y, sample_weight
            The rows the model was fitted to.
        level : float, default=0.95
            Level of the confidence intervals.

        Returns
        -------
        RegressionSummary
        """
        if self.positive:
            raise check.fail(self, "positive", "False for a summary", self.positive)
        X, y, weight = check.data(self, X, y, sample_weight, reset=False)
        names = getattr(self, "feature_names_in_", None)
        intercept = self.intercept_ if self.fit_intercept else None
        return regression_summary(X, y, weight, self.coef_, intercept, 0.0, names, level)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


# scikit-learn's RANSACRegressor knows the least number of rows for its own class only.
Peer.register(LinearRegression)
