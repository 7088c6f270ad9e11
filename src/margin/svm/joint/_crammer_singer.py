"""Crammer and Singer's multi-class machine."""

from typing import Any

import numpy as np

from margin.core.types import Floats, Indices
from margin.native.duals.multiclass_dual import CRAMMER_SINGER
from margin.svm.joint._joint_machine import JointMachine


class CrammerSingerSVC(JointMachine):
    r"""Multi-class support vector machine of Crammer and Singer (svm.18).

    Minimises, over one function :math:`f_k` per class,

    .. math:: \tfrac12 \sum_k \|w_k\|^2 + C \sum_i s_i \max_k
        \bigl( f_k(x_i) - f_{y_i}(x_i) + [k \ne y_i] \bigr):

    only the strongest rival of every row costs. The dual has multipliers
    :math:`\beta_{ik} \le C s_i [k = y_i]` with :math:`\sum_k \beta_{ik} = 0`; those of one row are
    optimised at once, exactly.

    Parameters
    ----------
    C : float, default=1.0
        Price of a margin error, above 0.
    kernel, degree, gamma, coef0 : "rbf", 3, "scale" and 0.0 by default
        The kernel, as for :class:`SVC`.
    fit_intercept : bool, default=False
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
    Crammer and Singer, On the algorithmic implementation of multiclass kernel-based vector
    machines, JMLR 2001.

    Examples
    --------
    >>> from margin.svm import CrammerSingerSVC
    >>> X, y = [[0, 1], [0, 2], [1, -1], [2, -2], [-1, -1], [-2, -2]], [0, 0, 1, 1, 2, 2]
    >>> CrammerSingerSVC().fit(X, y).predict(X)
    array([0, 0, 1, 1, 2, 2])
    """

    kind = CRAMMER_SINGER

    @staticmethod
    def losses(scores: Floats, codes: Indices) -> Floats:
        """Excess of the strongest rival over the own class, less than one apart."""
        rows = np.arange(len(codes))
        shifted = scores + 1.0
        shifted[rows, codes] -= 1.0
        return np.asarray(shifted.max(axis=1) - scores[rows, codes])

    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 0.0,
        fit_intercept: bool = False,
        tol: float = 1e-4,
        class_weight: Any = None,
        max_iter: int = 5000,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(
            C=C,
            kernel=kernel,
            degree=degree,
            gamma=gamma,
            coef0=coef0,
            fit_intercept=fit_intercept,
            tol=tol,
            class_weight=class_weight,
            max_iter=max_iter,
            random_state=random_state,
            n_jobs=n_jobs,
        )
