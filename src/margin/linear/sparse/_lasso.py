"""Lasso."""

from typing import Any, Self

from scipy import sparse
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin

from margin.core import Card, atomic, check, progress, threads
from margin.core.types import Array
from margin.linear.regression._least_squares_fit import linear_values
from margin.linear.sparse._accepted import check_accepted
from margin.linear.sparse._elastic_net_fit import (
    ElasticNetSettings,
    fit_elastic_net,
    warm_starts,
)
from margin.linear.sparse._sparse_path import enet_path


class Lasso(MultiOutputMixin, RegressorMixin, BaseEstimator):
    r"""Least squares with an absolute-value penalty: a linear model of few features (linear.14).

    With :math:`S = \sum_i s_i`, minimises

    .. math:: \frac1{2S} \sum_i s_i (y_i - x_i^\top w - b)^2 + \alpha \|w\|_1,

    scikit-learn's objective and the posterior mode under a Laplace prior (penalties.02). All
    coefficients are zero from :math:`\alpha = \max_j |x_j^\top (y - \bar y)| / n` on; with
    orthonormal columns they are the soft threshold of the products with the target. In the form
    :math:`\|y - Xw\|^2 + \lambda \|w\|_1` of many books, :math:`\lambda = 2 n \alpha`.

    Parameters
    ----------
    alpha : float, default=1.0
        Strength of the penalty, at least 0; the intercept is not penalised.
    fit_intercept : bool, default=True
        Whether to fit :math:`b`.
    precompute : bool or array-like of shape (n_features, n_features), default=False
        Without effect: products of the columns are computed for the working sets alone.
    copy_X : bool, default=True
        Without effect: the data are never changed.
    tol : float, default=1e-4
        Duality gap, relative to the mean square of the centred target, that counts as zero.
    max_iter : int, default=1000
        Most sweeps over the coordinates.
    warm_start : bool, default=False
        Whether to start from the coefficients of the last fit.
    positive : bool, default=False
        Whether the coefficients must be at least 0.
    random_state : int, Generator or RandomState, optional
        Without effect: nothing is drawn.
    selection : {"cyclic", "random"}, default="cyclic"
        Without effect: columns are taken by their violation, then in turn.
    n_jobs : int, optional
        Threads of the compiled passes; the answer does not depend on it.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
        Coefficients :math:`w`.
    intercept_ : float or ndarray of shape (n_targets,)
        Intercept :math:`b`.
    dual_gap_ : float or ndarray of shape (n_targets,)
        The objective is within this of its minimum.
    n_iter_ : int or list of int
        Sweeps over the coordinates made.
    fit_report_ : FitReport
        Objective trace and the relative duality gap at the solution.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    Every working set costs one pass over ``X``, which is neither copied nor made dense. Working
    sets start with the features of largest product with the residual and grow as needed.

    Examples
    --------
    >>> from margin.linear import Lasso
    >>> model = Lasso(alpha=0.5).fit([[-1, 0], [1, 0], [0, -1], [0, 1]], [-3, 3, -1, 1])
    >>> model.coef_
    array([2., 0.])
    >>> model.fit_report_.status.value
    'converged'
    """

    card = Card(
        tasks=("regression",),
        cost="linear",
        search_space={"alpha": (1e-4, 10.0, "log")},
        seeded=False,
    )

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        fit_intercept: bool = True,
        precompute: Any = False,
        copy_X: bool = True,
        max_iter: int = 1000,
        tol: float = 1e-4,
        warm_start: bool = False,
        positive: bool = False,
        random_state: Any = None,
        selection: str = "cyclic",
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.copy_X = copy_X
        self.tol = tol
        self.max_iter = max_iter
        self.warm_start = warm_start
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True) -> Self:
        """Fit the coefficients.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.
        check_input : bool, default=True
            Without effect: the checks cost next to nothing and are always made.

        Returns
        -------
        self
        """
        check.params(
            self,
            nonnegative="alpha tol",
            count="max_iter",
            flag="fit_intercept copy_X warm_start positive",
        )
        X, y, weight = check.data(self, X, y, sample_weight, sparse=True, multi_output=True)
        check_accepted(self, X, weight, auto=False, intercept=self.fit_intercept)
        settings = ElasticNetSettings(
            alpha=float(self.alpha),
            l1_ratio=1.0,
            intercept=self.fit_intercept,
            positive=self.positive,
            tol=self.tol,
            max_iter=self.max_iter,
            n_threads=threads.count(self.n_jobs),
        )
        starts = warm_starts(
            getattr(self, "coef_", None) if self.warm_start else None,
            getattr(self, "intercept_", 0.0),
            1 if y.ndim == 1 else y.shape[1],
            X.shape[1],
            with_intercept=self.fit_intercept,
        )
        with progress.bar(type(self).__name__, self.max_iter) as tick:
            fit = fit_elastic_net(X, y, weight, settings, starts, tick, type(self).__name__)
        self.coef_, self.intercept_ = fit.coef, fit.intercept
        self.n_iter_, self.dual_gap_ = fit.n_iter, fit.gap
        self.fit_report_ = check.report(self, fit.solution)
        return self

    def predict(self, X: Any) -> Array:
        """Predicted targets, of shape (n_samples,) or (n_samples, n_targets)."""
        return linear_values(check.table(self, X, sparse=True), self.coef_, self.intercept_)

    @property
    def sparse_coef_(self) -> Any:
        """Coefficients as a sparse matrix."""
        return sparse.csr_matrix(self.coef_)

    path = staticmethod(enet_path)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
