"""Weston and Watkins's multi-class machine."""

import numpy as np

from margin.core.types import Floats, Indices
from margin.native.duals.multiclass_dual import WESTON_WATKINS
from margin.svm.joint._joint_machine import JointMachine


class WestonWatkinsSVC(JointMachine):
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
    kernel, degree, gamma, coef0 : "rbf", 3, "scale" and 0.0 by default
        The kernel, as for :class:`SVC`.
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
    coef_ : ndarray of shape (n_classes, n_features)
        Weights of the features, for the linear kernel only.
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

    kind = WESTON_WATKINS

    @staticmethod
    def losses(scores: Floats, codes: Indices) -> Floats:
        """Sum over the rivals of what they lack to a distance of two."""
        rows = np.arange(len(codes))
        lacking = np.maximum(0.0, 2.0 - scores[rows, codes][:, None] + scores)
        return np.asarray(lacking.sum(axis=1) - lacking[rows, codes])
