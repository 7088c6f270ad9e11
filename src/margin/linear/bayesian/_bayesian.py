"""Bayesian linear regression."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from margin import optim
from margin.core import Card, atomic, check, threads
from margin.core.types import Array, Floats
from margin.distributions import Normal
from margin.linear.bayesian._gaussian_evidence import GaussianEvidence
from margin.linear.bayesian._gaussian_posterior import GaussianPosterior, coefficient_posterior
from margin.linear.regression._regression_statistics import RegressionStatistics


class BayesianLinearRegression(RegressorMixin, BaseEstimator):
    r"""Linear regression with a Gaussian prior and its posterior (linear.16).

    The model is :math:`y_i \sim N(x_i^\top w + b, \sigma^2)` with the prior
    :math:`w \sim N(0, \Lambda^{-1})`, flat in :math:`b`; a row of weight :math:`s_i` counts as
    :math:`s_i` rows. The posterior is

    .. math:: w \mid y \sim N(m, S), \quad S = (\Lambda + \sigma^{-2} X^\top X)^{-1}, \quad
              m = \sigma^{-2} S X^\top y,

    for centred data. Precisions that are not given are set to the maximum of the evidence
    :math:`p(y)`, in which :math:`w` and :math:`b` are integrated out.

    Parameters
    ----------
    prior_precision : float or array-like, optional
        Precision :math:`\Lambda`: a number for a multiple of the identity, a vector for a
        diagonal, or a positive definite matrix. Absent: a multiple of the identity, learned.
    noise_variance : float, optional
        Variance :math:`\sigma^2`. Absent: learned.
    fit_intercept : bool, default=True
        Whether to include :math:`b`.
    tol : float, default=1e-5
        Largest derivative of the log evidence, per row, in the logarithms of the precisions.
    n_jobs : int, optional
        Threads of the compiled passes; the answer does not depend on it.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Posterior mean of :math:`w`.
    intercept_ : float
        Posterior mean of :math:`b`.
    covariance_ : ndarray of shape (n_features, n_features)
        Posterior covariance :math:`S` of :math:`w`.
    prior_precision_ : float or ndarray
        Precision used.
    noise_variance_ : float
        Noise variance used.
    log_evidence_ : float
        Log evidence of the data at these precisions.
    effective_dof_ : float
        :math:`\sum_j \lambda_j / (\lambda_j + \alpha\sigma^2)`: directions that the data decide.
    posterior_ : GaussianPosterior
        Posterior of :math:`w` in eigen-coordinates.
    statistics_ : RegressionStatistics
        Weighted moments of all rows seen.
    fit_report_ : FitReport
        The search for the largest evidence.
    n_iter_ : int
        Iterations of that search.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    The data enter through their centred second moments only, so rows may come in batches:
    :meth:`partial_fit` on parts gives the same model as ``fit`` on the whole.
    :math:`O(n p^2 + p^3)` operations, :math:`O(p^2)` memory.

    Examples
    --------
    >>> from margin.linear import BayesianLinearRegression
    >>> X, y = [[1, 0], [1, 1], [1, 2]], [1, 2, 4]
    >>> model = BayesianLinearRegression(prior_precision=1.0, noise_variance=1.0,
    ...                                  fit_intercept=False).fit(X, y)
    >>> model.coef_.round(6), float(model.covariance_[0, 0].round(6))
    (array([0.8     , 1.266667]), 0.4)
    """

    card = Card(tasks=("regression",), cost="linear")
    statistics_: RegressionStatistics
    posterior_: GaussianPosterior
    noise_variance_: float

    def __init__(
        self,
        *,
        prior_precision: Any = None,
        noise_variance: float | None = None,
        fit_intercept: bool = True,
        tol: float = 1e-5,
        n_jobs: int | None = None,
    ) -> None:
        self.prior_precision = prior_precision
        self.noise_variance = noise_variance
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to all rows at once.

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
        return self._update(X, y, sample_weight, first=True)

    @atomic
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Add rows to those seen before; same parameters as :meth:`fit`."""
        return self._update(X, y, sample_weight, first=not hasattr(self, "statistics_"))

    def _update(self, X: Any, y: Any, sample_weight: Any, first: bool) -> Self:
        check.params(self, flag="fit_intercept", positive="tol")
        if self.noise_variance is not None:
            check.params(self, positive="noise_variance")
        X, y, weight = check.data(self, X, y, sample_weight, reset=first)
        threads.count(self.n_jobs)
        rows = RegressionStatistics.of(X, y, weight, centre=self.fit_intercept)
        self.statistics_ = rows if first else self.statistics_ + rows
        self._solve(X.dtype)
        return self

    def _solve(self, dtype: Any) -> None:
        stats = self.statistics_
        root = self._prior_root(stats.n_features)
        if self.noise_variance is None and stats.count <= 1:
            raise ValueError(
                f"{type(self).__name__}: rows must weigh more than 1 sample in total to learn the "
                f"noise variance, got {stats.count:g}"
            )
        evidence = GaussianEvidence.of(
            stats,
            root,
            precision=self._fixed_precision(),
            noise=None if self.noise_variance is None else 1.0 / self.noise_variance,
        )
        solution = optim.minimise(evidence.problem(), optim.LBFGS(self.tol), evidence.start())
        precision, noise = evidence.precisions(solution.x)

        self.posterior_ = coefficient_posterior(evidence, precision, noise)
        self.coef_ = self.posterior_.mean.astype(dtype)
        level = stats.y_mean - stats.x_mean @ self.posterior_.mean
        self.intercept_ = np.asarray(level, dtype=dtype)[()]
        self.covariance_ = self.posterior_.covariance()
        self.noise_variance_ = 1.0 / noise
        self.prior_precision_ = precision if root is None else np.asarray(self.prior_precision)
        self.log_evidence_ = evidence.log_evidence(precision, noise)
        self.effective_dof_ = evidence.effective_dof(precision, noise)
        self.fit_report_ = check.report(self, solution, notes=evidence.notes(solution.x))
        self.n_iter_ = solution.n_iter

    def _fixed_precision(self) -> float | None:
        if self.prior_precision is None:
            return None
        if np.ndim(self.prior_precision) > 0:
            return 1.0
        check.params(self, positive="prior_precision")
        return float(self.prior_precision)

    def _prior_root(self, n_features: int) -> Floats | None:
        """Cholesky factor of a prior precision matrix, or nothing for a multiple of one."""
        if self.prior_precision is None or np.ndim(self.prior_precision) == 0:
            return None
        matrix = np.asarray(self.prior_precision, dtype=np.float64)
        matrix = np.diag(matrix) if matrix.ndim == 1 else matrix
        if matrix.shape != (n_features, n_features):
            raise check.fail(
                self,
                "prior_precision",
                f"a number, a vector of {n_features} or a matrix of {n_features} x {n_features}",
                np.shape(self.prior_precision),
            )
        if not np.allclose(matrix, matrix.T) or np.linalg.eigvalsh(matrix)[0] <= 0:
            raise check.fail(self, "prior_precision", "symmetric positive definite", matrix)
        return np.asarray(np.linalg.cholesky(matrix), dtype=np.float64)

    def predict(self, X: Any, return_std: bool = False) -> Array | tuple[Floats, Floats]:
        """Mean of the predictive distribution, with its standard deviation if asked."""
        if return_std:
            dist = self.predict_dist(X)
            return dist.mean, dist.std
        X = check.table(self, X)
        return np.asarray(X @ self.coef_ + self.intercept_)

    def predict_dist(self, X: Any) -> Normal:
        """Predictive distribution of a new target at each row, noise included.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        margin.distributions.Normal
            One normal distribution per row.
        """
        X = check.table(self, X).astype(np.float64, copy=False)
        stats, post = self.statistics_, self.posterior_
        deviation = X - stats.x_mean
        variance = self.noise_variance_ + post.variance_along(deviation)
        if self.fit_intercept:
            variance = variance + self.noise_variance_ / stats.count
        return Normal(stats.y_mean + deviation @ post.mean, np.sqrt(variance))
