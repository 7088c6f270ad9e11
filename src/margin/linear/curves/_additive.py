"""Generalised additive model."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from margin import optim
from margin.core import Card, atomic, check, progress
from margin.core.types import Array, Floats
from margin.distributions import Normal
from margin.linear.curves._additive_basis import SplineBasis
from margin.linear.curves._additive_fit import additive_columns, column_blocks, fit_additive


class GeneralisedAdditiveModel(RegressorMixin, BaseEstimator):
    r"""Sum of one smooth function per feature (linear.21).

    Fits :math:`y = b + \sum_j f_j(x_j) + \varepsilon` with cubic splines of mean zero by minimising

    .. math:: \sum_i s_i \bigl(y_i - b - \sum_j f_j(x_{ij})\bigr)^2
              + \sum_j \alpha_j \int f_j''(u_j)^2\,du_j + \alpha_0 \sum_j \beta_j^2,

    where :math:`u_j` runs from 0 to 1 over the data and :math:`\beta_j` is the slope of the line in
    :math:`f_j` per standard deviation. The strengths are those of largest restricted likelihood,
    so that a feature without influence is flattened and one with a linear influence stays a line.

    Parameters
    ----------
    alpha : "reml", float or array-like of shape (n_features,), default="reml"
        Strengths of the bending penalties, above 0; given ones leave the lines unpenalised.
    n_knots : int, default=20
        Most knots per feature, at quantiles of its distinct values; at least 3.
    tol : float, default=1e-5
        Largest entry of the gradient of the likelihood per row that counts as zero.
    max_iter : int, default=200
        Most iterations in search of the strengths.

    Attributes
    ----------
    intercept_ : float
        Mean of the target.
    alpha_ : ndarray of shape (n_features,)
        Strengths of the bending penalties.
    line_alpha_ : float
        Strength :math:`\alpha_0` of the penalty of the lines.
    effective_dof_ : ndarray of shape (n_features,)
        Effective degrees of freedom of each function: 0 if flat, 1 if a line.
    noise_variance_ : float
        Variance of the noise, taken to be at least a millionth of that of the target.
    bases_ : list of SplineBasis
        Columns of each feature.
    weights_ : ndarray of shape (n_columns,)
        Coefficients of the columns of all features.
    covariance_ : ndarray of shape (n_columns, n_columns)
        Posterior covariance of the coefficients.
    fit_report_ : FitReport
        Restricted likelihood, its gradient, and the iterations.
    n_iter_ : int
        Iterations made.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    With :math:`q` columns in all, :math:`O(n q^2)` once and :math:`O(q^3)` per iteration; memory of
    :math:`q^2`, the columns themselves are made a few thousand rows at a time.

    References
    ----------
    Wood, Generalized Additive Models, 2nd edition, 2017.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.linear import GeneralisedAdditiveModel
    >>> X = np.random.default_rng(0).uniform(size=(300, 2))
    >>> y = np.sin(6 * X[:, 0]) + 2 * X[:, 1]
    >>> model = GeneralisedAdditiveModel().fit(X, y + 0.1 * np.cos(99 * X[:, 1]))
    >>> bool(np.abs(model.predict(X) - y).max() < 0.1), model.effective_dof_.round() >= 1
    (True, array([ True,  True]))
    """

    card = Card(tasks=("regression",), cost="linear", search_space={"n_knots": [8, 20]})

    bases_: list[SplineBasis]

    def __init__(
        self,
        *,
        alpha: Any = "reml",
        n_knots: int = 20,
        tol: float = 1e-5,
        max_iter: int = 200,
    ) -> None:
        self.alpha = alpha
        self.n_knots = n_knots
        self.tol = tol
        self.max_iter = max_iter

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the functions.

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
        check.params(self, positive="tol", count="n_knots max_iter")
        if self.n_knots < 3:
            raise check.fail(self, "n_knots", "an integer of at least 3", self.n_knots)
        X, y, weight = check.data(self, X, y, sample_weight)
        given = self._given_alpha(X.shape[1])
        share = np.ones(len(y)) if weight is None else weight

        table = X.astype(np.float64, copy=False)
        solver = optim.Newton(self.tol, self.max_iter)
        with progress.bar(type(self).__name__, self.max_iter) as tick:
            fit = fit_additive(table, y, share, given, self.n_knots, solver, tick)

        self.bases_, self.weights_, self.covariance_ = fit.bases, fit.coef, fit.covariance
        self.noise_variance_, self.effective_dof_ = fit.noise_variance, fit.dof
        self.line_alpha_, self.alpha_ = fit.line_alpha, fit.alpha
        self.intercept_ = X.dtype.type(fit.level)
        self._count = fit.count
        self.fit_report_ = check.report(self, fit.solution)
        self.n_iter_ = fit.solution.n_iter
        return self

    def _given_alpha(self, n_features: int) -> Floats | None:
        """Strengths of the bending penalties, None where they are to be found."""
        if isinstance(self.alpha, str) and self.alpha == "reml":
            return None
        try:
            given = np.broadcast_to(np.asarray(self.alpha, dtype=np.float64), n_features)
            good = bool((np.isfinite(given) & (given > 0)).all())
        except (TypeError, ValueError):
            good = False
        if not good:
            need = '"reml", a number above 0 or one for each feature'
            raise check.fail(self, "alpha", need, self.alpha)
        return given

    def predict(self, X: Any) -> Array:
        """Intercept plus the sum of the functions."""
        X = check.table(self, X)
        return np.asarray(self.intercept_ + self._effects(X).sum(axis=1), dtype=X.dtype)

    def _effects(self, X: Array) -> Floats:
        blocks = zip(self.bases_, X.T, column_blocks(self.bases_), strict=True)
        return np.column_stack(
            [basis.columns(x) @ self.weights_[block] for basis, x, block in blocks]
        )

    def partial_effects(self, X: Any) -> tuple[Floats, Floats]:
        """Value of every function, which sum to the prediction less the intercept.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        effects, errors : ndarray of shape (n_samples, n_features)
            Functions and their posterior standard deviations.
        """
        X = check.table(self, X)
        errors = np.zeros(X.shape)
        for j, block in enumerate(column_blocks(self.bases_)):
            columns = self.bases_[j].columns(X[:, j])
            variance = np.sum((columns @ self.covariance_[block, block]) * columns, axis=1)
            errors[:, j] = np.sqrt(np.maximum(variance, 0.0))
        return self._effects(X), errors

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
        columns = additive_columns(self.bases_, X)
        variance = np.sum((columns @ self.covariance_) * columns, axis=1)
        variance = variance + self.noise_variance_ * (1 + 1 / self._count)
        mean = self.intercept_ + columns @ self.weights_
        return Normal(mean, np.sqrt(np.maximum(variance, np.finfo(np.float64).tiny)))
