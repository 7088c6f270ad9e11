"""Novelty detection by a half space in feature space."""

from typing import Any, Self

import numpy as np
from sklearn.base import OutlierMixin

from margin.core import Card, atomic, check
from margin.core.types import Array
from margin.svm.kernel._single_duals import HalfSpace
from margin.svm.kernel._single_machine import SingleDualMachine


class OneClassSVM(OutlierMixin, SingleDualMachine):
    r"""Region that holds all but a share of the data (svm.13, adaptation.10).

    Minimises :math:`\tfrac12 \|w\|^2 - \nu n \rho + \sum_i s_i \max(0, \rho - \langle w, \phi(x_i)
    \rangle)`: the half space of feature space farthest from the origin, with at most a share
    :math:`\nu` of the rows outside and at least that share of support vectors.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        As in :class:`SVC`.
    degree, gamma, coef0 : default 3, "scale" and 0.0
        Of the named kernels, as in :class:`SVC`.
    tol : float, default=1e-3
        Largest violation of the optimality conditions.
    nu : float, default=0.5
        Share of rows outside, above 0 and at most 1.
    shrinking : bool, default=True
        Whether multipliers that rest at their bounds may leave the game for a while.
    cache_size : float, default=200
        Megabytes of kernel rows that are kept.
    verbose : bool, default=False
        Print the fit report.
    max_iter : int, default=-1
        Most pairs of multipliers that are optimised; -1 for no limit in practice.
    solver : {"smo", "qp"}, default="smo"
        As in :class:`SVC`.
    n_jobs : int, optional
        Threads; the answer does not depend on it.

    Attributes
    ----------
    support_ : ndarray of int
        Rows that are support vectors.
    support_vectors_ : array, sparse matrix or list
        These rows; empty for a precomputed kernel.
    n_support_ : ndarray of shape (1,)
        Number of support vectors.
    dual_coef_ : ndarray or sparse matrix of shape (1, n_support)
        Their multipliers, which sum to :math:`\nu n`.
    coef_ : ndarray or sparse matrix of shape (1, n_features)
        Weights of the features, for the linear kernel only.
    intercept_ : ndarray of shape (1,)
        Minus the level.
    offset_ : float
        The level :math:`\rho`: ``decision_function = score_samples - offset_``.
    support_report_ : SupportReport
        Rows on the border (unbound) and outside (bound, margin errors).
    fit_report_ : FitReport
        Status, objective (minus the dual) and its trace, and the violation of the optimality
        conditions; primal value and duality gap are among the notes.
    fit_status_ : int
        0 where the fit converged, else 1.
    shape_fit_ : tuple of int
        Shape of the rows of the fit.
    n_iter_ : int
        Pairs optimised.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    As for :class:`SVC`.

    References
    ----------
    Schölkopf et al., Estimating the support of a high-dimensional distribution, 2001.

    Examples
    --------
    >>> from margin.svm import OneClassSVM
    >>> model = OneClassSVM(nu=0.5, gamma=1.0).fit([[0.0], [0.1], [-0.1], [5.0]])
    >>> model.predict([[0.0], [9.0]])
    array([ 1, -1])
    """

    card = Card(tasks=("density",), cost="quadratic", max_rows=20_000, on_request=True)

    def __init__(
        self,
        *,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 0.0,
        tol: float = 1e-3,
        nu: float = 0.5,
        shrinking: bool = True,
        cache_size: float = 200,
        verbose: bool = False,
        max_iter: int = -1,
        solver: str = "smo",
        n_jobs: int | None = None,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.nu = nu
        self.shrinking = shrinking
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter
        self.solver = solver
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit the region.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or list of objects
            The kernel matrix for ``kernel="precomputed"``.
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
            A weight of two is the same as the row twice; rows of weight zero or less are left out.

        Returns
        -------
        self
        """
        self._check_dual()
        check.params(self, positive="nu", fraction="nu")
        self._fit(X, None, sample_weight, None, HalfSpace(float(self.nu)))
        self.offset_ = -float(self.intercept_[0])
        return self

    def decision_function(self, X: Any) -> Array:
        """Signed value of every row, positive inside the region."""
        return self._values(X)

    def score_samples(self, X: Any) -> Array:
        """Values before the level ``offset_`` is subtracted."""
        return self._values(X) + self.offset_

    def predict(self, X: Any) -> Array:
        """1 inside the region, -1 outside."""
        return np.where(self._values(X) >= 0, 1, -1)
