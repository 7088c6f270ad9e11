"""Weston and Watkins's multi-class machine."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from margin.core import Card, atomic
from margin.native.multiclass_dual import WESTON_WATKINS
from margin.svm._classifier_answers import machine_scores, set_kernel_tags
from margin.svm._multiclass_dual import fit_multiclass


class WestonWatkinsSVC(ClassifierMixin, BaseEstimator):
    r"""Multi-class support vector machine of Weston and Watkins (svm.16, svm.17).

    Minimises, over one function :math:`f_k` per class,

    .. math:: \tfrac12 \sum_k \|w_k\|^2 + C \sum_i s_i \sum_{k \ne y_i}
        \max\bigl(0, 2 - f_{y_i}(x_i) + f_k(x_i)\bigr):

    every rival that comes closer than 2 costs. Two classes give the hinge machine with
    :math:`w_1 = -w_0 = w`. The dual has multipliers :math:`0 \le \alpha_{ik} \le C s_i` for the
    rivals; without bias (``fit_intercept=False``) there is no other constraint.

    Parameters
    ----------
    C : float, default=1.0
        Price of a margin error, above 0.
    kernel : str, Kernel or callable, default="rbf"
        As for :class:`SVC`.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Factor of the named kernels.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    fit_intercept : bool, default=True
        Whether every class has a bias, which is not penalised.
    tol : float, default=1e-4
        Duality gap, divided by the objective, that counts as converged; with a bias also the
        largest sum of the multipliers of a class, divided by the sum of all.
    class_weight : dict or "balanced", optional
        Factors of ``C`` for the classes.
    max_iter : int, default=5000
        Most passes over the rows.
    random_state : int, Generator, RandomState or None, default=0
        Order of the rows.
    n_jobs : int, optional
        Threads of :meth:`predict`; the answer does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels in sorted order.
    support_ : ndarray of int
        Rows with a multiplier above zero.
    support_vectors_ : array, sparse matrix or list
        These rows; empty for a precomputed kernel.
    dual_coef_ : ndarray of shape (n_classes, n_support)
        Coefficients of the functions of the classes.
    intercept_ : ndarray of shape (n_classes,)
        Biases; zeros without.
    fit_report_ : FitReport
        Primal objective, its trace, and the relative duality gap.
    n_iter_ : int
        Passes made.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    The kernel matrix is held whole, at most 2 GB. A pass costs :math:`O(n^2 K)` at most: rows whose
    multipliers stay cost nothing.

    References
    ----------
    Weston and Watkins, Support vector machines for multi-class pattern recognition, ESANN 1999.

    Examples
    --------
    >>> from margin.svm import WestonWatkinsSVC
    >>> X, y = [[0, 1], [0, 2], [1, -1], [2, -2], [-1, -1], [-2, -2]], [0, 0, 1, 1, 2, 2]
    >>> WestonWatkinsSVC().fit(X, y).predict(X)
    array([0, 0, 1, 1, 2, 2])
    """

    card = Card(
        tasks=("classification",),
        cost="quadratic",
        search_space={"C": (1e-2, 1e3, "log"), "gamma": (1e-3, 1e1, "log")},
        max_rows=10_000,
        min_classes=3,
    )

    def __init__(
        self,
        *,
        C=1.0,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        fit_intercept=True,
        tol=1e-4,
        class_weight=None,
        max_iter=5000,
        random_state=0,
        n_jobs=None,
    ):
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.class_weight = class_weight
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X, y, sample_weight=None):
        """Fit the functions of all classes together.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or list of objects
            The kernel matrix for ``kernel="precomputed"``.
        y : array-like of shape (n_samples,)
            Labels of at least two classes.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative factors of ``C``; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        return fit_multiclass(self, X, y, sample_weight, WESTON_WATKINS, _losses)

    def decision_function(self, X):
        """Difference of the two scores for two classes, otherwise the score of every class."""
        scores = machine_scores(self, X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X):
        """Label of every row."""
        codes = machine_scores(self, X).argmax(axis=1)
        return self.classes_[codes]

    def __sklearn_tags__(self):
        return set_kernel_tags(self, super().__sklearn_tags__())


def _losses(scores, codes):
    """Sum over the rivals of what they lack to a distance of two."""
    rows = np.arange(len(codes))
    lacking = np.maximum(0.0, 2.0 - scores[rows, codes][:, None] + scores)
    return lacking.sum(axis=1) - lacking[rows, codes]
