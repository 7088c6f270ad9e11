"""Ridge regression."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin

from margin.core import Card, atomic, available_if, check, threads
from margin.core.types import Array, Floats
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

_SOLVERS = ("auto", "svd", "cholesky", "lsqr", "sparse_cg", "sag", "saga", "lbfgs")
_CHOICES = {"solver": _SOLVERS}
_MAX_ITER = 1000  # working sets, for coefficients at least 0


class Ridge(MultiOutputMixin, RegressorMixin, BaseEstimator):
    r"""Least squares with a quadratic penalty (linear.13).

    Minimises :math:`\tfrac12 \sum_i s_i (y_i - x_i^\top w - b)^2 + \tfrac\alpha2 \|w\|^2`, the
    posterior mode under the prior :math:`w \sim N(0, \sigma^2 / \alpha)`. In the basis of the
    singular vectors of the centred design it multiplies each least-squares coordinate by
    :math:`d^2 / (d^2 + \alpha)`. With weights :math:`V` it is the sub-problem of iteratively
    reweighted least squares, :math:`w = (\alpha I + X^\top V X)^{-1} X^\top V y` (linear.07),
    that of the rows :math:`V^{1/2} X` and targets :math:`V^{1/2} y` without weights.

    Parameters
    ----------
    alpha : float or array-like of shape (n_targets,), default=1.0
        Strength of the penalty, at least 0; the intercept is not penalised.
    fit_intercept : bool, default=True
        Whether to fit :math:`b`.
    copy_X : bool, default=True
        Without effect: the data are never changed, and copied only where they must be.
    max_iter : int, optional
        Most working sets of a fit with ``positive``; 1000 by default. Without effect otherwise:
        the answer comes from a factorisation.
    tol : float, default=1e-4
        Without effect: every solver goes to the precision of the numbers, and the residual is in
        ``fit_report_``.
    solver : str, default="auto"
        One of "auto", "svd", "cholesky", "lsqr", "sparse_cg", "sag", "saga", "lbfgs".
        ``"svd"`` takes singular values. All other names mean the same here: factor the normal
        equations of the columns or, when there are fewer rows, of the rows, and refine; singular
        values where their condition does not allow it. ``"lbfgs"`` belongs to ``positive``.
    positive : bool, default=False
        Whether the coefficients must be at least 0; needs the solver ``"auto"`` or ``"lbfgs"``.
    random_state : int, Generator or RandomState, optional
        Without effect: no solver draws random numbers.
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
    n_iter_ : ndarray of int of shape (n_targets,)
        Solves made, refinements included.
    solver_ : str
        The solver named or, for ``"auto"``, the one that gave the answer: ``"cholesky"``,
        ``"svd"``, ``"lsqr"`` for sparse rows, or ``"lbfgs"`` with ``positive``.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n p \min(n, p))` operations, memory of one :math:`\min(n, p)` square matrix.

    Examples
    --------
    >>> from margin.linear import Ridge
    >>> model = Ridge(alpha=2.0).fit([[0], [1], [2]], [1, 2, 4])
    >>> model.coef_.round(6), round(float(model.intercept_), 6)
    (array([0.75]), 1.583333)
    """

    card = Card(
        tasks=("regression",),
        cost="linear",
        search_space={"alpha": (1e-3, 1e4, "log")},
        seeded=False,
    )

    _law: PredictiveLaw | None

    def __init__(
        self,
        alpha: Any = 1.0,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        max_iter: int | None = None,
        tol: float = 1e-4,
        solver: str = "auto",
        positive: bool = False,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.solver = solver
        self.positive = positive
        self.random_state = random_state
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
        strengths = self._strengths(1 if y.ndim == 1 else y.shape[1])
        n_threads = threads.count(self.n_jobs)
        fit: LeastSquaresFit | NonnegativeFit
        if self.positive:
            fit = fit_nonnegative(
                X,
                y,
                weight,
                strengths,
                intercept=self.fit_intercept,
                max_iter=_MAX_ITER if self.max_iter is None else self.max_iter,
                n_threads=n_threads,
            )
        else:
            fit = fit_least_squares(
                X,
                y,
                weight,
                strengths,
                intercept=self.fit_intercept,
                method="svd" if self.solver == "svd" else "auto",
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
                self._strengths(rows.n_targets),
                intercept=self.fit_intercept,
                method="svd" if self.solver == "svd" else "auto",
                n_threads=threads.count(self.n_jobs),
                owner=type(self).__name__,
            )
        )

    def _store(self, fit: LeastSquaresFit | NonnegativeFit) -> Self:
        # A table of one target gives one vector, as there.
        coef = fit.coef[0] if fit.coef.ndim == 2 and len(fit.coef) == 1 else fit.coef
        self.coef_, self.intercept_, self.rank_ = coef, fit.intercept, fit.rank
        self._law = fit.law
        self.fit_report_ = check.report(self, fit.solution)
        self.n_iter_ = fit.n_iter
        self.solver_ = fit.solver if self.solver == "auto" else self.solver
        return self

    def _check_params(self) -> None:
        """Refuse bad parameters, and those that do not go together."""
        check.params(self, nonnegative="tol", flag="fit_intercept copy_X positive", one_of=_CHOICES)
        if self.max_iter is not None:
            check.params(self, count="max_iter")
        self._check_alpha()
        if self.positive and self.solver not in ("auto", "lbfgs"):
            raise ValueError(
                f"{type(self).__name__}: solver must be 'auto' or 'lbfgs' with positive=True, "
                f"got {self.solver!r}, which does not support positive fitting"
            )
        if not self.positive and self.solver == "lbfgs":
            raise ValueError(
                f"{type(self).__name__}: only 'lbfgs' solver can be used when positive=True, and "
                "solver must be another than 'lbfgs' when positive=False, got 'lbfgs'"
            )

    def _check_alpha(self) -> None:
        if isinstance(self.alpha, float | int) or np.ndim(self.alpha) == 0:
            check.params(self, nonnegative="alpha")
        elif np.isinf(self.alpha).any():
            raise check.fail(self, "alpha", "finite for every target", self.alpha)
        elif not np.min(self.alpha) >= 0:
            raise check.fail(self, "alpha", "at least 0 for every target", self.alpha)

    def _strengths(self, n_targets: int) -> Floats:
        """One strength for all targets, or one for each."""
        strengths = np.atleast_1d(np.asarray(self.alpha, dtype=np.float64))
        if strengths.shape not in ((1,), (n_targets,)):
            raise ValueError(
                f"{type(self).__name__}: alpha must be a number or one per target "
                f"({n_targets}), got {strengths.shape}: Number of targets and number of "
                f"penalties do not correspond: {strengths.size} != {n_targets}"
            )
        return strengths

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
        r"""Law of a new target at each row, under the prior of the penalty.

        .. math:: \frac{y - \hat y(x)}{\hat\sigma \sqrt{1 + \tfrac1N + (x - \bar x)^\top (A^\top
                  A + \alpha I)^{-1} (x - \bar x)}} \sim t_\nu, \qquad \hat\sigma^2 =
                  \mathrm{RSS} / \nu, \quad \nu = N - 1 - \sum_j \frac{d_j^2}{d_j^2 + \alpha},

        with :math:`A` the centred rows, :math:`d_j` their singular values and :math:`N` the sum of
        the weights: the posterior under :math:`w \sim N(0, \sigma^2 / \alpha)`, the noise
        estimated with the equivalent degrees of freedom :math:`\nu`. Without an intercept nothing
        is centred and :math:`1/N` and the 1 in :math:`\nu` are left out. A model that has at most
        2 degrees of freedom left does not have this method.

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
        alpha = float(np.ravel(self.alpha)[0])
        return regression_summary(X, y, weight, self.coef_, intercept, alpha, names, level)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
