"""Classification by least squares on labels of -1 and 1."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin

from margin.core import (
    Card,
    Certificate,
    Solution,
    Status,
    atomic,
    best_label,
    check,
    linear_scores,
    threads,
)
from margin.core.types import Array, Matrix
from margin.linalg import RidgeFit, ridge

_TOL = 1e-7


class LeastSquaresClassifier(ClassifierMixin, BaseEstimator):
    r"""Linear classifier by least squares on targets of -1 and 1 (linear.38).

    Minimises :math:`\tfrac12 \sum_i s_i \|t_i - W x_i - b\|^2 + \tfrac\alpha2 \|W\|^2`, where
    :math:`t_{ik} = 1` if row ``i`` is of class ``k`` and -1 otherwise (one such target for two
    classes), and answers the class of the largest score. For two classes and :math:`\alpha = 0` the
    coefficients point in the direction of the linear discriminant.

    Parameters
    ----------
    alpha : float, default=0.0
        Strength of the penalty; the intercept is not penalised.
    fit_intercept : bool, default=True
        Whether to fit :math:`b`.
    n_jobs : int, optional
        Threads of the compiled passes; the answer does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels.
    coef_ : ndarray of shape (n_classes, n_features), one row for two classes
        Coefficients :math:`W`.
    intercept_ : ndarray of shape (n_classes,), one entry for two classes
        Intercepts :math:`b`.
    fit_report_ : FitReport
        Method chosen and the residual of the normal equations at the solution.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n p \min(n, p))` operations. Least squares punishes rows that are far on the right
    side, so distant rows of a class can pull the boundary over others; logistic regression does
    not.

    Examples
    --------
    >>> from margin.linear import LeastSquaresClassifier
    >>> model = LeastSquaresClassifier().fit([[0], [1], [3], [4]], ["no", "no", "yes", "yes"])
    >>> model.coef_.round(6), model.intercept_.round(6)
    (array([[0.6]]), array([-1.2]))
    >>> model.predict([[1.5], [2.5]]).tolist()
    ['no', 'yes']
    """

    card = Card(
        tasks=("classification",), cost="linear", search_space={"alpha": (1e-3, 1e4, "log")}
    )

    def __init__(
        self, *, alpha: float = 0.0, fit_intercept: bool = True, n_jobs: int | None = None
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the coefficients.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        check.params(self, nonnegative="alpha", flag="fit_intercept")
        X, y, weight = check.data(self, X, y, sample_weight, target="classes", sparse=True)
        labels, code = check.classes(self, y)
        columns = np.arange(len(labels)) if len(labels) > 2 else np.array([1])
        targets = np.where(code[:, None] == columns, 1.0, -1.0)
        fit = ridge(
            X,
            targets,
            weight,
            self.alpha,
            intercept=self.fit_intercept,
            n_threads=threads.count(self.n_jobs),
        )
        self.classes_ = labels
        self.coef_ = fit.coef.T.astype(X.dtype)
        self.intercept_ = fit.intercept.astype(X.dtype)
        self.fit_report_ = check.report(self, _solution(fit))
        return self

    def decision_function(self, X: Matrix) -> Array:
        """Score of the second class for two classes, else one score per class."""
        X = check.table(self, X, sparse=True)
        return linear_scores(X, self.coef_, self.intercept_)

    def predict(self, X: Matrix) -> Array:
        """Class of the largest score."""
        scores = self.decision_function(X)
        return best_label(self.classes_, scores)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _solution(fit: RidgeFit) -> Solution:
    converged = fit.residual <= _TOL or fit.objective <= np.finfo(float).tiny
    return Solution(
        x=np.empty(0),
        status=Status.CONVERGED if converged else Status.STALLED,
        n_iter=1 + fit.refinements,
        objective=fit.objective,
        certificate=Certificate("relative residual of the normal equations", fit.residual, _TOL),
        solver=fit.method,
        message=""
        if converged
        else f"the normal equations hold only to {fit.residual:.2g}; scale the features",
    )
