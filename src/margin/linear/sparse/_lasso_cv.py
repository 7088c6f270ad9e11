"""Lasso with the strength chosen by cross-validation along the path."""

from typing import Any, Self

from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.metadata_routing import MetadataRouter

from margin.core import Card, atomic, check, threads
from margin.core.types import Array
from margin.linear.regression._least_squares_fit import linear_values
from margin.linear.sparse._accepted import check_accepted
from margin.linear.sparse._path_cross_validation import PathSettings, splits, validated_path
from margin.linear.sparse._sparse_path import lasso_path
from margin.linear.sparse._splitter_parameters import for_splitter, splitter_routing
from margin.linear.sparse._strengths import counted_strengths


class LassoCV(RegressorMixin, BaseEstimator):
    r"""Lasso whose strength is chosen by cross-validation along the path (linear.14).

    As :class:`ElasticNetCV` with ``l1_ratio=1``; the objective is that of :class:`Lasso`.

    Parameters
    ----------
    eps : float, default=1e-3
        Smallest strength of the automatic sequence, as a share of the largest.
    n_alphas : int, default="deprecated"
        Today ``alphas``, which scikit-learn 1.8 called so too.
    alphas : int or array-like, default=100
        How many strengths, spaced evenly in their logarithm, or the strengths themselves.
    fit_intercept : bool, default=True
        Whether to fit an intercept, which is not penalised.
    precompute : bool, "auto" or array-like of shape (n_features, n_features), default="auto"
        Without effect: products of the columns are computed for the working sets alone.
    copy_X : bool, default=True
        Without effect: the data are never changed.
    tol : float, default=1e-4
        Relative duality gap that counts as zero.
    max_iter : int, default=1000
        Most sweeps over the coordinates per strength.
    cv : int, splitter or iterable, optional
        Folds; five by default.
    positive : bool, default=False
        Whether the coefficients must be at least 0.
    verbose : bool or int, default=False
        Without effect: progress is shown by :mod:`margin.core.progress`.
    random_state : int, Generator or RandomState, optional
        Without effect: nothing is drawn.
    selection : {"cyclic", "random"}, default="cyclic"
        Without effect: columns are taken by their violation, then in turn.
    n_jobs : int, optional
        Threads; the answer does not depend on it.

    Attributes
    ----------
    alpha_ : float
        The strength chosen.
    coef_ : ndarray of shape (n_features,)
        Coefficients of the fit on all rows.
    intercept_ : float
        Its intercept.
    alphas_ : ndarray of shape (n_alphas,)
        Strengths tried, decreasing.
    mse_path_ : ndarray of shape (n_alphas, n_folds)
        Mean squared errors on the held-out rows.
    dual_gap_ : float
        The objective is within this of its minimum.
    n_iter_ : int
        Sweeps made for the chosen strength.
    fit_report_ : FitReport
        Of the final fit.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.linear import LassoCV
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 8))
    >>> y = 3 * X[:, 0] + rng.normal(size=100)
    >>> LassoCV().fit(X, y).mse_path_.shape
    (100, 5)
    """

    card = Card(tasks=("regression",), cost="linear")

    def __init__(
        self,
        *,
        eps: float = 1e-3,
        n_alphas: Any = "deprecated",
        alphas: Any = 100,
        fit_intercept: bool = True,
        precompute: Any = "auto",
        copy_X: bool = True,
        tol: float = 1e-4,
        max_iter: int = 1000,
        cv: Any = None,
        positive: bool = False,
        verbose: bool | int = False,
        random_state: Any = None,
        selection: str = "cyclic",
        n_jobs: int | None = None,
    ) -> None:
        self.eps = eps
        self.n_alphas = n_alphas
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.copy_X = copy_X
        self.tol = tol
        self.max_iter = max_iter
        self.cv = cv
        self.positive = positive
        self.verbose = verbose
        self.random_state = random_state
        self.selection = selection
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Self:
        """Choose the strength, and fit.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights, of the fits and of the errors.
        **params : dict
            For the splitter's ``split``, such as ``groups``, where metadata routing is enabled.

        Returns
        -------
        self
        """
        extra = for_splitter(self, sample_weight, params)
        check.params(
            self,
            positive="eps",
            nonnegative="tol",
            count="max_iter",
            flag="fit_intercept copy_X positive",
        )
        X, y, weight = check.data(self, X, y, sample_weight, sparse=True)
        check_accepted(self, X, weight, auto=True, intercept=self.fit_intercept)
        name = type(self).__name__
        alphas = counted_strengths(name, self.alphas, self.n_alphas, spell=("1.7", "1.9"))
        settings = PathSettings(
            alphas=alphas,
            eps=self.eps,
            intercept=self.fit_intercept,
            positive=self.positive,
            tol=self.tol,
            max_iter=self.max_iter,
            n_threads=threads.count(self.n_jobs),
            owner=name,
        )
        folds = splits(name, self.cv, X.shape[0], y, extra)
        best = validated_path(X, y, weight, [1.0], folds, settings)
        self.alpha_ = best.alpha
        self.coef_ = best.path.coefs[:, -1].astype(X.dtype)
        self.intercept_ = X.dtype.type(best.path.intercepts[-1]) if self.fit_intercept else 0.0
        self.alphas_, self.mse_path_ = best.grids[0], best.errors[0]
        self.dual_gap_ = float(best.path.gaps[-1])
        self.n_iter_ = best.solution.n_iter
        self.fit_report_ = check.report(self, best.solution, notes=(best.note,))
        return self

    def predict(self, X: Any) -> Array:
        """Predicted targets, of shape (n_samples,)."""
        return linear_values(check.table(self, X, sparse=True), self.coef_, self.intercept_)

    def get_metadata_routing(self) -> MetadataRouter:
        """What fit asks for itself, and what it hands to the splitter."""
        return splitter_routing(self, self.cv)

    path = staticmethod(lasso_path)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
