"""Ridge regression."""

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin

from margin.core import Card, atomic, check
from margin.linear.regression._least_squares_fit import fit_least_squares, predict_linear
from margin.linear.regression._summary import summarise


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
    solver : {"auto", "cholesky", "svd"}, default="auto"
        ``"auto"`` factors the normal equations of the columns or, when there are fewer rows, of
        the rows, and refines; singular values where their condition does not allow it.
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
    :math:`O(n p \min(n, p))` operations, memory of one :math:`\min(n, p)` square matrix.

    Examples
    --------
    >>> from margin.linear import Ridge
    >>> model = Ridge(alpha=2.0).fit([[0], [1], [2]], [1, 2, 4])
    >>> model.coef_.round(6), round(float(model.intercept_), 6)
    (array([0.75]), 1.583333)
    """

    card = Card(tasks=("regression",), cost="linear", search_space={"alpha": (1e-3, 1e4, "log")})

    def __init__(self, *, alpha=1.0, fit_intercept=True, solver="auto", n_jobs=None):
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.solver = solver
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X, y, sample_weight=None):
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
        check.params(self, flag="fit_intercept", one_of={"solver": ("auto", "cholesky", "svd")})
        if np.ndim(self.alpha) == 0:
            check.params(self, nonnegative="alpha")
        elif not np.isfinite(self.alpha).all() or np.min(self.alpha) < 0:
            raise check.fail(self, "alpha", "at least 0 for every target", self.alpha)
        return fit_least_squares(self, X, y, sample_weight, alpha=self.alpha, method=self.solver)

    def predict(self, X):
        """Predicted targets, of shape (n_samples,) or (n_samples, n_targets)."""
        return predict_linear(self, X)

    def summary(self, X, y, sample_weight=None, level=0.95):
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
        return summarise(self, X, y, sample_weight, level)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
