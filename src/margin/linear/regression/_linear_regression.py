"""Ordinary least squares."""

from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin

from margin.core import Card, atomic, check
from margin.linear.regression._least_squares_fit import fit_least_squares, predict_linear
from margin.linear.regression._summary import summarise


class LinearRegression(MultiOutputMixin, RegressorMixin, BaseEstimator):
    r"""Ordinary least squares (linear.03), weighted if asked (linear.05).

    Minimises :math:`\tfrac12 \sum_i s_i (y_i - x_i^\top w - b)^2`. When columns are dependent or
    there are fewer rows than columns, the solution of least norm is returned.

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether to fit :math:`b`.
    solver : {"auto", "cholesky", "svd"}, default="auto"
        ``"auto"`` factors the scaled normal equations and refines until the gradient vanishes; if
        their condition does not allow it, takes the singular value decomposition.
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

    def __init__(self, *, fit_intercept=True, solver="auto", n_jobs=None):
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
        return fit_least_squares(self, X, y, sample_weight, alpha=0.0, method=self.solver)

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
